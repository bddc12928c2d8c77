"""Our own methods, under the signature of all others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from graphne_viz._keywords import with_keywords
from graphne_viz.embedding.training.training import Training
from graphne_viz.evaluation.methods.keywords import EmbeddingOptions, LayoutOptions, LearnedTemperatureOptions
from graphne_viz.evaluation.methods.registry import Placed
from graphne_viz.layout.task import Task

if TYPE_CHECKING:
    from typing import Unpack

    from graphne_viz.graphs.graph import Graph


@with_keywords(LayoutOptions)
def layout(graph: Graph, *, dim: int, seed: int, **keywords: Unpack[LayoutOptions]) -> Placed:
    """Place nodes by graph t-SNE; the options are those of `graphne_layout`.

    Parameters
    ----------
    graph : Graph
    dim, seed : int
    **keywords
        See `graphne_layout`.

    Returns
    -------
    Placed
        In t-SNE's own units.
    """
    return Placed(Task(graph, dim=dim, seed=seed, **keywords).run().positions, "graphne_viz")


@with_keywords(EmbeddingOptions)
def embedding(graph: Graph, *, dim: int, seed: int, **keywords: Unpack[EmbeddingOptions]) -> Placed:
    """Embed nodes by graph NE with a fixed temperature; the options are those of `embed`.

    Parameters
    ----------
    graph : Graph
    dim, seed : int
    **keywords
        See `embed`.

    Returns
    -------
    Placed
        Vectors of length 1.
    """
    return _trained(graph, dim=dim, seed=seed, **keywords)


@with_keywords(LearnedTemperatureOptions)
def embedding_with_learned_temperature(
    graph: Graph, *, dim: int, seed: int, **keywords: Unpack[LearnedTemperatureOptions]
) -> Placed:
    """Embed nodes by graph NE, which learns the temperature with the vectors.

    Parameters
    ----------
    graph : Graph
    dim, seed : int
    **keywords
        See `embed`.

    Returns
    -------
    Placed
        Vectors of length 1.
    """
    return _trained(graph, "learn", dim=dim, seed=seed, **keywords)


def _trained(graph: Graph, temperature: float | Literal["learn"] | None, **asked: Any) -> Placed:  # noqa: ANN401 - of `Training`
    """Train to the end, and say at which temperature that was."""
    E = Training(graph, temperature=temperature, **asked).run()
    if not E.complete:
        raise KeyboardInterrupt  # what was trained by then must not pass for a result
    learned = " learned" if temperature == "learn" else ""
    return Placed(E.vectors.astype(np.float64), f"graphne_viz, temperature {E.temperature:.2g}{learned}")
