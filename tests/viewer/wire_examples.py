"""The frame, the graph and the film of js/test/data, which are decoded in both languages.

Run this file to write them anew, and look at what changed: browsers and saved notebooks hold the old ones.
"""

from pathlib import Path

import networkx as nx
import numpy as np

from graphne_viz.graphs.convert import as_graph
from graphne_viz.layout.snapshot import Snapshot
from graphne_viz.viewer.columns import attribute_columns
from graphne_viz.viewer.film import Shot, encode_film
from graphne_viz.viewer.wire import Frame, encode_frame, encode_graph

FOLDER = Path(__file__).parents[2] / "js" / "test" / "data"

TITLES = [
    "plain",
    "<img src=x onerror=alert(1)>",
    "two\nlines",
    "nul\0byte",
    "lone \ud800 surrogate",
    "عنوان من اليمين",
    "می\u200cشود",
    "👩\u200d👩\u200d👧",
    "overridden \u202e text",
    "'quotes\" & <b>",
    "",
    "日本語",
    "x" * 600,
    "last",
]


def example_frame():
    positions = np.array([[k - 6.5, (-1) ** k * 2.0**-k] for k in range(13)] + [[1e30, -1e-30]], dtype=np.float32)
    return Frame(positions, seq=7, iteration=120, phase=2, kl=1.25, exaggeration=4.5, run=3)


def example_graph():
    G = nx.cycle_graph(14)
    G.add_edge(0, 7)
    for node in G:
        G.nodes[node]["title"] = TITLES[node]
        G.nodes[node]["year"] = 1990 + 2 * node
        G.nodes[node]["time"] = 1_700_000_000.25 + node
        G.nodes[node]["share"] = node / 4 if node != 3 else float("nan")
        G.nodes[node]["paint"] = f"#{16 * node:02x}80ff"
        G.nodes[node]["class"] = f"class {node % 11}" if node != 5 else None
        G.nodes[node]["group"] = node % 13
    return as_graph(nx.relabel_nodes(G, {0: "<b>zero</b>", 1: "eins & zwei"}))


def example_film():
    circle = np.array([[np.cos(k), np.sin(k)] for k in range(14)], dtype=np.float32)
    snapshots = [
        Snapshot(0, "early exaggeration", float("nan"), circle),
        Snapshot(250, "early exaggeration", 3.5, 2 * circle + 1),
        Snapshot(500, "optimization", 2.25, 9 * circle[::-1]),
        Snapshot(750, "finished", 1.5, 10 * circle[::-1] - 3),
    ]
    return [Shot.of(snapshot) for snapshot in snapshots]


def examples():
    graph = example_graph()
    return {
        "frame.bin": encode_frame(example_frame()),
        "graph.bin": encode_graph(graph, attribute_columns(graph), max_edges=12),
        "film.bin": encode_film(example_film()),
    }


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for file, data in examples().items():
        (FOLDER / file).write_bytes(data)
