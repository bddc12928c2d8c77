"""What docs/from-gephi.md shows in Python works as it stands there, task by task."""

import datetime as dt
import re
from pathlib import Path

import matplotlib.pyplot as plt
import networkx as nx
import pytest

import graphne_viz
from graphne_viz import view

pd = pytest.importorskip("pandas")
PAGE = Path(__file__).parents[1] / "docs" / "from-gephi.md"


def tasks():
    """Return the code of each task, as the page has it in its last column."""
    rows = [line.strip("| \n").split(" | ") for line in PAGE.read_text(encoding="utf-8").splitlines() if "| " in line]
    return {
        task: [one for one in re.findall(r"`([^`]+)`", code) if not one.isidentifier()] for task, _, code in rows[1:]
    }


def network():
    """Return a graph that has all the attributes which the page names."""
    G = nx.Graph(nx.les_miserables_graph())
    for k, node in enumerate(G):
        G.nodes[node].update(
            name=f"person {k}",
            department="xyz"[k % 3],
            kind="AB"[k % 2],
            year=1999 + k % 12,
            start=dt.date(1999, 1, 1) + dt.timedelta(days=30 * k),
        )
    for k, edge in enumerate(G.edges):
        G.edges[edge]["kind"] = "pq"[k % 2]
    G.add_edge("one aside", "another")
    return G


def is_picture(name):
    return Path(name).read_bytes()[:5] in {b"\x89PNG\r", b"<?xml"}


OUTCOMES = {
    "import a graph": lambda w, _: w.graph.n_nodes == 79,
    "run a layout": lambda w, _: w.run.count == 2,
    "tune it": lambda w, _: w.exaggeration == 4 == w.run.exaggeration,
    "colour by partition": lambda w, _: w.color == "department",
    "pick out or hide a partition": lambda w, _: (
        w.legend == {"isolated": ["A"], "hidden": ["B"]} and w.session.fields.visible().sum() == 41
    ),
    "colour by ranking": lambda w, _: w.session.columns.column("color", w.color).kind == "values",
    "size by ranking": lambda w, _: (w.size, tuple(w.size_range)) == ("degree", (2, 20)),
    "edge weight": lambda w, _: w.edge_width == "weight",
    "arrows": lambda w, _: w.arrows is True,
    "edge colour": lambda w, _: w.edge_color == "ends",
    "labels sized by rank": lambda w, _: (
        w.session.columns.column("label", w.label).texts[3] == "person 3" and w.size == "degree"
    ),
    "filter by attribute": lambda w, _: w.session.fields.visible().sum() == 32,
    "giant component": lambda w, _: set(w.hidden) == {"one aside", "another"},
    "ego network": lambda w, n: 2 < w.session.fields.visible().sum() < 77 and n["node"] not in w.hidden,
    "drag": lambda w, n: tuple(w.pinned[n["node"]]) == pytest.approx((n["x"], n["y"]), abs=1e-5),
    "pin": lambda w, _: w.pinned == {},
    "Noverlap": lambda _, n: n["shown"][-1].session.recipe.layout["node_size"] == 300,
    "data table": lambda w, n: w.table == "nodes" and list(w.selected_subgraph()) == [n["node"]],
    "statistics": lambda w, _: w.color == "closeness",
    "timeline": lambda w, _: w.timeline["window"] == 0.1 and w.filters["start"][0] is None,
    "reopen a GEXF with its layout": lambda _, n: n["nx"].read_gexf("map.gexf").nodes["Valjean"]["viz"]["position"],
    "style and export a picture": lambda *_: is_picture("map.png") and is_picture("map.svg"),
}


def test_all_tasks_can_be_done_in_python_as_the_page_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    G = network()
    w = view(G, pace=0)
    names = {name: getattr(graphne_viz, name) for name in ("view", "plot", "graphne_layout")}
    names |= {"nx": nx, "datetime": dt, "G": G, "w": w, "node": "Valjean", "x": 0.3, "y": -0.4}
    names["df"] = names["edges"] = pd.DataFrame({"source": ["a", "b"], "target": ["b", "c"]})
    names["df2"] = names["nodes"] = pd.DataFrame({"id": ["a", "b", "c"], "age": [1, 2, 3]})
    shown = []

    def watched(*arguments, **keywords):
        shown.append(view(*arguments, **keywords))
        return shown[-1]

    names["view"], names["shown"] = watched, shown
    found = tasks()
    assert list(found) == list(OUTCOMES)
    try:
        w.run.wait()
        names["pos"] = w.pos
        w.to_gexf("map.gexf")
        for task, snippets in found.items():
            w.hidden, w.filters, w.selection = (), {}, [names["node"]]
            for snippet in snippets:
                exec(compile(snippet, f"{PAGE.name}: {task}", "exec"), names)  # noqa: S102 - our own text
                names |= {"w": w}
            assert OUTCOMES[task](w, names), task
            names["G"] = G
            w.run.wait()
        reopened = next(one for one in shown if one.run.given)
        assert reopened.graph.n_nodes == 79
        assert [one.graph.n_edges for one in shown].count(2) == 1
        for sentence in re.findall(r"`(view\(edges=edges[^`]*)`", PAGE.read_text(encoding="utf-8")):
            assert eval(sentence, names).graph.n_nodes == 3  # noqa: S307 - our own text
    finally:
        plt.close("all")
        for one in [w, *shown]:
            one.close()
