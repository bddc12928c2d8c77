"""A table of a page."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, NamedTuple

from graphne_viz.encoding.labels.text import clean_text

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

_LONGEST = 500


class Table(NamedTuple):
    """Cells of plain text.

    Attributes
    ----------
    head : sequence of str
    rows : sequence of sequences of str
        As long as `head`; the first cell of each names the row.
    best : collection of (int, int)
        Row and column of the cells to be seen first.
    text : collection of int
        Columns of words, which begin on the left; figures end on the right.
    """

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    best: Collection[tuple[int, int]] = ()
    text: Collection[int] = (0,)

    def as_html(self) -> str:
        """Write it as HTML, with all text escaped.

        Examples
        --------
        >>> print(Table(["", "n"], [["<a>", "1"]]).as_html())
        <table class="graphne-table">
        <thead><tr><th scope="col" class="graphne-words"></th><th scope="col">n</th></tr></thead>
        <tbody>
        <tr><th scope="row" class="graphne-words">&lt;a&gt;</th><td>1</td></tr>
        </tbody>
        </table>
        """
        head = "".join(f'<th scope="col"{self._class(k)}>{_escaped(cell)}</th>' for k, cell in enumerate(self.head))
        rows = "\n".join(f"<tr>{self._row(number)}</tr>" for number in range(len(self.rows)))
        return f'<table class="graphne-table">\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table>'

    def _row(self, number: int) -> str:
        name, *cells = map(_escaped, self.rows[number])
        marked = [f"<b>{cell}</b>" if (number, k) in self.best else cell for k, cell in enumerate(cells, 1)]
        written = "".join(f"<td{self._class(k)}>{cell}</td>" for k, cell in enumerate(marked, 1))
        return f'<th scope="row"{self._class(0)}>{name}</th>{written}'

    def _class(self, column: int) -> str:
        return ' class="graphne-words"' if column in self.text else ""


def _escaped(text: str) -> str:
    return html.escape(clean_text(text, _LONGEST))
