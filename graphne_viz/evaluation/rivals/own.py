"""Our own methods, under the signature of all others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphne_viz.evaluation.baselines import Placed
from graphne_viz.layout.task import Task

if TYPE_CHECKING:
    from graphne_viz.graphs.graph import Graph
    from graphne_viz.layout.affinity import Normalization


def layout(
    graph: Graph,
    *,
    dim: int,
    seed: int,
    normalization: Normalization = "node",
    initialization: Any = "spectral",  # noqa: ANN401 - a name or an array
    exaggeration: float = 1,
    n_iter: int = 500,
    early_exaggeration: float = 12,
    early_exaggeration_iter: int = 250,
    dof: float = 1,
) -> Placed:
    """Place nodes by graph t-SNE; the options are those of `graphne_layout`.

    Parameters
    ----------
    graph : Graph
    dim, seed : int
    normalization, initialization, exaggeration, n_iter, early_exaggeration, early_exaggeration_iter, dof
        See `graphne_layout`.

    Returns
    -------
    Placed
        In t-SNE's own units.
    """
    task = Task(
        graph,
        dim=dim,
        seed=seed,
        normalization=normalization,
        initialization=initialization,
        exaggeration=exaggeration,
        n_iter=n_iter,
        early_exaggeration=early_exaggeration,
        early_exaggeration_iter=early_exaggeration_iter,
        dof=dof,
    )
    return Placed(task.run().positions, "graphne_viz")
