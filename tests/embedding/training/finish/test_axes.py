"""Coordinates of trained vectors are principal axes."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from graphne_viz.embedding.api import embed
from graphne_viz.embedding.training.finish.axes import along_principal_axes, moments, principal_axes, turned

G = nx.relaxed_caveman_graph(12, 8, 0.1, seed=3)


@pytest.fixture(scope="module")
def trained():
    return embed(G, dim=16, epochs=20, seed=0)


def test_coordinates_are_uncorrelated_and_the_first_one_varies_most(trained):
    covariance = np.cov(trained.vectors.T.astype(float))
    variances = np.diag(covariance)
    assert np.abs(covariance - np.diag(variances)).max() < 1e-6
    assert (np.diff(variances) < 1e-6).all()
    assert variances[0] > 2 * variances[-1]


def test_no_angle_changes():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((300, 8)).astype(np.float32) @ rng.standard_normal((8, 8)).astype(np.float32)
    Y = turned(X, principal_axes(moments(X)))
    np.testing.assert_allclose(Y @ Y.T, X @ X.T, atol=1e-3)


def test_sums_of_parts_are_those_of_all():
    X = np.random.default_rng(1).standard_normal((50, 4)).astype(np.float32)
    np.testing.assert_allclose(moments(X[:20]) + moments(X[20:]), moments(X))
    axes = principal_axes(moments(X))
    values = np.linalg.eigvalsh(np.cov(X.T.astype(float)))
    np.testing.assert_allclose(np.var(X @ axes, axis=0, ddof=1), values[::-1], rtol=1e-5)


def test_training_resumes_in_the_same_coordinates(trained):
    unit = trained.state.parameters / np.linalg.norm(trained.state.parameters, axis=1, keepdims=True)
    assert (unit * trained.vectors).sum(axis=1).mean() > 0.9
    later = embed(G, start=trained, epochs=21)
    best = along_principal_axes(later).vectors
    assert np.abs(np.diag(np.corrcoef(best.T, later.vectors.T)[:16, 16:])).min() > 0.99


def test_an_update_keeps_the_coordinates(trained):
    later = trained.update(G, epochs=1)
    assert (later.vectors * trained.vectors).sum(axis=1).min() > 0.8


def test_an_interrupted_training_ends_as_the_whole_one(trained):
    half = embed(G, dim=16, epochs=20, seed=0, callback=lambda progress: progress.epoch == 10)
    np.testing.assert_array_equal(embed(G, start=half).vectors, trained.vectors)


def test_the_paper_keeps_its_own():
    E = embed(G, dim=8, epochs=3, preset="paper", seed=0)
    covariance = np.corrcoef(E.vectors.T)
    assert np.abs(covariance - np.eye(8)).max() > 0.01
