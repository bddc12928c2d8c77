"""A comparison to look into: linked views of all methods, in a notebook or in one HTML file with their figures."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from graphne_viz.evaluation.baselines import FLAT
from graphne_viz.evaluation.scores import TITLES
from graphne_viz.viewer.choices import Choices
from graphne_viz.viewer.comparison import captions, check_results, spelled_seconds, suitable_columns
from graphne_viz.viewer.linked import linked
from graphne_viz.viewer.page import Panel, page
from graphne_viz.viewer.provenance import describe
from graphne_viz.viewer.table import Table
from graphne_viz.viewer.values import class_texts, kind_of, node_values
from graphne_viz.viewer.view import view

if TYPE_CHECKING:
    from collections.abc import Callable

    from graphne_viz.evaluation.compare import Comparison
    from graphne_viz.viewer.choices import Choice
    from graphne_viz.viewer.linked import Linked

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
    choices = Choices(comparison.graph)
    color, _ = choices.take("color", class_choice(comparison))
    listed = captions(comparison)
    return [
        Panel.draw(
            comparison.graph,
            result.positions,
            color=color,
            theme=theme,
            title=result.method,
            caption=caption_line(listed[result.method]),
            choices=choices,
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
        widget.run.close()  # what other methods made is not ours to optimise
        widget._publish({"_status": widget.run.status()})  # noqa: SLF001 -- made for us
    return linked(
        made,
        titles=[each.method for each in comparison.results],
        captions=[caption_line(listed[each.method]) for each in comparison.results],
        aligned=False,  # they are
    )


def class_choice(comparison: Comparison) -> Choice:
    """Return what a view is to be coloured by: the labels, which are classes even where they are numbers."""
    if comparison.labels is None:
        return None
    values = node_values(comparison.graph, comparison.labels, "labels", alternative="")
    if isinstance(comparison.labels, str) and kind_of(values) == "classes":
        return comparison.labels
    return class_texts(values)


def caption_line(figures: list[tuple[str, str, bool]]) -> str:
    """Write the figures below a picture on one line."""
    return " · ".join(text if title == "time" else f"{title} {text}" for title, text, _ in figures)


def table(comparison: Comparison) -> Table:
    """List all figures of all methods."""
    shown = [name for name in TITLES if any(not math.isnan(each.scores[name]) for each in comparison.results)]
    rows = comparison.rows()
    head = ["method", *(TITLES[name] for name in shown), "time", "computed by"]
    spellings: list[tuple[str, Callable[[float], str], Callable[..., float]]] = [
        *((name, "{:.3f}".format, max) for name in shown),
        ("seconds", spelled_seconds, min),
    ]
    cells: list[list[str]] = [[str(row["method"])] for row in rows]
    best = set()
    for column, (name, spell, better) in enumerate(spellings, 1):
        values: list[Any] = [row[name] for row in rows]
        known = [value for value in values if not math.isnan(value)]
        for number, value in enumerate(values):
            cells[number].append("" if math.isnan(value) else spell(value))
            if len(set(known)) > 1 and value == better(known):
                best.add((number, column))
    for number, row in enumerate(rows):
        cells[number].append(str(row["by"]) if row["by"] else f"no result: {row['failure']}")
    return Table(head, cells, best, text=(0, len(head) - 1))


def notes(comparison: Comparison) -> list[str]:
    """Say what is to be known beside the pictures and the figures."""
    said = []
    if comparison.dim > FLAT:
        said.append(f"The figures are those of {comparison.dim} dimensions; the pictures are projections of them.")
    if len(comparison.results) > 1:
        first = comparison.results[0].method
        said.append(f"All pictures are turned, mirrored and scaled to lie as that of {first} does.")
    if any(not math.isnan(each.scores.knn_accuracy) for each in comparison.results):
        said.append("15-NN accuracy: a tenth of the nodes is held out, and their 15 nearest among the others vote.")
    return said


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
