import numpy as np
import pytest

from graphne_viz.evaluation.alignment import align


def turned(points, angle, *, mirror=False, scale=1.0, shift=(0.0, 0.0)):
    rotation = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    points = points * [-1, 1] if mirror else points
    return scale * points @ rotation.T + np.array(shift)


@pytest.fixture
def points():
    return np.random.default_rng(0).normal(size=(50, 2)) * [3, 1] + [10, -4]


@pytest.mark.parametrize("mirror", [False, True])
def test_a_turned_layout_comes_back_exactly(points, mirror):
    other = turned(points, 2.1, mirror=mirror, scale=7.5, shift=(100, -3))
    kept = other.copy()
    np.testing.assert_allclose(align(other, points), points, atol=1e-12)
    np.testing.assert_array_equal(other, kept)


def test_no_other_rotation_is_nearer(points):
    other = turned(points, 1.0, mirror=True) + np.random.default_rng(1).normal(size=points.shape)
    aligned = align(other, points)
    best = np.square(aligned - points).sum()
    center = aligned.mean(axis=0)
    for angle in np.linspace(0.01, 2 * np.pi - 0.01, 40):
        for mirror in (False, True):
            tried = turned(aligned - center, angle, mirror=mirror) + center
            assert np.square(tried - points).sum() > best - 1e-9


def test_a_layout_that_does_not_resemble_the_reference_keeps_its_spread(points):
    other = np.random.default_rng(2).permutation(points)
    aligned = align(other, points)
    np.testing.assert_allclose(aligned.std(axis=0).sum(), points.std(axis=0).sum(), rtol=0.2)
    np.testing.assert_allclose(
        np.square(aligned - aligned.mean(axis=0)).sum(), np.square(points - points.mean(0)).sum()
    )


def test_points_that_the_reference_lacks_follow_the_others(points):
    rows = np.arange(10, 50)[::-1]
    np.testing.assert_allclose(align(turned(points, 0.5, mirror=True), points[rows], rows=rows), points, atol=1e-12)


def test_points_on_one_spot_only_move():
    np.testing.assert_array_equal(align(np.ones((3, 2)), [[0, 0], [2, 0], [4, 0]]), [[2, 0]] * 3)
    assert align(np.empty((0, 2)), np.empty((0, 2))).shape == (0, 2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([[0, 0]], [[0, 0], [1, 1]]), r"reference must have shape \(1, 2\), got \(2, 2\)"),
        (([0, 0], [0, 0]), r"points must have shape \(n, d\), got \(2,\)"),
        (([[0, np.nan]], [[0, 0]]), "points must be finite"),
    ],
)
def test_what_does_not_fit_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        align(*arguments)


def test_rows_must_be_among_the_points():
    with pytest.raises(ValueError, match="rows must be from 0 to 1, got 2 to 2"):
        align([[0, 0], [1, 1]], [[0, 0]], rows=[2])
