"""The live viewer in Chromium: beside sigma and cosmos.gl, and in JupyterLab.

    python benchmarks/viewer.py --parts updates,edges,bundle,stream,cost

updates   JavaScript on the main thread per update of all positions, and memory. Every library gets the same positions,
          in turns; drawing itself is left out, since software would do it on the same cores. Ours takes a frame as the
          kernel sends it. "JS" is wall time of the library's own calls, timers and animation frames up to the first
          picture with the new positions, median over all updates; until the next update ours goes on to draw the way
          there. CPU times are Chromium's own account of the page's main thread, harness included. With --before
          CHECKOUT (`git archive 801c72f | tar x -C CHECKOUT`) beside the viewer of another checkout instead.
edges     how long a whole picture takes, graphics included, with plain edges and with styled ones.
bundle    bytes to load.
stream    frames a second that reach JupyterLab while a run publishes all it can, and how long a cell takes meanwhile.
cost      what the viewer takes from the optimiser, as wall time (in which it shares the cores with the browser), as CPU
          time of the optimiser's own threads, and as CPU time of the whole kernel, which sends the frames.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from lab import notebooks, print_cost, print_stream
from pages import print_edges, print_updates, print_weights

PARTS = ("updates", "edges", "bundle", "stream", "cost")


def main():
    """Print one table a part."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--parts", default=",".join(PARTS))
    parser.add_argument("--quick", action="store_true", help="few repetitions and no large graph, to see that it works")
    parser.add_argument("--before", type=Path, help="a checkout, measured instead of other libraries")
    arguments = parser.parse_args()
    parts, quick = arguments.parts.split(","), arguments.quick
    if unknown := set(parts) - set(PARTS):
        sys.exit(f"--parts knows {', '.join(PARTS)}, not {', '.join(sorted(unknown))}")
    if "updates" in parts:
        print_updates(turns=1 if quick else 5, updates=5 if quick else 40, large=not quick, before=arguments.before)
        print()
    if "edges" in parts:
        print_edges(turns=3 if quick else 15)
        print()
    if "bundle" in parts:
        print_weights()
        print()
    if {"stream", "cost"} & set(parts):
        with notebooks() as open_notebook:
            if "stream" in parts:
                print_stream(open_notebook, seconds=3 if quick else 10, cells=3 if quick else 40)
                print()
            if "cost" in parts:
                print_cost(open_notebook, runs=1 if quick else 9)


if __name__ == "__main__":
    main()
