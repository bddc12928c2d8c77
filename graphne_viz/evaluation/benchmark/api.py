"""The paper's tables again: methods on graphs, several times, with all figures kept."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from graphne_viz._checks import check_integer
from graphne_viz._lazy import lazy_import
from graphne_viz.evaluation.benchmark.paper import paper_figures
from graphne_viz.evaluation.benchmark.records import Record, Records
from graphne_viz.evaluation.methods.registry import FLAT, methods, run_method
from graphne_viz.evaluation.methods.variants import as_variant
from graphne_viz.evaluation.metrics.api import distance_correlation, evaluate
from graphne_viz.evaluation.metrics.class_codes import as_class_codes, enough_classes
from graphne_viz.graphs import datasets
from graphne_viz.graphs.io.files import read_graph

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tqdm import auto as tqdm_auto

    from graphne_viz.evaluation.methods.variants import Variant
    from graphne_viz.graphs.graph import Graph
else:
    tqdm_auto = lazy_import("tqdm.auto")

FEW = 20_000
"""Up to so many nodes all are measured on, whatever the number of dimensions; in 2D all always are."""

SAMPLE = 10_000
"""How many are measured on otherwise."""

_MOST_SPLITS, _TESTED, _TEST_SIZE = 50, 10_000, 0.1


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What is to be run.

    Attributes
    ----------
    datasets : tuple of str
        Names that `datasets.load` knows, or paths of files.
    variants : tuple of Variant
    dim : int
    seeds : tuple of int
        One for each run.
    classes : str or None
        Node attribute with the classes, in files; graphs that are loaded by name have "class".
    sample : int, None or "auto"
        Most nodes to measure on; None for all; ``"auto"`` for all in 2D and on graphs of up to 20,000 nodes, and
        10,000 otherwise.
    """

    datasets: tuple[str, ...]
    variants: tuple[Variant, ...]
    dim: int = FLAT
    seeds: tuple[int, ...] = (0, 1, 2)
    classes: str | None = None
    sample: int | Literal["auto"] | None = "auto"

    def __len__(self) -> int:
        return len(self.datasets) * len(self.variants) * len(self.seeds)


def make_plan(
    names: Sequence[str],
    chosen: Sequence[str] | None = None,
    *,
    dim: int = FLAT,
    runs: int = 3,
    classes: str | None = None,
    sample: int | Literal["auto"] | None = "auto",
) -> Plan:
    """Check what is to be run.

    Parameters
    ----------
    names : sequence of str
        Graphs of the paper, or files.
    chosen : sequence of str, optional
        Methods with or without options, see `as_variant`; by default those of the paper, in other numbers of
        dimensions than its two all there are.
    dim : int, default 2
    runs : int, default 3
        With the seeds 0, 1, 2 and so on.
    classes, sample
        See `Plan`.

    Raises
    ------
    ValueError
        If a graph, a method or an option is unknown.
    """
    check_integer("dim", dim, least=2)
    check_integer("runs", runs, least=1)
    if sample is not None and sample != "auto":
        check_integer("sample", sample, least=1)
    if not names:
        raise ValueError("datasets must name at least one graph")
    for name in names:
        if not datasets.is_known(name) and not Path(name).is_file():
            raise ValueError(f"{name!r} is neither a file nor one of {', '.join(datasets.NAMES)}")
    if chosen is not None and not chosen:
        raise ValueError(f"methods must name at least one of {', '.join(methods(dim))}")
    variants = [as_variant(text, dim) for text in (_of_the_paper(dim) if chosen is None else chosen)]
    return Plan(
        datasets=tuple(dict.fromkeys(names)),
        variants=tuple(dict.fromkeys(variants)),
        dim=int(dim),
        seeds=tuple(range(runs)),
        classes=classes,
        sample=sample,
    )


def _of_the_paper(dim: int) -> tuple[str, ...]:
    measured = {method for _, measured_dim, method in paper_figures() if measured_dim == dim}
    return tuple(name for name in methods(dim) if name in measured or not measured)


