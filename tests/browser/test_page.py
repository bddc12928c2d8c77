"""Exported pages: opened from the disk, with the network off."""

from __future__ import annotations

import networkx as nx
import pytest
from playwright.sync_api import expect

from graphne_viz import linked, view

from . import pixels
from .viewer_page import Viewer

HOSTILE = "</script><script>window.__hacked=1</script>"


@pytest.fixture
def page(context, watch):
    """Open pages without any network, and see to it that nothing is asked for."""
    context.set_offline(offline=True)
    page = context.new_page()
    asked = []
    page.on("request", lambda one: asked.append(one.url))
    yield page
    assert not [url for url in asked if not url.startswith(("file://", "blob:"))]
    page.close()
    watch.check()


def club():
    """The karate club with names and an attribute that would like to be markup."""
    G = nx.karate_club_graph()
    nx.set_node_attributes(G, dict.fromkeys(G, "<img src=x onerror=window.__hacked=2>"), "note")
    return nx.relabel_nodes(G, {33: HOSTILE})


def open_page(page, path, *, panels=1):
    page.goto(path.as_uri())
    return [Viewer(page.locator("main"), k).wait() for k in range(panels)]


def test_one_view_has_all_that_it_has_in_a_notebook(page, tmp_path, shoot):
    w = view(club(), color="club", size=None, label="name", live=False, initialization="random")
    w.to_html(tmp_path / "g.html", title=HOSTILE, caption="<b>A caption</b>")
    w.close()
    (viewer,) = open_page(page, tmp_path / "g.html")
    expect(page.locator("h1")).to_have_text(HOSTILE)
    expect(page.locator("figcaption")).to_have_text("<b>A caption</b>")
    finished = viewer.settled_picture()
    shoot("light")

    # Legend: one class alone, then all.
    viewer.legend.get_by_role("button", name="Officer").dblclick()
    officers = pixels.near(viewer.settled_picture(), viewer.color_of("Officer"), 12)
    assert officers.sum() < pixels.near(finished, viewer.color_of("Officer"), 12).sum() / 5
    viewer.legend.get_by_role("button", name="Officer").click()

    # Search: the hostile name is found as text; the tooltip says it, and its attributes.
    viewer.search.fill("</script>")
    expect(viewer.root.get_by_role("option", name=HOSTILE)).to_be_visible()
    viewer.search.press("Enter")
    expect(viewer.facts).to_contain_text("1 selected")
    viewer.search.fill("")
    viewer.button("Show all").click()
    viewer.hover(*pixels.deepest(pixels.near(viewer.settled_picture(), viewer.color_of("Mr. Hi"), 12)))
    expect(viewer.tooltip).to_contain_text("Mr. Hi")
    expect(viewer.tooltip).to_contain_text("<img src=x onerror=window.__hacked=2>")
    viewer.leave()

    # Replay: another moment is another picture, and the end is the layout again.
    page.keyboard.press("Escape")
    scrubber = viewer.root.get_by_role("slider", name="Moment of the run")
    before = viewer.settled_picture()
    scrubber.fill("3")
    expect(viewer.phase).to_have_text("Early exaggeration")
    early = viewer.settled_picture()
    shoot("early")
    assert pixels.change(before, early) > 0.02
    viewer.button("Replay").click()
    expect(viewer.phase).to_have_text("Finished")
    assert pixels.likeness(before, viewer.settled_picture()) > 0.95
    # Nobody would obey: what steers a run is not offered.
    expect(viewer.button("Restart")).to_be_hidden()

    page.get_by_text("How this was made").click()
    expect(page.locator("pre")).to_contain_text('"initialization": "random"')
    assert page.evaluate("window.__hacked") is None
    assert page.locator("main img, main script, main iframe").count() == 0


def test_views_of_one_page_are_linked_wherever_they_fit(page, tmp_path, shoot):
    G = club()
    circle = nx.circular_layout(G)
    views = [
        # Names on the map have the colours of nodes, and a key of widths would cover nodes.
        view(G, color="club", size=None, label=None, class_names=False, edge_width=None, live=False),
        view(G, circle, color="club", size=None, label=None, class_names=False, edge_width=None),
        view(G.subgraph(list(G)[:20]), color=None, size=None, label=None, live=False),
    ]
    titles = ["graph t-SNE", "circle", "a part"]
    linked(views, titles=titles, captions=["", "", HOSTILE]).to_html(tmp_path / "g.html", title="Three views")
    for one in views:
        one.close()
    page.emulate_media(color_scheme="dark")
    first, second, third = open_page(page, tmp_path / "g.html", panels=3)
    tops = [viewer.root.bounding_box()["y"] for viewer in (first, second, third)]
    assert max(tops) - min(tops) < 2
    assert pixels.background(first.picture()).max() < 60
    shoot("dark")

    # Narrow views fold their legends.
    for viewer in (first, second):
        viewer.root.locator(".graphne-legend-head").click()
    before = second.settled_picture()

    # What is under the pointer in one is marked in the others, by number and by name.
    first.hover(*pixels.deepest(pixels.near(first.settled_picture(), first.color_of("Mr. Hi"), 14)))
    expect(first.tooltip).to_be_visible()
    second.until(lambda: pixels.change(before, second.picture()) > 0.01, "a node marked")
    expect(second.tooltip).to_be_hidden()
    shoot("hover")
    first.leave()
    second.until(lambda: pixels.change(before, second.picture()) == 0, "nothing marked")

    # A selection, and a class that is hidden.
    first.search.fill("</script>")
    first.search.press("Enter")
    expect(second.facts).to_contain_text("1 selected")
    expect(third.facts).not_to_contain_text("selected")
    first.legend.get_by_role("button", name="Officer").dblclick()
    expect(second.legend.get_by_role("button", name="Officer")).to_have_class("graphne-line graphne-hidden")
    shoot("selected")

    page.set_viewport_size({"width": 400, "height": 800})
    second.until(lambda: second.root.bounding_box()["y"] > first.root.bounding_box()["y"] + 300, "one below the other")
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
    shoot("narrow")


