"""Every kind of graph that `as_graph` takes, with numbers of any type: a graph that is whole, or a sentence."""

from types import SimpleNamespace

import numpy as np
import pytest
import scipy.sparse as sp
from fuzzing import bounded, check_sentence, fuzzed
from graph_checks import assert_canonical
from hypothesis import given
from hypothesis import strategies as st
from stand_ins import StandInForDGL, StandInForPyG, StandInForTensor

from graphne_viz.graphs.convert.api import as_graph, to_native

DTYPES = ["f8", "f4", "f2", "g", "i1", "u8", "?", "c16", "O", "U3", "M8[s]"]
MADE_NOT = (TypeError, ValueError, OverflowError, KeyError, IndexError, NotImplementedError)
"""What other libraries raise where they cannot hold such numbers."""


def dense(values):
    return values


def edges(values):
    return values[:, :2]


def weighted_edges(values):
    return values[:, :3]


def sparse(kind):
    def make(values):
        return sp.coo_array(values).asformat(kind)

    make.__name__ = kind
    return make


def columns(values):
    return {name: values[:, k] for k, name in enumerate(["source", "target", "weight"])}


def pandas(values):
    return pytest.importorskip("pandas").DataFrame(columns(values))


def polars(values):
    return pytest.importorskip("polars").DataFrame(columns(values))


def arrow(values):
    return pytest.importorskip("pyarrow").table(columns(values))


def duckdb(values):
    library = pytest.importorskip("duckdb")
    table = arrow(values)
    try:
        return library.from_arrow(table)
    except library.Error as error:  # it has no numbers of two bytes
        raise ValueError(str(error)) from None


def igraph(values):
    library = pytest.importorskip("igraph")
    G = library.Graph(n=len(values), edges=[(i, (i + 1) % len(values)) for i in range(len(values))])
    G.es["weight"] = values[:, 0].tolist()
    G.vs["name"] = values[:, 1].tolist()
    return G


def rustworkx(values):
    G = pytest.importorskip("rustworkx").PyDiGraph()
    G.add_nodes_from(values[:, 0].tolist())
    G.add_edges_from([(i, (i + 1) % len(values), payload) for i, payload in enumerate(values[:, 1].tolist())])
    G.add_edges_from([(i, i, {"weight": payload}) for i, payload in enumerate(values[:, 2].tolist())])
    G.remove_node(0)
    return G


def pyg(values):
    return StandInForPyG(StandInForTensor(values[:, :2].T), x=StandInForTensor(values), edge_weight=values[:, 2])


def dgl(values):
    source, target, weight = (StandInForTensor(values[:, k]) for k in range(3))
    return StandInForDGL(source, target, len(values), {"weight": weight}, {"x": StandInForTensor(values)})


def tensors_of_scipy(values):
    return SimpleNamespace(edge_index=StandInForTensor(values[:2]), num_nodes=len(values))


def anndata(values):
    library = pytest.importorskip("anndata")
    data = library.AnnData(np.zeros((len(values), 1), dtype="f4"))
    data.obsp["connectivities"] = sp.csr_array(values)
    return data


def pairs(values):
    return [tuple(row) for row in values[:, :2].tolist()]


def triples(values):
    return [tuple(row) for row in values[:, :3].tolist()]


def attributed(values):
    return [(u, v, {"weight": w, "note": [w]}) for u, v, w in values[:, :3].tolist()]


def neighbours(values):
    return dict(enumerate(values.tolist()))


def nodes(values):
    return values[:, 0].tolist()


KINDS = [
    *(dense, edges, weighted_edges, *map(sparse, ["csr", "csc", "coo", "lil", "dok", "dia", "bsr"])),
    *(pandas, polars, arrow, duckdb, igraph, rustworkx, pyg, dgl, tensors_of_scipy, anndata),
    *(pairs, triples, attributed, neighbours, nodes),
]


@pytest.mark.parametrize("make", KINDS, ids=lambda make: make.__name__)
@pytest.mark.filterwarnings("ignore:.*:DeprecationWarning", "ignore::numpy.exceptions.ComplexWarning")
def test_numbers_of_any_type_are_graphs_or_sentences(tally, make):
    @fuzzed
    @given(
        n=st.integers(3, 6),
        data=st.data(),
        dtype=st.sampled_from(DTYPES),
        weight=st.sampled_from(["weight", "weight", None, "note"]),
    )
    def convert(n, data, dtype, weight):
        least, most = data.draw(st.sampled_from([(0, n - 1), (0, n - 1), (0, 9), (-1, 9)]))
        numbers = data.draw(st.lists(st.integers(least, most), min_size=n * n, max_size=n * n))
        values = np.array(numbers, dtype="i8").reshape(n, n).astype(dtype)
        try:
            made = make(values)
        except MADE_NOT:
            tally["not made"] += 1
            return
        before = repr(values.tolist())
        try:
            with bounded(values.nbytes):
                graph = as_graph(made, weight=weight)
        except (ValueError, TypeError) as error:
            check_sentence(error)
            tally["refused"] += 1
        else:
            assert_canonical(graph)
            assert len(set(graph.ids)) == graph.n_nodes
            assert len(to_native(graph, np.zeros((graph.n_nodes, 2)))) == graph.n_nodes
            again = as_graph(made, weight=weight)
            assert again.ids == graph.ids
            assert again.adjacency.data.tobytes() == graph.adjacency.data.tobytes()
            tally["graphs"] += 1
        assert repr(values.tolist()) == before

    convert()
    assert tally["graphs"] > 2
