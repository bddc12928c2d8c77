"""Writing a layout as csv, one row per node."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

from graphne_viz.graphs.io.laid_out import as_cell, free_name, unique_names

if TYPE_CHECKING:
    from typing import TextIO

    from graphne_viz.graphs.io.laid_out import LaidOut


def write_csv(stream: TextIO, laid_out: LaidOut) -> None:
    """Write one row per node: id, position, colour and size if there are, attributes.

    Text that a spreadsheet would take for a formula has an apostrophe before it.
    """
    columns = laid_out.plain_columns()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["id", *(as_cell(free_name(title, {"id"}, "attribute_")) for title, _ in columns)])
    ids = unique_names([as_cell(str(name)) for name in laid_out.graph.ids])
    writer.writerows(zip(ids, *(map(_cell, values) for _, values in columns), strict=True))


def _cell(value: object) -> object:
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None or isinstance(value, (int, float)):
        return "" if value is None else value
    return as_cell(str(value))
