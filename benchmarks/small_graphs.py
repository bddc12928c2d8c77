"""Twenty-four small graphs beside networkx's spring and Kamada-Kawai layouts: figures, and a picture of all.

    python benchmarks/small_graphs.py [--picture small.png]

Crossings are pairs of edges that cross. Hidden are pairs of nodes that overlap when nx.draw draws them as it does by
default: discs of 300 square points on a page of 6.4 by 4.8 inches. Evenness is the standard deviation of the edges'
lengths over their mean; aspect the shorter side of the layout over the longer one. Recall is the share of a node's
neighbours that are among its as many nearest nodes.
"""

from __future__ import annotations

import argparse

import networkx as nx
import numpy as np

from graphne_viz import graphne_layout, neighbor_recall

DIAMETER = np.sqrt(300)
PAGE = 72 * np.array([6.4, 4.8]) / 1.1
"""Points that nx.draw leaves to the nodes' centres: five percent on either side are margin."""

GRAPHS = {
    "karate club": nx.karate_club_graph,
    "les miserables": nx.les_miserables_graph,
    "florentine": nx.florentine_families_graph,
    "davis women": nx.davis_southern_women_graph,
    "path 30": lambda: nx.path_graph(30),
    "cycle 40": lambda: nx.cycle_graph(40),
    "star 30": lambda: nx.star_graph(30),
    "wheel 20": lambda: nx.wheel_graph(20),
    "binary tree": lambda: nx.balanced_tree(2, 6),
    "ternary tree": lambda: nx.balanced_tree(3, 4),
    "random tree 80": lambda: nx.random_labeled_tree(80, seed=1),
    "grid 8 x 8": lambda: nx.grid_2d_graph(8, 8),
    "grid 20 x 20": lambda: nx.grid_2d_graph(20, 20),
    "ladder 20": lambda: nx.ladder_graph(20),
    "hypercube 5": lambda: nx.hypercube_graph(5),
    "petersen": nx.petersen_graph,
    "dodecahedron": nx.dodecahedral_graph,
    "clique 15": lambda: nx.complete_graph(15),
    "bipartite 6, 9": lambda: nx.complete_bipartite_graph(6, 9),
    "barbell": lambda: nx.barbell_graph(10, 6),
    "caveman": lambda: nx.connected_caveman_graph(8, 8),
    "small world": lambda: nx.connected_watts_strogatz_graph(60, 4, 0.1, seed=1),
    "scale free": lambda: nx.barabasi_albert_graph(100, 2, seed=1),
    "geometric 150": lambda: _largest_part(nx.random_geometric_graph(150, 0.15, seed=1)),
}

METHODS = {
    "graphne": graphne_layout,
    "spring": lambda G: nx.spring_layout(G, seed=0),
    "kamada-kawai": nx.kamada_kawai_layout,
}


def _largest_part(G):
    return nx.convert_node_labels_to_integers(G.subgraph(max(nx.connected_components(G), key=len)))


def measure(G, pos):
    """Crossings, hidden pairs, evenness of edges, aspect, neighbour recall."""
    index = {node: k for k, node in enumerate(G)}
    at = np.array([pos[node] for node in G])
    edges = np.array([(index[u], index[v]) for u, v in G.edges if u != v])
    extent = np.ptp(at, axis=0)
    page = (at - at.min(axis=0)) / np.where(extent > 0, extent, 1) * PAGE
    apart = np.linalg.norm(page[:, None] - page, axis=2)
    hidden = int((np.triu(apart < DIAMETER, 1)).sum())
    lengths = np.linalg.norm(at[edges[:, 0]] - at[edges[:, 1]], axis=1)
    evenness, aspect = lengths.std() / lengths.mean(), extent.min() / extent.max()
    return crossings(at, edges), hidden, evenness, aspect, neighbor_recall(G, pos)


def crossings(at, edges):
    """Count the pairs of edges without a common end that cross."""
    a, b = at[edges[:, 0]], at[edges[:, 1]]

    def side(p, q, r):
        return (q[..., 0] - p[..., 0]) * (r[..., 1] - p[..., 1]) - (q[..., 1] - p[..., 1]) * (r[..., 0] - p[..., 0])

    total = 0
    for k in range(len(edges) - 1):
        c, d = a[k + 1 :], b[k + 1 :]
        strangers = ~(edges[k + 1 :, :, None] == edges[k]).any(axis=(1, 2))
        cross = (side(a[k], b[k], c) * side(a[k], b[k], d) < 0) & (side(c, d, a[k]) * side(c, d, b[k]) < 0)
        total += int((cross & strangers).sum())
    return total


def draw(layouts, path):
    """Draw all layouts side by side, three columns to a graph."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415 - only for the picture
    from matplotlib.figure import Figure  # noqa: PLC0415

    figure = Figure(figsize=(6.4 * 6 * 0.45, 4.8 * 12 * 0.45))
    FigureCanvasAgg(figure)
    axes = figure.subplots(12, 6, gridspec_kw={"wspace": 0.02, "hspace": 0.14}).ravel()
    scale = 0.45**2
    for k, (name, (G, found)) in enumerate(layouts.items()):
        for m, (method, pos) in enumerate(found.items()):
            ax = axes[3 * k + m]
            nx.draw_networkx(G, pos, ax=ax, with_labels=False, node_size=300 * scale, width=0.5)
            ax.set_title(f"{name}: {method}", fontsize=8, pad=2)
            ax.set_axis_off()
    figure.savefig(path, dpi=60, bbox_inches="tight")


def main():
    """Print one row a graph."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--picture")
    arguments = parser.parse_args()
    print("| graph | nodes | crossings | hidden pairs | evenness of edges | aspect | recall |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    layouts, sums = {}, np.zeros((3, 5))
    for name, make in GRAPHS.items():
        G = make()
        found = {method: layout(G) for method, layout in METHODS.items()}
        layouts[name] = G, found
        figures = np.array([measure(G, pos) for pos in found.values()])
        sums += figures
        print(_row(name, len(G), figures), flush=True)
    print(_row("sum, mean", "", sums / [1, 1, *(3 * [len(GRAPHS)])]))
    print(f"Each cell: {', '.join(METHODS)}.")
    if arguments.picture:
        draw(layouts, arguments.picture)


def _row(name, nodes, figures):
    forms = ("{:.0f}", "{:.0f}", "{:.2f}", "{:.2f}", "{:.2f}")
    cells = [", ".join(form.format(value) for value in column) for form, column in zip(forms, figures.T, strict=True)]
    return f"| {name} | {nodes} | {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