@pytest.fixture(scope="module")
def pair(tmp_path_factory):
    """Return a page of two pictures whose colours are numbers."""
    G, path = nx.karate_club_graph(), tmp_path_factory.mktemp("pair") / "pair.html"
    views = [view(G, layout(G), color="degree") for layout in (nx.circular_layout, nx.kamada_kawai_layout)]
    linked(views, titles=["circle", "springs"]).to_html(path, title="Two views")
    for one in views:
        one.close()
    return path


def is_on_top(locator):
    """Return whether nothing covers the middle of an element, which is on the page."""
    return locator.evaluate("""(element) => {
        const { left, top, width, height } = element.getBoundingClientRect();
        return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    }""")


def test_the_open_panel_leaves_the_colour_bar_to_be_seen(page, pair, shoot):
    page.set_viewport_size({"width": 2400, "height": 800})
    (viewer, _) = open_page(page, pair, panels=2)
    shared = page.locator(".graphne-shared .graphne-scale")
    expect(shared).to_be_visible()
    viewer.button("Analysis").click()
    expect(viewer.root.get_by_role("complementary")).to_be_visible()
    viewer.until(lambda: is_on_top(shared), "the colour bar of both pictures")
    # Colours of its own bring a legend of its own, beside the panel or on the picture.
    viewer.root.get_by_label("What the colours show").select_option("neighbour recall")
    bar, panel = viewer.legend.locator(".graphne-scale"), viewer.root.get_by_role("complementary")
    for width, size in [(2400, "wide"), (1700, "wide"), (1450, "medium")]:
        page.set_viewport_size({"width": width, "height": 800})
        expect(viewer.root).to_have_attribute("data-size", size)
        # The parts take their new places a frame after the window has its new size.
        viewer.until(lambda: is_on_top(bar) and is_on_top(panel), "the colour bar and the panel")
        shoot(f"colour_bar_{width}")
    # Where there is little room it folds, and unfolds on the picture.
    page.set_viewport_size({"width": 900, "height": 800})
    expect(viewer.root).to_have_attribute("data-size", "narrow")
    viewer.legend.get_by_role("button").first.click()
    viewer.until(lambda: is_on_top(bar), "the colour bar")
    shoot("colour_bar_narrow")


def swipe(page, viewer, up):
    """Draw a finger up over the middle of the picture, so many pixels."""
    box = viewer.surface.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    tools = page.context.new_cdp_session(page)
    touch = lambda kind, points: tools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})  # noqa: E731
    touch("touchStart", [{"x": x, "y": y}])
    for step in range(1, 11):
        touch("touchMove", [{"x": x, "y": y - up * step / 10}])
    touch("touchEnd", [])


def test_a_finger_scrolls_past_pictures_until_it_has_tapped_one(browser, pair):
    context = browser.new_context(viewport={"width": 400, "height": 700}, has_touch=True, offline=True)
    page = context.new_page()
    first, second = open_page(page, pair, panels=2)
    first.surface.scroll_into_view_if_needed()
    before, start = first.settled_picture(), page.evaluate("scrollY")
    swipe(page, first, 200)
    first.until(lambda: page.evaluate("scrollY") > start + 100, "the page to scroll")
    swipe(page, second, 100)
    assert pixels.change(before, first.settled_picture()) == 0
    # Once it has tapped a picture, it moves that one, and the page stays.
    second.surface.scroll_into_view_if_needed()
    untouched, there = second.settled_picture(), page.evaluate("scrollY")
    box = second.surface.bounding_box()
    page.touchscreen.tap(box["x"] + 8, box["y"] + 8)
    swipe(page, second, 80)
    second.until(lambda: pixels.change(untouched, second.picture()) > 0.01, "the picture to move")
    assert page.evaluate("scrollY") == there
    context.close()


def test_nothing_is_fetched_from_elsewhere(context, watch, tmp_path):
    """A page asks nobody for anything, what markup would ask for is refused, and who watches all pages would notice."""
    left = []  # what the browser would have sent

    def stop(route):
        left.append(route.request.url)
        route.abort()

    context.route("**/elsewhere.example/**", stop)
    w = view(club(), color="club", label="name", live=False)
    w.to_html(tmp_path / "g.html", title=HOSTILE)
    w.close()
    asked = []
    page = context.new_page()
    page.on("request", lambda one: asked.append(one.url))
    open_page(page, tmp_path / "g.html")
    watch.check()
    assert {url.partition(":")[0] for url in asked} <= {"file", "blob", "data"}
    for tag, source in (("img", "src"), ("script", "src"), ("link", "href"), ("iframe", "src")):
        page.evaluate(
            """([tag, source]) => {
                const element = Object.assign(document.createElement(tag), { rel: "stylesheet" });
                element[source] = "https://elsewhere.example/x";
                document.body.append(element);
            }""",
            [tag, source],
        )
    page.evaluate("fetch('https://elsewhere.example/y').catch(() => {})")
    page.wait_for_timeout(300)
    assert left == []
    refused = "\n".join(text for text in watch.troubles if "Content Security Policy" in text)
    for what in ("image", "script", "stylesheet", "fram", "connect"):
        assert what in refused
    watch.begin()

    page.goto("about:blank")
    page.set_content("<img src='https://elsewhere.example/z'>")
    page.wait_for_timeout(100)
    assert "request to elsewhere.example: https://elsewhere.example/z" in watch.troubles
    assert left == ["https://elsewhere.example/z"]
    watch.begin()
    page.close()
