"""Graphs of every kind with odd ids and weights, laid out with options over their whole range."""

import networkx as nx
import numpy as np
from fuzzing import check_sentence, fuzzed
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
def test_any_weight_is_a_graph_or_a_sentence(tally, G):
    before = unchanged(G)
    try:
        graph = as_graph(G)
    except (ValueError, TypeError) as error:
        check_sentence(error, "weight")
        tally["refused"] += 1
    else:
        tally["graphs"] += 1
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
            "scale": st.one_of(st.none(), st.floats()),
            "center": st.tuples(st.floats(), st.floats()),
            "dim": st.integers(-1, 4),
        },
    ),
)
def test_graphs_with_any_ids_are_laid_out(tally, G, keywords):
    before = unchanged(G)
    try:
        pos = graphne_layout(G, **({"n_iter": 10} | keywords), seed=1)
    except (ValueError, TypeError) as error:
        check_sentence(error, *keywords)
        tally["refused"] += 1
    else:
        assert list(pos) == list(G)
        assert np.isfinite(list(pos.values())).all()
        tally["laid out"] += 1
    assert unchanged(G) == before
