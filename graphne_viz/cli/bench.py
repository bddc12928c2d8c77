"""`graphne bench`: the paper's tables again, or the same of other graphs."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from graphne_viz._atomic import replace_text_when_complete
from graphne_viz._lazy import lazy_import
from graphne_viz.cli.terminal import BAD_INPUT, INTERRUPTED, READ, say, wants_bar

if TYPE_CHECKING:
    from argparse import ArgumentParser, _SubParsersAction

    from graphne_viz.evaluation.benchmark import api as benchmarks
    from graphne_viz.evaluation.benchmark import records as benchmark_records
    from graphne_viz.evaluation.benchmark import report as reports
    from graphne_viz.evaluation.methods import variants
else:
    benchmarks = lazy_import("graphne_viz.evaluation.benchmark.api")
    benchmark_records = lazy_import("graphne_viz.evaluation.benchmark.records")
    reports = lazy_import("graphne_viz.evaluation.benchmark.report")
    variants = lazy_import("graphne_viz.evaluation.methods.variants")

_PLAN_KEYWORDS = ("dim", "runs", "classes", "sample")
_DATASETS = "citeseer,cora,pubmed,photo,computer"
RUNS, REPORT = "runs.csv", "report.md"


def add_command(commands: _SubParsersAction[ArgumentParser], common: ArgumentParser) -> None:
    """Add ``graphne bench``; `common` has the options that all commands have."""
    parser = commands.add_parser(
        "bench",
        parents=[common],
        argument_default=argparse.SUPPRESS,
        help="measure methods on the paper's graphs, or on your own",
        description="Run methods on graphs several times, and print the mean and standard deviation of every score "
        f"beside the paper's. OUT/{RUNS} gets a row as soon as a run is finished, OUT/{REPORT} the tables. Started "
        "again, it keeps the runs that are there and does the rest. If a method fails, the others still run.",
    )
    parser.set_defaults(run=_bench, datasets=None, methods=None, preset=None, out=Path("benchmark"))
    parser.add_argument(
        "--datasets", type=_names, metavar="A,B,...",
        help="graphs of the paper (citeseer, cora, pubmed, photo, computer, mnist, arxiv, mag), which are downloaded "
        f"unless they are in the folder GRAPHNE_DATA; or files ({READ}); default: {_DATASETS}",
    )  # fmt: skip
    parser.add_argument(
        "--methods", type=_names, metavar="A,B,...",
        help="options follow after colons, as in graphne:exaggeration=4; default: the methods of the paper",
    )  # fmt: skip
    parser.add_argument("--dim", type=int, metavar="N", help="dimensions: 2 (default) or 128")
    parser.add_argument("--runs", type=int, metavar="N", help="number of runs, with seeds 0, 1, ... (default: 3)")
    parser.add_argument(
        "--preset", choices=["ablation", "sweep"],
        help="instead of --methods, variants of graphne in 2D: normalisation and initialization as in the paper's "
        "ablation, or exaggerations from 1 to 30",
    )  # fmt: skip
    parser.add_argument(
        "--classes", metavar="ATTR", help="node attribute that holds the classes, for graphs from files"
    )
    parser.add_argument(
        "--sample", type=int, metavar="N",
        help="largest number of nodes to measure on (default: all in 2D and of up to 20,000 nodes, else 10,000)",
    )  # fmt: skip
    parser.add_argument("--out", type=Path, metavar="OUT", help="folder for the results (default: benchmark)")


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _bench(options: argparse.Namespace) -> int:
    """Run what is not there, write the report and print the tables."""
    keywords = {name: value for name, value in vars(options).items() if name in _PLAN_KEYWORDS}
    names, chosen = options.datasets, options.methods
    if options.preset is not None:
        if chosen is not None or keywords.get("dim", 2) != 2:
            raise ValueError(f"--preset {options.preset} chooses the methods itself, in 2D; omit --methods and --dim")
        names, chosen = names or variants.PRESET_DATASETS[options.preset], variants.PRESETS[options.preset]
    plan = benchmarks.make_plan(_DATASETS.split(",") if names is None else names, chosen, **keywords)
    options.out.mkdir(parents=True, exist_ok=True)
    records = benchmark_records.Records(options.out / RUNS)
    interrupted = False
    try:
        rows = benchmarks.benchmark(plan, records, progress=wants_bar(options))
    except KeyboardInterrupt:
        rows, interrupted = list(records), True
    with replace_text_when_complete(options.out / REPORT) as stream:
        stream.write(reports.report(list(records)))
    for line in reports.failed(rows):
        say(f"graphne: {line}", to=sys.stderr)
    if not options.quiet and rows:
        say(*reports.tables(rows).split("\n"))
        count = f"{len(rows):,} run{'' if len(rows) == 1 else 's'}{', interrupted' if interrupted else ''}"
        say(f"{count}: {options.out / RUNS}, {options.out / REPORT}")
    if interrupted:
        return INTERRUPTED
    return BAD_INPUT if all(row.error for row in rows) else 0