def benchmark(plan: Plan, records: Records | None = None, *, progress: bool = False) -> list[Record]:
    """Run what is planned and is not there.

    Parameters
    ----------
    plan : Plan
    records : Records, optional
        What is there; every run is added to it when it is finished. A run that failed is, too, with the reason.
    progress : bool, default False
        Show a progress bar.

    Returns
    -------
    list of Record
        All runs of the plan, those that were there included.
    """
    kept = Records() if records is None else records
    rows = []
    with tqdm_auto.tqdm(total=len(plan), disable=not progress, unit="run") as bar:
        for name in plan.datasets:
            graph = _Lazy(name, plan, progress=progress)
            for seed in plan.seeds:  # methods take turns, so that a busy machine slows all of them alike
                for variant in plan.variants:
                    bar.set_description(f"{Path(name).name}, {variant.label}")
                    rows.append(_run(graph, variant, seed, plan, kept))
                    bar.update()
    return rows


class _Lazy:
    """A graph that is loaded when it is first needed, once; what went wrong then is told again."""

    def __init__(self, name: str, plan: Plan, *, progress: bool) -> None:
        self.name = name
        self.is_file = not datasets.is_known(name)
        self.classes = (plan.classes or "") if self.is_file else datasets.CLASS
        self.known: str | None = None  # its classes, once it is there and where they are enough
        self._progress = progress
        self._graph: Graph | None = None
        self._error: Exception | None = None

    def get(self) -> Graph:
        if self._error is not None:
            raise self._error
        if self._graph is None:
            try:
                graph = read_graph(self.name) if self.is_file else datasets.load(self.name, progress=self._progress)
                # Refuses here what would fail after minutes, and warns once instead of in every run.
                self.known = enough_classes(graph, self.classes or None)
            except (OSError, ValueError, ImportError) as error:
                self._error = error
                raise
            self._graph = graph
        return self._graph


def _run(lazy: _Lazy, variant: Variant, seed: int, plan: Plan, records: Records) -> Record:
    """Return one run, from the records or anew."""
    sample = plan.sample
    try:
        if sample == "auto":
            sample = None if plan.dim <= FLAT or lazy.get().n_nodes <= FEW else SAMPLE
    except (OSError, ValueError, ImportError):
        sample = None  # told below
    row = Record(
        dataset=lazy.name,
        method=variant.method,
        options=variant.options,
        dim=plan.dim,
        seed=seed,
        classes=lazy.classes,
        sample="all" if sample is None else str(sample),
    )
    found = records.find(row.key)
    if found is None:
        try:
            found = _measure(row, lazy, variant, None if sample is None else int(sample))
        except Exception as error:  # noqa: BLE001 -- whatever it is, the others go on
            found = replace(row, error=" ".join(f"{type(error).__name__}: {error}".split()))
        records.add(found)
    return found


def _measure(row: Record, lazy: _Lazy, variant: Variant, sample: int | None) -> Record:
    graph = lazy.get()
    outcome = run_method(variant.method, graph, dim=row.dim, seed=row.seed, **variant.keywords)
    splits = splits_for(int((as_class_codes(graph, lazy.known) >= 0).sum())) if lazy.known else 0
    scores = evaluate(graph, outcome.points, lazy.known, sample=sample, seed=row.seed, repeats=max(1, splits))
    return replace(
        row,
        nodes=graph.n_nodes,
        edges=graph.n_edges,
        splits=splits,
        by=outcome.by,
        seconds=outcome.seconds,
        cpu_seconds=outcome.cpu_seconds,
        distance_pearson=distance_correlation(graph, outcome.points, seed=row.seed, kind="pearson"),
        **scores,  # type: ignore[arg-type] # named as its fields are
    )


def splits_for(labelled: int) -> int:
    """Return over how many splits an accuracy is averaged so that it is steady: 10,000 tested nodes, at most 50 splits.

    Examples
    --------
    >>> splits_for(2_120), splits_for(13_381), splits_for(169_343)
    (48, 8, 1)
    """
    return min(_MOST_SPLITS, max(1, math.ceil(_TESTED / (_TEST_SIZE * max(labelled, 1)))))
