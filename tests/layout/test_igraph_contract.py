"""What igraph's users, and users of arrays, tables and other libraries, get back."""

import matplotlib as mpl
import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp

from graphne_viz import graphne_layout, ig_graphne_layout, nx_graphne_layout

ig = pytest.importorskip("igraph")
mpl.use("Agg")

QUICK = {"n_iter": 30, "early_exaggeration_iter": 20}


def assert_layout(layout, n):
    assert isinstance(layout, ig.Layout)
    assert layout.dim == 2
    assert len(layout) == n
    assert np.isfinite(np.array(layout.coords)).all()
    assert all(type(x) is float for point in layout.coords for x in point)


@pytest.fixture
def zachary():
    return ig.Graph.Famous("Zachary")


def test_an_igraph_layout_comes_back(zachary):
    layout = graphne_layout(zachary)
    assert_layout(layout, 34)
    assert len({tuple(point) for point in layout}) == 34
    assert np.abs(layout.coords).max() == pytest.approx(1)


@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_tiny(n):
    for g in (ig.Graph(n), ig.Graph.Full(n)):
        layout = graphne_layout(g, center=(3, 4))
        assert_layout(layout, n) if n else None
        assert isinstance(layout, ig.Layout)
        assert len(layout) == n
        if n == 1:
            assert layout[0] == [3, 4]


def test_g_layout_calls_the_function_with_keywords(zachary):
    layout = zachary.layout(graphne_layout, seed=3, scale=5, **QUICK)
    assert_layout(layout, 34)
    assert layout.coords == graphne_layout(zachary, seed=3, scale=5, **QUICK).coords
    assert np.abs(layout.coords).max() == pytest.approx(5)
    assert_layout(zachary.layout(ig_graphne_layout, **QUICK), 34)


def test_igraphs_own_tools_work_on_the_layout(zachary):
    layout = graphne_layout(zachary, **QUICK)
    other = layout.copy()
    other.scale(2)
    other.fit_into((0, 0, 10, 10))
    assert other.bounding_box().right == pytest.approx(10)
    assert_layout(zachary.layout_graphopt(niter=1, seed=layout), 34)
    assert_layout(zachary.layout_fruchterman_reingold(niter=1, seed=layout), 34)


def test_ig_plot_on_matplotlib(zachary):
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots()
    layout = graphne_layout(zachary)
    ig.plot(zachary, target=axes, layout=layout, vertex_size=10)
    figure.canvas.draw()
    low, high = axes.dataLim.min, axes.dataLim.max
    coords = np.array(layout.coords)
    assert np.all(low <= coords.min(axis=0) + 1e-9)
    assert np.all(high >= coords.max(axis=0) - 1e-9)
    plt.close(figure)


def test_vertex_names_and_attributes_do_not_matter(zachary):
    named = zachary.copy()
    named.vs["name"] = [f"member {i}" for i in range(34)]
    named.vs["x"] = 0.0
    assert graphne_layout(named, **QUICK).coords == graphne_layout(zachary, **QUICK).coords


def test_a_directed_graph_is_symmetrised():
    g = ig.Graph.Ring(12, directed=True)
    turned = ig.Graph([(b, a) for a, b in g.get_edgelist()], directed=True)
    plain = ig.Graph.Ring(12)
    first = graphne_layout(g, **QUICK).coords
    assert first == graphne_layout(turned, **QUICK).coords
    assert first == graphne_layout(plain, **QUICK).coords


def test_weights():
    g = ig.Graph.Ring(12)
    plain = graphne_layout(g, **QUICK).coords
    g.es["weight"] = [20.0] + [1.0] * 11
    assert graphne_layout(g, **QUICK).coords != plain
    assert graphne_layout(g, weight=None, **QUICK).coords == plain
    g.es["other"] = [1.0] * 12
    assert graphne_layout(g, weight="other", **QUICK).coords == plain
    with pytest.raises(ValueError, match="missing"):
        graphne_layout(g, weight="missing")
    g.es[3]["weight"] = float("nan")
    with pytest.raises(ValueError, match=r"(?s)(?=.*3)(?=.*4)"):
        graphne_layout(g)


