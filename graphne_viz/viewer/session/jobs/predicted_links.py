"""Edges that an embedding foretells, for the browser to draw, and how far they are to be trusted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphne_viz._lazy import lazy_import

if TYPE_CHECKING:
    from collections.abc import Mapping

    from graphne_viz.embedding.embedding import Embedding
    from graphne_viz.evaluation import held_out_links
    from graphne_viz.graphs.graph import Graph
else:
    held_out_links = lazy_import("graphne_viz.evaluation.held_out_links")

MOST = 10_000
"""Predicted edges that a browser may ask for at once."""

_NOT_FOR_OTHERS = {"epochs", "batch_size", "dim", "seed", "initialization", "regions"}
"""Settings of a training that were chosen for its graph, do not say how it was trained, or are not for callers."""


def check_count(count: object) -> int:
    """Return how many predicted edges are wanted.

    Raises
    ------
    TypeError, ValueError
        If it is no whole number from 1 to `MOST`.
    """
    if not isinstance(count, int) or isinstance(count, bool):
        raise TypeError(f"count must be an integer, got {count!r}")
    if not 1 <= count <= MOST:
        raise ValueError(f"count must be from 1 to {MOST:,}, got {count!r}")
    return count


def predicted_links(graph: Graph, embedding: Embedding, count: int) -> dict[str, Any]:
    """Find the most similar pairs of nodes without an edge, ready for JSON.

    Returns
    -------
    dict
        ``ends``, the numbers of the nodes of all pairs one after another, and ``similarity``, their cosines, the most
        similar first.
    """
    places = {node: place for place, node in enumerate(graph.ids)}
    found = embedding.predict_links(graph, count)
    return {
        "ends": [places[node] for pair in found for node in pair[:2]],
        "similarity": [similarity for _, _, similarity in found],
    }


def link_auc(graph: Graph, embedding: Embedding) -> float:
    """Train anew on nine tenths of the edges, in the way the embedding was, and measure how well the others are told.

    Returns
    -------
    float
        See `held_out_link_auc`.
    """
    return held_out_links.held_out_link_auc(graph, dim=embedding.dim, **_way(embedding.settings))


def _way(settings: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in settings.items() if name not in _NOT_FOR_OTHERS}
