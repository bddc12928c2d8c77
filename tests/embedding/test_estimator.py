import pickle
import sys

import networkx as nx
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from graphne_viz.embedding.api import embed
from graphne_viz.embedding.estimator import GraphNE
from graphne_viz.embedding.experiments.block_model import block_model

pytest.importorskip("torch")
# Of scikit-learn 1.6, where scipy knows arrays of others, it cannot be imported without telling scipy before.
from sklearn.utils.estimator_checks import parametrize_with_checks

# The checks fit matrices of as few as 10 rows, and vectors cannot be longer than there are nodes.
SMALL = GraphNE(dim=2, epochs=2, batch_size=16)


@pytest.fixture(scope="module")
def graph():
    return block_model(200, 4, seed=1)


# The rows of an adjacency matrix are nodes: others, or in another order, they are another graph.
OTHER_GRAPHS = ("check_methods_sample_order_invariance", "check_methods_subset_invariance")


@parametrize_with_checks([SMALL], expected_failed_checks=lambda _: dict.fromkeys(OTHER_GRAPHS, "another graph"))
def test_scikit_learn_s_own_checks(estimator, check):
    check(estimator)


def test_it_is_what_embed_gives(graph):
    model = GraphNE(16, temperature=0.1, epochs=3, preset="paper", random_state=7)
    X = model.fit_transform(graph.adjacency)
    E = embed(graph, 16, temperature=0.1, epochs=3, preset="paper", seed=7)
    assert np.array_equal(X, E.vectors)
    assert np.array_equal(model.embedding_, X)
    assert model.history_["recall"].tolist() == E.history["recall"].tolist()
    assert (model.n_features_in_, model.temperature_) == (200, pytest.approx(0.1))
    assert model.result_.settings == E.settings


def test_every_keyword_reaches_embed(graph):
    start = np.random.default_rng(0).standard_normal((200, 8))
    asked = {"temperature": "learn", "epochs": 2, "batch_size": 50, "negatives": "copies", "learning_rate": 0.03}
    model = GraphNE(8, initialization=start, random_state=5, device="cpu", **asked).fit(graph.adjacency)
    settings = model.result_.settings
    assert {name: settings[name] for name in asked} == asked
    assert (settings["dim"], settings["seed"], settings["initialization"]) == (8, 5, "array")
    assert np.array_equal(model.embedding_, embed(graph, 8, initialization=start, seed=5, **asked).vectors)


@pytest.mark.parametrize("form", ["csr", "coo", "lil", "dense", "lists", "networkx", "edges", "table"])
def test_the_same_graph_in_any_form_gives_the_same_vectors(graph, form):
    A, pairs = graph.adjacency, graph.pairs
    given = {
        "csr": A,
        "coo": A.tocoo(),
        "lil": sp.lil_matrix(A),
        "dense": A.toarray(),
        "lists": A.toarray().tolist(),
        "networkx": nx.from_scipy_sparse_array(A),
        "edges": pairs,
        "table": pd.DataFrame(pairs, columns=["source", "target"]),
    }[form]
    model = GraphNE(8, epochs=2).fit(given)
    if form == "table":  # which names the nodes in the order in which they appear
        assert np.array_equal(model.embedding_, embed(given, 8, epochs=2).vectors)
    else:
        assert np.array_equal(model.embedding_, embed(graph, 8, epochs=2).vectors)
        assert list(model.result_.ids) == list(range(200))


def test_weight_none_ignores_the_weights(graph):
    heavy = graph.adjacency.copy()
    heavy.data = np.where(np.arange(heavy.nnz) % 2, 5.0, 1.0)
    heavy = heavy + heavy.T
    plain = GraphNE(8, epochs=2, weight=None).fit_transform(heavy)
    assert np.array_equal(plain, GraphNE(8, epochs=2).fit_transform(graph.adjacency))
    assert not np.array_equal(plain, GraphNE(8, epochs=2).fit_transform(heavy))


