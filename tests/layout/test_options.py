"""Bad arguments are refused at the door, by name."""

from fractions import Fraction

import networkx as nx
import numpy as np
import pytest

import graphne_viz
from graphne_viz import graphne_layout, ig_graphne_layout, nx_graphne_layout

G = nx.cycle_graph(6)
QUICK = {"n_iter": 5, "early_exaggeration_iter": 5}

BAD_VALUES = [
    ("normalization", "rows"),
    ("normalization", ""),
    ("normalization", None),
    ("normalization", ["node"]),
    ("initialization", "pca"),
    ("initialization", ""),
    ("initialization", np.zeros((5, 2))),
    ("initialization", np.zeros((6, 3))),
    ("initialization", np.zeros(6)),
    ("initialization", np.full((6, 2), np.nan)),
    ("initialization", np.full((6, 2), np.inf)),
    ("initialization", None),
    ("initialization", [["a", "b"]] * 6),
    ("exaggeration", 0),
    ("exaggeration", -1),
    ("exaggeration", np.nan),
    ("exaggeration", np.inf),
    ("exaggeration", "4"),
    ("exaggeration", None),
    ("early_exaggeration", 0),
    ("early_exaggeration", -12.0),
    ("early_exaggeration", np.nan),
    ("n_iter", -1),
    ("n_iter", 10.5),
    ("n_iter", 10.0),
    ("n_iter", "10"),
    ("n_iter", True),
    ("early_exaggeration_iter", -1),
    ("early_exaggeration_iter", 2.5),
    ("dof", 0),
    ("dof", -0.5),
    ("dof", np.nan),
    ("dof", np.inf),
    ("dof", "1"),
    ("dof", None),
    ("engine", "fft"),
    ("engine", None),
    ("engine", "Exact"),
    ("engine", ["exact"]),
    ("devices", 0),
    ("devices", 1.5),
    ("devices", "all"),
    ("device", 0),
    ("device", None),
    ("device", "gpu"),
    ("device", "cuda:99"),
    ("device", "meta"),
    ("n_jobs", 0),
    ("n_jobs", 1.5),
    ("n_jobs", "all"),
    ("n_jobs", True),
    ("callback", "print"),
    ("callback", 1),
    ("callback", [print]),
    ("callback_every", 0),
    ("callback_every", -10),
    ("callback_every", 2.5),
    ("callback_every", None),
    ("dim", 1),
    ("dim", 3),
    ("dim", 0),
    ("dim", -1),
    ("dim", None),
    ("dim", "2"),
    ("weight", 3),
    ("weight", "no such attribute"),
    ("scale", 0),
    ("scale", -1),
    ("scale", np.nan),
    ("scale", np.inf),
    ("scale", "large"),
    ("scale", (1, 2)),
    ("center", (0, np.nan)),
    ("center", ("a", "b")),
    ("center", "ab"),
    ("seed", "zero"),
    ("seed", 0.5),
    ("seed", -3),
    ("pos", np.zeros((5, 2))),
    ("pos", np.zeros((6, 3))),
    ("pos", np.zeros(12)),
    ("pos", np.full((6, 2), np.inf)),
    ("pos", {0: (1, 2, 3)}),
    ("pos", {0: 1}),
    ("pos", {0: (1, np.nan)}),
    ("pos", {0: (1, np.inf)}),
    ("pos", {0: ("left", "top")}),
    ("pos", {0: None}),
    ("pos", 7),
    ("pos", "pos"),
    ("fixed", ["nobody"]),
    ("fixed", 3),
]


@pytest.mark.parametrize(("name", "value"), BAD_VALUES, ids=lambda v: repr(v).replace("\n", "")[:30])
def test_a_bad_argument_is_named(name, value):
    keywords = dict(QUICK)
    if name == "fixed":
        keywords["pos"] = {0: (0, 0)}
    keywords[name] = value
    with pytest.raises((ValueError, TypeError), match=name):
        graphne_layout(G.copy(), **keywords)


