import copy
import pickle
from dataclasses import replace

import numpy as np
import pytest
from embedding_examples import a_state, an_embedding, assert_equal, curves, unit_rows

from graphne_viz.embedding.embedding import Embedding


def test_what_it_says_of_itself():
    E = an_embedding(2485, 128, epochs=17, planned=50)
    assert repr(E) == "Embedding(2,485 nodes, 128 dimensions, 17 of 50 epochs, recall 0.97)"
    assert (len(E), E.dim, E.epochs, E.complete) == (2485, 128, 17, False)
    assert E.recall == pytest.approx(1 - 0.5 / 17)
    assert E.temperature == 0.05
    assert an_embedding(epochs=3).complete


def test_without_state_the_history_tells_the_epochs():
    history = curves([1.0, 2.0, 2.4])
    E = an_embedding(state=False, history=history, planned=3)
    assert (E.epochs, E.complete) == (2, False)


def test_before_training():
    E = an_embedding(epochs=0, planned=5, state=False)
    assert (E.epochs, E.complete) == (0, False)
    assert np.isnan([E.recall, E.temperature]).all()
    assert repr(E) == "Embedding(7 nodes, 4 dimensions, 0 of 5 epochs, recall nan)"


def test_vectors_by_node():
    E = an_embedding(ids=["a", ("b", 1), 2, -1])
    for place, node in enumerate(E):
        assert np.array_equal(E[node], E.vectors[place])
        assert node in E
    assert 0 not in E
    assert "missing" not in E


def test_of_equal_ids_the_first_counts():
    E = an_embedding(ids=["same", "other", "same"])
    assert np.array_equal(E["same"], E.vectors[0])


def test_an_unknown_node():
    E = an_embedding(ids=["a", "b", "c", "d"])
    with pytest.raises(KeyError, match="there is no node 'z'; the first nodes are 'a', 'b', 'c'"):
        E["z"]
    with pytest.raises(KeyError, match="there is no node 'z'"):
        E.most_similar("z")
    with pytest.raises(TypeError, match=r"cannot be a node; all vectors are in \.vectors"):
        E[:2]


def test_numpy_sees_the_vectors():
    E = an_embedding()
    assert np.asarray(E) is not E
    assert np.shares_memory(np.asarray(E), E.vectors)
    assert np.array_equal(np.asarray(E, dtype=np.float64), E.vectors.astype(np.float64))
    assert np.linalg.norm(E, axis=1) == pytest.approx(1)
    changed = np.array(E)
    changed[:] = 0
    assert E.vectors.any()


def test_everything_is_frozen_and_the_callers_arrays_are_not():
    vectors, isolated, loss = unit_rows(3, 2), np.zeros(3, dtype=bool), np.ones(2)
    history = curves(loss)
    settings = {"epochs": 2, "more": {"deep": [1]}}
    parameters = np.ones((3, 2), dtype=np.float32)
    state = a_state(3, 2, parameters=parameters)
    E = Embedding(vectors, ["a", "b", "c"], history, settings, isolated, "networkx", state)
    for array in (E.vectors, E.isolated, E.history["loss"], E.state.parameters, E.state.loss, E["a"]):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    with pytest.raises(TypeError, match="does not support item assignment"):
        E.history["loss"] = loss
    with pytest.raises(TypeError, match="does not support item assignment"):
        E.settings["epochs"] = 3
    with pytest.raises(AttributeError, match="cannot assign"):
        E.ids = ()
    for array in (vectors, isolated, loss, parameters):
        array[0] = 0
    settings["more"]["deep"].append(2)
    assert E.settings["more"] == {"deep": [1]}
    assert isinstance(E.ids, tuple)


@pytest.mark.parametrize("copied", [copy.deepcopy, copy.copy, lambda E: pickle.loads(pickle.dumps(E))])  # noqa: S301
def test_copies_are_equal_and_frozen(copied):
    E = an_embedding(ids=["a", 1, ("t", None)], origin="igraph")
    other = copied(E)
    assert_equal(E, other)
    assert not other.vectors.flags.writeable
    assert not other.state.first.flags.writeable


