"""Several methods on one graph: run, timed, measured, and turned alike."""

from __future__ import annotations

import csv
import logging
import math
from collections.abc import Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from graphne_viz._checks import check_integer
from graphne_viz._lazy import lazy_import
from graphne_viz.evaluation.alignment import align
from graphne_viz.evaluation.methods.registry import FLAT, check_options, methods, run_method
from graphne_viz.evaluation.metrics.api import evaluate
from graphne_viz.evaluation.metrics.class_codes import enough_classes
from graphne_viz.evaluation.metrics.noise import digits, winner
from graphne_viz.evaluation.metrics.scores import TITLES
from graphne_viz.graphs.adjacency import DEFAULT_WEIGHT
from graphne_viz.graphs.convert.api import as_graph
from graphne_viz.graphs.convert.frames import as_frame
from graphne_viz.graphs.io.laid_out import as_cell

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TextIO

    import numpy as np
    from numpy.typing import NDArray
    from tqdm import auto as tqdm_auto

    from graphne_viz._types import Foreign
    from graphne_viz.embedding import projection
    from graphne_viz.evaluation.methods.registry import Outcome
    from graphne_viz.evaluation.metrics.scores import Scores
    from graphne_viz.graphs.graph import Graph
else:
    projection = lazy_import("graphne_viz.embedding.projection")
    tqdm_auto = lazy_import("tqdm.auto")

log = logging.getLogger(__name__)

PAPER_METHODS = ("graphne", "sgtsnepi", "forceatlas2", "tfdp", "drgraph", "laplacian")
"""Those of the paper in 2D, which are compared unless others are asked for."""

INTERRUPTED, NOT_RUN = "interrupted", "not run, because the comparison was interrupted"

_QUICK = 10.0
"""Seconds. A method's first run in a process loads its libraries and compiles its code; if that took less than this,
it is run again for the time it takes."""

_warm: set[tuple[str, int]] = set()
"""Methods that were run in this process."""


@dataclass(frozen=True, eq=False)
class Result:
    """What one method made of the graph, and how good it is.

    Attributes
    ----------
    outcome : Outcome
        Its points as they came, and what they cost.
    positions : ndarray of float64, shape (n, 2)
        For the picture: the points, or their projection if they have more than two dimensions, turned, mirrored and
        scaled to lie as those of the first method do.
    scores : Scores
        Of the points.
    """

    outcome: Outcome
    positions: NDArray[np.float64]
    scores: Scores

    @property
    def method(self) -> str:
        """Name of the method."""
        return self.outcome.method


