"""What networkx's own layouts promise, and what its layout tests cover, held true for `graphne_layout`."""

import copy
import inspect

import matplotlib as mpl
import networkx as nx
import numpy as np
import pytest
from layout_checks import assert_contract, assert_fills, letters, rows

from graphne_viz import graphne_layout, nx_graphne_layout

mpl.use("Agg")

QUICK = {"n_iter": 50, "early_exaggeration_iter": 50}


def mixed():
    G = nx.Graph()
    nx.add_cycle(G, ["a", 1, (2, 3), frozenset({4}), 2.5, nx, b"b", int])
    return G


GRAPHS = {
    "tuples": nx.grid_2d_graph(5, 5),
    "strings": letters(),
    "mixed": mixed(),
    "order": nx.relabel_nodes(nx.path_graph(6), dict(enumerate([5, 0, 3, 1, 4, 2]))),
    "directed": nx.gnp_random_graph(30, 0.1, seed=1, directed=True),
    "multi": nx.MultiGraph([(0, 1), (0, 1), (1, 2), (2, 2)]),
    "multi directed": nx.MultiDiGraph([(0, 1), (1, 0), (1, 2), (1, 2)]),
    "large": nx.grid_2d_graph(35, 35),
    "large directed": nx.grid_2d_graph(35, 35).to_directed(),
    "clique and isolate": nx.disjoint_union(nx.complete_graph(9), nx.empty_graph(1)),
}


@pytest.mark.parametrize("G", GRAPHS.values(), ids=GRAPHS)
def test_every_node_has_a_place_of_its_own_in_the_order_of_the_graph(G):
    assert_contract(G, graphne_layout(G, **QUICK))


def test_the_signature_is_the_promised_one():
    given = inspect.signature(graphne_layout).parameters
    assert list(given)[:2] == ["G", "pos"]
    assert {name: p.default for name, p in given.items() if p.kind is p.KEYWORD_ONLY} == {
        "edges": None,
        "nodes": None,
        "source": None,
        "target": None,
        "id": None,
        "directed": None,
        "fixed": None,
        "weight": "weight",
        "scale": 1,
        "center": None,
        "node_size": None,
        "dim": 2,
        "seed": 0,
        "store_pos_as": None,
        "normalization": "node",
        "initialization": "spectral",
        "exaggeration": 1,
        "n_iter": None,
        "early_exaggeration": None,
        "early_exaggeration_iter": None,
        "dof": 1,
        "engine": "auto",
        "n_jobs": None,
        "device": "auto",
        "devices": 1,
        "callback": None,
        "callback_every": 10,
        "progress": False,
    }


@pytest.mark.parametrize("empty", [[], (), nx.empty_graph(), nx.DiGraph(), nx.MultiGraph()])
def test_an_empty_graph_gives_an_empty_dict(empty):
    assert graphne_layout(empty) == {}
    assert graphne_layout(empty, center=(1, 1)) == {}
    assert graphne_layout(empty, pos={}, scale=3) == {}


def test_an_empty_graph_with_fixed_nothing():
    assert graphne_layout(nx.empty_graph(), pos={"a": (0, 0)}) == {}


@pytest.mark.parametrize("G", [nx.path_graph(1), ["only"], nx.Graph([("loop", "loop")])], ids=str)
def test_a_single_node_is_exactly_at_the_center(G):
    (node,) = G
    assert graphne_layout(G)[node].tolist() == [0, 0]
    for center in [(1, 1), [0.1, -7.3], np.array([1e9, 1e-9])]:
        for scale in (1, 5, None):
            assert graphne_layout(G, center=center, scale=scale)[node].tolist() == list(center)


def test_a_single_node_that_is_fixed_stays():
    assert graphne_layout(["a"], pos={"a": (3, 4)}, fixed=["a"])["a"].tolist() == [3, 4]


def test_the_default_range_is_one_around_the_origin():
    assert_fills(graphne_layout(GRAPHS["clique and isolate"]), 1, (0, 0))


@pytest.mark.parametrize("scale", [2, 0.01, np.float32(3), 1000.0])
def test_scale_and_center(scale):
    for G in (GRAPHS["clique and isolate"], nx.path_graph(30), nx.path_graph(2)):
        assert_fills(graphne_layout(G, scale=scale, center=(4, 5), **QUICK), scale, (4, 5))


