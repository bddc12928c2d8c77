"""Cases that several tests of this room share."""

import gzip

import networkx as nx
import numpy as np
import pytest

HOSTILE_NAMES = [
    "<img src=x onerror=alert(1)>",
    "</script>",
    "\"double\" and 'single'",
    "two\nlines\r\tand a tab",
    "nul\0inside",
    "\x1b[31mred\x1b[0m",
    "emoji 🕸 and 中文",
    "&amp; already",
    "]]>",
    "a,b;c",
    "",
    " leading and trailing ",
    ("tuple", 1),
    frozenset({"frozen"}),
    1,
    "1",
    2.5,
    float("inf"),
    True + 1,
    2**70,
    b"bytes",
]


@pytest.fixture
def hostile():
    """Return a networkx graph whose node names and attributes are what an attacker would choose."""
    G = nx.cycle_graph(len(HOSTILE_NAMES))
    for i in G:
        G.nodes[i]["<b>title</b>"] = f"</node>{i}\x00"
    return nx.relabel_nodes(G, dict(enumerate(HOSTILE_NAMES)))


@pytest.fixture
def weighted():
    """Return a small undirected networkx graph with weights and attributes of every type."""
    G = nx.Graph()
    G.add_node("a", size=1, ratio=0.5, good=True, kind="first", only=1)
    G.add_node("b", size=2, ratio=-1.5, good=False, kind="second")
    G.add_node("c", size=3, ratio=1e-300, good=True, kind="<third>")
    G.add_node("d", size=4, ratio=2.0, good=False, kind="fourth")
    G.add_edge("a", "b", weight=2.5)
    G.add_edge("b", "c", weight=0.1)
    G.add_edge("c", "a")
    return G


@pytest.fixture
def positions():
    """Return positions for `weighted`, with numbers that are long to write."""
    return np.array([[0.1, 1 / 3], [-2e-17, 1e9], [0.0, -1.0], [5.0, 6.25]])


@pytest.fixture
def save(tmp_path):
    """Return a function that saves content under a name, zipped if the name says so."""

    def save(name, content):
        data = content.encode() if isinstance(content, str) else content
        path = tmp_path / name
        path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
        return path

    return save