def test_the_vectors_serve_a_classifier(graph):
    y = graph.attributes["class"].astype(str)
    X = make_pipeline(GraphNE(16)).fit_transform(graph.adjacency)
    assert LogisticRegression().fit(X[::2], y[::2]).score(X[1::2], y[1::2]) > 0.95


def test_vectors_belong_to_the_caller(graph):
    X = GraphNE(8, epochs=1).fit_transform(graph.adjacency)
    X *= 2
    assert np.allclose(np.linalg.norm(X, axis=1), 2)


def test_names_go_out_and_tables_keep_theirs(graph):
    names = [f"n{i}" for i in range(200)]
    table = pd.DataFrame(graph.adjacency.toarray(), index=names, columns=names)
    model = GraphNE(4, epochs=1).set_output(transform="pandas")
    out = model.fit_transform(table)
    assert list(out.columns) == ["graphne0", "graphne1", "graphne2", "graphne3"]
    assert list(out.index) == names
    assert list(model.feature_names_in_) == names
    model.fit(graph.adjacency)
    assert not hasattr(model, "feature_names_in_")


def test_clones_and_pickles_are_the_same(graph):
    model = GraphNE(8, epochs=2, random_state=3)
    X = model.fit_transform(graph.adjacency)
    assert np.array_equal(clone(model).fit_transform(graph.adjacency), X)
    assert np.array_equal(pickle.loads(pickle.dumps(model)).embedding_, X)  # noqa: S301 - our own
    other = clone(model).set_params(random_state=4).fit_transform(graph.adjacency)
    assert not np.array_equal(other, X)


def test_random_states_are_taken_as_scikit_learn_has_them(graph):
    def fit(state):
        return GraphNE(8, epochs=1, random_state=state).fit_transform(graph.adjacency)

    assert np.array_equal(fit(np.random.RandomState(1)), fit(np.random.RandomState(1)))
    assert not np.array_equal(fit(np.random.RandomState(1)), fit(np.random.RandomState(2)))


@pytest.mark.parametrize(
    ("X", "said"),
    [
        (np.ones((6, 5)), r"shape \(6, 5\) is neither a square adjacency matrix"),
        (-np.ones((6, 6)), "Negative values in data passed to GraphNE"),
        (np.full((6, 6), np.nan), "contains NaN"),
        (np.zeros((6, 6)), "needs edges"),
        (np.ma.masked_equal(np.ones((6, 6)), 1), "masked entries"),
        (sp.csr_array(np.diag([1.0, 1.0, 1.0])), "needs edges"),
    ],
    ids=["not square", "negative", "NaN", "no edges", "masked", "loops only"],
)
def test_bad_graphs_are_refused(X, said):
    with pytest.raises(ValueError, match=said):
        GraphNE(2).fit(X)


@pytest.mark.parametrize(
    ("keywords", "said"),
    [
        ({"dim": 201}, "dim must be at most the number of nodes, 200, got 201"),
        ({"dim": 1}, "dim must be at least 2, got 1"),
        ({"temperature": 0}, "temperature must be positive"),
        ({"initialization": np.ones((3, 2))}, r"initialization must have the shape \(200, 128\)"),
        ({"preset": "best"}, "preset must be one of 'default', 'paper'"),
        ({"weight": "length"}, "weight='length' names an edge attribute"),
    ],
)
def test_bad_settings_are_refused_when_fitting(graph, keywords, said):
    model = GraphNE(**keywords)
    with pytest.raises(ValueError, match=said):
        model.fit(graph.adjacency)


def test_an_unknown_keyword_is_a_type_error():
    with pytest.raises(TypeError, match="unexpected keyword argument 'seed'"):
        GraphNE(seed=0)


def test_without_torch_it_says_what_to_install(graph, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ImportError, match=r"graphne-viz\[embed\]"):
        GraphNE(8).fit(graph.adjacency)