class Failure(NamedTuple):
    """A method without a result, and why."""

    method: str
    reason: str


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """Several methods on one graph. `comparison["graphne"]` is the `Result` of one.

    Attributes
    ----------
    graph : Graph
    methods : tuple of str
        All that were asked for, in that order.
    results : tuple of Result
    failures : tuple of Failure
        Methods that have none.
    classes : array, dict, str or None
        Classes of the nodes, as given.
    dim, seed : int
    options : dict of method to its options
    """

    graph: Graph
    methods: tuple[str, ...]
    results: tuple[Result, ...]
    failures: tuple[Failure, ...] = ()
    classes: Foreign = None
    dim: int = FLAT
    seed: int = 0
    options: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C ended it before all methods were run."""
        return any(failure.reason == INTERRUPTED for failure in self.failures)

    def __getitem__(self, method: str) -> Result:
        for result in self.results:
            if result.method == method:
                return result
        for failure in self.failures:
            if failure.method == method:
                raise KeyError(f"{method} has no result: {failure.reason}")
        raise KeyError(method)

    def __repr__(self) -> str:
        failed = [f"{failure.method} failed: {failure.reason}" for failure in self.failures]
        return "\n".join(filter(None, [self.table(), self.bounds_text(), *failed]))

    def text(self, result: Result, name: str) -> str:
        """Return a figure with the decimals that mean something in the least certain one of them."""
        value = result.scores[name]
        error = max((each.scores.errors.get(name, 0.0) for each in self.results), default=0.0)
        return "-" if math.isnan(value) else f"{value:.{digits(error)}f}"

    def winner(self, name: str) -> str | None:
        """Return the method whose figure exceeds all others by more than chance; None if there is none."""
        values = {each.method: each.scores[name] for each in self.results}
        return winner(values, {each.method: each.scores.errors.get(name, 0.0) for each in self.results})

    def bounds_text(self) -> str:
        """Return what neighbour recall can be, in a sentence; "" if that is not known."""
        bounds = self.results[0].scores.bounds_text() if self.results else ""
        return f"neighbour recall: {bounds}" if bounds else ""

    def table(self) -> str:
        """Write the figures and times of the results as lines of text."""
        shown = [name for name in TITLES if any(not math.isnan(result.scores[name]) for result in self.results)]
        lines = [["", *(TITLES[name] for name in shown), "seconds", "by"]] if self.results else []
        lines += [
            [each.method, *(self.text(each, name) for name in shown), f"{each.outcome.seconds:.3f}", each.outcome.by]
            for each in self.results
        ]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        text = []
        for name, *figures, by in lines:
            cells = [figure.rjust(width) for figure, width in zip(figures, widths[1:-1], strict=True)]
            text.append("  ".join([name.ljust(widths[0]), *cells, by]))
        return "\n".join(text)

    def rows(self) -> list[dict[str, object]]:
        """List what is known of each method, in the order they were asked for; None where there is nothing."""
        found = {result.method: result for result in self.results}
        why = dict(self.failures)
        rows: list[dict[str, object]] = []
        for method in self.methods:
            result = found.get(method)
            outcome = result.outcome if result else None
            rows.append(
                {
                    "method": method,
                    **{name: result.scores[name] if result else math.nan for name in TITLES},
                    "seconds": outcome.seconds if outcome else math.nan,
                    "cpu_seconds": outcome.cpu_seconds if outcome else math.nan,
                    "by": outcome.by if outcome else None,
                    "failure": why.get(method),
                }
            )
        return rows

    def to_frame(self) -> Foreign:
        """Return a pandas table with a row for each method, its figures, times, what computed it, and why it failed."""
        rows = self.rows()
        names = [row.pop("method") for row in rows]
        return as_frame(rows, names)

    def write_csv(self, stream: TextIO) -> None:
        """Write the table to a text file; missing values are left empty, and no text is a formula."""
        rows = self.rows()
        writer = csv.DictWriter(stream, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        for row in rows:
            writer.writerow({name: "" if _is_nothing(value) else _cell(value) for name, value in row.items()})


def run_comparison(
    G: Foreign,
    names: Iterable[str] | str | None = None,
    classes: Foreign = None,
    *,
    dim: int = FLAT,
    seed: int = 0,
    sample: int | None = None,
    options: Mapping[str, Mapping[str, Any]] | None = None,
    weight: str | None = DEFAULT_WEIGHT,
    progress: bool = True,
) -> Comparison:
    """Run methods one after the other and measure each; see `graphne_viz.compare`.

    Parameters
    ----------
    G : graph
    names : iterable of str, optional
    classes : array of shape (n,), dict of node to class, or str, optional
    dim, seed, sample, options, weight, progress
        As for `graphne_viz.compare`.

    Returns
    -------
    Comparison

    Raises
    ------
    KeyboardInterrupt
        If it is interrupted before a single method is done.
    """
    check_integer("dim", dim, least=FLAT)
    check_integer("seed", seed, least=0)
    if sample is not None:
        check_integer("sample", sample, least=1)
    graph = as_graph(G, weight=weight)
    if not graph.n_pairs:
        raise ValueError(f"G must have at least one edge, got {graph}")
    chosen = _names(names, dim)
    settings = _settings(options, chosen, dim)
    known = enough_classes(graph, classes)  # refuses what is none, and warns once instead of for every method
    results: list[Result] = []
    failures: list[Failure] = []
    with _bar(len(chosen), show=progress) as step:
        for place, name in enumerate(chosen):
            step(name)
            try:
                outcome = _timed(name, graph, dim, seed, settings.get(name, {}))
                positions = _flat(outcome, seed)
                if results:
                    positions = align(positions, results[0].positions)
                scores = evaluate(graph, outcome.points, known, sample=sample, seed=seed)
                results.append(Result(outcome, positions, scores))
            except KeyboardInterrupt:
                if not results:
                    raise
                failures.append(Failure(name, INTERRUPTED))
                failures += [Failure(other, NOT_RUN) for other in chosen[place + 1 :]]
                log.warning("interrupted; not run: %s", ", ".join(chosen[place:]))
                break
            except Exception as error:
                # Whatever one method runs into, the others stand.
                log.info("%s failed", name, exc_info=error)
                failures.append(Failure(name, _reason(error)))
        step("")
    return Comparison(graph, chosen, tuple(results), tuple(failures), classes, int(dim), int(seed), settings)


def _names(names: Iterable[str] | str | None, dim: int) -> tuple[str, ...]:
    """Read the methods that are asked for."""
    known = methods(dim)
    if names is None:
        return PAPER_METHODS if dim <= FLAT else known
    if isinstance(names, str):
        names = (names,)
    if not isinstance(names, Iterable):
        raise TypeError(f"methods must be names of methods, got {names!r}")
    chosen = tuple(names)
    if not chosen:
        raise ValueError(f"methods must name at least one of {', '.join(known)}")
    for name in chosen:
        if name not in known:
            raise ValueError(f"methods has {name!r}; in {dim} dimensions there are {', '.join(known)}")
        if chosen.count(name) > 1:
            raise ValueError(f"methods has {name!r} twice")
    return chosen


def _settings(options: object, chosen: tuple[str, ...], dim: int) -> dict[str, dict[str, Any]]:
    """Read the options of the methods."""
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        raise TypeError(f"options must be a dict of method to its options, got {options!r}")
    for name, own in options.items():
        if name not in chosen:
            raise ValueError(f"options has {name!r}, which is not among the methods: {', '.join(chosen)}")
        if not isinstance(own, Mapping):
            raise TypeError(f"options of {name} must be a dict of name to value, got {own!r}")
        check_options(name, dim, own)
    return {name: dict(own) for name, own in options.items()}


def _timed(name: str, graph: Graph, dim: int, seed: int, options: Mapping[str, Any]) -> Outcome:
    """Run a method, and again if the time of the first run may be that of loading and compiling."""
    outcome = run_method(name, graph, dim=dim, seed=seed, **options)
    kind = (name, min(dim, FLAT + 1))
    if kind not in _warm and min(outcome.seconds, outcome.cpu_seconds) < _QUICK:
        outcome = run_method(name, graph, dim=dim, seed=seed, **options)
    _warm.add(kind)
    return outcome


def _flat(outcome: Outcome, seed: int) -> NDArray[np.float64]:
    """Return two coordinates a node, shape (n, 2), to look at."""
    if outcome.dim <= FLAT:
        return outcome.points

    projected: NDArray[np.float64] = projection.project(outcome.points, seed=seed)
    return projected


@contextmanager
def _bar(total: int, *, show: bool) -> Iterator[Callable[[str], None]]:
    """Show which method is being run, and how many were; yields what is told its name, "" at the end."""
    if not show:
        yield lambda _name: None
        return

    form = "{desc} {n_fmt}/{total_fmt} |{bar}| {elapsed}"  # methods differ too much to foretell the rest
    with tqdm_auto.tqdm(total=total, bar_format=form, leave=False) as bar:
        begun = 0

        def step(name: str) -> None:
            nonlocal begun
            bar.update(begun - bar.n)
            bar.set_description(name)
            begun += 1

        yield step


def _reason(error: Exception) -> str:
    """Return what an error says on one line; the command that installs a package among it."""
    text = " ".join(str(error).split())
    if isinstance(error, ImportError | ValueError) and text:
        return text
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _cell(value: object) -> object:
    return as_cell(value) if isinstance(value, str) else value


def _is_nothing(value: object) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))
