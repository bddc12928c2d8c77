"""Options of every function over their whole range: a result that is whole and the same again, or a sentence."""

from typing import get_args

import networkx as nx
import numpy as np
import pytest
from fuzzing import bounded, check_sentence, fuzzed, fuzzed_seldom, plain, rarely
from hypothesis import given
from hypothesis import strategies as st

from graphne_viz import compare, embed, graphne_layout
from graphne_viz._keywords import keywords_of
from graphne_viz.embedding.keywords import EmbedKeywords, Negatives, Preset
from graphne_viz.graphs.keywords import TableKeywords
from graphne_viz.layout.affinity import NORMALIZATIONS
from graphne_viz.layout.keywords import LayoutKeywords
from graphne_viz.layout.options import ENGINES
from graphne_viz.viewer.keywords import AppearanceKeywords, Theme
from graphne_viz.viewer.session.opening import open_session

N = 9
CALLED = []
tables = {"nodes": st.none(), "source": st.none(), "target": st.none(), "id": st.none(), "directed": st.none()}
finite = st.floats(-1e3, 1e3)
points = st.lists(st.lists(finite, min_size=2, max_size=2), min_size=N, max_size=N).map(np.array)
seeds = st.one_of(
    st.integers(0, 2**32 - 1),
    st.integers(0, 9).map(np.random.RandomState),
    st.integers(0, 9).map(np.random.default_rng),
    st.none(),
)
LAYOUT = {
    **tables,
    "normalization": st.sampled_from(NORMALIZATIONS),
    "exaggeration": st.floats(0.1, 100),
    "n_iter": st.none() | st.integers(0, 20),
    "early_exaggeration": st.none() | st.floats(0.1, 100),
    "early_exaggeration_iter": st.none() | st.integers(0, 20),
    "dof": st.floats(0.05, 10),
    "engine": st.sampled_from(ENGINES),
    "device": st.sampled_from(["auto", "auto", "auto", "cpu"]),
    "devices": st.just(1),
    "n_jobs": st.sampled_from([None, -1, 1, 2, 3]),
    "fixed": st.none() | st.sets(st.integers(0, N - 1), max_size=3),
    "initialization": st.sampled_from(["spectral", "random"]) | points,
    "seed": seeds,
    "scale": st.none() | st.floats(1e-6, 1e6),
    "center": st.none() | st.tuples(finite, finite),
    "node_size": st.none() | st.floats(0, 1e4) | st.lists(st.floats(0, 900), min_size=N, max_size=N),
    "dim": st.just(2),
    "weight": st.sampled_from(["weight", None]),
    "store_pos_as": st.none(),
    "callback": st.sampled_from([None, CALLED.append]),
    "callback_every": st.integers(1, 30),
    "progress": st.just(False),  # noqa: FBT003 -- what is drawn
}
EMBED = {
    **tables,
    "focus": st.none() | st.floats(0, 1),
    "temperature": st.none() | st.floats(0.02, 2) | st.just("learn"),
    "epochs": st.integers(1, 3),
    "batch_size": st.just("auto") | st.integers(2, 64),
    "negatives": st.sampled_from([None, *get_args(Negatives)]),
    "learning_rate": st.none() | st.floats(1e-6, 10),
    "initialization": st.sampled_from(["spectral", "random"]),
    "preset": st.sampled_from(get_args(Preset)),
    "device": st.sampled_from(["auto", "cpu"]),
    "devices": st.just(1),
    "seed": seeds,
    "start": st.none(),
    "weight": st.sampled_from(["weight", None]),
    "callback": st.sampled_from([None, CALLED.append]),
    "progress": st.just(False),  # noqa: FBT003 -- what is drawn
}
some_colors = st.sampled_from(["red", "#00ff00", "C3"])
names = st.sampled_from(["kind", "half", "degree", "pagerank", None, "auto", "red"])
VIEW = {
    "embedding": st.none(),
    "training": st.none(),
    "color": names | st.lists(st.integers(0, 3), min_size=N, max_size=N),
    # Too few for the classes is a sentence; were it the rule, hardly anything would be opened.
    "palette": rarely(st.lists(some_colors, max_size=3), st.lists(some_colors, min_size=4, max_size=6)),
    "cmap": st.sampled_from(["viridis", "magma"]),
    "norm": st.sampled_from([None, "log", "linear"]),
    "size": st.sampled_from(["half", "degree", None, "auto"]) | st.floats(1, 900),
    "label": st.sampled_from(["kind", True, None, "auto"]),
    "edges": st.booleans(),
    "edge_width": st.sampled_from([None, "auto", "weight"]),
    "edge_color": st.sampled_from([None, "ends", "weight"]),
    "edge_label": st.sampled_from([None, "weight"]),
    "arrows": st.none() | st.booleans(),
    "curved": st.none() | st.booleans(),
    "class_names": st.booleans(),
    "colors": st.none() | st.just({"kind": {"a": "#0072B2"}}),
    "size_range": st.none() | st.tuples(st.floats(1, 9), st.floats(9, 99)),
    "live": st.sampled_from([None, False, "callback"]),
    "theme": st.sampled_from(get_args(Theme)),
    "height": st.integers(100, 2_000),
    "pace": st.just("auto") | st.floats(0, 1e-3),
}
COMPARE = {
    "methods": st.lists(st.sampled_from(["graphne", "laplacian", "spring"]), min_size=1, max_size=2, unique=True),
    "classes": st.sampled_from([None, "kind"]),
    "dim": st.sampled_from([2, 2, 3]),
    "seed": st.integers(0, 9),
    "sample": st.none() | st.integers(1, 20),
    "weight": st.sampled_from(["weight", None]),
}
odd = st.one_of(plain, st.floats(), st.integers(-3, 3), st.just([1]), st.text(max_size=3), st.binary(max_size=3))


