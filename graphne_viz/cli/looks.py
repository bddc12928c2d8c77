"""What the command colours, sizes and labels nodes by: its options, and what they mean for a graph."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from graphne_viz._lazy import lazy_import

if TYPE_CHECKING:
    from argparse import Namespace, _ArgumentGroup

    import numpy as np
    from numpy.typing import NDArray

    from graphne_viz.encoding import automatic
    from graphne_viz.encoding.columns import node_columns as encoded_columns
    from graphne_viz.encoding.columns.column import Column
    from graphne_viz.graphs import attributes
    from graphne_viz.graphs.graph import Graph
    from graphne_viz.plotting import labels as plot_labels
else:
    attributes = lazy_import("graphne_viz.graphs.attributes")
    automatic = lazy_import("graphne_viz.encoding.automatic")
    encoded_columns = lazy_import("graphne_viz.encoding.columns.node_columns")
    plot_labels = lazy_import("graphne_viz.plotting.labels")

_AUTO, _NONE = "auto", "none"
_BY_NAME = "node attribute, or a statistic such as degree, pagerank or communities"


def add_looks(group: _ArgumentGroup) -> None:
    """Add the options that say how nodes and edges look; what is not given is left out of the namespace."""
    group.add_argument(
        "--color", metavar="ATTR",
        help=f"{_BY_NAME}; or a colour; none for one colour (default: the attribute that is a class, else communities)",
    )  # fmt: skip
    group.add_argument(
        "--size", type=_number_or_name, metavar="ATTR",
        help=f"{_BY_NAME}; or a number; none for one size (default: degree)",
    )  # fmt: skip
    group.add_argument(
        "--label", nargs="?", const=True, metavar="ATTR",
        help="write all labels (ids where there are none), or an attribute; none for no labels (default: as many as "
        "find a place, where nodes have names)",
    )  # fmt: skip
    group.add_argument("--no-edges", dest="edges", action="store_const", const=False, help="nodes only")


def _number_or_name(text: str) -> str | float:
    """Read an area of nodes, or the name of what decides it."""
    try:
        return float(text)
    except ValueError:
        return text


def given_looks(graph: Graph, options: Namespace) -> dict[str, Any]:
    """Return what was asked for of ``color``, ``size`` and ``label``, as `plot` and `view` take it."""
    given: dict[str, Any] = {}
    for role in ("color", "size", "label"):
        if role in options:
            choice = getattr(options, role)
            off = choice == _NONE and _NONE not in graph.attributes  # which matplotlib would take for invisible
            given[role] = None if off else choice
    if "label" in given:
        given["label"] = label_of(graph, label=given["label"])
    return given


def label_of(graph: Graph, *, label: bool | str | None) -> bool | str | None:
    """Return what ``--label`` means: alone, text called "label" or "name" where the graph has it, otherwise the ids."""
    if label is not True:
        return label
    return next((name for name in ("label", "name") if _is_text(graph.attributes.get(name))), True)


def _is_text(column: NDArray[np.generic] | None) -> bool:
    present = [] if column is None else [value for value in column.tolist() if not attributes.is_absent(value)]
    return bool(present) and all(isinstance(value, str) for value in present)


@dataclass(frozen=True, eq=False)
class Looks:
    """How the nodes of a graph look in what is written.

    Attributes
    ----------
    graph : Graph
    given : dict
        What was asked for, from `given_looks`; the rest is as `plot` has it by default.
    """

    graph: Graph
    given: dict[str, Any]

    def __post_init__(self) -> None:
        """Refuse what the graph does not have, before it is laid out."""
        own = {role: choice for role, choice in self.given.items() if not automatic.is_auto(self.graph, choice)}
        encoded_columns.color_column(self.graph, own.get("color"))
        encoded_columns.size_column(self.graph, own.get("size"))
        plot_labels.check_labels(self.graph, encoded_columns.label_column(self.graph, own.get("label")))

    @property
    def keywords(self) -> dict[str, Any]:
        """Keywords of `plot` and of a page."""
        return {"color": _AUTO, "size": _AUTO, "label": _AUTO} | self.given

    def columns(self, *, automatically: bool) -> tuple[Column | None, Column | None]:
        """Return what nodes are coloured and sized by; `automatically` also where nobody asked for it."""
        color, size = (self.given.get(role, _AUTO if automatically else None) for role in ("color", "size"))
        own = encoded_columns.attribute_columns(self.graph)
        if automatic.is_auto(self.graph, color):
            color = automatic.automatic_color(self.graph, own).choice
        if automatic.is_auto(self.graph, size):
            size = automatic.automatic_size(self.graph)
        return encoded_columns.color_column(self.graph, color, own), encoded_columns.size_column(self.graph, size, own)
