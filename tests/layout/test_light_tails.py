"""Kernels with light tails, whose nodes may lose sight of each other."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from graphne_viz import graphne_layout


def triangles():
    return nx.disjoint_union_all([nx.complete_graph(3)] * 100)


@pytest.mark.parametrize(
    ("graph", "keywords"),
    [
        (nx.florentine_families_graph, {"dof": 5}),
        (lambda: nx.path_graph(20), {"dof": 1000}),
        (lambda: nx.star_graph(20), {"dof": 1.69, "exaggeration": 0.52, "seed": 2}),
        (lambda: nx.gnm_random_graph(3, 2, seed=56), {"dof": 10, "exaggeration": 0.52, "seed": 56, "engine": "exact"}),
        (lambda: nx.gnm_random_graph(9, 8, seed=123), {"dof": 100, "seed": 123}),
        (triangles, {"dof": 3}),
        (triangles, {"dof": 1000}),
        (lambda: nx.path_graph(300), {"dof": 30, "engine": "mesh"}),
        (lambda: nx.path_graph(20), {"dof": 5, "pos": {0: (0, 0), 19: (1, 1)}, "fixed": [0, 19]}),
    ],
)
def test_every_position_is_finite(graph, keywords):
    graph = graph()
    points = np.array(list(graphne_layout(graph, **keywords).values()))
    assert np.isfinite(points).all()
    assert len(np.unique(points.round(6), axis=0)) == len(graph), "nodes have places of their own"


def test_neighbours_lie_together_with_light_tails_too():
    graph = nx.connected_caveman_graph(6, 6)
    points = np.array(list(graphne_layout(graph, dof=5).values()))
    apart = np.linalg.norm(points[:, None] - points, axis=2)
    np.fill_diagonal(apart, np.inf)
    nearest = apart.argsort(axis=1)[:, :4]
    assert np.mean(nearest // 6 == np.arange(36)[:, None] // 6) > 0.9
