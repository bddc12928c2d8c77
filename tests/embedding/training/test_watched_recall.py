"""The recall that a training watches, beside the one that is reported."""

import networkx as nx
import numpy as np
import pytest

from graphne_viz.embedding.training.recall import Probe
from graphne_viz.evaluation.metrics.api import neighbor_recall
from graphne_viz.graphs.convert.api import as_graph


def watched(G, vectors):
    unit = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    return Probe(as_graph(G), 0).recall(unit)


@pytest.mark.parametrize("places", [1, 2, 5, 300])
def test_vectors_on_one_spot_share_what_they_find(places):
    """On one spot chance alone decides who is near; counting all who are would call that perfect."""
    G = nx.powerlaw_cluster_graph(300, 3, 0.3, seed=1)
    axes = (
        np.eye(max(places, 2))[np.arange(300) % places]
        if places < 300
        else np.random.default_rng(0).normal(size=(300, 8))
    )
    assert watched(G, axes) == pytest.approx(neighbor_recall(G, axes, metric="cosine"), abs=1e-5)


def test_all_on_one_spot_is_as_good_as_guessing():
    G = nx.cycle_graph(101)
    assert watched(G, np.ones((101, 4))) == pytest.approx(2 / 100)