@pytest.mark.parametrize(
    ("name", "value"),
    [("engine", "fft"), ("n_iter", -1), ("exaggeration", 0), ("n_jobs", 0), ("callback", "print"), ("dim", 3)],
)
@pytest.mark.parametrize("tiny", [[], ["a"], nx.path_graph(2)], ids=["none", "one", "two"])
def test_graphs_too_small_to_need_it_are_no_excuse(tiny, name, value):
    with pytest.raises((ValueError, TypeError), match=name):
        graphne_layout(tiny, **{name: value})


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("engine", "fft", "'auto', 'exact', 'mesh', 'torch', 'opentsne'.*'fft'"),
        ("normalization", "rows", "'node', 'graph', 'sgtsne'.*'rows'"),
        ("initialization", "pca", "'spectral', 'random'.*'pca'"),
        ("initialization", np.zeros((5, 3)), r"\(6, 2\).*\(5, 3\)"),
        ("exaggeration", -2.5, "positive.*-2.5"),
        ("n_iter", -7, "0.*-7"),
        ("callback_every", 0, "1.*0"),
        ("dof", 0, "positive.*0"),
        ("dof", 1e-3, "at least 0.01.*0.001"),
        ("dof", 1e300, "at most 1,000.*1e[+]300"),
        ("exaggeration", 1e-300, "at least 1e-06.*1e-300"),
        ("n_jobs", 0, "None.*0"),
        ("dim", 3, "2.*3"),
        ("pos", np.zeros((5, 2)), r"\(6, 2\).*\(5, 2\)"),
        ("pos", {3: (1, np.nan)}, r"\[3\].*nan"),
    ],
    ids=lambda v: str(v)[:20],
)
def test_a_message_tells_the_value_and_what_would_be_accepted(name, value, shown):
    with pytest.raises(ValueError, match=f"{name}.*{shown}"):
        graphne_layout(G, **{name: value})


@pytest.mark.parametrize("layout", [graphne_layout, nx_graphne_layout, ig_graphne_layout])
def test_an_unknown_keyword_is_a_type_error(layout):
    with pytest.raises(TypeError, match="iterations"):
        layout(G, iterations=50)
    with pytest.raises(TypeError, match="perplexity"):
        layout([], perplexity=30)


def test_options_are_keywords_only():
    with pytest.raises(TypeError, match="positional"):
        graphne_layout(G, None, [0])


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("n_iter", np.int32(7)),
        ("early_exaggeration_iter", np.int64(7)),
        ("exaggeration", np.float32(2)),
        ("exaggeration", Fraction(3, 2)),
        ("early_exaggeration", 4),
        ("dof", np.float64(0.8)),
        ("dof", 3),
        ("n_jobs", 1),
        ("n_jobs", -1),
        ("n_jobs", -2),
        ("n_jobs", -100),
        ("n_jobs", np.int64(2)),
        ("callback_every", np.int64(3)),
        ("scale", np.float32(2)),
        ("scale", 3),
        ("center", np.array([1, 2])),
        ("center", [1, 2]),
        ("dim", np.int64(2)),
        ("initialization", np.arange(12, dtype=np.float32).reshape(6, 2)),
        ("initialization", np.arange(12).reshape(6, 2)),
        ("pos", {0: [0, 0], 1: np.array([1, 1], dtype=np.float32)}),
        ("pos", np.where(np.arange(6)[:, None] < 3, np.nan, np.arange(12).reshape(6, 2))),
        ("pos", {"somebody else": (0, 0)}),
        ("pos", {}),
    ],
    ids=lambda v: repr(v).replace("\n", "")[:25],
)
def test_numbers_of_other_libraries_are_numbers(name, value):
    pos = graphne_layout(G, **{**QUICK, name: value})
    assert list(pos) == list(G)
    assert np.isfinite(list(pos.values())).all()


def test_a_graph_that_is_none_is_refused():
    for nothing in (None, 3, "abc", object()):
        with pytest.raises(TypeError, match="graph"):
            graphne_layout(nothing)


def test_a_refused_call_changes_nothing():
    H = nx.cycle_graph(6)
    with pytest.raises(ValueError, match="engine"):
        graphne_layout(H, engine="fft", store_pos_as="pos")
    assert not nx.get_node_attributes(H, "pos")


def test_the_front_door():
    assert {"graphne_layout", "nx_graphne_layout", "ig_graphne_layout", "Snapshot"} <= set(graphne_viz.__all__)