def test_multi_edges_and_loops():
    g = ig.Graph.Ring(9)
    g.add_edges([(0, 1), (0, 1), (5, 5)])
    h = ig.Graph.Ring(9)
    h.es["weight"] = [3.0] + [1.0] * 8
    assert graphne_layout(g, **QUICK).coords == graphne_layout(h, **QUICK).coords


def test_parts_and_isolates():
    g = ig.Graph.Ring(10) + ig.Graph.Full(5) + ig.Graph(3)
    layout = graphne_layout(g)
    assert_layout(layout, 18)
    assert len({tuple(point) for point in layout}) == 18


def test_the_same_graph_gives_the_same_layout_as_in_networkx():
    G = nx.karate_club_graph()
    g = ig.Graph.from_networkx(G)
    places = np.array(list(graphne_layout(G, **QUICK).values()))
    assert np.array_equal(np.array(graphne_layout(g, **QUICK).coords), places)


def test_a_layout_may_be_pos(zachary):
    start = zachary.layout_circle()
    before = [list(point) for point in start]
    layout = graphne_layout(zachary, start, **QUICK)
    assert_layout(layout, 34)
    assert [list(point) for point in start] == before
    held = graphne_layout(zachary, pos=start, fixed=[0, 33], **QUICK)
    assert held[0] == start[0]
    assert held[33] == start[33]
    assert_layout(zachary.layout(graphne_layout, pos=layout, **QUICK), 34)


def test_a_layout_of_another_length_is_refused(zachary):
    with pytest.raises(ValueError, match=r"pos.*\(34, 2\)"):
        graphne_layout(zachary, pos=ig.Graph.Ring(5).layout_circle())
    with pytest.raises(ValueError, match="pos"):
        graphne_layout(zachary, pos=zachary.layout_fruchterman_reingold_3d(niter=1))


def test_store_pos_as_is_for_networkx(zachary):
    with pytest.raises(ValueError, match="store_pos_as"):
        graphne_layout(zachary, store_pos_as="pos", **QUICK)


def test_the_users_graph_is_untouched(zachary):
    zachary.es["weight"] = range(1, zachary.ecount() + 1)
    before = zachary.copy()
    graphne_layout(zachary, **QUICK)
    assert zachary.get_edgelist() == before.get_edgelist()
    assert zachary.es["weight"] == before.es["weight"]
    assert zachary.vs.attributes() == before.vs.attributes()


# the explicit adapters


def foreign():
    G = nx.karate_club_graph()
    edges = np.array(G.edges)
    weights = np.array([w for *_, w in G.edges(data="weight")], dtype=float)
    table = {"source": edges[:, 0], "target": edges[:, 1], "weight": weights}
    A = nx.to_scipy_sparse_array(G, dtype=float)
    return {
        "networkx": G,
        "igraph": ig.Graph.from_networkx(G),
        "matrix": A.tocsr(),
        "coo": A.tocoo(),
        "dense": A.toarray(),
        "edge array": np.column_stack([edges, weights]),
        "pandas": pd.DataFrame(table),
        "polars": pl.DataFrame(table),
    }


FOREIGN = foreign()


@pytest.mark.parametrize("kind", FOREIGN)
def test_ig_graphne_layout_gives_a_layout_for_any_graph(kind):
    assert_layout(ig_graphne_layout(FOREIGN[kind], **QUICK), 34)


@pytest.mark.parametrize("kind", FOREIGN)
def test_nx_graphne_layout_gives_a_dict_for_any_graph(kind):
    pos = nx_graphne_layout(FOREIGN[kind], **QUICK)
    assert isinstance(pos, dict)
    assert sorted(pos) == list(range(34))
    assert all(point.shape == (2,) and point.dtype == np.float64 for point in pos.values())
    nx.draw_networkx_nodes(nx.karate_club_graph(), pos)


def test_the_adapters_give_the_same_places(zachary):
    places = np.array(graphne_layout(zachary, **QUICK).coords)
    assert np.array_equal(np.array(list(nx_graphne_layout(zachary, **QUICK).values())), places)
    assert np.array_equal(np.array(ig_graphne_layout(zachary.get_adjacency_sparse(), **QUICK).coords), places)


