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


class User:
    """Who has a graph open in the viewer, and what they do there."""

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


def import_a_graph(user):
    expect(user.viewer.facts).to_contain_text("34 nodes")


def run_a_layout(user):
    expect(user.viewer.phase).to_have_text("Finished")
    user.viewer.button("Restart").click()
    user.until(lambda: user.session.run.count > 1, "another run")
    user.viewer.button("Stop").click()
    expect(user.viewer.phase).to_have_text("Stopped")
    user.viewer.button("Restart").click()


def tune_it(user):
    user.root.get_by_role("button", name="UMAP-like").click()
    user.until(lambda: user.session["exaggeration"] == 4, "the attraction in Python")
    expect(user.viewer.phase).to_have_text("Finished")


def colour_by_partition(user):
    user.choose("What the colours show", "department")
    expect(user.viewer.legend.get_by_role("button", name="a")).not_to_have_count(0)
    user.choose("What the colours show", "modularity class")
    expect(user.viewer.legend).to_contain_text("odularity")


def pick_out_or_hide_a_partition(user):
    user.choose("What the colours show", "department")
    entry = user.viewer.legend.locator(".graphne-line").first
    entry.click()
    user.until(lambda: len(user.session["legend"]["isolated"]) == 1, "a class that stands out, in Python")
    entry.dblclick()
    user.until(lambda: len(user.session["legend"]["hidden"]) == 1, "a class that is hidden, in Python")
    user.until(lambda: 0 < len(user.seen()) < 34, "the other class alone")
    entry.click()
    user.until(lambda: len(user.seen()) == 34, "all nodes")


def colour_by_ranking(user):
    user.choose("What the colours show", "PageRank")
    expect(user.viewer.legend.locator(".graphne-scale")).to_be_visible()
    user.choose("What the colours show", "year")
    user.until(lambda: user.session["color"] == "year", "the colour in Python")


def size_by_ranking(user):
    user.choose("What the sizes show", "year")
    user.until(lambda: user.session["size"] == "year", "the size in Python")
    largest = user.viewer.legend.get_by_label("largest diameter in pixels")
    largest.fill("30")
    largest.press("Enter")
    user.until(lambda: (user.session["size_range"] or (0, 0))[1] == 30, "the range in Python")


def edge_weight(user):
    user.more()
    user.choose("What the widths of edges show", "weight")
    user.until(lambda: user.session["edge_width"] == "weight", "the widths in Python")


def arrows(user):
    user.more()
    box = user.root.get_by_label("Arrows")
    shown = box.is_checked()
    box.click()
    user.until(lambda: user.session["arrows"] is not shown, "the arrows in Python")
    box.click()


def edge_colour(user):
    user.more()
    user.choose("What the colours of edges show", "kind")
    user.until(lambda: user.session["edge_color"] == "kind", "the colours of edges in Python")
    user.page.keyboard.press("Escape")


LETTERS = """() => {
  const { prototype } = CanvasRenderingContext2D;
  const write = prototype.fillText;
  window.letters = {};
  prototype.fillText = function (text, ...place) {
    window.letters[text] = Number(/([\\d.]+)px/.exec(this.font)[1]);
    return write.call(this, text, ...place);
  };
}"""


def labels_by_rank(user):
    user.page.evaluate(LETTERS)
    user.choose("What is written beside the nodes", "name")
    user.until(lambda: user.session["label"] == "name", "the labels in Python")
    user.choose("What the sizes show", "degree")
    user.until(lambda: len(set(user.page.evaluate("window.letters").values())) > 1, "letters of several sizes")


def filter_by_attribute(user):
    user.viewer.button("Analysis").click()
    user.root.get_by_role("tab", name="Filters").click()
    user.root.get_by_label("Add a filter").select_option(label="department")
    user.root.get_by_label("b", exact=True).click()
    user.until(lambda: len(user.seen()) < 34, "fewer nodes")
    user.root.get_by_role("button", name="Clear filters").click()
    user.until(lambda: len(user.seen()) == 34, "all nodes")
    user.viewer.button("Analysis").click()


def giant_component(user):
    user.menu("3", "Keep only the giant component")
    user.until(lambda: user.seen() == {str(node) for node in range(32)}, "the pair gone")
    user.viewer.surface.press("Control+z")
    user.until(lambda: len(user.seen()) == 34, "all nodes")


def ego_network(user):
    user.menu("3", "Keep only 2 steps around it")
    wanted = set(map(str, nx.ego_graph(example().to_undirected(), 3, radius=2)))
    user.until(lambda: user.seen() == wanted, "two steps around a node")
    user.viewer.surface.press("Control+z")
    user.until(lambda: len(user.seen()) == 34, "all nodes")


