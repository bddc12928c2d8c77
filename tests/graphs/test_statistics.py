"""Statistics of nodes, against definitions spelled out, with igraph and without."""

import random
import re
from itertools import combinations
from pathlib import Path

import igraph as ig
import networkx as nx
import numpy as np
import pytest

from graphne_viz.graphs import statistics
from graphne_viz.graphs.convert.api import as_graph
from graphne_viz.graphs.statistics import STATISTICS, statistic


@pytest.fixture(params=["igraph", "networkx"])
def library(request, monkeypatch):
    if request.param == "networkx":
        monkeypatch.setattr(statistics, "_has_igraph", lambda: False)
    return request.param


def clubs():
    """The karate club, a triangle beside it, and two isolates."""
    G = nx.karate_club_graph()
    nx.add_cycle(G, ["x", "y", "z"], weight=2.5)
    G.add_nodes_from(["alone", "lonely"])
    return G


def values(G, name):
    """Return a statistic by node; computed anew, since every call converts the graph anew."""
    return dict(zip(G, statistic(as_graph(G), name).values.tolist(), strict=True))


@pytest.mark.usefixtures("library")
def test_degrees_count_and_weigh():
    G = clubs()
    assert values(G, "degree") == dict(G.degree)
    assert values(G, "weighted degree") == pytest.approx(dict(G.degree(weight="weight")))


@pytest.mark.usefixtures("library")
def test_pagerank_is_the_time_of_a_random_surfer():
    G = clubs()
    W = nx.to_numpy_array(G)
    n = len(W)
    sums = W.sum(axis=1, keepdims=True)
    step = np.where(sums > 0, W / np.where(sums > 0, sums, 1), 1 / n)
    time = np.full(n, 1 / n)
    for _ in range(500):
        time = 0.85 * time @ step + 0.15 / n
    np.testing.assert_allclose(list(values(G, "pagerank").values()), time, atol=2e-6)


@pytest.mark.usefixtures("library")
def test_betweenness_counts_shortest_paths():
    G = clubs()
    through = dict.fromkeys(G, 0.0)
    for source, target in combinations(G, 2):
        if nx.has_path(G, source, target):
            paths = list(nx.all_shortest_paths(G, source, target))
            for path in paths:
                for node in path[1:-1]:
                    through[node] += 1 / len(paths)
    assert values(G, "betweenness") == pytest.approx(through)


@pytest.mark.usefixtures("library")
def test_statistics_follow_the_direction_of_edges():
    G = nx.gnp_random_graph(30, 0.1, seed=3, directed=True)
    nx.set_edge_attributes(G, {edge: 1 + sum(edge) % 4 for edge in G.edges}, "weight")
    G.add_edge(2, 2, weight=3)
    assert values(G, "degree") == dict(G.degree)
    assert values(G, "weighted degree") == pytest.approx(dict(G.degree(weight="weight")))
    assert values(G, "pagerank") == pytest.approx(nx.pagerank(G, tol=1e-12), abs=1e-8)
    assert values(G, "betweenness") == pytest.approx(nx.betweenness_centrality(G, normalized=False))
    H = nx.MultiDiGraph(G)
    H.add_edge(0, 1)
    H.add_edge(0, 1)
    assert values(H, "degree") == dict(H.degree)
    assert values(H, "betweenness") == pytest.approx(nx.betweenness_centrality(nx.DiGraph(H), normalized=False))


@pytest.mark.usefixtures("library")
def test_betweenness_of_a_large_graph_is_sampled_and_says_so(monkeypatch):
    G = nx.barbell_graph(40, 5)
    exact = values(G, "betweenness")
    monkeypatch.setattr(statistics, "MOST_EXACT", 20)
    monkeypatch.setattr(statistics, "_LEAST_SOURCES", 40)
    monkeypatch.setattr(statistics, "_MOST_SOURCES", 40)
    sampled = statistic(as_graph(G), "betweenness")
    assert sampled.note == "estimated from the shortest paths from 40 of 85 nodes"
    assert exact != pytest.approx(dict(zip(G, sampled.values, strict=True)))
    np.testing.assert_allclose(sampled.values, list(exact.values()), rtol=0.5, atol=2)
    assert set(np.argsort(-sampled.values)[:5]) <= set(np.argsort([-v for v in exact.values()])[:7])


@pytest.mark.usefixtures("library")
def test_k_core_survives_peeling():
    G = clubs()
    core = values(G, "k-core")
    for k in range(1, max(core.values()) + 1):
        left = G.copy()
        while poor := [node for node, degree in left.degree if degree < k]:
            left.remove_nodes_from(poor)
        assert {node for node, value in core.items() if value >= k} == set(left)


