"""Weights over 600 orders of magnitude: every position is finite, whatever starts the layout."""

import networkx as nx
import numpy as np
import pytest

from graphne_viz import embed, graphne_layout

WEIGHTS = {"tiny": (-323, -310), "huge": (290, 305), "far apart": (-10, 10), "as far as can be": (-320, 305)}


def weighted(G, powers):
    rng = np.random.default_rng(0)
    G = nx.Graph(G.edges)
    for edge in G.edges:
        G.edges[edge]["weight"] = float(np.exp(np.log(10) * rng.uniform(*powers)))
    return G


@pytest.mark.parametrize("powers", WEIGHTS.values(), ids=WEIGHTS)
def test_positions_are_finite(powers):
    G = weighted(nx.gnm_random_graph(60, 150, seed=1), powers)
    nodes = list(G)
    half = {node: (k, -k) for k, node in enumerate(nodes[: len(nodes) // 2])}
    for keywords in (
        {"normalization": "graph"},
        {"normalization": "sgtsne"},
        {"pos": half},
        {"pos": half, "fixed": nodes[:3]},
        {"pos": half, "normalization": "graph", "dof": 5},
    ):
        pos = graphne_layout(G, seed=1, **keywords)
        assert list(pos) == nodes, keywords
        assert np.isfinite(list(pos.values())).all(), keywords


@pytest.mark.parametrize("powers", [*WEIGHTS.values(), (-324, -323)], ids=[*WEIGHTS, "least"])
def test_vectors_are_finite(powers):
    pytest.importorskip("torch")
    G = weighted(nx.karate_club_graph(), powers)
    if powers == (-324, -323):
        nx.set_edge_attributes(G, 5e-324, "weight")
    embedding = embed(G, dim=8, epochs=2, seed=1)
    assert np.isfinite(embedding.vectors).all()
    H = nx.compose(G, nx.Graph([("new", 0), ("new", 1)]))
    for neighbor in (0, 1):
        H.edges["new", neighbor]["weight"] = max(nx.get_edge_attributes(G, "weight").values())
    assert np.isfinite(embedding.transform(H).vectors).all()


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"scale": 1e308}, r"scale must be at most 1e\+100, got 1e\+308"),
        ({"scale": 1e-320}, r"scale must be at least 1e-100, got 1e-320"),
        ({"center": (0, -1.7e308)}, r"center must be within 1e\+100 of the origin, got \(0, -1\.7e\+308\)"),
    ],
)
def test_places_beyond_floats_are_refused_in_a_sentence(keywords, message):
    with pytest.raises(ValueError, match=message):
        graphne_layout(nx.path_graph(5), **keywords)


@pytest.mark.parametrize("scale", [1e-100, 1e100])
def test_at_the_ends_of_the_scale_a_layout_is_the_same(scale):
    G = nx.path_graph(5)
    pos, usual = (np.array(list(graphne_layout(G, scale=each).values())) for each in (scale, 1))
    assert pos / scale == pytest.approx(usual, rel=1e-12)
    assert np.isfinite(np.linalg.norm(pos[1:] - pos[:-1], axis=1)).all()
    assert (np.linalg.norm(pos[1:] - pos[:-1], axis=1) > 0).all()


def test_the_name_that_positions_are_stored_under_is_text():
    with pytest.raises(TypeError, match="store_pos_as must be the name of a node attribute, got 3"):
        graphne_layout(nx.path_graph(3), store_pos_as=3)


@pytest.mark.filterwarnings("error")
def test_nodes_that_hardly_anything_holds_stay_at_a_finite_distance():
    """They drift so far away that differences of squares have no digits left."""
    G = nx.empty_graph(9)
    G.add_weighted_edges_from([(0, 1, 1), (0, 4, 5e-108), (2, 3, 1)])
    pos = np.array(list(graphne_layout(G, normalization="graph").values()))
    assert np.isfinite(pos).all()
    assert len(np.unique(pos, axis=0)) == 9
