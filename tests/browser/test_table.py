"""All nodes and edges as a table beside the picture."""

from __future__ import annotations

import networkx as nx
import pytest
from playwright.sync_api import expect

from graphne_viz.viewer.view import view

from .viewer_page import Viewer


@pytest.fixture
def exported(tmp_path):
    """Return a page with 20,000 nodes on a grid, without a kernel."""
    G = nx.grid_2d_graph(200, 100)
    G = nx.relabel_nodes(G, {(x, y): f"node {x} {y}" for x, y in G})
    for k, node in enumerate(G):
        G.nodes[node].update(kind=f"kind {k % 5}", number=(k * 7919) % 20_000)
    pos = {node: [int(part) for part in node.split()[1:]] for node in G}
    w = view(G, pos, color="kind", label=None)
    w.to_html(tmp_path / "page.html")
    w.close()
    return (tmp_path / "page.html").as_uri()


def test_rows_are_sorted_searched_and_linked_with_the_picture(exported, page, shoot):
    page.goto(exported)
    viewer = Viewer(page.locator("body")).wait()
    viewer.button("Table").click()
    grid = viewer.root.get_by_role("grid", name="Nodes")
    expect(grid).to_have_attribute("aria-rowcount", "20001")
    rows = grid.locator("[data-at]")
    assert rows.count() < 60
    grid.get_by_role("button", name="number").click()
    expect(rows.first.get_by_role("gridcell").nth(0)).to_have_text("node 0 0")
    grid.get_by_role("button", name="number").click()
    expect(grid.get_by_role("columnheader", name="number")).to_have_attribute("aria-sort", "descending")
    expect(rows.first).to_contain_text("19,999")
    grid.focus()
    page.keyboard.press("End")
    expect(grid.locator('[data-at="19999"]')).to_contain_text("node 0 0")
    page.keyboard.press("Enter")
    expect(viewer.facts).to_contain_text("1 selected")
    expect(grid.locator('[data-at="19999"]')).to_have_attribute("aria-selected", "true")
    shoot("sorted")
    viewer.root.get_by_label("Search the table").fill("node 17 8")
    expect(grid).to_have_attribute("aria-rowcount", "12")  # 17 8 and 17 80 to 17 89, and the header
    viewer.root.get_by_role("tab", name="Edges").click()
    edges = viewer.root.get_by_role("grid", name="Edges")
    expect(edges.locator("[data-at]").first).to_contain_text("node 17 8")
    with page.expect_download() as saved:
        viewer.button("Save CSV").click()
    lines = saved.value.path().read_text().splitlines()
    assert lines[0] == "source,target"
    assert [line for line in lines[1:] if "node 17 8" not in line] == []
    shoot("edges")