@pytest.mark.parametrize("adapter", [nx_graphne_layout, ig_graphne_layout])
def test_the_adapters_hand_on_every_argument(adapter):
    A = sp.csr_array(nx.to_scipy_sparse_array(nx.cycle_graph(8), dtype=float))
    pos = np.arange(16.0).reshape(8, 2)
    result = adapter(A, pos, fixed=[0, 7], engine="exact", **QUICK)
    assert list(result[0]) == [0, 1]
    assert list(result[7]) == [14, 15]
    seen = []
    adapter(A, callback=seen.append, callback_every=25, scale=4, center=(1, 1), weight=None, **QUICK)
    assert seen
    assert len(adapter(nx.empty_graph())) == 0
    assert list(adapter(nx.path_graph(1), center=(2, 3))[0]) == [2, 3]


def test_ig_graphne_layout_of_named_nodes():
    layout = ig_graphne_layout(nx.path_graph(["a", "b", "c"]), **QUICK)
    assert_layout(layout, 3)


def test_nx_graphne_layout_stores_only_in_networkx(zachary):
    with pytest.raises(ValueError, match="store_pos_as"):
        nx_graphne_layout(zachary, store_pos_as="pos", **QUICK)


# arrays, matrices and tables


@pytest.mark.parametrize("kind", ["matrix", "coo", "dense", "edge array"])
def test_arrays_and_matrices_give_an_array(kind):
    result = graphne_layout(FOREIGN[kind], **QUICK)
    assert type(result) is np.ndarray
    assert result.shape == (34, 2)
    assert result.dtype == np.float64
    expected = np.array(list(graphne_layout(FOREIGN["networkx"], **QUICK).values()))
    assert np.array_equal(result, expected)


def test_integer_boolean_and_single_precision_matrices():
    A = nx.to_numpy_array(nx.cycle_graph(9))
    expected = graphne_layout(A, **QUICK)
    for dtype in (np.int8, np.int64, bool, np.float32):
        assert np.array_equal(graphne_layout(A.astype(dtype), **QUICK), expected)
        assert np.array_equal(graphne_layout(sp.csr_matrix(A.astype(dtype)), **QUICK), expected)


def test_matrices_are_untouched():
    A = sp.csr_matrix(np.array([[5.0, 1, 0, 0], [1, 0, 2, 0], [0, 2, 0, 3], [0, 0, 3, 0]]))
    stored = [array.copy() for array in (A.data, A.indices, A.indptr)]
    for engine in ("auto", "mesh", "opentsne"):
        graphne_layout(A, engine=engine, **QUICK)
    assert all(np.array_equal(a, b) for a, b in zip((A.data, A.indices, A.indptr), stored, strict=True))
    assert A.data.flags.writeable


def test_a_matrix_of_nothing():
    assert graphne_layout(sp.csr_array((0, 0))).shape == (0, 2)
    assert graphne_layout(np.zeros((0, 2))).shape == (0, 2)
    assert graphne_layout(np.zeros((1, 1)), center=(1, 2)).tolist() == [[1, 2]]
    assert graphne_layout(np.zeros((5, 5))).shape == (5, 2)


def test_a_matrix_that_is_not_square_is_refused():
    with pytest.raises(ValueError, match=r"\(3, 4\)|square"):
        graphne_layout(sp.csr_array((3, 4)))


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame])
def test_tables_give_a_dict_by_name(make):
    table = make({"source": ["anna", "bert", "carl"], "target": ["bert", "carl", "dora"]})
    pos = graphne_layout(table, **QUICK)
    assert set(pos) == {"anna", "bert", "carl", "dora"}
    assert all(point.shape == (2,) for point in pos.values())
    held = graphne_layout(table, pos={"anna": (0, 1)}, fixed=["anna"], **QUICK)
    assert held["anna"].tolist() == [0, 1]


def test_rustworkx_gives_a_dict_by_index():
    rx = pytest.importorskip("rustworkx")
    for make in (rx.generators.cycle_graph, rx.generators.directed_cycle_graph):
        g = make(9)
        pos = graphne_layout(g, **QUICK)
        assert list(pos) == list(range(9))
        assert all(point.shape == (2,) for point in pos.values())
    g = rx.generators.path_graph(5)
    g.remove_node(0)
    assert list(graphne_layout(g, **QUICK)) == [1, 2, 3, 4]
    assert list(graphne_layout(rx.PyGraph(), **QUICK)) == []
