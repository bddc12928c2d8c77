"""Themes, missing or lost graphics, narrow places, legend, search and labels."""

from __future__ import annotations

import networkx as nx
from playwright.sync_api import expect

from . import pixels
from .viewer_page import Viewer, show

KARATE = "w = view(nx.karate_club_graph(), color='club', size='degree', label='name', live=False)\nw"
NO_WEBGL = """() => {
  const getContext = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
    return /webgl/.test(kind) ? null : getContext.call(this, kind, ...rest);
  };
  window.allowWebgl = () => { HTMLCanvasElement.prototype.getContext = getContext; };
}"""


def test_it_follows_the_theme(notebook, shoot):
    viewer = show(notebook, KARATE)
    assert pixels.background(viewer.picture()).min() > 240
    shoot("light")
    notebook.theme("JupyterLab Dark")
    try:
        viewer.until(lambda: pixels.background(viewer.settled_picture()).max() < 60, "a dark picture")
        expect(viewer.root).to_have_attribute("data-theme", "dark")
        shoot("dark")
        assert pixels.share_of_ink(viewer.picture()) > 0.002
        notebook.do("w.theme = 'light'")
        viewer.until(lambda: pixels.background(viewer.settled_picture()).min() > 240, "a light picture")
    finally:
        notebook.theme("JupyterLab Light")


def test_without_webgl_the_same_is_drawn_and_the_reason_said(notebook, page, shoot):
    viewer = show(notebook, KARATE)
    viewer.leave()
    with_webgl = viewer.settled_picture()
    page.evaluate(NO_WEBGL)
    viewer = show(notebook, "w")
    page.evaluate("window.allowWebgl()")
    viewer.leave()
    shoot("canvas")
    expect(viewer.notes).to_contain_text("WebGL")
    assert pixels.likeness(with_webgl, viewer.settled_picture()) > 0.9


def test_a_lost_context_is_restored(notebook, shoot):
    viewer = show(notebook, KARATE)
    before = viewer.settled_picture()
    canvas = viewer.surface.locator("canvas").first
    canvas.evaluate("""(canvas) => {
        window.extension = canvas.getContext('webgl2').getExtension('WEBGL_lose_context');
        window.extension.loseContext();
    }""")
    viewer.page.wait_for_timeout(300)
    shoot("lost")
    viewer.page.evaluate("window.extension.restoreContext()")
    viewer.until(lambda: pixels.likeness(before, viewer.picture()) > 0.95, "the picture again")
    shoot("restored")
    # What changes afterwards is drawn, too.
    notebook.do("w.selection = [0]")
    viewer.until(lambda: pixels.change(before, viewer.picture()) > 0.01, "the selection")


def test_more_views_than_a_page_has_contexts(notebook, shoot):
    cell = notebook.run("""
G = nx.karate_club_graph()
ws = [view(G, color='club', live=False, height=240) for _ in range(20)]
display(*ws)""")
    viewers = [Viewer(notebook.output(cell), k) for k in range(20)]
    for k in (19, 10, 0, 19):
        viewers[k].root.scroll_into_view_if_needed()
        viewers[k].wait()
    shoot("last_of_twenty")


def test_the_legend_isolates_and_hides(notebook, shoot):
    viewer = show(notebook, "w = view(digits(), color='class', live=False, edges=False)\nw")
    viewer.leave()
    three = viewer.color_of("3 183")
    before = viewer.settled_picture()
    shown = pixels.near(before, three, 12).sum()
    assert shown > 100
    line = viewer.legend.get_by_role("button", name="3 183")
    line.click()
    expect(line).to_have_attribute("aria-pressed", "true")
    alone = viewer.settled_picture()
    assert pixels.near(alone, viewer.color_of("0 178"), 12).sum() == 0
    assert pixels.near(alone, three, 12).sum() > 0.8 * shown
    shoot("isolated")
    line.click()
    assert pixels.change(before, viewer.settled_picture()) < 0.001
    line.dblclick()
    viewer.until(lambda: pixels.near(viewer.settled_picture(), three, 12).sum() == 0, "no such class")
    shoot("hidden")
    assert notebook.ask("['2 (177)' in w.to_svg(), '3 (183)' in w.to_svg()]") == [True, False]

    # Other classes, other colours: the legend stays right.
    notebook.do("w.color = ['many' if i % 3 else 'few' for i in range(1797)]")
    expect(viewer.legend.get_by_role("button", name="many")).to_contain_text("1,198")
    expect(viewer.legend.get_by_role("button", name="few")).to_contain_text("599")
    picture = viewer.settled_picture()
    many, few = (pixels.near(picture, viewer.color_of(name), 12).sum() for name in ("many", "few"))
    assert 1.2 * few < many < 4 * few
    notebook.do("w.color = list(range(1797))")
    expect(viewer.legend.locator(".graphne-scale")).to_be_visible()
    shoot("numbers")


