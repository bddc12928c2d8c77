"""Are nodes that are close in the graph close to each other: edges against other pairs, and along shortest paths."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from graphne_viz._checks import check_choice, check_integer
from graphne_viz._lazy import lazy_import
from graphne_viz._seeds import as_generator
from graphne_viz.evaluation.metrics.graph_distances import steps_apart
from graphne_viz.evaluation.metrics.points import as_points, in_space
from graphne_viz.evaluation.metrics.samples import (
    check_share,
    some_connected_pairs,
    some_edges,
    some_nodes,
    some_non_edges,
    with_edges,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy import stats as scipy_stats

    from graphne_viz._seeds import Seed
    from graphne_viz._types import Foreign
    from graphne_viz.evaluation.metrics.points import Metric
else:
    scipy_stats = lazy_import("scipy.stats")

Kind = Literal["spearman", "pearson"]
KINDS: tuple[str, ...] = get_args(Kind)


def link_prediction_auc(
    G: Foreign,
    Y: Foreign,
    *,
    share: float = 0.1,
    metric: Metric = "auto",
    sample: int | None = None,
    seed: Seed = 0,
) -> float:
    """Measure how often joined nodes are nearer to each other than nodes that are not joined.

    Parameters
    ----------
    G : graph
        With n nodes and at least one edge.
    Y : array of shape (n, d), dict, igraph.Layout or Embedding
        Where the nodes are.
    share : float, default 0.1
        Share of the edges to compare with as many random pairs without an edge.
    metric : {"auto", "euclidean", "cosine"}, default "auto"
        Pairs are ranked by negative Euclidean distance or by cosine similarity; see `neighbor_recall`.
    sample : int, optional
        Most edges to take.
    seed : int, RandomState, Generator or None, default 0
        For edges and pairs.

    Returns
    -------
    float
        Area under the ROC curve: 1 if every edge is shorter than every other pair, 0.5 by chance. NaN if all nodes are
        joined.
    """
    graph = with_edges(G)
    space = in_space(as_points(graph, Y), metric)
    check_share("share", share, whole_too=True)
    count = max(1, round(float(share) * graph.n_pairs))
    if sample is not None:
        check_integer("sample", sample, least=1)
        count = min(count, int(sample))
    generator = as_generator(seed)
    joined = space.squares(some_edges(graph, count, generator))
    others = space.squares(some_non_edges(graph, count, generator))
    if not others.size:
        return float("nan")

    ranks = scipy_stats.rankdata(np.concatenate([others, joined]))[: len(others)]
    wins = ranks.sum() - len(others) * (len(others) + 1) / 2
    return float(wins / (len(joined) * len(others)))


def distance_correlation(
    G: Foreign,
    Y: Foreign,
    *,
    pairs: int = 1000,
    metric: Metric = "auto",
    sample: int | None = None,
    seed: Seed = 0,
    kind: Kind = "spearman",
) -> float:
    """Measure how well distances agree with the number of edges on shortest paths.

    Parameters
    ----------
    G : graph
        With n nodes and at least one edge.
    Y : array of shape (n, d), dict, igraph.Layout or Embedding
        Where the nodes are.
    pairs : int, default 1000
        Number of random pairs of connected nodes; all of them if the graph has no more.
    metric : {"auto", "euclidean", "cosine"}, default "auto"
        How distances are measured; see `neighbor_recall`.
    sample : int, optional
        Most nodes that the pairs are of, chosen at random; by default all. Paths lead through all nodes in any case.
    seed : int, RandomState, Generator or None, default 0
        For the sample and the pairs.
    kind : {"spearman", "pearson"}, default "spearman"
        Of ranks, or of the numbers themselves.

    Returns
    -------
    float
        The correlation, from -1 to 1. NaN if all distances, or all paths, are equally long, or no two nodes of the
        sample are connected.

    Notes
    -----
    The paper says that it has Spearman's, but the program published with it computes Pearson's, in many dimensions of
    the Euclidean distances between unit vectors. The two are far apart there, where most distances are nearly the same
    (``graphne bench --dim 128`` prints both).

    Examples
    --------
    >>> edges = np.array([[0, 1], [1, 2], [2, 3], [3, 4]])
    >>> distance_correlation(edges, np.array([[0, 0], [1, 0], [2, 0], [3, 0], [4, 0]]))
    1.0
    """
    graph = with_edges(G)
    space = in_space(as_points(graph, Y), metric)
    check_integer("pairs", pairs, least=1)
    check_choice("kind", kind, KINDS)
    generator = as_generator(seed)
    nodes = some_nodes(np.arange(graph.n_nodes), sample, generator)
    chosen = some_connected_pairs(graph, int(pairs), generator, nodes)
    if not len(chosen):
        return float("nan")
    steps, apart = (
        _centred(values, kind) for values in (steps_apart(graph, chosen).astype(np.float64), space.distances(chosen))
    )
    spread = np.sqrt((steps @ steps) * (apart @ apart))
    return float(np.clip(steps @ apart / spread, -1, 1)) if spread > 0 else float("nan")


def _centred(values: NDArray[np.float64], kind: Kind) -> NDArray[np.float64]:
    """Return numbers, or their ranks, less their mean."""
    if kind == "spearman":
        values = scipy_stats.rankdata(values)
    if not np.ptp(values):  # their mean may be rounded to another number
        return np.zeros(len(values))
    centred: NDArray[np.float64] = values - values.mean()
    return centred