def drag(user):
    user.session.set(camera={"center": tuple(user.session.run.layout()[user.number("5")]), "span": 1})
    user.viewer.settled_picture()
    left, top = user.middle()
    user.page.mouse.move(left, top)
    user.page.mouse.down()
    user.page.mouse.move(left + 60, top + 40, steps=6)
    user.page.mouse.up()
    user.until(lambda: set(user.session["pinned"]) == {"5"}, "a pinned node")


def pin(user):
    left, top = user.middle()
    user.page.mouse.click(left + 60, top + 40)
    user.until(lambda: user.session["selection"] == ("5",), "the node selected")
    user.viewer.surface.press("p")
    user.until(lambda: not user.session["pinned"], "nothing pinned")
    user.page.keyboard.press("Escape")


def noverlap(user):
    for end, diameter in (("largest", "70"), ("smallest", "50")):
        field = user.viewer.legend.get_by_label(f"{end} diameter in pixels")
        field.fill(diameter)
        field.press("Enter")
    user.until(lambda: user.session["size_range"] == (50, 70), "large nodes in Python")
    user.viewer.button("Remove overlap").click()
    user.until(lambda: user.session.run.placement.nodes.size > 10, "nodes that were moved apart")
    user.viewer.settled_picture()


def data_table(user):
    user.viewer.button("Table").click()
    grid = user.root.get_by_role("grid", name="Nodes")
    grid.get_by_role("button", name="year").click()
    expect(grid.locator("[data-at]").first).to_contain_text("1990")
    search = user.root.get_by_label("Search the table")
    search.fill("node 41")
    expect(grid).to_have_attribute("aria-rowcount", "2")
    search.fill("")
    user.root.get_by_role("tab", name="Edges").click()
    edges = user.root.get_by_role("grid", name="Edges")
    expect(edges).to_have_attribute("aria-rowcount", str(1 + example().number_of_edges()))
    user.viewer.button("Table").click()


def statistics(user):
    for name, words in (("closeness", "closeness"), ("eccentricity", "eccentricity, diameter")):
        user.choose("What the colours show", words)
        user.until(lambda name=name: user.session["color"] == name, f"{name} in Python")
    expect(user.viewer.legend).to_contain_text("diameter")


def timeline(user):
    user.viewer.button("Timeline").click()
    user.choose("Time is shown by", "start of nodes")
    user.root.get_by_role("slider", name="Time", exact=True).press("Home")
    user.until(lambda: len(user.seen()) < 34, "only the first")
    user.viewer.button("Play the timeline").click()
    user.until(lambda: len(user.seen()) > 10, "more and more nodes")
    user.viewer.button("Close the timeline").click()
    user.until(lambda: len(user.seen()) == 34, "all nodes")


def reopen_a_gexf_with_its_layout(user):
    user.viewer.button("Show all").click()
    saved = read_graph(user.save("Graph for Gephi"))
    with closing(ViewServer(open_session(saved), title="reopened")) as server:
        server.session.start()
        page = user.page.context.new_page()
        page.goto(server.url)
        other = Viewer(page.locator("body")).wait()
        expect(other.phase).not_to_have_text("Finished")  # nothing was computed: the positions are the file's
        page.close()


def style_and_export_a_picture(user):
    assert user.save("Picture as seen").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in user.save("Vector picture").read_text()


TASKS = {
    "import a graph": import_a_graph,
    "run a layout": run_a_layout,
    "tune it": tune_it,
    "colour by partition": colour_by_partition,
    "pick out or hide a partition": pick_out_or_hide_a_partition,
    "colour by ranking": colour_by_ranking,
    "size by ranking": size_by_ranking,
    "edge weight": edge_weight,
    "arrows": arrows,
    "edge colour": edge_colour,
    "labels sized by rank": labels_by_rank,
    "filter by attribute": filter_by_attribute,
    "giant component": giant_component,
    "ego network": ego_network,
    "drag": drag,
    "pin": pin,
    "Noverlap": noverlap,
    "data table": data_table,
    "statistics": statistics,
    "timeline": timeline,
    "reopen a GEXF with its layout": reopen_a_gexf_with_its_layout,
    "style and export a picture": style_and_export_a_picture,
}


def test_an_afternoon_in_gephi(page, shoot, tmp_path):
    told = re.findall(r"^\| (.+?) \|", PAGE.read_text(), flags=re.MULTILINE)[1:]
    assert [task for task in told if not task.startswith("---")] == list(TASKS)
    source = tmp_path / "graph.gexf"
    nx.write_gexf(example(), source)
    session = open_session(read_graph(source), class_names=False)
    with closing(ViewServer(session, title="an afternoon")) as server:
        session.start()
        page.goto(server.url)
        user = User(session, Viewer(page.locator("body")).wait(), tmp_path)
        for task, carry_out in TASKS.items():
            carry_out(user)
            shoot(task.replace(" ", "_"))
        page.goto("about:blank")  # a page that is still telling something would find the server gone
