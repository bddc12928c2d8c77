"""The figures of the paper's tables, to stand beside our own."""

from __future__ import annotations

import csv
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

_TABLE = "paper_table.csv"


class MeanOfRuns(NamedTuple):
    """A mean over runs, and their standard deviation.

    Attributes
    ----------
    mean, deviation : float
        As shares, not in per cent.
    """

    mean: float
    deviation: float


@cache
def paper_figures() -> Mapping[tuple[str, int, str], Mapping[str, MeanOfRuns]]:
    """Return what the paper measured, over three runs each.

    Returns
    -------
    mapping of (dataset, dim, method) to mapping of metric to MeanOfRuns
        From tables S1 to S6 of the paper. Its node2vec is the best in recall of 25 settings, p = 0.25 and q = 4.

    Examples
    --------
    >>> paper_figures()["cora", 2, "graphne"]["neighbor_recall"]
    MeanOfRuns(mean=0.667, deviation=0.004)
    """
    found: dict[tuple[str, int, str], dict[str, MeanOfRuns]] = {}
    with files("graphne_viz.evaluation.benchmark").joinpath(_TABLE).open(encoding="utf-8") as stream:
        for row in csv.DictReader(stream):
            metric, dim, method = row.pop("metric"), int(row.pop("dim")), row.pop("method")
            for dataset, text in row.items():
                mean, _, deviation = text.partition("±")
                figure = MeanOfRuns(round(float(mean) / 100, 4), round(float(deviation) / 100, 4))
                found.setdefault((dataset, dim, method), {})[metric] = figure
    return found
