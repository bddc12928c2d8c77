"""A view as a figure of matplotlib, for a file."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from graphne_viz.viewer import drawing
from graphne_viz.viewer.labels import MOST_LABELS, draw_labels
from graphne_viz.viewer.plot import figure_size, fit_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from graphne_viz.viewer.shown import Shown


def figure_of(shown: Shown) -> Figure:
    """Draw what a view shows, with its legend, on white; hidden nodes and their edges are left out.

    Parameters
    ----------
    shown : Shown

    Returns
    -------
    matplotlib.figure.Figure
        Without a trace in pyplot. Names are written as they are; of more than 1,000 those of the nodes with the most
        neighbours, and those only that find a place.
    """
    from matplotlib.figure import Figure  # noqa: PLC0415 -- matplotlib is loaded only to draw

    there = np.flatnonzero(shown.visible)
    positions = shown.positions[there]
    figure = Figure(figsize=figure_size(positions), layout="constrained", facecolor="white")
    ax = figure.subplots()
    base = drawing.suitable_size(drawing.drawn_area(ax, positions), shown.graph.n_nodes)
    sizes = shown.areas(base)[there]
    every = shown.colors()
    scale = every.scale if len(there) else None
    colors = replace(every, rgba=every.rgba[there], grey=every.grey[there], scale=scale)
    drawing.frame(ax, positions, sizes)
    notes = shown.notes()
    if shown.edges:
        edges = _edges_between(shown.graph.edges, there, shown.graph.n_nodes)
        drawn = drawing.draw_edges(ax, positions, edges, base, sample=True)
        notes += [f"{drawn:,} of {len(edges):,} edges drawn"] if drawn < len(edges) else []
    drawing.draw_nodes(ax, positions, colors, sizes)
    rank = shown.graph.degrees[there]
    texts = _foremost(shown.labels(), there, rank)
    draw_labels(ax, positions=positions, sizes=sizes, rgba=colors.rgba, texts=texts, rank=rank)
    drawing.write_around(ax, "", "; ".join(notes))
    drawing.explain_colors(ax, colors)
    fit_figure(ax)
    return figure


def _edges_between(edges: NDArray[np.int64], there: NDArray[np.intp], n: int) -> NDArray[np.int64]:
    """Return the edges between some nodes, by the places of their ends among these."""
    if len(there) == n:
        return edges
    place = np.full(n, -1, dtype=np.int64)
    place[there] = np.arange(len(there))
    renamed = place[edges]
    kept: NDArray[np.int64] = renamed[(renamed >= 0).all(axis=1)]
    return kept


def _foremost(texts: list[str], there: NDArray[np.intp], rank: NDArray[np.int64]) -> list[str]:
    """Return the labels of some nodes, "" but for those of the highest rank where they are too many."""
    if not texts:
        return []
    chosen = [texts[node] for node in there]
    if len(chosen) > MOST_LABELS:
        foremost = set(np.argsort(-rank, kind="stable")[:MOST_LABELS].tolist())
        chosen = [text if k in foremost else "" for k, text in enumerate(chosen)]
    return chosen
