"""The dial of exaggeration at its marks beside the methods that they are named after.

    python benchmarks/dial.py --runs 3

Neighbour recall and rank correlation of distances, in per cent, means over seeds: the layout at exaggeration 4 beside
igraph's UMAP, and at 12 beside ForceAtlas2. In brackets by how many points the layout differs: meant are 8 at most.
With ``--along`` both figures are printed for many places of the dial, to see which of them comes nearest to a method.
With ``--picture FILE`` the layouts at 1, 4, 12 and 30 are drawn.
"""

from __future__ import annotations

import argparse

import networkx as nx
import numpy as np
from graphs import available, load

from graphne_viz.evaluation.methods.registry import run_method
from graphne_viz.evaluation.metrics import api as metrics
from graphne_viz.graphs.convert.api import as_graph
from graphne_viz.layout.task import Task

MARKS = {4: "umap", 12: "forceatlas2"}
PICTURES = (1, 4, 12, 30)
PLACES = (1, 1.5, 2, 3, 4, 6, 8, 12, 16, 20, 30)
SMALL = {
    "karate": (nx.karate_club_graph, None),
    "karate, weights": (nx.karate_club_graph, "weight"),
    "davis women": (nx.davis_southern_women_graph, None),
    "les miserables": (nx.les_miserables_graph, None),
    "les miserables, weights": (nx.les_miserables_graph, "weight"),
}
"""What makes each, and the attribute of the weights."""
LARGE = ("cora", "photo")


def graphs(chosen=(*SMALL, *LARGE)):
    """Each graph by its name."""
    for name, (make, weight) in SMALL.items():
        if name in chosen:
            yield name, as_graph(make(), weight=weight)
    for name in available([name for name in LARGE if name in chosen]):
        yield name, as_graph(load(name)[0])


def ours(graph, exaggeration, runs):
    """Both figures of the layout, means over seeds."""
    return np.mean(
        [measure(graph, Task(graph, exaggeration=exaggeration, seed=k).run().positions) for k in range(runs)], 0
    )


def theirs(graph, method, runs):
    """Both figures of another method, means over seeds."""
    return np.mean([measure(graph, run_method(method, graph, seed=k).points) for k in range(runs)], 0)


def along(name, graph, runs):
    """Print the figures along the dial, a row a graph, after those of the methods."""
    found = {method: theirs(graph, method, runs) for method in MARKS.values()}
    found |= {place: ours(graph, place, runs) for place in PLACES}
    print(f"| {name} | {' | '.join('{:.1f}, {:.1f}'.format(*figures) for figures in found.values())} |", flush=True)


def measure(graph, Y):
    """Neighbour recall and distance correlation in per cent."""
    return 100 * np.array([metrics.neighbor_recall(graph, Y), metrics.distance_correlation(graph, Y, seed=0)])


def draw(path):
    """Draw every graph at several places of the dial."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415 - only for the picture
    from matplotlib.figure import Figure  # noqa: PLC0415

    found = list(graphs())
    figure = Figure(figsize=(3.2 * len(PICTURES), 2.6 * len(found)))
    FigureCanvasAgg(figure)
    for row, (name, graph) in zip(figure.subplots(len(found), len(PICTURES)), found, strict=True):
        for ax, exaggeration in zip(row, PICTURES, strict=True):
            x, y = Task(graph, exaggeration=exaggeration).run().positions.T
            rows, columns = graph.adjacency.nonzero()
            if graph.n_nodes < 200:
                ax.plot(np.stack([x[rows], x[columns]]), np.stack([y[rows], y[columns]]), c="0.8", lw=0.4, zorder=0)
            ax.scatter(x, y, s=12 if graph.n_nodes < 200 else 0.3)
            ax.set_title(f"{name}, {exaggeration}", fontsize=8)
            ax.set_aspect("equal")
            ax.set_axis_off()
    figure.savefig(path, dpi=70, bbox_inches="tight")


def main():
    """Print a row for each graph."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--picture")
    parser.add_argument("--along", action="store_true")
    parser.add_argument("--graphs", default=";".join((*SMALL, *LARGE)))
    arguments = parser.parse_args()
    chosen = arguments.graphs.split(";")
    if arguments.along:
        print(f"| graph | {' | '.join(map(str, (*MARKS.values(), *PLACES)))} |\n|---|" + "--:|" * (2 + len(PLACES)))
        for name, graph in graphs(chosen):
            along(name, graph, arguments.runs)
        return
    heads = [f"{what} at {mark}, {method}" for mark, method in MARKS.items() for what in ("recall", "distances")]
    print(f"| graph | {' | '.join(heads)} |\n|---|" + "--:|" * len(heads))
    for name, graph in graphs(chosen):
        cells = []
        for mark, method in MARKS.items():
            pairs = zip(ours(graph, mark, arguments.runs), theirs(graph, method, arguments.runs), strict=True)
            cells += [f"{a:.1f}, {b:.1f} ({a - b:+.1f})" for a, b in pairs]
        print(f"| {name} | {' | '.join(cells)} |", flush=True)
    if arguments.picture:
        draw(arguments.picture)


if __name__ == "__main__":
    main()
