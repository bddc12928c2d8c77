"""Comparisons that are made up, to be drawn and written."""

import networkx as nx
import numpy as np

from graphne_viz.evaluation.compare import Failure, Result
from graphne_viz.evaluation.methods.registry import Outcome, methods
from graphne_viz.evaluation.metrics.scores import Scores
from graphne_viz.graphs.convert.api import as_graph
from graphne_viz.viewer.compare import ComparisonView

REASON = "this method needs a package that is not here: pip install 'graphne-viz[package-of-a-very-long-name]'"


def result(graph, method, *, recall=0.5, accuracy=0.7, seconds=1.0, dim=2, seed=0, shape=(1, 1)):
    positions = np.random.default_rng(seed).normal(size=(graph.n_nodes, 2)) * shape
    scores = Scores(neighbor_recall=recall, knn_accuracy=accuracy)
    return Result(Outcome(method, dim, positions, f"{method} 1.0", seconds, seconds), positions, scores)


def some(count, *, failed=0, classes="club", G=None, **keywords):
    """Make a comparison of so many methods, of which the last few failed."""
    graph = as_graph(nx.karate_club_graph() if G is None else G)
    names = methods(2)[:count]
    results = tuple(result(graph, name, recall=0.1 * k, seed=k) for k, name in enumerate(names[: count - failed], 1))
    failures = tuple(Failure(name, REASON) for name in names[count - failed :])
    return ComparisonView(graph, names, results, failures, classes, **keywords)
