"""The frame, the graphs and the recording of js/test/protocol/data, which are decoded in both languages.

Run this file to write them anew, and look at what changed: browsers and saved notebooks hold the old ones.
"""

from pathlib import Path

import networkx as nx
import numpy as np

from graphne_viz.encoding.columns.edge_columns import edge_columns
from graphne_viz.encoding.columns.node_columns import attribute_columns
from graphne_viz.graphs.convert.api import as_graph
from graphne_viz.layout.snapshot import Snapshot
from graphne_viz.viewer.run.recording import Shot, encode_recording
from graphne_viz.viewer.transport.wire import Frame, encode_frame, encode_graph

FOLDER = Path(__file__).parents[2] / "js" / "test" / "protocol" / "data"

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


def example_directed():
    """Return a directed graph with mutual, parallel and looped edges: 6 nodes and 9 edges."""
    G = nx.MultiDiGraph()
    G.add_nodes_from("abcdef")
    G.add_edges_from([("a", "b"), ("b", "a"), ("a", "b"), ("c", "c"), ("b", "c"), ("c", "d"), ("d", "e"), ("e", "f")])
    G.add_edge("f", "a")
    for k, (_, _, edge) in enumerate(G.edges(data=True)):
        edge.update(weight=1 + k / 2, relation=["likes", "knows", None][k % 3], since=None if k == 4 else 1990 + 3 * k)
    return G


def example_recording():
    circle = np.array([[np.cos(k), np.sin(k)] for k in range(14)], dtype=np.float32)
    snapshots = [
        Snapshot(0, "early exaggeration", float("nan"), circle),
        Snapshot(250, "early exaggeration", 3.5, 2 * circle + 1),
        Snapshot(500, "optimization", 2.25, 9 * circle[::-1]),
        Snapshot(750, "finished", 1.5, 10 * circle[::-1] - 3),
    ]
    return [Shot.of(snapshot) for snapshot in snapshots]


def examples():
    graph, directed = example_graph(), as_graph(example_directed())
    return {
        "frame.bin": encode_frame(example_frame()),
        "graph.bin": encode_graph(graph, attribute_columns(graph), max_edges=12),
        "directed.bin": encode_graph(directed, [], edge_columns=edge_columns(directed.links)),
        "recording.bin": encode_recording(example_recording()),
    }


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for file, data in examples().items():
        (FOLDER / file).write_bytes(data)
