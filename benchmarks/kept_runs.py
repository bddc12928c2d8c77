"""Runs of a benchmark that are kept in a file, so that a long table can be measured in several sittings."""

from __future__ import annotations

import csv
import time
from pathlib import Path
from statistics import mean, median

TIMES = {"wall", "cpu"}


def add_options(parser):
    """Give a script the options of keeping its runs."""
    parser.add_argument("--keep", type=Path, help="csv file of runs: those in it are not repeated, new ones are added")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no run later than this")


class KeptRuns:
    """Figures of every graph, method and seed.

    Parameters
    ----------
    arguments : argparse.Namespace
        With what `add_options` added.
    """

    def __init__(self, arguments):
        self._path = arguments.keep
        self._until = time.monotonic() + arguments.seconds
        self._found = {}
        if self._path and self._path.exists():
            with self._path.open(newline="") as file:
                for graph, method, seed, figure, value in csv.reader(file):
                    self._found.setdefault((graph, method, int(seed)), {})[figure] = float(value)

    def missing(self, graph, methods, runs):
        """Seeds of which not every method has been run; none any more when the time is up."""
        for seed in range(runs):
            if any((graph, method, seed) not in self._found for method in methods):
                if time.monotonic() > self._until:
                    return
                yield seed

    def add(self, graph, method, seed, **figures):
        """Keep the figures of a run."""
        self._found[graph, method, seed] = figures
        if self._path:
            with self._path.open("a", newline="") as file:
                rows = ((graph, method, seed, figure, value) for figure, value in figures.items())
                csv.writer(file).writerows(rows)

    def all(self, graph, method, figure, runs):
        """One figure of the runs of a method, those of further seeds left out."""
        found = (self._found.get((graph, method, seed)) for seed in range(runs))
        return [run[figure] for run in found if run is not None]

    def beside(self, graph, methods, figure, runs, form="{:.1f}"):
        """Return a figure of each method in one cell: medians of times, means of all else."""
        middle = median if figure in TIMES else mean
        return ", ".join(form.format(middle(self.all(graph, method, figure, runs))) for method in methods)