def test_scaling_keeps_the_aspect_and_moving_moves_all_alike():
    G = nx.grid_2d_graph(3, 20)
    plain = rows(graphne_layout(G, **QUICK))
    scaled = rows(graphne_layout(G, scale=7, center=(4, 5), **QUICK))
    assert scaled == pytest.approx(plain * 7 + [4, 5])
    extent = np.ptp(plain, axis=0)
    assert extent.max() == pytest.approx(2)
    own = rows(graphne_layout(G, scale=None, **QUICK))
    assert np.ptp(own, axis=0) / np.ptp(own, axis=0).max() == pytest.approx(extent / 2)


def test_scale_none_leaves_the_size_and_center_still_counts():
    G = nx.grid_2d_graph(12, 12)
    own = rows(graphne_layout(G, scale=None))
    assert np.ptp(own, axis=0).max() > 5  # t-SNE's own units, not the unit square
    moved = rows(graphne_layout(G, scale=None, center=(100, -50)))
    assert moved == pytest.approx(own - (own.max(axis=0) + own.min(axis=0)) / 2 + [100, -50])


@pytest.mark.parametrize("G", [nx.path_graph(1), nx.path_graph(5), nx.empty_graph(), []], ids=str)
@pytest.mark.parametrize("center", [(1, 1, 1), (1,), 0, [[1, 1]], []])
def test_a_center_of_the_wrong_length_is_refused_in_the_words_of_networkx(G, center):
    with pytest.raises(ValueError, match="length of center coordinates must match dimension of layout"):
        graphne_layout(G, center=center)


@pytest.mark.parametrize("center", [(np.nan, 0), (0, np.inf), ("a", "b")])
def test_a_center_that_is_no_place_is_refused(center):
    with pytest.raises((ValueError, TypeError), match="center"):
        graphne_layout(nx.path_graph(3), center=center)


@pytest.mark.parametrize("nodes", [[1, 2, 3], "xyz", ("a", 1, (2, 3)), range(40), {"u": 1, "v": 2}], ids=str)
def test_any_iterable_of_nodes_is_a_graph_without_edges(nodes):
    if isinstance(nodes, str):
        nodes = list(nodes)
    pos = graphne_layout(nodes)
    assert_contract(nodes, pos)
    assert_fills(pos, 1, (0, 0))


def test_a_generator_of_nodes_is_read_once():
    assert_contract(range(7), graphne_layout(node for node in range(7)))


def test_the_view_of_a_graph_is_a_graph():
    G = nx.path_graph(8)
    assert_contract([2, 3, 4], graphne_layout(G.subgraph([2, 3, 4]), **QUICK))
    assert_contract(G, graphne_layout(G.nodes))
    assert_contract(G, graphne_layout(nx.freeze(G.copy()), **QUICK))


# seeds


SEEDS = [
    42,
    np.int64(42),
    np.random.RandomState(42),
    np.random.default_rng(42),
    None,
]


@pytest.mark.parametrize("seed", SEEDS, ids=lambda seed: type(seed).__name__)
def test_every_kind_of_seed(seed):
    G = nx.barbell_graph(5, 3)
    assert_contract(G, graphne_layout(G, seed=seed, initialization="random", **QUICK))


@pytest.mark.parametrize("initialization", ["spectral", "random"])
@pytest.mark.parametrize(
    "make",
    [
        lambda: 42,
        lambda: np.int64(42),
        lambda: np.random.RandomState(42),
        lambda: np.random.default_rng(42),
    ],
    ids=["int", "int64", "RandomState", "Generator"],
)
def test_the_same_seed_gives_the_same_bytes(make, initialization):
    G = nx.connected_watts_strogatz_graph(60, 4, 0.2, seed=1)
    G.add_edges_from([("x", "y"), ("y", "z")])
    first = rows(graphne_layout(G, seed=make(), initialization=initialization, **QUICK))
    again = rows(graphne_layout(G, seed=make(), initialization=initialization, **QUICK))
    assert first.tobytes() == again.tobytes()


def test_int_and_int64_are_the_same_seed():
    G = nx.barbell_graph(5, 3)
    one, other = (rows(graphne_layout(G, seed=s, initialization="random")) for s in (7, np.int64(7)))
    assert one.tobytes() == other.tobytes()


