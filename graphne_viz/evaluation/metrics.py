"""Figures that say how well a layout or an embedding shows its graph.

Each is called as ``f(G, Y)``: `G` is any graph `graphne_layout` accepts, and `Y` is an array of shape (n, d) in the
order of its nodes, a ``pos`` dict, an igraph.Layout or an Embedding. Only which nodes are joined counts, not weights.

Near means by Euclidean distance in up to three dimensions and by cosine similarity above, unless ``metric`` says
otherwise. A point at the origin has cosine similarity 1 to others that are there, and 0 to all else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphne_viz.evaluation.accuracy import knn_accuracy, linear_accuracy
from graphne_viz.evaluation.distances import distance_correlation, link_prediction_auc
from graphne_viz.evaluation.labels import enough_labels
from graphne_viz.evaluation.points import as_points
from graphne_viz.evaluation.recall import neighbor_recall, two_hop_recall
from graphne_viz.evaluation.samples import with_edges
from graphne_viz.evaluation.scores import Scores

if TYPE_CHECKING:
    from graphne_viz.evaluation.points import Metric
    from graphne_viz.graphs.arrays import Foreign
    from graphne_viz.layout.initialization import Seed

__all__ = [
    "Scores",
    "distance_correlation",
    "evaluate",
    "knn_accuracy",
    "linear_accuracy",
    "link_prediction_auc",
    "neighbor_recall",
    "two_hop_recall",
]


def evaluate(
    G: Foreign,
    Y: Foreign,
    labels: Foreign = None,
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
    labels : array of shape (n,), dict of node to label, or str, optional
        Class of each node, or the name of a node attribute. Without them both accuracies are NaN; with fewer than 17
        labelled nodes, too, and a warning is logged.
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
        A mapping of name to figure, with the figures as attributes and ``to_frame()``.

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
    if enough_labels(graph, labels) is not None:
        split: dict[str, Any] = {"repeats": repeats, "sample": sample, "seed": seed}
        accuracies = {
            "knn_accuracy": knn_accuracy(graph, points, labels, metric=metric, **split),
            "linear_accuracy": linear_accuracy(graph, points, labels, **split),
        }
    return Scores(
        neighbor_recall=neighbor_recall(graph, points, **near),
        link_prediction_auc=link_prediction_auc(graph, points, **near),
        two_hop_recall=two_hop_recall(graph, points, **near),
        distance_correlation=distance_correlation(graph, points, metric=metric, seed=seed),
        **accuracies,
    )
