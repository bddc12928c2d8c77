"""What docs/from-gephi.md says of the viewer, done there task by task on one graph, the way the page says."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path

import networkx as nx
from playwright.sync_api import expect

from graphne_viz.graphs.io.files import read_graph
from graphne_viz.viewer.server import ViewServer
from graphne_viz.viewer.session.opening import open_session

from .viewer_page import Viewer

PAGE = Path(__file__).parents[2] / "docs" / "from-gephi.md"


def example():
    """Return a directed graph of two groups and a pair apart, with classes, numbers, weights and times."""
    G = nx.DiGraph(nx.connected_caveman_graph(4, 8).to_directed())
    G.remove_edges_from([(v, u) for u, v in G.edges if u < v])
    G.add_edge(40, 41)
    for node in G:
        G.nodes[node].update(name=f"node {node}", department="ab"[node // 16 % 2], year=1990 + node, start=float(node))
    for k, edge in enumerate(G.edges):
        G.edges[edge].update(weight=1.0 + k % 5, kind="xyz"[k % 3])
    return G


class Desk:
    """A graph that is open in the viewer, and the steps of a user."""

    def __init__(self, session, viewer, folder):
        self.session, self.viewer, self.folder = session, viewer, folder
        self.page, self.root = viewer.page, viewer.root

    def choose(self, label, option):
        self.root.get_by_label(label).select_option(label=option)

    def until(self, condition, what):
        self.viewer.until(condition, what)

    def seen(self):
        ids = self.session.graph.ids
        return {node for node, visible in zip(ids, self.session.fields.visible(), strict=True) if visible}

    def menu(self, node, words):
        """Choose from the menu of a node, in the middle of the picture."""
        self.session.set(camera={"center": tuple(self.session.run.layout()[self.number(node)]), "span": 1})
        self.viewer.settled_picture()
        self.page.mouse.click(*self.middle(), button="right")
        self.root.get_by_role("dialog", name="Nodes").get_by_role("button", name=words, exact=True).click()

    def number(self, node):
        return list(self.session.graph.ids).index(node)

    def middle(self):
        box = self.viewer.surface.bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def more(self):
        more = self.root.locator(".graphne-more")
        if more.get_attribute("open") is None:
            more.locator("summary").click()

    def save(self, name):
        self.viewer.button("Save").click()
        with self.page.expect_download() as download:
            self.root.get_by_role("menu", name="Save").get_by_role("menuitem", name=name).click()
        path = self.folder / download.value.suggested_filename
        download.value.save_as(path)
        return path


def import_a_graph(desk):
    expect(desk.viewer.facts).to_contain_text("34 nodes")


def run_a_layout(desk):
    expect(desk.viewer.phase).to_have_text("Finished")
    desk.viewer.button("Restart").click()
    desk.until(lambda: desk.session.run.count > 1, "another run")
    desk.viewer.button("Stop").click()
    expect(desk.viewer.phase).to_have_text("Stopped")
    desk.viewer.button("Restart").click()


def tune_it(desk):
    desk.root.get_by_role("button", name="UMAP-like").click()
    desk.until(lambda: desk.session["exaggeration"] == 4, "the attraction in Python")
    expect(desk.viewer.phase).to_have_text("Finished")


def colour_by_partition(desk):
    desk.choose("What the colours show", "department")
    expect(desk.viewer.legend.get_by_role("button", name="a")).not_to_have_count(0)
    desk.choose("What the colours show", "modularity class")
    expect(desk.viewer.legend).to_contain_text("odularity")


def colour_by_ranking(desk):
    desk.choose("What the colours show", "PageRank")
    expect(desk.viewer.legend.locator(".graphne-scale")).to_be_visible()
    desk.choose("What the colours show", "year")
    desk.until(lambda: desk.session["color"] == "year", "the colour in Python")


def size_by_ranking(desk):
    desk.choose("What the sizes show", "year")
    desk.until(lambda: desk.session["size"] == "year", "the size in Python")
    largest = desk.viewer.legend.get_by_label("largest diameter in pixels")
    largest.fill("30")
    largest.press("Enter")
    desk.until(lambda: (desk.session["size_range"] or (0, 0))[1] == 30, "the range in Python")


def edge_weight(desk):
    desk.more()
    desk.choose("What the widths of edges show", "weight")
    desk.until(lambda: desk.session["edge_width"] == "weight", "the widths in Python")


def arrows(desk):
    desk.more()
    box = desk.root.get_by_label("Arrows")
    shown = box.is_checked()
    box.click()
    desk.until(lambda: desk.session["arrows"] is not shown, "the arrows in Python")
    box.click()


def edge_colour(desk):
    desk.more()
    desk.choose("What the colours of edges show", "kind")
    desk.until(lambda: desk.session["edge_color"] == "kind", "the colours of edges in Python")
    desk.page.keyboard.press("Escape")


def labels_by_rank(desk):
    desk.choose("What is written beside the nodes", "name")
    desk.until(lambda: desk.session["label"] == "name", "the labels in Python")


def filter_by_attribute(desk):
    desk.viewer.button("Analysis").click()
    desk.root.get_by_role("tab", name="Filters").click()
    desk.root.get_by_label("Add a filter").select_option(label="department")
    desk.root.get_by_label("b", exact=True).click()
    desk.until(lambda: len(desk.seen()) < 34, "fewer nodes")
    desk.root.get_by_role("button", name="Clear filters").click()
    desk.until(lambda: len(desk.seen()) == 34, "all nodes")
    desk.viewer.button("Analysis").click()


def giant_component(desk):
    desk.menu("3", "Keep only the giant component")
    desk.until(lambda: desk.seen() == {str(node) for node in range(32)}, "the pair gone")
    desk.viewer.surface.press("Control+z")
    desk.until(lambda: len(desk.seen()) == 34, "all nodes")


def ego_network(desk):
    desk.menu("3", "Keep only 2 steps around it")
    wanted = set(map(str, nx.ego_graph(example().to_undirected(), 3, radius=2)))
    desk.until(lambda: desk.seen() == wanted, "two steps around a node")
    desk.viewer.surface.press("Control+z")
    desk.until(lambda: len(desk.seen()) == 34, "all nodes")


def drag(desk):
    desk.session.set(camera={"center": tuple(desk.session.run.layout()[desk.number("5")]), "span": 1})
    desk.viewer.settled_picture()
    left, top = desk.middle()
    desk.page.mouse.move(left, top)
    desk.page.mouse.down()
    desk.page.mouse.move(left + 60, top + 40, steps=6)
    desk.page.mouse.up()
    desk.until(lambda: set(desk.session["pinned"]) == {"5"}, "a pinned node")


def pin(desk):
    left, top = desk.middle()
    desk.page.mouse.click(left + 60, top + 40)
    desk.until(lambda: desk.session["selection"] == ("5",), "the node selected")
    desk.viewer.surface.press("p")
    desk.until(lambda: not desk.session["pinned"], "nothing pinned")
    desk.page.keyboard.press("Escape")


def data_table(desk):
    desk.viewer.button("Table").click()
    grid = desk.root.get_by_role("grid", name="Nodes")
    grid.get_by_role("button", name="year").click()
    expect(grid.locator("[data-at]").first).to_contain_text("1990")
    search = desk.root.get_by_label("Search the table")
    search.fill("node 41")
    expect(grid).to_have_attribute("aria-rowcount", "2")
    search.fill("")
    desk.root.get_by_role("tab", name="Edges").click()
    edges = desk.root.get_by_role("grid", name="Edges")
    expect(edges).to_have_attribute("aria-rowcount", str(1 + example().number_of_edges()))
    desk.viewer.button("Table").click()


def statistics(desk):
    for name, words in (("closeness", "closeness"), ("eccentricity", "eccentricity, diameter")):
        desk.choose("What the colours show", words)
        desk.until(lambda name=name: desk.session["color"] == name, f"{name} in Python")
    expect(desk.viewer.legend).to_contain_text("diameter")


def timeline(desk):
    desk.viewer.button("Timeline").click()
    desk.choose("Time is shown by", "start of nodes")
    desk.root.get_by_role("slider", name="Time", exact=True).press("Home")
    desk.until(lambda: len(desk.seen()) < 34, "only the first")
    desk.viewer.button("Play the timeline").click()
    desk.until(lambda: len(desk.seen()) > 10, "more and more nodes")
    desk.viewer.button("Close the timeline").click()
    desk.until(lambda: len(desk.seen()) == 34, "all nodes")


def reopen_a_gexf_with_its_layout(desk):
    desk.viewer.button("Show all").click()
    saved = read_graph(desk.save("Graph for Gephi"))
    with closing(ViewServer(open_session(saved), title="reopened")) as server:
        server.session.start()
        page = desk.page.context.new_page()
        page.goto(server.url)
        other = Viewer(page.locator("body")).wait()
        expect(other.phase).not_to_have_text("Finished")  # nothing was computed: the positions are the file's
        page.close()


def style_and_export_a_picture(desk):
    assert desk.save("Picture as seen").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in desk.save("Vector picture").read_text()


TASKS = {
    "import a graph": import_a_graph,
    "run a layout": run_a_layout,
    "tune it": tune_it,
    "colour by partition": colour_by_partition,
    "colour by ranking": colour_by_ranking,
    "size by ranking": size_by_ranking,
    "edge weight": edge_weight,
    "arrows": arrows,
    "edge colour": edge_colour,
    "labels by rank": labels_by_rank,
    "filter by attribute": filter_by_attribute,
    "giant component": giant_component,
    "ego network": ego_network,
    "drag": drag,
    "pin": pin,
    "data table": data_table,
    "statistics": statistics,
    "timeline": timeline,
    "reopen a GEXF with its layout": reopen_a_gexf_with_its_layout,
    "style and export a picture": style_and_export_a_picture,
}


def test_an_afternoon_in_gephi(page, watch, shoot, tmp_path):
    told = re.findall(r"^\| (.+?) \|", PAGE.read_text(), flags=re.MULTILINE)[1:]
    assert [task for task in told if not task.startswith("---")] == list(TASKS)
    # What hides the tools on screenshots is against the page's policy.
    watch.allow(r"Applying inline style violates .* \(\)$")
    source = tmp_path / "graph.gexf"
    nx.write_gexf(example(), source)
    session = open_session(read_graph(source), class_names=False)
    with closing(ViewServer(session, title="an afternoon")) as server:
        session.start()
        page.goto(server.url)
        desk = Desk(session, Viewer(page.locator("body")).wait(), tmp_path)
        for task, carry_out in TASKS.items():
            carry_out(desk)
            shoot(task.replace(" ", "_"))
