"""Draw the picture at the top of the README: the digits as a graph, by spring forces and by graph t-SNE.

python benchmarks/picture.py docs/digits.png
"""

from __future__ import annotations

import argparse
import time

import networkx as nx
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from quality import neighbor_recall

from graphne_viz import graphne_layout, plot
from graphne_viz.graphs.datasets.api import digits


def spring(graph):
    """Lay out with networkx's default."""
    pos = nx.spring_layout(nx.from_scipy_sparse_array(graph.adjacency), seed=0)
    return [pos[i] for i in range(graph.n_nodes)]


def main():
    """Lay out twice, draw side by side and say what each costs and keeps."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out")
    arguments = parser.parse_args()
    graph = digits()
    graphne_layout(graph)
    figure = Figure(figsize=(11, 5.2), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots(1, 2)
    for ax, name, layout in zip(axes, ("nx.spring_layout", "graphne_layout"), (spring, graphne_layout), strict=True):
        begun = time.perf_counter()
        pos = np.asarray(layout(graph))
        seconds = time.perf_counter() - begun
        recall = 100 * neighbor_recall(graph.adjacency, pos)
        title = f"{name}: {seconds:.1f} s, keeps {recall:.0f} % of neighbours"
        print(title)
        plot(graph, pos, color="class", ax=ax, title=title, legend=name == "graphne_layout")
    figure.savefig(arguments.out, dpi=110)


if __name__ == "__main__":
    main()
