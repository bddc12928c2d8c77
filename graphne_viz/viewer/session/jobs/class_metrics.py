"""Figures of the classes of a session, in Python and for the browser."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from graphne_viz.encoding.columns.column import ClassColumn
from graphne_viz.evaluation.metrics.classes import VOTERS, class_accuracy, class_report, misplaced

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from graphne_viz._types import Foreign
    from graphne_viz.evaluation.metrics.classes import ClassFigures, Misplaced, Table
    from graphne_viz.graphs.graph import Graph
    from graphne_viz.viewer.session.column_registry import ColumnRegistry
    from graphne_viz.viewer.session.session import ViewSession

MOST_MEASURED = 20_000
"""Nodes that are asked when the browser wants the accuracy in an embedding; the others still vote."""


def classes(
    session: ViewSession, classes: Foreign = None, *, k: int = VOTERS, sample: int | None = None
) -> Table[ClassFigures]:
    """Measure every class in the layout as it is now, and in the embedding if one is shown.

    Parameters
    ----------
    classes : array of shape (n,), dict of node to class, or str, optional
        As for `graphne_viz.class_report`. By default what the colours show.
    k : int, default 15
        Nearest nodes that vote.
    sample : int, optional
        Most nodes to measure on.

    Returns
    -------
    Table of ClassFigures
        With nodes, neighbor_recall, knn_accuracy, embedding_accuracy and edge_homophily of each; ``to_frame()``
        makes a pandas table.
    """
    known, places = _known_classes(session, classes), _places(session)
    embedding = getattr(session.run.task, "embedding", None)
    return class_report(session.graph, places, known, embedding=embedding, k=k, sample=sample)


def misplaced_nodes(session: ViewSession, classes: Foreign = None, *, k: int = VOTERS) -> Table[Misplaced]:
    """List the nodes that are surrounded by another class in the layout as it is now.

    Parameters
    ----------
    classes, k
        As for `classes`.

    Returns
    -------
    Table of Misplaced
        With node, class_name, around and share, the clearest cases first.
    """
    known, places = _known_classes(session, classes), _places(session)
    return misplaced(session.graph, places, known, k=k)


def _places(session: ViewSession) -> NDArray[np.float64]:
    places = session.run.layout()
    if places is None:
        raise ValueError("there is no layout yet; w.run.wait() waits for it")
    return places


def _known_classes(session: ViewSession, classes: Foreign) -> Foreign:
    """Return the classes that were given, or those that the colours show."""
    if classes is not None:
        return classes
    color = session["color"]
    if isinstance(color, str) and color in session.graph.attributes:
        return color
    column = session.columns.column("color", color)
    if not isinstance(column, ClassColumn):
        raise ValueError("classes must be given, because the colours show no classes")  # noqa: TRY004 -- they are missing
    return _texts(column)


def embedded_classes(columns: ColumnRegistry, key: object) -> ClassColumn:
    """Return the column of classes of a key."""
    column = columns.column("color", columns.choice(key))
    if not isinstance(column, ClassColumn):
        raise ValueError(f"column {key!r} has no classes")  # noqa: TRY004 -- the key is what is wrong
    return column


def accuracy_in(graph: Graph, embedding: Foreign, column: ClassColumn) -> dict[str, Any]:
    """Measure the accuracy of each class of a column in an embedding, ready for JSON."""
    measured = class_accuracy(graph, embedding, _texts(column), sample=MOST_MEASURED)
    found = {label: None if math.isnan(share) else share for label, share in measured.items()}
    return {
        "dimension": int(embedding.dim),
        "accuracy": [found.get(category.label) for category in column.categories],
        "all": found[None],
    }


def _texts(column: ClassColumn) -> list[str | None]:
    """List the class of every node as text, None where it has none."""
    table = [*(category.label for category in column.categories), None]
    return [table[code] for code in column.codes]
