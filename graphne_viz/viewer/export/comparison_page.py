"""Comparisons as linked views of all methods, in a notebook or in one HTML file with their figures."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from graphne_viz.encoding.columns.column import COLOR_KEY
from graphne_viz.encoding.columns.values import kind_of
from graphne_viz.evaluation.methods.registry import FLAT
from graphne_viz.evaluation.metrics.scores import TITLES
from graphne_viz.plotting.comparison import (
    captions,
    check_results,
    class_column_of,
    fastest_of,
    spelled_seconds,
    suitable_columns,
)
from graphne_viz.viewer.export.html_page import page
from graphne_viz.viewer.export.html_table import Table
from graphne_viz.viewer.export.panel import Panel
from graphne_viz.viewer.export.provenance import describe
from graphne_viz.viewer.linked import linked
from graphne_viz.viewer.session.column_registry import ColumnRegistry
from graphne_viz.viewer.view import view

if TYPE_CHECKING:
    from graphne_viz.evaluation.compare import Comparison
    from graphne_viz.viewer.linked import Linked
    from graphne_viz.viewer.session.column_registry import Choice

_HEIGHT = 380
"""Of a view in a notebook, in pixels."""


def comparison_page(comparison: Comparison, *, title: str | None = None, theme: str = "auto") -> str:
    """Write a comparison as an HTML page that needs no network.

    Parameters
    ----------
    comparison : Comparison
        With at least one result.
    title : str, optional
        By default the size of the graph.
    theme : {"auto", "light", "dark"}, default "auto"

    Returns
    -------
    str
    """
    return page(
        panels(comparison, theme=theme),
        title=_title(comparison) if title is None else title,
        columns=suitable_columns(len(comparison.results)),
        table=table(comparison),
        notes=notes(comparison),
        about=_about(comparison),
    )


def panels(comparison: Comparison, *, theme: str = "auto") -> list[Panel]:
    """Make a panel of each result.

    Raises
    ------
    ValueError
        If there is none.
    """
    check_results(comparison)
    columns = ColumnRegistry(comparison.graph)
    color, _ = columns.take("color", class_choice(comparison))
    listed = captions(comparison)
    return [
        Panel.draw(
            comparison.graph,
            result.positions,
            color=color,
            theme=theme,
            title=result.method,
            caption=caption_line(listed[result.method]),
            columns=columns,
        )
        for result in comparison.results
    ]


def widgets(comparison: Comparison) -> Linked:
    """Make linked views of all results, for a notebook.

    Raises
    ------
    ImportError
        If anywidget is not installed.
    ValueError
        If there is none.
    """
    check_results(comparison)
    listed, color = captions(comparison), class_choice(comparison)
    made = [view(comparison.graph, each.positions, color=color, height=_HEIGHT) for each in comparison.results]
    for widget in made:
        widget.session.freeze()  # what other methods made is not ours to optimise
    return linked(
        made,
        titles=[each.method for each in comparison.results],
        captions=[caption_line(listed[each.method]) for each in comparison.results],
        aligned=False,  # they are
    )


def class_choice(comparison: Comparison) -> Choice:
    """Return what a view is to be coloured by: the classes, which are classes even where they are numbers."""
    column = class_column_of(comparison)
    if column is None or column.key == COLOR_KEY:
        return column
    # Numbers stay beside their classes; an attribute that is a class anyway is chosen by its name.
    values = comparison.graph.attributes.get(comparison.classes)
    if values is not None and kind_of(values) != "classes":
        return replace(column, key=COLOR_KEY)
    return comparison.classes


def caption_line(figures: list[tuple[str, str, bool]]) -> str:
    """Write the figures below a picture on one line."""
    return " · ".join(text if title == "time" else f"{title} {text}" for title, text, _ in figures)


def table(comparison: Comparison) -> Table:
    """List all figures of all methods."""
    shown = [name for name in TITLES if any(not math.isnan(each.scores[name]) for each in comparison.results)]
    rows = comparison.rows()
    head = ["method", *(TITLES[name] for name in shown), "time", "computed by"]
    found = {result.method: result for result in comparison.results}
    cells: list[list[str]] = [[str(row["method"])] for row in rows]
    best = set()
    for column, name in enumerate([*shown, "seconds"], 1):
        first = fastest_of(comparison) if name == "seconds" else comparison.winner(name)
        for number, row in enumerate(rows):
            result = found.get(str(row["method"]))
            text = ""
            if result is not None:
                seconds = result.outcome.seconds
                text = spelled_seconds(seconds) if name == "seconds" else comparison.text(result, name)
            cells[number].append("" if text == "-" else text)
            if row["method"] == first:
                best.add((number, column))
    for number, row in enumerate(rows):
        cells[number].append(str(row["by"]) if row["by"] else f"no result: {row['failure']}")
    return Table(head, cells, best, text=(0, len(head) - 1))


def notes(comparison: Comparison) -> list[str]:
    """Return what a reader must know about the pictures and the figures, one sentence each."""
    sentences = []
    if comparison.dim > FLAT:
        sentences.append(f"The figures are those of {comparison.dim} dimensions; the pictures are projections of them.")
    if len(comparison.results) > 1:
        first = comparison.results[0].method
        sentences.append(f"All pictures are rotated, mirrored and scaled to match that of {first}.")
    if comparison.results and (bounds := comparison.results[0].scores.bounds_text()):
        sentences.append(f"Neighbour recall is {bounds}; what is better than all others by more than chance is bold.")
    if any(not math.isnan(each.scores.knn_accuracy) for each in comparison.results):
        sentences.append(
            "15-NN accuracy: a tenth of the nodes is held out, and their 15 nearest among the others vote."
        )
    return sentences


def _title(comparison: Comparison) -> str:
    graph = comparison.graph
    named = comparison.methods[0] if len(comparison.methods) == 1 else f"{len(comparison.methods)} methods"
    return f"{graph.n_nodes:,} nodes and {graph.n_edges:,} edges by {named}"


def _about(comparison: Comparison) -> dict[str, Any]:
    parameters: dict[str, object] = {
        "methods": list(comparison.methods),
        "dim": comparison.dim,
        "seed": comparison.seed,
        "options": {method: dict(own) for method, own in comparison.options.items()},
    }
    made = describe("comparison", parameters, [])
    return made | {"computed_by": {each.method: each.outcome.by for each in comparison.results}}