def test_a_node_is_found_by_its_name(notebook, page, shoot):
    notebook.do("G = nx.relabel_nodes(nx.florentine_families_graph(), str)")
    viewer = show(notebook, "w = view(G, label='name', live=False)\nw")
    viewer.surface.focus()
    page.keyboard.press("/")
    page.keyboard.type("med")
    expect(viewer.root.get_by_role("listbox").get_by_role("option")).to_have_text(["Medici"])
    page.keyboard.press("Enter")
    notebook.wait("w.selection == ('Medici',)")
    viewer.settled_picture()
    shoot("found")


def test_keys_move_the_picture_and_reach_every_control(notebook, page):
    viewer = show(notebook, KARATE)
    viewer.surface.focus()
    start = viewer.settled_picture()
    for key in ("ArrowRight", "ArrowDown", "+", "+", "-"):
        page.keyboard.press(key)
    moved = viewer.settled_picture()
    assert pixels.change(start, moved) > 0.02
    page.keyboard.press("0")
    viewer.until(lambda: pixels.likeness(start, viewer.settled_picture()) > 0.98, "the whole again")

    def focused():
        return page.evaluate("document.activeElement.getAttribute('aria-label') || document.activeElement.textContent")

    names = set()
    viewer.root.get_by_label("What the colours show").focus()
    for _ in range(40):
        names.add(focused())
        # A toolbar is one stop, within which arrows lead from button to button.
        if page.evaluate("document.activeElement.closest('[role=toolbar]') !== null"):
            for _ in range(15):
                page.keyboard.press("ArrowDown")
                names.add(focused())
        page.keyboard.press("Tab")
    assert {"Lasso", "Rectangle", "Show all", "Continue", "Restart", "Attraction versus repulsion"} <= names
    # No button of ours is without a tooltip.
    untitled = viewer.root.locator("button:not([title])").all_inner_texts()
    assert untitled == []


def test_a_narrow_place(notebook, page, shoot):
    page.set_viewport_size({"width": 700, "height": 900})
    viewer = show(notebook, KARATE)
    viewer.settled_picture()
    shoot("narrow")
    assert viewer.cut("button, input, output, .graphne-bar *, .graphne-head *") == []
    box = viewer.root.bounding_box()
    assert box["x"] + box["width"] <= 700


def test_what_cannot_be_drawn_is_said_in_words(notebook, shoot):
    def shown(source):
        viewer = Viewer(notebook.output(notebook.run(source)))
        viewer.root.wait_for()
        return viewer

    expect(shown("w = view(nx.empty_graph(0), height=200)\nw").root).to_contain_text("This graph has no nodes.")
    one = shown("w = view(nx.empty_graph(1), height=200)\nw")
    expect(one.facts).to_contain_text("1 node")
    notebook.do("def fail(snapshot): raise OSError('the disk is full')")
    failed = shown("w = view(nx.karate_club_graph(), callback=fail, height=200)\nw")
    expect(failed.notes).to_contain_text("The layout failed: the disk is full")
    expect(failed.phase).to_have_text("Failed")
    shoot("in_words")


def test_pictures_and_files_are_saved(notebook, page, screens, shoot):
    viewer = show(notebook, KARATE)
    viewer.settled_picture()
    menu = viewer.root.get_by_role("menu", name="Save")

    def save(name):
        viewer.button("Save").click()
        shoot("menu")
        with page.expect_download() as download:
            menu.get_by_role("menuitem", name=name).click()
        expect(menu).to_be_hidden()
        path = screens / f"saved_{download.value.suggested_filename}"
        download.value.save_as(path)
        return path

    assert pixels.share_of_ink(pixels.read(save("Picture as seen").read_bytes())) > 0.005
    assert len(nx.read_gexf(save("Graph for Gephi"))) == 34
    assert save("Vector picture").read_text().count("<svg") == 1
    notebook.do("w.selection = [0, 33]")
    expect(viewer.facts).to_contain_text("2 selected")
    lines = save("Table of 2 selected nodes").read_text().splitlines()
    assert [line.split(",")[0] for line in lines] == ["node", "0", "33"]
