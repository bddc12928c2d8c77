"""What was measured, a row for each run, in a csv file that survives being killed."""

from __future__ import annotations

import csv
import io
import math
import os
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, TypeAlias

from graphne_viz._atomic import replace_text_when_complete
from graphne_viz.evaluation.metrics.scores import TITLES
from graphne_viz.graphs.convert.frames import as_frame
from graphne_viz.graphs.io.laid_out import as_cell, from_cell

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from graphne_viz._types import Foreign

Key: TypeAlias = tuple[str, str, str, int, int, str, str]


@dataclass(frozen=True, kw_only=True)
class Record:
    """One run of one method on one graph.

    Attributes
    ----------
    dataset, method : str
    options : str
        JSON, as in `Variant`.
    dim, seed : int
    classes : str
        Node attribute with the classes; empty for none.
    sample : str
        Most nodes measured on; "all" if there was no limit.
    splits : int
        Over how many the accuracies are averaged.
    nodes, edges : int
    neighbor_recall, knn_accuracy, linear_accuracy, link_prediction_auc, two_hop_recall, distance_correlation : float
        NaN where there is none.
    distance_pearson : float
        Pearson's correlation in place of Spearman's, of the same distances.
    seconds, cpu_seconds : float
        For placing the nodes, not for measuring.
    by : str
        What placed them.
    error : str
        Why there are no figures; empty where there are.
    """

    dataset: str
    method: str
    options: str
    dim: int
    seed: int
    classes: str
    sample: str
    splits: int = 0
    nodes: int = 0
    edges: int = 0
    neighbor_recall: float = math.nan
    knn_accuracy: float = math.nan
    linear_accuracy: float = math.nan
    link_prediction_auc: float = math.nan
    two_hop_recall: float = math.nan
    distance_correlation: float = math.nan
    distance_pearson: float = math.nan
    seconds: float = math.nan
    cpu_seconds: float = math.nan
    by: str = ""
    error: str = ""

    @property
    def key(self) -> Key:
        """What was asked for, which is known before it runs."""
        dataset, classes = (from_cell(_cell(text)) for text in (self.dataset, self.classes))  # as the file has them
        return dataset, self.method, self.options, self.dim, self.seed, classes, self.sample

    @property
    def engine(self) -> str:
        """Which program placed the nodes; `by` without what it says of this run, such as a temperature it learned."""
        return self.by.partition(",")[0]


_COLUMNS = tuple(field.name for field in fields(Record))
_READ = {"int": int, "float": float, "str": str}
_TYPES = {field.name: _READ[str(field.type)] for field in fields(Record)}


class Records:
    """Runs by what was asked for and which engine did it, kept in a csv file as soon as each is finished.

    Parameters
    ----------
    path : Path, optional
        The file, which is made if it is not there. Runs in it are kept, but not those that failed: they are tried
        again. A last line that is not complete is dropped.

    Raises
    ------
    ValueError
        If the file is there and is something else.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._rows: dict[Key, dict[str, Record]] = {}
        if path is None:
            return
        if path.exists():
            for row in _read(path):
                if not row.error:
                    self._keep(row)
        with replace_text_when_complete(path) as stream:
            stream.write(_lines([list(_COLUMNS), *map(_cells, self)]))

    def __len__(self) -> int:
        return sum(map(len, self._rows.values()))

    def __iter__(self) -> Iterator[Record]:
        for runs in self._rows.values():
            yield from runs.values()

    def find(self, key: Key) -> Record | None:
        """Return a run if it is finished and did not fail; where several engines did it, the last."""
        runs = [row for row in self._rows.get(key, {}).values() if not row.error]
        return runs[-1] if runs else None

    def add(self, row: Record) -> None:
        """Keep a run, on the disk before this returns."""
        self._keep(row)
        if self._path is None:
            return
        try:
            with self._path.open("a", encoding="utf-8", newline="") as stream:
                stream.write(_lines([_cells(row)]))
                stream.flush()
                os.fsync(stream.fileno())
        except OSError as error:  # a full disk does not say for which file
            raise type(error)(error.errno, error.strerror, str(self._path)) from error

    def _keep(self, row: Record) -> None:
        """Put a run in the place of one by the same engine, and of one that failed."""
        runs = self._rows.setdefault(row.key, {})
        for engine in [engine for engine, earlier in runs.items() if earlier.error]:
            del runs[engine]
        runs[row.engine] = row

    def to_frame(self) -> Foreign:
        """Return a pandas table with a row for each run."""
        return as_frame([asdict(row) for row in self])


def _cells(row: Record) -> list[str]:
    return [_cell(getattr(row, name)) for name in _COLUMNS]


def _cell(value: str | float) -> str:
    """Return a value as text on one line, which is no formula; that of a figure that is missing is empty."""
    if isinstance(value, float):
        return "" if math.isnan(value) else f"{value:.6g}"
    return as_cell(" ".join(str(value).splitlines()))


def _lines(rows: Iterable[list[str]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def _read(path: Path) -> Iterator[Record]:
    """Read the rows that are complete."""
    text = path.read_text(encoding="utf-8", errors="replace")  # a letter of the last line may be cut in two
    complete = text[: text.rfind("\n") + 1]
    head, *lines = csv.reader(complete.splitlines()) if complete else [list(_COLUMNS)]
    if tuple(head) != _COLUMNS:
        raise ValueError(f"{path} is not a table of runs: its columns are not {', '.join(_COLUMNS)}")
    for cells in lines:
        if len(cells) != len(_COLUMNS):  # cut short, and written on after it
            continue
        given = {name: cell for name, cell in zip(_COLUMNS, cells, strict=True) if cell or _TYPES[name] is str}
        try:
            yield Record(**{name: _TYPES[name](from_cell(cell)) for name, cell in given.items()})
        except (TypeError, ValueError):
            continue


METRICS = (*TITLES, "distance_pearson")
"""Columns that hold figures."""