def test_another_seed_and_none_give_another_layout():
    G = nx.connected_watts_strogatz_graph(60, 4, 0.2, seed=1)
    drawn = [rows(graphne_layout(G, seed=s, initialization="random", **QUICK)) for s in (1, 2, None, None)]
    for i in range(4):
        for j in range(i):
            assert not np.allclose(drawn[i], drawn[j])


def test_the_global_random_state_is_neither_used_nor_changed_unless_the_seed_is_none(request):
    before = np.random.get_state()  # noqa: NPY002
    request.addfinalizer(lambda: np.random.set_state(before))  # noqa: NPY002
    graphne_layout(nx.cycle_graph(12), initialization="random", **QUICK)
    after = np.random.get_state()  # noqa: NPY002
    assert np.array_equal(after[1], before[1])
    assert after[2] == before[2]
    drawn = []
    for _ in range(2):
        np.random.seed(3)  # noqa: NPY002
        drawn.append(rows(graphne_layout(nx.cycle_graph(12), initialization="random", seed=None, **QUICK)))
    assert np.array_equal(*drawn)


@pytest.mark.parametrize("seed", ["x", 1.5, -1, [1, "a"]])
def test_a_seed_that_is_none_is_refused(seed):
    with pytest.raises((ValueError, TypeError), match="seed"):
        graphne_layout(nx.cycle_graph(12), seed=seed)


# weights


def same(G, H, **keywords):
    one, other = (rows(graphne_layout(X, **QUICK, **keywords)) for X in (G, H))
    return one.tobytes() == other.tobytes()


def test_a_missing_weight_is_one():
    some, all_ = nx.cycle_graph(9), nx.cycle_graph(9)
    some.add_edge(0, 4, weight=3)
    all_.add_edge(0, 4, weight=3)
    nx.set_edge_attributes(all_, {e: 1 for e in all_.edges if e != (0, 4)}, "weight")
    assert same(some, all_)


def test_weights_count_and_weight_none_ignores_them():
    G = nx.cycle_graph(9)
    plain = G.copy()
    G[0][1]["weight"] = 50
    assert not same(G, plain)
    assert same(G, plain, weight=None)
    apart = [np.hypot(*(p[0] - p[1])) for p in (graphne_layout(G), graphne_layout(plain))]
    assert apart[0] < apart[1]


def test_another_attribute_may_hold_the_weights():
    G, H = nx.cycle_graph(9), nx.cycle_graph(9)
    G[0][1]["strength"], H[0][1]["weight"] = 50, 50
    one = rows(graphne_layout(G, weight="strength", **QUICK))
    assert one.tobytes() == rows(graphne_layout(H, **QUICK)).tobytes()
    with pytest.raises(ValueError, match="strenght"):
        graphne_layout(G, weight="strenght")


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, -1, "heavy"])
def test_a_bad_weight_is_an_error_that_names_the_edge(bad):
    G = nx.path_graph(["anna", "bert", "carl"])
    G["bert"]["carl"]["weight"] = bad
    with pytest.raises(ValueError, match=r"(?s)(?=.*bert)(?=.*carl)"):
        graphne_layout(G)


def test_weights_of_very_different_size():
    G = nx.path_graph(10)
    for u, v in G.edges:
        G[u][v]["weight"] = 10.0 ** (20 * u - 90)
    for normalization in ("node", "graph", "sgtsne"):
        pos = graphne_layout(G, normalization=normalization, **QUICK)
        assert np.isfinite(rows(pos)).all()


def test_parallel_edges_add_up():
    multi = nx.MultiGraph(nx.cycle_graph(9))
    multi.add_edge(0, 1, weight=2.5)
    multi.add_edge(0, 1)
    single = nx.cycle_graph(9)
    single[0][1]["weight"] = 4.5
    assert same(multi, single)
    assert not same(nx.cycle_graph(9), single)


def test_self_loops_are_dropped():
    G = nx.cycle_graph(9)
    H = G.copy()
    H.add_edges_from([(0, 0), (4, 4)], weight=100)
    assert same(G, H)
    loops = nx.Graph([(v, v) for v in range(5)])
    assert_contract(loops, graphne_layout(loops))


