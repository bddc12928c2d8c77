"""Nearest nodes, exactly and approximately."""

import logging

import numpy as np
import pytest

from graphne_viz.embedding.neighbors import nearest as module
from graphne_viz.embedding.neighbors.nearest import nearest


def clustered(n=3000, dim=16, clusters=60, seed=0):
    rng = np.random.default_rng(seed)
    middles = rng.normal(size=(clusters, dim))
    return (middles[rng.integers(clusters, size=n)] + 0.4 * rng.normal(size=(n, dim))).astype(np.float32)


def by_hand(vectors, k):
    Z = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    S = Z @ Z.T
    np.fill_diagonal(S, -np.inf)
    return np.argsort(-S, axis=1)[:, :k]


def share(found, right):
    return np.mean([len(set(a) & set(b)) / len(b) for a, b in zip(found.tolist(), right.tolist(), strict=True)])


@pytest.mark.parametrize("tile", [1, 7, 70, 1024])
def test_exact_ones(monkeypatch, tile):
    monkeypatch.setattr(module, "_TILE", tile)
    vectors = clustered(300)
    heard = []
    found = nearest(vectors, 7, progress=heard.append)
    assert share(found, by_hand(vectors, 7)) == 1
    assert heard[0] == 0
    assert heard[-1] == 1
    assert heard == sorted(heard)


def test_approximate_ones_are_nearly_all_and_never_the_node_itself(monkeypatch):
    pytest.importorskip("faiss")
    monkeypatch.setattr(module, "_AT_ONCE", 1000)
    vectors = clustered()
    heard = []
    found = nearest(vectors, 15, exact=False, progress=heard.append)
    assert heard == pytest.approx([0, 0.4 / 3, 0.8 / 3, 0.4, 0.6, 0.8, 1, 1])
    assert found.shape == (3000, 15)
    assert share(found, by_hand(vectors, 15)) > 0.95
    assert not (found == np.arange(3000)[:, None]).any()
    assert all(len(set(row)) == 15 for row in found.tolist())


def test_many_are_found_approximately(monkeypatch):
    monkeypatch.setattr(module, "LARGE", 100)
    calls = []
    monkeypatch.setattr(
        module, "_approximate", lambda unit, k, _: calls.append(k) or np.zeros((len(unit), k), np.int64)
    )
    monkeypatch.setattr(module, "_has_faiss", lambda _: True)
    nearest(clustered(100), 5)
    assert calls == []
    nearest(clustered(101), 5)
    assert calls == [5]


def test_without_the_library_all_pairs_are_compared_and_one_sentence_says_so(monkeypatch, caplog):
    class Missing:
        def __getattr__(self, name):
            raise ModuleNotFoundError("no faiss")

    monkeypatch.setattr(module, "LARGE", 100)
    monkeypatch.setattr(module, "faiss", Missing())
    vectors = clustered(150)
    with caplog.at_level(logging.WARNING, "graphne_viz"):
        found = nearest(vectors, 5)
    assert share(found, by_hand(vectors, 5)) == 1
    (record,) = caplog.records
    assert record.getMessage() == (
        "the nearest neighbours of 150 vectors are found by comparing all pairs, which takes minutes; "
        "pip install faiss-cpu"
    )
