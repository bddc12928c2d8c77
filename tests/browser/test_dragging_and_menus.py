"""What hands do on the map: drag nodes against the running layout, keep and hide, walk by keys, play time, touch."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from playwright.sync_api import expect

from graphne_viz.viewer.server import ViewServer
from graphne_viz.viewer.session.opening import open_session

from .accessibility import violations
from .servers import PATIENCE
from .viewer_page import Viewer


@pytest.fixture
def opened(page):
    """Return what opens a graph in the browser, served by this very process; it returns session and view."""
    servers = []

    def open_(G, pos=None, **keywords):
        session = open_session(G, pos, label=False, class_names=False, **keywords)
        server = ViewServer(session, title="hands")
        servers.append(server)
        session.start()
        page.goto(server.url)
        return session, Viewer(page.locator("body")).wait()

    yield open_
    page.goto("about:blank")  # a page still says where its camera has come to rest
    for server in servers:
        server.close()


SPAN = 4.0


def ring():
    """Return twelve nodes on a circle of radius 1, and where they are."""
    return nx.cycle_graph(12), {node: (np.cos(node * np.pi / 6), np.sin(node * np.pi / 6)) for node in range(12)}


def look(session, viewer):
    """Look at the middle of the layout from a known distance; returns what turns coordinates of `pos` to pixels."""
    session.set(camera={"center": (0, 0), "span": SPAN})
    viewer.settled_picture() if session.run.state != "running" else None
    box = viewer.surface.bounding_box()
    unit = min(box["width"], box["height"]) / SPAN
    return lambda x, y: (box["width"] / 2 + x * unit, box["height"] / 2 - y * unit)


def drag(viewer, start, end, *, drop=True):
    mouse = viewer.page.mouse
    mouse.move(*viewer.point(*start))
    mouse.down()
    mouse.move(*viewer.point(*end), steps=8)
    if drop:
        mouse.up()


def places(session, *nodes):
    ids = session.graph.ids
    return np.array([session.run.layout()[list(ids).index(node)] for node in nodes])


def test_a_node_is_dragged_pinned_put_back_and_released(opened, shoot):
    session, viewer = opened(*ring(), size=20)
    at = look(session, viewer)
    drag(viewer, at(1, 0), at(0.5, 1.4))
    viewer.until(lambda: np.allclose(places(session, 0), (0.5, 1.4), atol=0.02), "a node where it was dropped")
    assert set(session["pinned"]) == {0}
    assert places(session, 3)[0] == pytest.approx((0, 1), abs=1e-6)
    shoot("pinned")

    viewer.surface.press("Control+z")
    viewer.until(lambda: not session["pinned"], "nothing pinned")
    assert places(session, 0)[0] == pytest.approx((1, 0), abs=1e-6)
    viewer.surface.press("Control+y")
    viewer.until(lambda: set(session["pinned"]) == {0}, "the pinned node again")

    # The key releases it, and it stays where it was put; the whole selection is dragged, and pinned.
    viewer.settled_picture()  # on its way back it is elsewhere
    viewer.page.mouse.click(*viewer.point(*at(0.5, 1.4)))
    viewer.surface.press("p")
    viewer.until(lambda: not session["pinned"], "nothing pinned")
    assert places(session, 0)[0] == pytest.approx((0.5, 1.4), abs=0.02)
    session.set(selection=[6, 7])
    expect(viewer.facts).to_contain_text("2 selected")
    drag(viewer, at(-1, 0), at(-1.5, 0.2))
    goal = np.array([ring()[1][6], ring()[1][7]]) + np.array([-0.5, 0.2])
    viewer.until(lambda: np.allclose(places(session, 6, 7), goal, atol=0.02), "two nodes where they were dropped")
    assert set(session["pinned"]) == {6, 7}

    # Beside its nodes the picture is moved as ever.
    before = session["camera"]
    drag(viewer, at(0, 0), at(0.3, 0))
    viewer.until(lambda: session["camera"] != before, "another camera")
    assert set(session["pinned"]) == {6, 7}


def test_the_running_layout_answers(opened, shoot):
    G = nx.les_miserables_graph()
    session, viewer = opened(G, pace=25, size=14, n_iter=2000, early_exaggeration_iter=50)
    viewer.wait_for_iteration(200)
    session.run.pause()
    session.run.wait(PATIENCE)
    at = look(session, viewer)
    near = list(G["Myriel"])
    before = places(session, "Myriel", *near)
    goal = (0.9, 1.2) if before[0, 0] < 0 else (-0.9, 1.2)
    viewer.page.mouse.move(*viewer.point(*at(*before[0])))
    viewer.page.mouse.down()
    session.run.resume()
    kl = session.run.kl
    viewer.page.mouse.move(*viewer.point(*at(*goal)), steps=10)
    viewer.until(lambda: "Myriel" in session["pinned"], "the pinned node, while it is held")
    assert session.run.state == "running"

    def distance():
        own, *others = places(session, "Myriel", *near)
        return float(np.hypot(*(np.array(others) - own).T).mean())

    far = distance()
    viewer.until(lambda: distance() < 0.8 * far, "neighbours that follow")
    shoot("pulled")
    viewer.page.mouse.up()
    viewer.until(lambda: session.run.kl not in {kl, None}, "another KL divergence")
    session.run.stop()
    assert list(session["pinned"]) == ["Myriel"]


def parts():
    """Return a ring of twelve nodes and a pair beside it, with classes and times, and where they are."""
    G, pos = ring()
    G.add_edge(20, 21)
    pos |= {20: (1.7, 1.2), 21: (1.7, 1.6)}
    for k, node in enumerate(G):
        G.nodes[node].update(kind="xy"[k % 2], time=k + 0.5)
    for k, edge in enumerate(G.edges):
        G.edges[edge]["since"] = 2000 + k
    return G, pos


@pytest.fixture
def parted(opened):
    """Return the session of that graph, its view, and what turns coordinates to pixels of it."""
    session, viewer = opened(*parts(), size=20, color="kind")
    # The picture gets smaller when this line appears below it, and its nodes move.
    expect(viewer.root.get_by_text("The picture keeps")).to_be_visible()
    return session, viewer, look(session, viewer)


def seen(session):
    return {node for node, visible in zip(session.graph.ids, session.fields.visible(), strict=True) if visible}


def expect_seen(session, viewer, nodes):
    viewer.until(lambda: seen(session) == set(nodes), f"nothing but {sorted(nodes)}")


RING, PAIR = range(12), (20, 21)


def test_the_menu_keeps_hides_and_inverts_and_crumbs_and_undo_take_it_back(parted, shoot):
    session, viewer, at = parted
    menu = viewer.root.get_by_role("dialog", name="Nodes")
    crumbs = viewer.root.get_by_role("navigation", name="What is left out")

    def choose(where, words):
        viewer.page.mouse.click(*viewer.point(*where), button="right")
        menu.get_by_role("button", name=words, exact=True).click()
        expect(menu).to_be_hidden()

    choose(at(1, 0), "Keep only 1 step around it")
    expect_seen(session, viewer, [11, 0, 1])
    expect(crumbs).to_contain_text("11 nodes hidden")
    viewer.until(lambda: session["camera"]["span"] < 2, "a closer look at what is kept")
    shoot("kept")
    # One step back brings back nodes and camera, and so does the crumb for the nodes.
    viewer.surface.press("Control+z")
    expect_seen(session, viewer, [*RING, *PAIR])
    viewer.until(lambda: session["camera"]["span"] == pytest.approx(SPAN), "the camera of before")
    viewer.settled_picture()
    choose(at(1, 0), "Hide class x")
    expect_seen(session, viewer, [*range(1, 12, 2), 21])
    crumbs.get_by_role("button", name="Show hidden nodes again").click()
    expect_seen(session, viewer, [*RING, *PAIR])
    expect(crumbs).to_be_hidden()

    # Others than a component, and nothing but what is selected.
    choose(at(1.7, 1.2), "Select others than its component")
    viewer.until(lambda: session["selection"] == tuple(RING), "the ring selected")
    choose(at(0, 0), "Hide the selection")
    expect_seen(session, viewer, PAIR)
    viewer.surface.press("Control+z")
    expect_seen(session, viewer, [*RING, *PAIR])
    choose(at(0, 0), "Hide the giant component")
    expect_seen(session, viewer, PAIR)
    viewer.surface.press("Control+z")
    expect_seen(session, viewer, [*RING, *PAIR])

    # A row of the legend has the menu, too.
    viewer.legend.get_by_role("button", name="y").first.click(button="right")
    menu.get_by_role("button", name="Keep only y", exact=True).click()
    expect_seen(session, viewer, [*range(1, 12, 2), 21])
    viewer.surface.press("Control+z")
    expect_seen(session, viewer, [*RING, *PAIR])

    # The way from one to another, or a sentence.
    session.set(selection=[0, 3])
    expect(viewer.facts).to_contain_text("2 selected")
    choose(at(0, 0), "Shortest path from 0 to 3")
    viewer.until(lambda: session["selection"] == (0, 1, 2, 3), "the nodes of the path")
    expect(viewer.notes).to_contain_text("Shortest path, 3 steps: 0, 1, 2, 3.")
    session.set(selection=[0, 20])
    expect(viewer.facts).to_contain_text("2 selected")
    choose(at(0, 0), "Shortest path from 0 to 20")
    expect(viewer.notes).to_contain_text("There is no path from 0 to 20 along edges that can be seen.")
    assert session["selection"] == (0, 20)
    expect_seen(session, viewer, [*RING, *PAIR])


def test_one_finger_pans_two_zoom_and_a_long_press_opens_the_menu(parted, shoot):
    session, viewer, at = parted
    fingers = viewer.page.context.new_cdp_session(viewer.page)
    fingers.send("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 2})

    def touch(kind, *points):
        places = [dict(zip("xy", viewer.point(*point), strict=True), id=k) for k, point in enumerate(points)]
        fingers.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": places})

    menu = viewer.root.get_by_role("dialog", name="Nodes")
    (left, top), (right, _) = at(0, 0), at(0.5, 0)

    def moved():
        return session["camera"]["center"][0] < -0.2

    while not moved():
        touch("Start", (left, top))
        for step in range(1, 9):
            touch("Move", (left + step * 10, top))
        touch("End")
        # On a busy machine a finger may seem to rest before it moves.
        viewer.until(lambda: moved() or menu.is_visible(), "a picture that follows the finger")
        if menu.is_visible():
            menu.press("Escape")
    assert session["camera"]["span"] == pytest.approx(SPAN)
    touch("Start", (left, top), (right, top))
    for step in range(1, 9):
        touch("Move", (left - step * 5, top), (right + step * 5, top))
    touch("End")
    viewer.until(lambda: session["camera"]["span"] < 0.8 * SPAN, "a picture that grows between two fingers")
    assert session["pinned"] == {}
    expect(menu).to_be_hidden()

    def looks_back():
        # Where the fingers have left the camera may still be on its way.
        session.set(camera={"center": (0, 0), "span": SPAN})
        viewer.settled_picture()
        return session["camera"]["span"] == pytest.approx(SPAN)

    viewer.until(looks_back, "the camera of before")
    touch("Start", at(1, 0))
    expect(menu).to_contain_text("1 step around it")
    touch("End")
    shoot("long_press")
    expect(menu).to_be_visible()
    keep = menu.get_by_role("button", name="Keep only its component").bounding_box()
    surface = viewer.surface.bounding_box()
    touch("Start", (keep["x"] - surface["x"] + 8, keep["y"] - surface["y"] + 8))
    touch("End")
    expect_seen(session, viewer, RING)


def test_everything_by_keys_with_names_that_are_spoken(parted, shoot):
    session, viewer, _ = parted
    page, press = viewer.page, viewer.page.keyboard.press
    spoken = viewer.root.locator("[aria-live]")
    focused = page.locator("*:focus")

    # From node to node, and back.
    viewer.surface.focus()
    session.set(selection=[3])
    expect(viewer.facts).to_contain_text("1 selected")
    press("Enter")
    expect(spoken.filter(has_text="3, 2 neighbours, class y")).to_have_count(1)
    press("n")
    expect(spoken.filter(has_text="neighbour 1 of 2 of 3")).to_have_count(1)
    viewer.until(lambda: session["selection"] == (2,), "the first neighbour")
    press("Backspace")
    viewer.until(lambda: session["selection"] == (3,), "back where it began")

    # The menu: down the rows, to the right, and back to the picture.
    press("Shift+F10")
    expect(focused).to_have_attribute("aria-label", "Select the selection")
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight"):
        press(key)
    expect(focused).to_have_attribute("aria-label", "Keep only its component")
    press("Enter")
    expect_seen(session, viewer, RING)
    expect(viewer.surface).to_be_focused()
    press("p")
    viewer.until(lambda: set(session["pinned"]) == {3}, "a pin")
    press("h")
    expect_seen(session, viewer, set(RING) - {3})
    press("Control+z")
    expect_seen(session, viewer, RING)

    # The table: sorted by a heading, rows chosen by arrows and space.
    viewer.button("Table").focus()
    press("Enter")
    viewer.until(lambda: session["table"] == "nodes", "the table in Python")
    grid = viewer.root.get_by_role("grid", name="Nodes")
    for _ in range(2):
        grid.get_by_role("button", name="time").focus()
        press("Enter")
    expect(grid.get_by_role("columnheader", name="time")).to_have_attribute("aria-sort", "descending")
    expect(focused).to_contain_text("time")
    grid.focus()
    press("Home")
    press("ArrowDown")
    press("Space")
    viewer.until(lambda: session["selection"] == (10,), "the second row from the top")

    # The timeline: a window over it, played to its end at four times the speed.
    viewer.button("Timeline").focus()
    press("Enter")
    expect(focused).to_have_attribute("aria-label", "Play the timeline")
    slider = viewer.root.get_by_role("slider", name="Time", exact=True)
    slider.focus()
    press("Home")
    expect_seen(session, viewer, [0])
    viewer.root.get_by_label("How much time is shown").select_option("a window of 25 %")
    viewer.root.get_by_label("Speed").select_option("4")
    wanted = {"column": "time", "window": 0.25, "speed": 4.0}
    viewer.until(lambda: session["timeline"] == wanted, "the timeline in Python")
    shoot("everything")
    viewer.surface.focus()
    press("Shift+F10")
    expect(viewer.root.get_by_role("dialog", name="Nodes")).to_be_visible()
    viewer.button("Analysis").evaluate("(button) => button.click()")
    expect(viewer.root.get_by_role("tab", name="Classes")).to_be_visible()
    assert violations(viewer.root) == []
    press("Escape")
    viewer.button("Play the timeline").focus()
    press("Space")
    viewer.until(lambda: 0 not in seen(session) and len(seen(session)) > 0, "a window that moves")
    expect(viewer.button("Play the timeline")).to_be_visible()  # it is at its end
    expect_seen(session, viewer, [10, 11])
    viewer.button("Close the timeline").focus()
    press("Enter")
    expect_seen(session, viewer, RING)
    viewer.until(lambda: session["timeline"] is None, "no timeline in Python")
    session.set(theme="dark", timeline="since", filters={"since": (None, 2003.4)})
    expect(slider).to_have_attribute("aria-valuetext", "2000 to 2003")
    expect(viewer.facts).to_contain_text("4 of 13 edges shown")
    expect(grid).to_be_visible()
    viewer.surface.focus()
    press("Shift+F10")
    expect(viewer.root.get_by_role("dialog", name="Nodes")).to_be_visible()
    assert violations(viewer.root) == []
    shoot("dark")