def test_direction_is_symmetrised():
    G = nx.gnp_random_graph(30, 0.1, seed=1, directed=True)
    turned = nx.DiGraph()
    turned.add_nodes_from(G)
    turned.add_edges_from((v, u) for u, v in G.edges)
    assert same(G, turned)
    one_way, both_ways = nx.DiGraph(nx.cycle_graph(9)), nx.cycle_graph(9)
    assert same(one_way, both_ways)


# networkx's own users


def test_store_pos_as():
    G = nx.path_graph(5)
    pos = graphne_layout(G, store_pos_as="place", **QUICK)
    stored = nx.get_node_attributes(G, "place")
    assert list(stored) == list(pos)
    assert all(np.array_equal(stored[v], pos[v]) for v in G)
    assert nx.get_node_attributes(G, "pos") == {}
    explicit = nx.path_graph(5)
    nx_graphne_layout(explicit, store_pos_as="place", **QUICK)
    assert all(np.array_equal(explicit.nodes[v]["place"], pos[v]) for v in G)


def test_store_pos_as_for_tiny_graphs():
    for n in (0, 1, 2):
        G = nx.empty_graph(n)
        pos = graphne_layout(G, store_pos_as="pos")
        assert {v: tuple(G.nodes[v]["pos"]) for v in G} == {v: tuple(p) for v, p in pos.items()}


def test_store_pos_as_needs_a_place_to_store():
    with pytest.raises(ValueError, match="store_pos_as"):
        graphne_layout([1, 2, 3], store_pos_as="pos")


@pytest.fixture
def figure():
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots()
    yield axes
    plt.close(figure)


def test_nx_draw(figure):
    G = nx.karate_club_graph()
    pos = graphne_layout(G)
    nx.draw(G, pos=pos, ax=figure)
    nx.draw_networkx_labels(G, pos, ax=figure)
    drawn = figure.collections[0].get_offsets()
    assert np.allclose(drawn, rows(pos))


@pytest.mark.skipif(not hasattr(nx, "display"), reason="this networkx has no nx.display")
def test_nx_display_takes_the_function(figure):
    G = nx.karate_club_graph()
    before = copy.deepcopy(dict(G.nodes(data=True)))
    nx.display(G, canvas=figure, node_pos=graphne_layout)
    drawn = np.concatenate([np.asarray(c.get_offsets()) for c in figure.collections if len(c.get_offsets())])
    expected = rows(graphne_layout(G))
    assert all(np.isclose(drawn, point).all(axis=1).any() for point in expected)
    assert dict(G.nodes(data=True)) == before


def test_the_users_graph_is_untouched():
    G = nx.MultiDiGraph(name="mine")
    G.add_nodes_from([("a", {"list": [1, 2]}), ("b", {"pos": (0, 0)}), "c", "d"])
    G.add_edges_from([("a", "b", {"weight": 2}), ("a", "b", {"label": "x"}), ("c", "c", {}), ("b", "a", {})])
    before = copy.deepcopy(G)
    pos, fixed = {"a": [0, 0], "b": [1, 0]}, ["a"]
    graphne_layout(G, **QUICK)
    graphne_layout(G, pos=pos, fixed=fixed, **QUICK)
    nx_graphne_layout(G, normalization="sgtsne", engine="opentsne", **QUICK)
    assert nx.utils.graphs_equal(G, before)
    assert list(G.edges(keys=True, data=True)) == list(before.edges(keys=True, data=True))
    assert dict(G.nodes(data=True)) == dict(before.nodes(data=True))
    assert G.graph == before.graph
    assert pos == {"a": [0, 0], "b": [1, 0]}
    assert fixed == ["a"]


def test_the_result_is_the_callers_own():
    G = nx.path_graph(4)
    pos = graphne_layout(G, **QUICK)
    pos[0] += 5
    assert not np.shares_memory(pos[0], pos[1])
    again = graphne_layout(G, **QUICK)
    assert not np.array_equal(again[0], pos[0])


def test_renaming_the_nodes_changes_nothing():
    G = nx.karate_club_graph()
    named = nx.relabel_nodes(G, {v: f"member {v}" for v in G})
    assert rows(graphne_layout(G)).tobytes() == rows(graphne_layout(named)).tobytes()


def test_nodes_that_compare_by_identity():
    class Node:
        pass

    nodes = [Node() for _ in range(6)]
    G = nx.cycle_graph(nodes)
    assert_contract(G, graphne_layout(G, **QUICK))
