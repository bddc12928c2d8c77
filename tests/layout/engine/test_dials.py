"""What exaggeration, normalization and initialization do to a run."""

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
from engine_runs import ENGINES, QUICK, SHORT, Watch, by, geometric, planted
from scipy.spatial import cKDTree

from graphne_viz import graphne_layout


@pytest.fixture(scope="module")
def clustered():
    return planted(15, 60)


def test_larger_exaggeration_is_more_compact(clustered):
    A, _ = clustered
    spreads = [graphne_layout(A, exaggeration=e, scale=None, **SHORT).std() for e in (1, 4, 10)]
    assert spreads == sorted(spreads, reverse=True)
    assert spreads[0] > 4 * spreads[2]


@pytest.mark.parametrize("engine", ["exact", "mesh"])
def test_the_exaggeration_of_forceatlas2_does_not_burst(engine, clustered):
    A, _ = clustered
    watch = Watch()
    graphne_layout(A, exaggeration=30, **by(engine), callback=watch, n_iter=300)
    early = [s for s in watch.seen if s.phase == "early exaggeration"]
    late = [s for s in watch.seen if s.phase == "optimization"]
    # Attraction stronger than before can only shrink a layout: no bursts.
    assert max(s.positions.std() for s in late) < 1.2 * early[-1].positions.std()


@pytest.mark.parametrize("engine", ["exact", "mesh", "opentsne"])
def test_exaggeration_works_in_every_engine(engine):
    A = geometric(150, neighbours=14, seed=5)
    keywords = {"scale": None, **by(engine), "n_iter": 150, "early_exaggeration_iter": 50}
    wide, tight = (graphne_layout(A, exaggeration=e, **keywords).std() for e in (1, 10))
    assert wide > 1.5 * tight


@pytest.mark.parametrize("exaggeration", [4, 12, 30])
@pytest.mark.parametrize("weight", [None, "weight"])
@pytest.mark.parametrize("make", [nx.karate_club_graph, nx.davis_southern_women_graph, nx.les_miserables_graph])
def test_small_graphs_keep_their_second_dimension(make, weight, exaggeration):
    # Without what is done about overlap, which parts nodes on a line, too.
    pos = graphne_layout(make(), weight=weight, exaggeration=exaggeration, node_size=0)
    points = np.array(list(pos.values()))
    along, across = np.linalg.svd(points - points.mean(axis=0), compute_uv=False)
    assert across > 0.1 * along
    # Nor does a cluster drift away from all others.
    radii = np.linalg.norm(points - np.median(points, axis=0), axis=1)
    assert radii.max() < 4 * np.quantile(radii, 0.8)


def test_a_path_stays_a_path_and_cliques_stay_apart():
    for graph in (nx.path_graph(20), nx.barbell_graph(8, 2)):
        for exaggeration in (4, 30):
            pos = graphne_layout(graph, exaggeration=exaggeration, node_size=0)
            points = np.array([pos[node] for node in graph])
            lengths = [np.linalg.norm(pos[a] - pos[b]) for a, b in graph.edges]
            assert max(lengths) < 0.7 * np.ptp(points, axis=0).max()
            assert np.linalg.svd(points - points.mean(axis=0), compute_uv=False)[1] > 0.1


def test_normalizations_differ():
    G = nx.barabasi_albert_graph(300, 6, seed=0)
    found = [graphne_layout(G, normalization=name, **QUICK) for name in ("node", "graph", "sgtsne")]
    points = [np.array(list(pos.values())) for pos in found]
    for one, other in ((0, 1), (0, 2), (1, 2)):
        assert not np.allclose(points[one], points[other], atol=1e-3)
    default = graphne_layout(G, **QUICK)
    assert np.array(list(default.values())).tobytes() == points[0].tobytes()


@pytest.mark.parametrize("normalization", ["node", "graph", "sgtsne"])
def test_every_normalization_finds_the_classes(normalization, clustered):
    A, classes = clustered
    points = graphne_layout(A, normalization=normalization, **SHORT)
    near = cKDTree(points).query(points, k=2)[1][:, 1]
    assert np.mean(classes[near] == classes) > 0.95


def test_normalizations_do_not_mind_the_unit_of_weights():
    A = geometric(200)
    A.data = np.random.default_rng(0).random(A.nnz)
    A = sp.csr_array(A + A.T)
    for normalization in ("node", "graph", "sgtsne"):
        one = graphne_layout(A, normalization=normalization, **QUICK)
        other = graphne_layout(A * 1024, normalization=normalization, **QUICK)
        assert one == pytest.approx(other, abs=1e-3)


def test_initialization_by_array():
    A = geometric(300, seed=1)
    start = np.random.default_rng(0).normal(size=(300, 2))
    kept = start.copy()
    one = graphne_layout(A, initialization=start, **QUICK)
    assert np.array_equal(start, kept)
    assert one.tobytes() == graphne_layout(A, initialization=start.tolist(), **QUICK).tobytes()
    turned = graphne_layout(A, initialization=start @ [[0, 1], [-1, 0]], **QUICK)
    assert not np.allclose(one, turned, atol=1e-3)


def test_initialization_array_is_where_a_run_of_no_iterations_ends():
    A = geometric(300, neighbours=20, seed=1)
    n_parts, _ = sp.csgraph.connected_components(A)
    assert n_parts == 1
    start = np.random.default_rng(0).normal(size=(300, 2))
    result = graphne_layout(A, initialization=start, n_iter=0, early_exaggeration_iter=0)
    corners = [np.corrcoef(result[:, k], start[:, k])[0, 1] for k in (0, 1)]
    assert min(corners) > 0.999


def test_random_initialization_depends_on_the_seed():
    A = geometric(300, seed=1)
    one, same, other = (graphne_layout(A, initialization="random", seed=s, **QUICK) for s in (1, 1, 2))
    assert one.tobytes() == same.tobytes()
    assert not np.allclose(one, other, atol=1e-3)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("phases", [(0, 0), (0, 20), (20, 0), (1, 1)], ids=str)
def test_phases_may_be_empty(engine, phases):
    early, late = phases
    watch = Watch()
    A = geometric(120, seed=1)
    result = graphne_layout(
        A, **by(engine), early_exaggeration_iter=early, n_iter=late, callback=watch, callback_every=5
    )
    assert result.shape == (120, 2)
    assert np.isfinite(result).all()
    assert len(np.unique(result, axis=0)) == 120
    assert [s.iteration for s in watch.seen][-1:] == ([early + late] if early + late else [])