@pytest.mark.parametrize(
    ("replaced", "message"),
    [
        ({"vectors": np.ones((6, 4))}, r"vectors has shape \(6, 4\); it must be \(7, d\)"),
        ({"vectors": np.ones(7)}, r"vectors has shape \(7,\)"),
        ({"vectors": np.where(np.arange(28) == 9, np.nan, 1).reshape(7, 4)}, "the vector of node 2 is not finite"),
        ({"isolated": [True]}, r"isolated has shape \(1,\); it must be \(7,\)"),
        ({"origin": "matlab"}, "origin='matlab' is not one of 'networkx'"),
        ({"history": {"epoch": [1], "loss": [1]}}, "history lacks 'temperature', 'recall'"),
        (
            {"history": {"epoch": [1], "loss": [1, 2], "temperature": [1], "recall": [1]}},
            r"'loss' in history has shape \(2,\), 'epoch' \(1,\)",
        ),
        (
            {"history": curves([1]) | {"../x": [1]}},
            r"'\.\./x' in history is not a plain name",
        ),
        ({"history": curves(1)}, "'epoch' in history has shape"),
        ({"settings": {"seed": np.random.default_rng(0)}}, "settings must hold plain numbers"),
        ({"settings": {"temperature": np.nan}}, "settings must hold plain numbers"),
    ],
)
def test_what_does_not_fit_is_refused(replaced, message):
    with pytest.raises(ValueError, match=message):
        an_embedding(**replaced)


def test_a_state_of_another_embedding_is_refused():
    with pytest.raises(ValueError, match=r"the state is of shape \(7, 5\), the vectors of \(7, 4\)"):
        replace(an_embedding(), state=a_state(7, 5))


@pytest.mark.parametrize(
    ("replaced", "message"),
    [
        ({"first": np.ones((7, 3))}, r"the state's first has shape \(7, 3\)"),
        ({"parameters": np.ones(7)}, r"the state's parameters has shape \(7,\)"),
        ({"second": np.full((7, 4), np.inf)}, "the state's second must be finite"),
        ({"loss": [1]}, r"the state's loss has shape \(1,\); it must be \(2,\)"),
        ({"step": -1}, "the state's step must be an integer of at least 0, got -1"),
        ({"epoch": 1.5}, "the state's epoch must be an integer of at least 0, got 1.5"),
        ({"log_temperature": np.nan}, "the state's log_temperature must be finite"),
    ],
)
def test_a_state_that_does_not_fit_is_refused(replaced, message):
    with pytest.raises(ValueError, match=message):
        a_state(**replaced)


def test_most_similar_against_a_full_sort():
    E = an_embedding(300, 8)
    cosines = E.vectors.astype(np.float64) @ E.vectors.astype(np.float64).T
    for node in (0, 150, 299):
        expected = [other for other in np.argsort(-cosines[node]).tolist() if other != node]
        found = E.most_similar(node, 20)
        assert [other for other, _ in found] == expected[:20]
        assert [value for _, value in found] == pytest.approx(cosines[node, expected[:20]], abs=1e-6)
        assert all(type(value) is float for _, value in found)
    assert len(E.most_similar(0)) == 10


def test_equally_similar_nodes_come_in_the_graphs_order():
    rows = unit_rows(2, 128)[[0, *[1] * 50, 0]]
    E = an_embedding(d=128, vectors=rows, ids=[f"n{place}" for place in range(52)])
    found = E.most_similar("n0", 30)
    assert [node for node, _ in found] == ["n51", *(f"n{place}" for place in range(1, 30))]
    assert len({value for _, value in found[1:]}) == 1


def test_most_similar_with_few_nodes():
    E = an_embedding(3)
    assert {node for node, _ in E.most_similar(1, 100)} == {0, 2}
    assert an_embedding(1).most_similar(0) == []


@pytest.mark.parametrize(("k", "error"), [(0, ValueError), (-1, ValueError), (2.0, TypeError), (True, TypeError)])
def test_how_many_must_be_a_whole_number(k, error):
    with pytest.raises(error, match="k must be"):
        an_embedding().most_similar(0, k)
