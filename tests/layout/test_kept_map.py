"""Maps that stay when a graph changes a little."""

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp

from graphne_viz.graphs.convert.api import as_graph
from graphne_viz.layout.affinity import affinities
from graphne_viz.layout.api import graphne_layout
from graphne_viz.layout.kept_map import is_map, natural_scale
from graphne_viz.layout.task import Task


def changed(G, share=0.05, seed=0):
    """Remove and add a share of the nodes, and remove as many edges."""
    rng = np.random.default_rng(seed)
    H, nodes = G.copy(), list(G)
    count = int(share * len(nodes))
    H.remove_nodes_from([nodes[k] for k in rng.choice(len(nodes), count, replace=False)])
    old = list(H)
    for k in range(count):
        near = old[rng.integers(len(old))]
        H.add_edges_from((("new", k), other) for other in [near, *list(H[near])[:3]] if other != ("new", k))
    edges = list(H.edges)
    H.remove_edges_from([edges[k] for k in rng.choice(len(edges), int(share * len(edges)), replace=False)])
    return nx.Graph(H.subgraph(max(nx.connected_components(H), key=len)))


def recall(G, pos):
    points = np.array([pos[node] for node in G])
    apart = np.linalg.norm(points[:, None] - points, axis=2)
    np.fill_diagonal(apart, np.inf)
    index = {node: k for k, node in enumerate(G)}
    kept = []
    for node in G:
        near = set(np.argsort(apart[index[node]])[: G.degree(node)])
        kept.append(len(near & {index[other] for other in G[node]}) / G.degree(node))
    return np.mean(kept)


def geometric(n, radius):
    G = nx.random_geometric_graph(n, radius, seed=3)
    return nx.Graph(G.subgraph(max(nx.connected_components(G), key=len)))


@pytest.mark.parametrize("G", [nx.les_miserables_graph(), geometric(300, 0.11), geometric(1500, 0.05)], ids=str)
def test_a_map_stays_when_five_percent_change(G):
    old = graphne_layout(G)
    H = changed(G)
    new, fresh = graphne_layout(H, pos=old), graphne_layout(H)
    both = [node for node in H if node in old]
    before, after = (np.array([pos[node] for node in both]) for pos in (old, new))
    moved = after - before
    moved -= np.median(moved, axis=0)
    assert np.median(np.linalg.norm(moved, axis=1)) < 0.05
    assert recall(H, new) > recall(H, fresh) - 0.02


def test_a_map_takes_less_than_a_new_layout():
    G = geometric(1500, 0.05)
    old = graphne_layout(G)
    task = Task(as_graph(changed(G)), old)
    assert task.options.phases[0][1] == 0
    assert sum(n_iter for _, n_iter, _ in task.options.phases) <= 60


def test_a_place_to_start_from_is_no_map():
    G = geometric(300, 0.11)
    circle = nx.circular_layout(G)
    options = Task(as_graph(G), circle).options
    assert options.phases[0][1] > 0
    random = nx.random_layout(G, seed=0)
    assert recall(G, graphne_layout(G, pos=random)) > recall(G, graphne_layout(G)) - 0.1


def test_few_places_are_no_map():
    A = as_graph(geometric(300, 0.11)).adjacency
    placed = np.full((A.shape[0], 2), np.nan)
    placed[:20] = 0.5
    assert not is_map(A, placed)


@pytest.mark.parametrize("factor", [0.01, 1, 300])
def test_the_natural_scale_is_found_from_any_unit(factor):
    A = as_graph(geometric(600, 0.08)).adjacency
    own = Task(as_graph(A), n_iter=500).run().own
    P = affinities(A, "node")
    assert natural_scale(sp.csr_array(P / P.sum()), factor * own, 1, 1) == pytest.approx(1 / factor, rel=0.15)


def test_new_nodes_find_their_places_on_a_fixed_map():
    G = geometric(1500, 0.05)
    rng = np.random.default_rng(0)
    new = rng.choice(list(G), 75, replace=False)
    full = graphne_layout(G)
    old = {node: full[node] for node in G if node not in set(new)}
    task = Task(as_graph(G), old, fixed=list(old))
    found = dict(zip(G, task.scaled(task.run().positions), strict=True))
    assert all(np.array_equal(found[node], old[node]) for node in old)
    off = [np.linalg.norm(found[node] - full[node]) for node in new]
    assert np.median(off) < 0.05
    assert recall(G, found) > recall(G, full) - 0.02


def test_placing_new_nodes_computes_forces_on_those_alone(monkeypatch):
    from graphne_viz.layout.engine import kernels

    nodes = []
    push = kernels.repel_from_cells

    def counted(lo, hi, *rest):
        nodes.append(hi - lo)
        push(lo, hi, *rest)

    monkeypatch.setattr(kernels, "repel_from_cells", counted)
    G = geometric(1500, 0.05)
    full = graphne_layout(G)
    work = []
    for count in (10, 40):
        nodes.clear()
        kept = list(G)[count:]
        graphne_layout(G, pos={node: full[node] for node in kept}, fixed=kept)
        work.append(sum(nodes))
    assert work[1] == pytest.approx(4 * work[0], rel=0.2)
    assert work[0] < 10 * 100


def grown(G):
    """Add an isolated node and a tail of three."""
    H = nx.Graph(G)
    H.add_node("alone")
    nx.add_path(H, [next(iter(G)), "first", "second", "third"])
    return H


@pytest.mark.parametrize(
    "G", [nx.star_graph(8), nx.wheel_graph(9), nx.complete_graph(5), nx.barabasi_albert_graph(120, 3, seed=1)], ids=str
)
def test_a_layout_does_not_turn_when_an_isolate_and_a_tail_come(G):
    # In these hardly any node is nearer to its neighbours than to others, so that it cannot be told from its edges
    # whether positions are a layout.
    old = graphne_layout(G)
    new = graphne_layout(grown(G), pos=old)
    before, after = (np.array([pos[node] for node in G]) @ [1, 1j] for pos in (old, new))
    turn = np.vdot(before - before.mean(), after - after.mean())
    assert abs(np.angle(turn, deg=True)) < 10


def test_what_is_known_to_be_a_layout_stays():
    G = nx.barabasi_albert_graph(150, 8, seed=1)
    old = graphne_layout(G)
    H = grown(G)
    assert not is_map(as_graph(H).adjacency, np.array([old.get(node, (np.nan, np.nan)) for node in H]))
    task = Task(as_graph(H), old, keep=True)
    found = dict(zip(H, task.scaled(task.run().positions), strict=True))
    before, after = (np.array([pos[node] for node in G]).ravel() for pos in (old, found))
    assert np.corrcoef(before, after)[0, 1] > 0.95
