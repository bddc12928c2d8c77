"""Graph layouts and node embeddings by neighbour embedding: graph t-SNE in 2D, InfoNCE in 128D."""

from typing import TYPE_CHECKING

from graphne_viz._lazy import lazy_exports

if TYPE_CHECKING:
    from graphne_viz import datasets as datasets
    from graphne_viz import tl as tl
    from graphne_viz._version import __version__ as __version__
    from graphne_viz.embedding.api import embed as embed
    from graphne_viz.embedding.embedding import Embedding as Embedding
    from graphne_viz.embedding.estimator import GraphNE as GraphNE
    from graphne_viz.embedding.exchange.pyg import AddGraphNE as AddGraphNE
    from graphne_viz.embedding.experiments.learning_dynamics import learning_dynamics as learning_dynamics
    from graphne_viz.embedding.projection import project as project
    from graphne_viz.evaluation.held_out_links import held_out_link_auc as held_out_link_auc
    from graphne_viz.evaluation.metrics.accuracy import knn_accuracy as knn_accuracy
    from graphne_viz.evaluation.metrics.accuracy import linear_accuracy as linear_accuracy
    from graphne_viz.evaluation.metrics.api import evaluate as evaluate
    from graphne_viz.evaluation.metrics.classes import class_report as class_report
    from graphne_viz.evaluation.metrics.classes import misplaced as misplaced
    from graphne_viz.evaluation.metrics.distances import distance_correlation as distance_correlation
    from graphne_viz.evaluation.metrics.distances import link_prediction_auc as link_prediction_auc
    from graphne_viz.evaluation.metrics.recall import neighbor_recall as neighbor_recall
    from graphne_viz.evaluation.metrics.recall import two_hop_recall as two_hop_recall
    from graphne_viz.evaluation.metrics.recall_bounds import recall_bounds as recall_bounds
    from graphne_viz.graphs.graph import Graph as Graph
    from graphne_viz.layout.api import graphne_layout as graphne_layout
    from graphne_viz.layout.api import ig_graphne_layout as ig_graphne_layout
    from graphne_viz.layout.api import nx_graphne_layout as nx_graphne_layout
    from graphne_viz.layout.snapshot import Snapshot as Snapshot
    from graphne_viz.plotting.learning_dynamics import plot_dynamics as plot_dynamics
    from graphne_viz.plotting.plot import plot as plot
    from graphne_viz.plotting.training_curves import plot_history as plot_history
    from graphne_viz.viewer.compare import compare as compare
    from graphne_viz.viewer.linked import linked as linked
    from graphne_viz.viewer.view import view as view
    from graphne_viz.viewer.widget import GraphWidget as GraphWidget

# The same once more for Python, which loads a name when it is first asked for; a test compares the two.
_EXPORTS = {
    "AddGraphNE": "graphne_viz.embedding.exchange.pyg",
    "Embedding": "graphne_viz.embedding.embedding",
    "Graph": "graphne_viz.graphs.graph",
    "GraphNE": "graphne_viz.embedding.estimator",
    "GraphWidget": "graphne_viz.viewer.widget",
    "Snapshot": "graphne_viz.layout.snapshot",
    "__version__": "graphne_viz._version",
    "class_report": "graphne_viz.evaluation.metrics.classes",
    "compare": "graphne_viz.viewer.compare",
    "datasets": "graphne_viz.datasets",
    "distance_correlation": "graphne_viz.evaluation.metrics.distances",
    "embed": "graphne_viz.embedding.api",
    "evaluate": "graphne_viz.evaluation.metrics.api",
    "graphne_layout": "graphne_viz.layout.api",
    "held_out_link_auc": "graphne_viz.evaluation.held_out_links",
    "ig_graphne_layout": "graphne_viz.layout.api",
    "knn_accuracy": "graphne_viz.evaluation.metrics.accuracy",
    "learning_dynamics": "graphne_viz.embedding.experiments.learning_dynamics",
    "linear_accuracy": "graphne_viz.evaluation.metrics.accuracy",
    "link_prediction_auc": "graphne_viz.evaluation.metrics.distances",
    "linked": "graphne_viz.viewer.linked",
    "misplaced": "graphne_viz.evaluation.metrics.classes",
    "neighbor_recall": "graphne_viz.evaluation.metrics.recall",
    "nx_graphne_layout": "graphne_viz.layout.api",
    "plot": "graphne_viz.plotting.plot",
    "plot_dynamics": "graphne_viz.plotting.learning_dynamics",
    "plot_history": "graphne_viz.plotting.training_curves",
    "project": "graphne_viz.embedding.projection",
    "recall_bounds": "graphne_viz.evaluation.metrics.recall_bounds",
    "tl": "graphne_viz.tl",
    "two_hop_recall": "graphne_viz.evaluation.metrics.recall",
    "view": "graphne_viz.viewer.view",
}

__getattr__, __dir__, __all__ = lazy_exports(__name__, _EXPORTS, needs={"GraphWidget": "anywidget"})
