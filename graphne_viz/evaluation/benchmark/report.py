"""Tables of a benchmark in markdown, our figures beside the paper's."""

from __future__ import annotations

import math
from pathlib import Path
from statistics import fmean, median, pstdev
from typing import TYPE_CHECKING, TypeVar

from graphne_viz._threads import count_cores
from graphne_viz._version import package_version
from graphne_viz.evaluation.benchmark.paper import MeanOfRuns, paper_figures
from graphne_viz.evaluation.benchmark.records import METRICS
from graphne_viz.evaluation.methods.variants import Variant
from graphne_viz.evaluation.metrics.scores import TITLES

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from graphne_viz.evaluation.benchmark.records import Record

Group = TypeVar("Group")

_HEADS = ("recall", "kNN", "linear", "link AUC", "2-hop", "distance", "(Pearson)")
"""Short names of the metrics, so that a table fits on a terminal."""

_RECALL = METRICS[0]


def tables(rows: Sequence[Record]) -> str:
    """Return a table for each number of dimensions and graph.

    Parameters
    ----------
    rows : sequence of Record

    Returns
    -------
    str
        Markdown: a line for each method and engine, and below it the paper's; a column for each figure in per cent.
    """
    parts = []
    for (dim, dataset, _, sample), group in _grouped(
        rows, lambda row: (row.dim, row.dataset, row.classes, row.sample)
    ).items():
        lines = []
        for variant, runs in _grouped(group, lambda row: Variant(row.method, row.options)).items():
            lines += _lines(dataset, dim, variant, runs)
        size = next((f", {row.nodes:,} nodes, {row.edges:,} edges" for row in group if row.nodes), "")
        size += "" if sample == "all" else f", measured on {int(sample):,}"
        heads = ["method", *_HEADS, "seconds (CPU)", "by"]
        table = _table(heads, lines, text={0, len(heads) - 1})
        parts.append(f"### {_escaped(Path(dataset).name)} in {dim} dimensions{size}\n\n{table}")
    return "\n".join(parts)


def _lines(dataset: str, dim: int, variant: Variant, runs: Sequence[Record]) -> list[list[str]]:
    """Return our line for each engine, and the paper's if it has one."""
    label = _escaped(variant.label)
    lines = []
    failed = sum(bool(row.error) for row in runs)
    for engine, good in _engines(runs).items():
        cells = [_cell(_mean_of_runs([getattr(row, metric) for row in good])) for metric in METRICS]
        times = f"{_seconds(row.seconds for row in good)} ({_seconds(row.cpu_seconds for row in good)})"
        some = f", {len(good)} of {len(good) + failed} runs" if failed else ""
        lines.append([f"{label}{some}", *cells, times, _escaped(engine)])
    if not lines:
        return [[label, "failed", *[""] * len(METRICS), ""]]
    paper = _of_paper(dataset, dim, variant)
    if paper:
        lines.append(["- paper", *(_cell(paper[metric]) if metric in paper else "" for metric in METRICS), "", ""])
    return lines


def summary(rows: Sequence[Record]) -> str:
    """Return neighbour recall by method and graph, the paper's in brackets: markdown, a table for each dimension."""
    parts = []
    for dim, group in _grouped(rows, lambda row: row.dim).items():
        names = list(dict.fromkeys(row.dataset for row in group))
        lines = []
        for variant, runs in _grouped(group, lambda row: Variant(row.method, row.options)).items():
            engines = _engines(runs)
            for engine, good in engines.items():
                cells = []
                for name in names:
                    ours = _mean_of_runs([getattr(row, _RECALL) for row in _largest(good, name)])
                    paper = _of_paper(name, dim, variant)
                    beside = f" ({100 * paper[_RECALL].mean:.1f})" if paper else ""
                    cells.append("" if math.isnan(ours.mean) else f"{100 * ours.mean:.1f}{beside}")
                by = f" by {engine}" if len(engines) > 1 else ""
                lines.append([_escaped(f"{variant.label}{by}"), *cells])
            if not engines:
                lines.append([_escaped(variant.label), *[""] * len(names)])
        heads = ["method", *(_escaped(Path(name).name) for name in names)]
        parts.append(f"### {TITLES[_RECALL]} in {dim} dimensions, the paper's in brackets\n\n{_table(heads, lines)}")
    return "\n".join(parts)


def report(rows: Sequence[Record]) -> str:
    """Return all that is to be said of a benchmark, as a markdown file."""
    parts = ["# Benchmark\n", _measured(rows), summary(rows), tables(rows), _programs(rows)]
    failures = failed(rows)
    if failures:
        parts.append("### What failed\n\n" + "\n".join(f"- {_escaped(line)}" for line in failures) + "\n")
    return "\n".join(parts)


def failed(rows: Iterable[Record]) -> list[str]:
    """Return a sentence for each method that failed on a graph."""
    lines = [
        f"{Path(row.dataset).name}, {Variant(row.method, row.options).label}: {row.error}" for row in rows if row.error
    ]
    return list(dict.fromkeys(lines))


