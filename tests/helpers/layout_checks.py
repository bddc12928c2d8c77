"""What must hold for every layout of a networkx graph."""

import networkx as nx
import numpy as np
import pytest


def rows(pos):
    return np.array(list(pos.values()))


def assert_contract(G, pos):
    """A dict of float64 pairs, every node present, in the order of G, and no two nodes at one place."""
    assert isinstance(pos, dict)
    assert list(pos) == list(G)
    for point in pos.values():
        assert isinstance(point, np.ndarray)
        assert point.shape == (2,)
        assert point.dtype == np.float64
    assert np.isfinite(rows(pos)).all()
    assert len(np.unique(rows(pos), axis=0)) == len(pos)


def assert_fills(pos, scale, center):
    """The longer direction reaches from -scale to scale around the centre, the shorter stays within."""
    scale = float(scale)
    points = rows(pos) - np.asarray(center)
    assert np.abs(points).max() <= scale * (1 + 1e-12)
    low, high = points.min(axis=0), points.max(axis=0)
    longer = np.argmax(high - low)
    assert high[longer] == pytest.approx(scale)
    assert low[longer] == pytest.approx(-scale)
    assert low + high == pytest.approx(0, abs=1e-9 * scale)


def letters():
    G = nx.Graph()
    nx.add_path(G, "abcdef")
    return G
