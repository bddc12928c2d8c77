"""Graphs of every kind with odd ids and weights, laid out with options over their whole range."""

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
from fuzzing import fuzzed
from hypothesis import given
from hypothesis import strategies as st

from graphne_viz import graphne_layout
from graphne_viz.graphs.convert.api import as_graph

ids = st.one_of(
    st.integers(),
    st.text(max_size=5),
    st.floats(allow_nan=False),
    st.binary(max_size=3),
    st.tuples(st.integers(), st.text(max_size=2)),
    st.booleans(),
    st.none().map(lambda _: frozenset()),
)
weights = st.one_of(
    st.floats(), st.integers(), st.text(max_size=3), st.none(), st.booleans(), st.complex_numbers(), st.just([1])
)
good_weights = st.floats(min_value=0, max_value=1e300)


@st.composite
def graphs(draw, weight):
    """Draw a graph of networkx, of up to 12 nodes, and how it is given."""
    G = draw(st.sampled_from([nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph]))()
    G.add_nodes_from(draw(st.lists(ids, max_size=12)))
    nodes = list(G)
    if nodes:
        for _ in range(draw(st.integers(0, 20))):
            G.add_edge(draw(st.sampled_from(nodes)), draw(st.sampled_from(nodes)), weight=draw(weight))
    return G


def unchanged(G):
    return (list(G.nodes(data=True)), repr(list(G.edges(data=True))))


@fuzzed
@given(G=graphs(weights))
def test_any_weight_is_a_graph_or_a_sentence(G):
    before = unchanged(G)
    try:
        graph = as_graph(G)
    except (ValueError, TypeError) as error:
        assert "weight" in str(error)  # noqa: PT017 -- some examples are refused
        assert len(str(error).splitlines()) == 1  # noqa: PT017 -- the same
    else:
        assert list(graph.ids) == list(G)
        assert np.isfinite(graph.adjacency.data).all()
    assert unchanged(G) == before


@fuzzed
@given(
    G=graphs(good_weights),
    keywords=st.fixed_dictionaries(
        {},
        optional={
            "dof": st.floats(),
            "exaggeration": st.floats(),
            "n_iter": st.integers(-2, 20),
            "normalization": st.sampled_from(["node", "graph", "sgtsne", "none"]),
            "initialization": st.sampled_from(["spectral", "random", "pca", ""]),
            "learning_rate": st.one_of(st.just("auto"), st.floats()),
            "scale": st.one_of(st.none(), st.floats()),
            "center": st.tuples(st.floats(), st.floats()),
            "dim": st.integers(-1, 4),
        },
    ),
)
def test_any_option_is_a_layout_or_a_sentence(G, keywords):
    before = unchanged(G)
    try:
        pos = graphne_layout(G, **({"n_iter": 10} | keywords), seed=1)
    except (ValueError, TypeError) as error:
        assert len(str(error).splitlines()) == 1  # noqa: PT017 -- some examples are refused
    else:
        assert list(pos) == list(G)
        assert np.isfinite(list(pos.values())).all()
    assert unchanged(G) == before


@fuzzed
@given(
    n=st.integers(0, 6),
    data=st.data(),
    kind=st.sampled_from(["dense", "csr", "coo", "csc", "lil", "dok", "edges", "pandas", "polars", "igraph"]),
    dtype=st.sampled_from(["f8", "f4", "f2", "g", "i1", "u8", "?", "c16", "O", "U3", "M8[s]"]),
)
def test_matrices_and_tables_of_any_type_are_graphs_or_sentences(n, data, kind, dtype):
    numbers = data.draw(st.lists(st.integers(-1, 9), min_size=n * n, max_size=n * n))
    values = np.array(numbers, dtype="i8").reshape(n, n).astype(dtype)
    try:
        given = _given(kind, values)
    except (TypeError, ValueError, OverflowError, KeyError, IndexError):
        return  # no such matrix
    try:
        graph = as_graph(given)
    except (ValueError, TypeError) as error:
        assert len(str(error).splitlines()) == 1  # noqa: PT017 -- some examples are refused
    else:
        assert np.isfinite(graph.adjacency.data).all()
        assert (graph.adjacency.data > 0).all()


def _given(kind, values):
    if kind == "dense":
        return values
    if kind == "edges":
        return values[:, :2]
    if kind in {"pandas", "polars"}:
        columns = {name: values[:, k] for k, name in enumerate(["source", "target", "weight"])}
        return pytest.importorskip(kind).DataFrame(columns)
    if kind == "igraph":
        return pytest.importorskip("igraph").Graph.Adjacency((values.astype(object) != 0).tolist())
    return sp.coo_array(values).asformat(kind)