def _measured(rows: Sequence[Record]) -> str:
    """Say what the figures are."""
    good = [row for row in rows if not row.error]
    runs = sorted({row.seed for row in good})
    return (
        f"Figures are in per cent: the mean and the standard deviation over up to {len(runs)} runs, each with another "
        "seed, and below them those of the paper over its three runs (tables S1 to S6). Both deviations divide by the "
        "number of runs. All nodes were measured on, "
        "except where the head of a table says how many. Near means by Euclidean "
        "distance in 2D and by cosine above.\n\n"
        "- recall: the share of a node's neighbours among its as many nearest nodes\n"
        "- kNN (k = 15) and linear accuracy (logistic regression without regularisation, SAGA, tolerance "
        "0.01): 90 % of the nodes tell the class of the others; means over as many random splits as test 10,000 nodes, "
        "at most 50, where the paper has one split a run\n"
        "- link AUC: how often joined nodes are nearer than others, 10 % of the edges against as many pairs\n"
        "- 2-hop recall: how many of the 10 nodes that share most neighbours are among the 10 nearest\n"
        "- distance: Spearman's correlation of distances and shortest paths between 1,000 pairs of nodes, and "
        "Pearson's; the paper says that it has Spearman's, but its figures are mostly nearer to Pearson's\n"
        "- seconds: for placing the nodes, the median of wall time and in brackets of CPU time; methods took turns on "
        f"{count_cores()} cores. A first run may include compiling.\n\n"
        f"Measured by graphne_viz {package_version()}.\n"
    )


def _programs(rows: Iterable[Record]) -> str:
    """Say what placed the nodes."""
    by = _grouped([row for row in rows if row.by], lambda row: (row.method, row.dim))
    lines = [
        [method, str(dim), _escaped("; ".join(dict.fromkeys(row.by for row in group)))]
        for (method, dim), group in by.items()
    ]
    return f"### What placed the nodes\n\n{_table(['method', 'dimensions', 'by'], lines, text={0, 1, 2})}"


def _of_paper(dataset: str, dim: int, variant: Variant) -> Mapping[str, MeanOfRuns] | None:
    if variant.keywords not in ({}, {"preset": "paper"}):  # the preset is what the paper did
        return None
    return paper_figures().get((dataset.removesuffix("_knn"), dim, variant.method))


def _engines(runs: Iterable[Record]) -> dict[str, list[Record]]:
    """Return the runs that did not fail by what placed the nodes: programs differ, and so must not be averaged."""
    return _grouped([row for row in runs if not row.error], lambda row: row.engine)


def _largest(rows: Iterable[Record], dataset: str) -> list[Record]:
    """Return the runs on a graph, and of them those that were measured on most nodes."""
    samples = _grouped([row for row in rows if row.dataset == dataset], lambda row: row.sample)
    most = max(samples, key=lambda sample: math.inf if sample == "all" else int(sample), default=None)
    return [] if most is None else samples[most]


def _grouped(rows: Iterable[Record], key: Callable[[Record], Group]) -> dict[Group, list[Record]]:
    """Return the rows by what they have in common, in the order in which that first occurs."""
    groups: dict[Group, list[Record]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return groups


def _mean_of_runs(values: Sequence[float]) -> MeanOfRuns:
    known = [value for value in values if not math.isnan(value)]
    return MeanOfRuns(fmean(known) if known else math.nan, pstdev(known) if len(known) > 1 else math.nan)


def _cell(figure: MeanOfRuns) -> str:
    if math.isnan(figure.mean):
        return "-"
    spread = "" if math.isnan(figure.deviation) else f" ± {100 * figure.deviation:.1f}"
    return f"{100 * figure.mean:.1f}{spread}"


def _seconds(values: Iterable[float]) -> str:
    middle = median(values)
    return f"{middle:.2f}" if middle < 10 else f"{middle:.0f}"


def _table(heads: Sequence[str], lines: Sequence[Sequence[str]], text: Collection[int] = (0,)) -> str:
    """Return a markdown table whose columns are aligned as they stand; those that hold `text` to the left."""
    widths = [max(map(len, column)) for column in zip(heads, *lines, strict=True)]

    def row(cells: Sequence[str]) -> str:
        padded = [
            cell.ljust(width) if place in text else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(cells, widths, strict=True))
        ]
        return f"| {' | '.join(padded)} |"

    rule = [f":{'-' * (width + 1)}" if place in text else f"{'-' * (width + 1)}:" for place, width in enumerate(widths)]
    return "\n".join([row(heads), f"|{'|'.join(rule)}|", *map(row, lines), ""])


def _escaped(text: str) -> str:
    """Return text that markdown shows as it is: names of files and methods' words may hold anything."""
    return "".join(f"\\{letter}" if letter in "\\`*[]<>|" else letter for letter in text)
