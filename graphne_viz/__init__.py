"""Graph layouts and node embeddings by neighbour embedding: graph t-SNE in 2D, InfoNCE in 128D."""

from typing import TYPE_CHECKING, Any

from graphne_viz.embedding.api import embed
from graphne_viz.embedding.embedding import Embedding
from graphne_viz.embedding.projection import project
from graphne_viz.evaluation.classes import class_report, misplaced
from graphne_viz.evaluation.metrics import (
    distance_correlation,
    evaluate,
    knn_accuracy,
    linear_accuracy,
    link_prediction_auc,
    neighbor_recall,
    two_hop_recall,
)
from graphne_viz.graphs.graph import Graph
from graphne_viz.layout.api import graphne_layout, ig_graphne_layout, nx_graphne_layout
from graphne_viz.layout.snapshot import Snapshot
from graphne_viz.viewer.history import plot_history
from graphne_viz.viewer.plot import plot
from graphne_viz.viewer.view import view

if TYPE_CHECKING:
    from graphne_viz.embedding.dynamics import learning_dynamics as learning_dynamics
    from graphne_viz.embedding.estimator import GraphNE as GraphNE
    from graphne_viz.graphs import datasets as datasets
    from graphne_viz.viewer.compare import compare as compare
    from graphne_viz.viewer.dynamics import plot_dynamics as plot_dynamics
    from graphne_viz.viewer.linked import linked as linked
    from graphne_viz.viewer.widget import GraphWidget as GraphWidget

__all__ = [
    "Embedding",
    "Graph",
    "Snapshot",
    "class_report",
    "compare",
    "distance_correlation",
    "embed",
    "evaluate",
    "graphne_layout",
    "ig_graphne_layout",
    "knn_accuracy",
    "linear_accuracy",
    "link_prediction_auc",
    "misplaced",
    "neighbor_recall",
    "nx_graphne_layout",
    "plot",
    "plot_history",
    "project",
    "two_hop_recall",
    "view",
]

_ELSEWHERE = {
    "GraphNE": "graphne_viz.embedding.estimator",
    "GraphWidget": "graphne_viz.viewer.widget",
    "compare": "graphne_viz.viewer.compare",
    "datasets": "graphne_viz.graphs.datasets",
    "learning_dynamics": "graphne_viz.embedding.dynamics",
    "linked": "graphne_viz.viewer.linked",
    "plot_dynamics": "graphne_viz.viewer.dynamics",
}
"""What is seldom wanted, or needs libraries that a program without it need not load, or install."""


def __getattr__(name: str) -> Any:  # noqa: ANN401 - a module's attributes are anything
    """Load something when it is asked for."""
    if name in _ELSEWHERE:
        from importlib import import_module  # noqa: PLC0415 - only needed here

        module = import_module(_ELSEWHERE[name])
        return getattr(module, name, module)  # datasets is a module itself
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
