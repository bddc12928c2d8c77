"""What a node's place tells about its class."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import numpy as np

from graphne_viz._checks import check_integer
from graphne_viz._lazy import lazy_import
from graphne_viz.evaluation.metrics.class_codes import as_class_codes, splits
from graphne_viz.evaluation.metrics.points import as_points, in_space
from graphne_viz.graphs.convert.api import as_graph

if TYPE_CHECKING:
    from sklearn import exceptions, linear_model, preprocessing
    from sklearn import neighbors as sklearn_neighbors

    from graphne_viz._seeds import Seed
    from graphne_viz._types import Foreign
    from graphne_viz.evaluation.metrics.points import Metric
else:
    sklearn_neighbors = lazy_import("sklearn.neighbors")
    exceptions = lazy_import("sklearn.exceptions")
    linear_model = lazy_import("sklearn.linear_model")
    preprocessing = lazy_import("sklearn.preprocessing")


def knn_accuracy(
    G: Foreign,
    Y: Foreign,
    classes: Foreign,
    *,
    k: int = 15,
    test_size: float = 0.1,
    repeats: int = 1,
    metric: Metric = "auto",
    sample: int | None = None,
    seed: Seed = 0,
) -> float:
    """Measure how often the k nearest nodes of known class tell a node's class.

    Parameters
    ----------
    G : graph
        With n nodes; its edges do not matter.
    Y : array of shape (n, d), dict, igraph.Layout or Embedding
        Where the nodes are.
    classes : array of shape (n,), dict of node to class, or str
        Class of each node, or the name of a node attribute. Nodes without one (None or NaN) are left out.
    k : int, default 15
        Neighbours that vote.
    test_size : float, default 0.1
        Share of the nodes whose class is to be told from the others.
    repeats : int, default 1
        Number of random splits to average over.
    metric : {"auto", "euclidean", "cosine"}, default "auto"
        What near means; see `neighbor_recall`.
    sample : int, optional
        Most nodes to test on in each split; all others of known class vote as before.
    seed : int, RandomState, Generator or None, default 0
        For the splits; `linear_accuracy` with the same seed has the same.

    Returns
    -------
    float
        Share of the nodes tested whose class was right. Equal votes go to the class that sorts first.
    """
    graph = as_graph(G)
    points = in_space(as_points(graph, Y), metric).points
    codes = as_class_codes(graph, classes)
    check_integer("k", k, least=1)
    shares = []
    for split in splits(codes, test_size=test_size, repeats=repeats, sample=sample, seed=seed):
        if k > len(split.train):
            raise ValueError(f"k must be at most {len(split.train)}, the number of nodes to learn from, got {k!r}")

        voters = sklearn_neighbors.KNeighborsClassifier(int(k)).fit(points[split.train], codes[split.train])
        shares.append(float(voters.score(points[split.test], codes[split.test])))
    return float(np.mean(shares))


def linear_accuracy(
    G: Foreign,
    Y: Foreign,
    classes: Foreign,
    *,
    test_size: float = 0.1,
    repeats: int = 1,
    metric: Metric = "euclidean",
    sample: int | None = None,
    seed: Seed = 0,
) -> float:
    """Measure how often a linear classifier tells a node's class from where it is.

    Logistic regression without regularisation by SAGA with tolerance 0.01, on coordinates standardised by the mean and
    deviation of the nodes it learns from.

    Parameters
    ----------
    G : graph
        With n nodes; its edges do not matter.
    Y : array of shape (n, d), dict, igraph.Layout or Embedding
        Where the nodes are.
    classes : array of shape (n,), dict of node to class, or str
        Class of each node, or the name of a node attribute. Nodes without one (None or NaN) are left out.
    test_size : float, default 0.1
        Share of the nodes whose class is to be told from the others.
    repeats : int, default 1
        Number of random splits to average over.
    metric : {"euclidean", "cosine", "auto"}, default "euclidean"
        "euclidean" takes the coordinates as they are, in any number of dimensions, as the paper does; "cosine" takes
        those of the unit vectors, so that only directions count; "auto" is one of the two, see `neighbor_recall`.
    sample : int, optional
        Most nodes to test on in each split; all others of known class are learnt from as before.
    seed : int, RandomState, Generator or None, default 0
        For the splits and the solver; `knn_accuracy` with the same seed has the same splits.

    Returns
    -------
    float
        Share of the nodes tested whose class was right.
    """
    graph = as_graph(G)
    points = in_space(as_points(graph, Y), metric).points
    codes = as_class_codes(graph, classes)
    shares = []
    for split in splits(codes, test_size=test_size, repeats=repeats, sample=sample, seed=seed):
        known, truth = codes[split.train], codes[split.test]
        if (known == known[0]).all():
            shares.append(float((truth == known[0]).mean()))
            continue

        scaler = preprocessing.StandardScaler().fit(points[split.train])
        model = linear_model.LogisticRegression(C=np.inf, solver="saga", tol=0.01, random_state=split.state)
        with warnings.catch_warnings():
            # Where classes can be separated the coefficients grow for ever; when to stop is part of the definition.
            warnings.simplefilter("ignore", exceptions.ConvergenceWarning)
            model.fit(scaler.transform(points[split.train]), known)
        shares.append(float(model.score(scaler.transform(points[split.test]), truth)))
    return float(np.mean(shares))
