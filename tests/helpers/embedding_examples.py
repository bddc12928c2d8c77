"""Embeddings that were never trained."""

import numpy as np

from graphne_viz.embedding.embedding import Embedding
from graphne_viz.embedding.training.state import State

NASTY_IDS = [
    *(-5, 2**70, -(2**63), 0),
    *("", "1", "-5", " ", "a b", "a_b", "a\tb", "two\nlines", "\u2028", "nul\0", "\0", "null", "[1]"),
    *("</script>", "größe 🕸 中文", '"quoted", with comma', "\ud800", "\ud83d\ude00", "😀", "\ufeff", "\\ud800"),
    *(1.5, -0.0, float("inf"), 1e300, True),
    *((), (1, "1"), ("a", None), (("deep", (1.0, False)), -1), ("1, 1",)),
]


def unit_rows(n, d, seed=0):
    vectors = np.random.default_rng(seed).normal(size=(n, d)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def curves(values):
    """Return a history in which all curves are the same."""
    return dict.fromkeys(("epoch", "loss", "temperature", "recall"), values)


def an_embedding(n=7, d=4, ids=None, *, epochs=3, planned=None, state=True, **replaced):
    ids = range(n) if ids is None else ids
    n = len(ids)
    done = np.arange(1, epochs + 1, dtype=np.float64)
    parts = {
        "vectors": unit_rows(n, d),
        "ids": ids,
        "history": {"epoch": done, "loss": 2 / done, "temperature": 0.05 + 0 * done, "recall": 1 - 0.5 / done},
        "settings": {"dim": d, "epochs": epochs if planned is None else planned, "temperature": 0.05, "device": None},
        "isolated": np.arange(n) == n - 1,
        "state": a_state(n, d, epochs) if state else None,
    }
    return Embedding(**(parts | replaced))


def a_state(n=7, d=4, epoch=3, **replaced):
    tables = {
        name: np.random.default_rng(seed).normal(size=(n, d)).astype(np.float32)
        for seed, name in enumerate(("parameters", "first", "second"))
    }
    numbers = {"edges": 7, "step": 30, "epoch": epoch, "batch": 2, "log_temperature": np.log(0.05)}
    pairs = {"temperature_moments": np.array([1e-300, 0.1]), "loss": np.array([1 / 3, 7])}
    return State(**(tables | numbers | pairs | replaced))


def assert_equal(left, right):
    """Hold two embeddings equal to the bit, the types of their ids included."""
    assert [(type(node), repr(node)) for node in left.ids] == [(type(node), repr(node)) for node in right.ids]
    assert (left.origin, dict(left.settings)) == (right.origin, dict(right.settings))
    assert list(left.history) == list(right.history)
    for name in left.history:
        assert np.array_equal(left.history[name], right.history[name], equal_nan=True)
    for name in ("vectors", "isolated"):
        one, other = getattr(left, name), getattr(right, name)
        assert one.dtype == other.dtype
        assert one.tobytes() == other.tobytes()
    assert (left.state is None) == (right.state is None)
    if left.state is not None:
        for name, one in vars(left.state).items():
            other = getattr(right.state, name)
            assert type(one) is type(other)
            assert np.array_equal(one, other)