def keywords(table, *, least=(), one_in=25):
    """Draw some keywords of a table; a few of them are odd."""
    drawn = {name: rarely(odd, good, one_in=one_in) for name, good in table.items()}
    return st.fixed_dictionaries(
        {name: drawn[name] for name in least}, optional={name: drawn[name] for name in drawn if name not in least}
    )


@st.composite
def graphs(draw):
    """Draw a graph of N nodes with weights of any size, a class and a number at each node."""
    G = nx.empty_graph(N)
    G.add_edge(0, 1)
    for u, v in draw(st.lists(st.tuples(*[st.integers(0, N - 1)] * 2), min_size=1, max_size=20)):
        G.add_edge(u, v, weight=draw(st.floats(0, 10) | st.floats(min_value=0, max_value=1e300)))
    for node in G:
        G.nodes[node].update(kind="ab"[node % 2], half=node / 2)
    return G


def told(G):
    return (repr(list(G.nodes(data=True))), repr(list(G.edges(data=True))))


def is_repeatable(given):
    return isinstance(given.get("seed", 0), int)


def test_every_keyword_is_drawn():
    assert LAYOUT.keys() == keywords_of(LayoutKeywords).keys()
    assert EMBED.keys() == keywords_of(EmbedKeywords).keys()
    assert VIEW.keys() == keywords_of(AppearanceKeywords).keys()
    assert tables.keys() == keywords_of(TableKeywords).keys()


starts = st.none() | points | st.dictionaries(st.integers(0, N), st.tuples(finite, finite), max_size=N)


@pytest.mark.filterwarnings("error")
def test_any_option_is_a_layout_or_a_sentence(tally):
    @fuzzed
    @given(G=graphs(), pos=rarely(odd, starts, one_in=20), given=keywords(LAYOUT), again=st.booleans())
    def lay_out(G, pos, given, again):
        before = told(G)
        given = {"n_iter": 10} | given
        try:
            with bounded(0, megabytes=200, seconds=60):
                laid = graphne_layout(G, pos, **given)
        except (ValueError, TypeError, MemoryError) as error:
            check_sentence(error)
            tally["refused"] += 1
        else:
            assert list(laid) == list(G)
            assert np.isfinite(list(laid.values())).all()
            for node in given.get("fixed") or ():
                assert np.array_equal(laid[node], pos[node])
            tally["laid out"] += 1
            if again and is_repeatable(given):
                twin = graphne_layout(G, pos, **given)
                assert np.array(list(twin.values())).tobytes() == np.array(list(laid.values())).tobytes()
        assert told(G) == before

    lay_out()
    assert tally["laid out"] > tally["refused"]


@pytest.mark.filterwarnings("error")
def test_any_option_is_an_embedding_or_a_sentence(tally):
    @fuzzed
    @given(
        G=graphs(),
        dim=rarely(odd, st.integers(2, 6), one_in=20),
        given=keywords(EMBED, least=["epochs"]),
        again=st.booleans(),
    )
    def train(G, dim, given, again):
        before = told(G)
        try:
            with bounded(0, megabytes=200, seconds=60):
                found = embed(G, dim=dim, **given)
        except (ValueError, TypeError, MemoryError) as error:
            check_sentence(error)
            tally["refused"] += 1
        else:
            assert list(found) == list(G)
            assert np.isfinite(found.vectors).all()
            assert np.allclose(np.linalg.norm(found.vectors, axis=1), 1, atol=1e-5)
            tally["trained"] += 1
            if again and is_repeatable(given):
                assert embed(G, dim=dim, **given).vectors.tobytes() == found.vectors.tobytes()
        assert told(G) == before

    train()
    assert tally["trained"] > tally["refused"]


def test_any_option_is_a_view_or_a_sentence(tally):
    # Of two dozen options one is soon odd, and Hypothesis repeats parts of its examples: most would be refused.
    @fuzzed
    @given(G=graphs(), pos=rarely(starts, st.none() | points, one_in=20), given=keywords(VIEW, one_in=60))
    def show(G, pos, given):
        before = told(G)
        try:
            with bounded(0, megabytes=200, seconds=60):
                session = open_session(G, pos, n_iter=5, **given)
        except (ValueError, TypeError, MemoryError) as error:
            check_sentence(error)
            tally["refused"] += 1
        else:
            assert session.state()["_graph"]
            session.close()
            tally["opened"] += 1
        assert told(G) == before

    show()
    assert tally["opened"] > tally["refused"]


def test_any_option_is_a_comparison_or_a_sentence(tally):
    @fuzzed_seldom
    @given(G=graphs(), given=keywords(COMPARE, least=["methods"]))
    def judge(G, given):
        before = told(G)
        try:
            found = compare(G, **given, progress=False)
        except (ValueError, TypeError, MemoryError) as error:
            check_sentence(error)
            tally["refused"] += 1
        else:
            tally["compared"] += 1
            for result in found.results:
                assert np.isfinite(result.positions).all()
            assert [*found.results, *found.failures]
        assert told(G) == before

    judge()
    assert tally["compared"] > tally["refused"]
