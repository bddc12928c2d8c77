"""The viewer in JupyterLab: frames that arrive, cells that are answered, and what it costs the optimiser."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from browser import DRIVER, Notebook, chromium, running_lab
from graphs import available

NODES, EDGES = 20_000, 45_000
SECONDS = 10

# Without a graphics card every change to the page, be it the kernel's status light, is composed anew by software that
# takes both cores; so only what has changed is drawn.
PLAIN = "--disable-gpu-compositing"

PRELUDE = f"""
import sys
sys.path.append({str(Path(__file__).parent)!r})
from graphne_viz.viewer.view import view
from graphs import clustered
from kernel_side import Cost, Counts
"""


@contextmanager
def notebooks():
    """Run JupyterLab and a page in which nothing is drawn; yields what opens a notebook on a new kernel."""
    with TemporaryDirectory() as folder, running_lab(Path(folder)) as lab, chromium(PLAIN) as browser:
        context = browser.new_context(viewport={"width": 1280, "height": 1000})
        context.add_init_script(path=DRIVER)
        context.add_init_script(path=Path(__file__).parent / "viewer" / "lab.js")
        page = context.new_page()

        def open_notebook(name):
            lab.show(page, name)
            notebook = Notebook(lab, page, lab.create(name, lab.own_kernel()))
            notebook.open()
            notebook.do(PRELUDE)
            return notebook

        yield open_notebook


def print_stream(open_notebook, *, seconds=SECONDS, cells=40):
    """Print how many frames a second arrive, and how long a cell takes meanwhile."""
    rows = []
    answers = []
    for every in (10, 1):
        notebook = open_notebook(f"stream-{every}")
        notebook.run(
            f"edges = clustered({NODES}, {EDGES})\n"
            f"w = view(edges, n_iter=1_000_000, early_exaggeration_iter=0, callback_every={every}, pace=0)\n"
            "counts = Counts(w)\n"
            "w"
        )
        notebook.wait("counts.answered > 20")
        before = notebook.ask("counts.now()"), _arrived(notebook)
        notebook.page.wait_for_timeout(1000 * seconds)
        after = notebook.ask("counts.now()"), _arrived(notebook)
        span = after[0]["time"] - before[0]["time"]
        rates = {key: (after[0][key] - before[0][key]) / span for key in before[0]}
        arrived = (after[1] - before[1]) / span
        rows.append(
            f"| every {every} iterations | {rates['iteration']:.0f} | {rates['published']:.1f} | {rates['sent']:.1f} "
            f"| {arrived:.1f} | {rates['answered']:.1f} |"
        )
        streamed = _run_cells(notebook, cells)
        notebook.do("w.run.pause()")
        notebook.page.wait_for_timeout(1000)
        answers.append((f"streaming, every {every} iterations", streamed))
        answers.append(("the same, paused", _run_cells(notebook, cells)))
        notebook.do("w.close()")
    print(
        f"| {NODES:,} nodes, {EDGES:,} edges; a second | iterations | published | sent "
        "| arrived (at least 20) | answered |\n|---|--:|--:|--:|--:|--:|"
    )
    print("\n".join(rows), flush=True)
    print(
        "\n| a cell `1+1`, ms | median | worst (at most 300) | kernel's reply, median | worst | repetitions |"
        "\n|---|--:|--:|--:|--:|--:|"
    )
    for name, times in answers:
        cell, reply = times["cell"], times["reply"]
        print(
            f"| {name} | {median(cell):.0f} | {max(cell):.0f} | {median(reply):.0f} | {max(reply):.0f} | {len(cell)} |",
            flush=True,
        )


def _arrived(notebook):
    return notebook.page.evaluate("() => window.arrivals.count")


def _run_cells(notebook, count):
    """Milliseconds that a cell takes in the page, until its output is there, and a bare request to the kernel."""
    index = notebook.add("1+1")
    return notebook.page.evaluate("(all) => window.timeCells(...all)", [notebook.path, index, count])


def print_cost(open_notebook, *, runs=9):
    """Print what the viewer costs the optimiser on Photo, with both cores and with one left to the browser."""
    if not available(["photo"]):
        return
    print(
        "| Photo, medians of runs in turns | wall s | | CPU s, optimiser's threads (at most +5 %) | "
        "| CPU s, kernel | | frames |\n|---|--:|--:|--:|--:|--:|--:|--:|"
    )
    for n_jobs in (None, 1):
        notebook = open_notebook(f"cost-{n_jobs}")
        notebook.run(f"cost = Cost(n_jobs={n_jobs})\ncost.widget")
        notebook.wait("cost.ready")
        found = {kind: [] for kind in ("plain", "callback", "viewer")}
        for turn in range(runs + 1):
            for kind, times in found.items():
                seen = _arrived(notebook)
                notebook.do(f"cost.begin({kind!r})")
                while not notebook.ask("cost.done"):
                    notebook.page.wait_for_timeout(400)
                taken = notebook.ask("cost.taken")
                if turn:  # the first one compiles
                    times.append([*taken, _arrived(notebook) - seen])
        notebook.do("cost.widget.close()")
        base = [median(column) for column in zip(*found["plain"], strict=True)]
        cores = "all cores" if n_jobs is None else f"{n_jobs} core"
        for kind, name in (("plain", "no viewer"), ("callback", "no viewer, empty callback"), ("viewer", "viewer")):
            *times, frames = (median(column) for column in zip(*found[kind], strict=True))
            cells = [f"{name}, {cores}"]
            for taken, without in zip(times, base, strict=False):
                cells += [f"{taken:.3f}", "" if kind == "plain" else f"{100 * (taken / without - 1):+.1f} %"]
            print("| " + " | ".join([*cells, f"{frames:.0f}"]) + " |", flush=True)
