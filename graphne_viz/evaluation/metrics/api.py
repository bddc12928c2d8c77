"""Figures that say how well a layout or an embedding shows its graph.

Each is called as ``f(G, Y)``: `G` is any graph `graphne_layout` accepts, and `Y` is an array of shape (n, d) in the
order of its nodes, a ``pos`` dict, an igraph.Layout or an Embedding. Only which nodes are joined counts, not weights.

Near means by Euclidean distance in up to three dimensions and by cosine similarity above, unless ``metric`` says
otherwise. A point at the origin has cosine similarity 1 to others that are there, and 0 to all else.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from graphne_viz.evaluation.metrics.accuracy import knn_accuracy, linear_accuracy
from graphne_viz.evaluation.metrics.class_codes import as_class_codes, enough_classes
from graphne_viz.evaluation.metrics.distances import distance_correlation, link_prediction_auc
from graphne_viz.evaluation.metrics.noise import mean_error, share_error
from graphne_viz.evaluation.metrics.points import as_points
from graphne_viz.evaluation.metrics.recall import neighbor_recall, two_hop_recall
from graphne_viz.evaluation.metrics.recall_bounds import RecallBounds, recall_bounds
from graphne_viz.evaluation.metrics.samples import with_edges
from graphne_viz.evaluation.metrics.scores import Scores

if TYPE_CHECKING:
    from graphne_viz._seeds import Seed
    from graphne_viz._types import Foreign
    from graphne_viz.evaluation.metrics.points import Metric

_TESTED, _LINKS, _PAIRS = 0.1, 0.1, 1000
"""What the functions below measure on unless told otherwise: shares of nodes and of edges, pairs of nodes."""

__all__ = [
    "RecallBounds",
    "Scores",
    "distance_correlation",
    "evaluate",
    "knn_accuracy",
    "linear_accuracy",
    "link_prediction_auc",
    "neighbor_recall",
    "recall_bounds",
    "two_hop_recall",
]


def evaluate(
    G: Foreign,
    Y: Foreign,
    classes: Foreign = None,
    *,
    metric: Metric = "auto",
    sample: int | None = None,
    seed: Seed = 0,
    repeats: int = 1,
) -> Scores:
    """Measure everything.

    Parameters
    ----------
    G : graph
        With n nodes and at least one edge.
    Y : array of shape (n, d), dict, igraph.Layout or Embedding
        Where the nodes are.
    classes : array of shape (n,), dict of node to class, or str, optional
        Class of each node, or the name of a node attribute. Without them both accuracies are NaN; with fewer than 17
        nodes with a class, too, and a warning is logged.
    metric : {"auto", "euclidean", "cosine"}, default "auto"
        What near means; see `neighbor_recall`. The linear accuracy is that of the coordinates as they are.
    sample : int, optional
        Most nodes, or edges, to measure on. The distance correlation has its 1,000 pairs in any case.
    seed : int, RandomState, Generator or None, default 0
        For all that is chosen at random.
    repeats : int, default 1
        Number of random splits for both accuracies.

    Returns
    -------
    Scores
        A mapping of name to figure, with the figures as attributes and ``to_frame()``. Its `bounds` say what neighbour
        recall would be by chance and at best, its `errors` how far each figure can be trusted.

    Examples
    --------
    >>> import networkx as nx
    >>> from graphne_viz import graphne_layout
    >>> G = nx.karate_club_graph()
    >>> evaluate(G, graphne_layout(G)).neighbor_recall > 0.5
    True
    """
    graph = with_edges(G)
    points = as_points(graph, Y)
    near: dict[str, Any] = {"metric": metric, "sample": sample, "seed": seed}
    accuracies: dict[str, float] = {}
    errors: dict[str, float] = {}
    known = enough_classes(graph, classes)
    if known is not None:
        split: dict[str, Any] = {"repeats": repeats, "sample": sample, "seed": seed}
        accuracies = {
            "knn_accuracy": knn_accuracy(graph, points, classes, metric=metric, **split),
            "linear_accuracy": linear_accuracy(graph, points, classes, **split),
        }
        known_nodes = int((as_class_codes(graph, classes) >= 0).sum())
        tested = min(known_nodes, repeats * math.ceil(_TESTED * known_nodes), repeats * (sample or known_nodes))
        errors = {name: share_error(share, tested) for name, share in accuracies.items()}
    recall = neighbor_recall(graph, points, **near, per_node=True)
    two_hop = two_hop_recall(graph, points, **near, per_node=True)
    auc = link_prediction_auc(graph, points, **near)
    distances = distance_correlation(graph, points, metric=metric, seed=seed)
    errors |= {
        "neighbor_recall": mean_error(recall),
        "two_hop_recall": mean_error(two_hop),
        "link_prediction_auc": share_error(auc, max(1, round(_LINKS * graph.n_pairs))),
        "distance_correlation": (1 - distances**2) / math.sqrt(_PAIRS),
    }
    return Scores(
        neighbor_recall=float(np.nanmean(recall)),
        link_prediction_auc=auc,
        two_hop_recall=float(np.nanmean(two_hop)),
        distance_correlation=distances,
        **accuracies,
        bounds=recall_bounds(graph, dim=points.shape[1], sample=sample, seed=seed),
        errors=errors,
    )
