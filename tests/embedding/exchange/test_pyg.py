"""The transform for PyTorch Geometric, with a stand-in for its Data."""

import sys

import pytest

torch = pytest.importorskip("torch")

from graphne_viz import AddGraphNE, embed  # noqa: E402 -- needs torch


class Data:
    """What the transform needs of torch_geometric.data.Data."""

    def __init__(self, edge_index, num_nodes, x=None):
        self.edge_index, self.num_nodes, self.x = edge_index, num_nodes, x
        self.edge_weight = self.edge_attr = None


Data.__module__ = "torch_geometric.data.data"


def ring(n=20, **keywords):
    ends = torch.arange(n)
    return Data(torch.stack([ends, (ends + 1) % n]), n, **keywords)


def test_vectors_are_added_to_a_copy():
    data = ring()
    added = AddGraphNE(8, epochs=3)(data)
    assert not hasattr(data, "graphne")
    assert added.edge_index is data.edge_index
    assert added.graphne.dtype == torch.float32
    assert torch.equal(added.graphne, embed(data, 8, epochs=3).to_torch())


@pytest.mark.parametrize("x", [None, torch.arange(20.0), torch.ones(20, 3, dtype=torch.float64)])
def test_or_appended_to_the_features(x):
    added = AddGraphNE(8, attr_name=None, epochs=2)(ring(x=x))
    width = 0 if x is None else x.view(20, -1).shape[1]
    assert added.x.shape == (20, width + 8)
    if x is not None:
        assert torch.equal(added.x[:, :width], x.view(20, -1))
        assert added.x.dtype == x.dtype


@pytest.mark.parametrize("x", [torch.arange(20), torch.ones(20, 3, dtype=torch.bool)])
def test_features_that_are_whole_numbers_become_floats(x):
    data = ring(x=x)
    added = AddGraphNE(8, attr_name=None, epochs=2)(data)
    assert torch.equal(added.x[:, :-8], x.view(20, -1).float())
    assert torch.equal(added.x[:, -8:], embed(data, 8, epochs=2).to_torch())


def test_the_library_itself_is_not_imported():
    AddGraphNE(8, epochs=1)(ring())
    assert "torch_geometric" not in sys.modules
    assert repr(AddGraphNE(8, seed=2)) == "AddGraphNE(dim=8, attr_name='graphne', seed=2)"


def test_an_odd_name_is_refused():
    with pytest.raises(TypeError, match="attr_name must be the name of an attribute, or None, got 'a b'"):
        AddGraphNE(8, attr_name="a b")


def test_a_tensor_is_a_copy():
    E = embed(ring(), 4, epochs=1)
    E.to_torch()[0] = 0
    assert E.vectors[0].any()