@pytest.mark.usefixtures("library")
def test_clustering_is_the_share_of_joined_neighbours():
    G = clubs()
    for node, value in values(G, "clustering").items():
        pairs = list(combinations(G[node], 2))
        assert value == pytest.approx(sum(G.has_edge(*pair) for pair in pairs) / max(len(pairs), 1)), node


def test_communities_are_those_that_were_planted(library):
    G = nx.planted_partition_graph(4, 25, 0.6, 0.02, seed=3)
    G.remove_nodes_from(range(90, 100))  # of different sizes, to be numbered by them
    found = statistic(as_graph(G), "communities")
    assert found.kind == "classes"
    assert ("Louvain" in found.note) == (library == "networkx")
    groups = [set(found.values[start : min(start + 25, 90)]) for start in range(0, 90, 25)]
    assert groups == [{1}, {2}, {3}, {4}]
    assert values(G, "communities") == values(G, "communities")


def test_igraph_keeps_its_own_source_of_chance():
    random.seed(5)
    expected = random.getstate()
    random.seed(5)
    values(clubs(), "communities")
    assert random.getstate() == expected
    ig.Graph.Erdos_Renyi(n=20, m=30)  # and it works


def test_parts_are_numbered_by_size():
    part = values(clubs(), "part")
    assert {part[node] for node in range(34)} == {1}
    assert (part["x"], part["alone"], part["lonely"]) == (2, 3, 4)


@pytest.mark.parametrize("name", STATISTICS)
@pytest.mark.parametrize("n", [0, 1, 3])
@pytest.mark.usefixtures("library")
def test_graphs_without_edges_have_statistics(name, n):
    found = statistic(as_graph(nx.empty_graph(n)), name)
    assert found.values.shape == (n,)
    assert np.isfinite(found.values).all()


def test_a_statistic_is_computed_once_and_cannot_be_changed():
    graph = as_graph(clubs())
    first = statistic(graph, "pagerank")
    assert statistic(graph, "pagerank") is first
    with pytest.raises(ValueError, match="read-only"):
        first.values[0] = 1


def test_an_unknown_statistic_is_refused():
    with pytest.raises(ValueError, match=r"unknown statistic 'page rank'; there are 'degree', .*'part'"):
        statistic(as_graph(clubs()), "page rank")


def test_the_viewer_offers_the_same():
    source = (Path(__file__).parents[2] / "js" / "src" / "data" / "statistics.ts").read_text()
    assert tuple(re.findall(r'^  \["([^"]+)", ', source, re.MULTILINE)) == STATISTICS[1:]


def test_closeness_eigenvector_diameter_and_modularity_are_those_of_networkx():
    G = nx.les_miserables_graph()
    G.add_edge("one", "other")
    G.add_node("alone")
    largest = G.subgraph(max(nx.connected_components(G), key=len))
    at = {node: k for k, node in enumerate(G)}
    within = [at[node] for node in largest]
    graph = as_graph(G)
    found = {name: statistic(graph, name) for name in ("closeness", "eigenvector", "eccentricity", "modularity class")}
    np.testing.assert_allclose(found["closeness"].values, list(nx.closeness_centrality(G).values()))
    central = np.array(list(nx.eigenvector_centrality_numpy(largest).values()))
    np.testing.assert_allclose(found["eigenvector"].values[within], central / central.max(), atol=1e-6)
    assert found["eccentricity"].values[within].tolist() == list(nx.eccentricity(largest).values())
    assert found["eccentricity"].note == "the diameter is 5"
    groups = found["modularity class"].values
    sets = [{node for node in G if groups[at[node]] == number} for number in set(groups.tolist())]
    assert f"modularity {nx.community.modularity(G, sets):.3f}" in found["modularity class"].note


def test_distances_of_many_nodes_are_estimated_and_the_note_says_so(monkeypatch):
    G = nx.path_graph(60)
    exact = statistic(as_graph(G), "closeness").values
    monkeypatch.setattr("graphne_viz.graphs.centrality.MOST_EXACT", 50)
    monkeypatch.setattr("graphne_viz.graphs.centrality._MOST_SOURCES", 40)
    sampled = statistic(as_graph(G), "closeness")
    assert "nodes" in sampled.note
    assert np.corrcoef(exact, sampled.values)[0, 1] > 0.9
    assert "the diameter is at least" in statistic(as_graph(G), "eccentricity").note
