"""Our own methods, under the signature of all others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from graphne_viz.embedding.settings import TEMPERATURE
from graphne_viz.embedding.training import Training
from graphne_viz.evaluation.baselines import Placed
from graphne_viz.layout.task import Task

if TYPE_CHECKING:
    from graphne_viz.embedding.settings import Preset
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


def embedding(
    graph: Graph,
    *,
    dim: int,
    seed: int,
    temperature: float = TEMPERATURE,
    epochs: int | None = None,
    initialization: Any = "spectral",  # noqa: ANN401 - a name or an array
    preset: Preset = "default",
) -> Placed:
    """Embed nodes by graph NE with a fixed temperature; the options are those of `embed`.

    Parameters
    ----------
    graph : Graph
    dim, seed : int
    temperature, epochs, initialization, preset
        See `embed`.

    Returns
    -------
    Placed
        Vectors of length 1.
    """
    return _trained(graph, temperature, dim=dim, seed=seed, epochs=epochs, initialization=initialization, preset=preset)


def embedding_with_learned_temperature(
    graph: Graph,
    *,
    dim: int,
    seed: int,
    epochs: int | None = None,
    initialization: Any = "spectral",  # noqa: ANN401 - a name or an array
    preset: Preset = "default",
) -> Placed:
    """Embed nodes by graph NE, which learns the temperature with the vectors.

    Parameters
    ----------
    graph : Graph
    dim, seed : int
    epochs, initialization, preset
        See `embed`.

    Returns
    -------
    Placed
        Vectors of length 1.
    """
    return _trained(graph, "learn", dim=dim, seed=seed, epochs=epochs, initialization=initialization, preset=preset)


def _trained(graph: Graph, temperature: float | Literal["learn"], **asked: Any) -> Placed:  # noqa: ANN401 - of `Training`
    """Train to the end, and say at which temperature that was."""
    E = Training(graph, temperature=temperature, **asked).run()
    if not E.complete:
        raise KeyboardInterrupt  # what was trained by then must not pass for a result
    learned = " learned" if temperature == "learn" else ""
    return Placed(E.vectors.astype(np.float64), f"graphne_viz, temperature {E.temperature:.2g}{learned}")
