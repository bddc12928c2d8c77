"""Dragging a node of Cora while its layout goes on, in Chromium: from the pointer to the frame that shows it.

    python benchmarks/drag.py

The view is served by a process of its own, as by ``graphne view``, on the same cores as the browser. Both with the
drawing left out, as in viewer.py, and with that by software. What is drawn in one animation frame counts as seen when
the next one begins, so that nothing can be seen sooner than one interval after it was done, two where it just missed
the first.
"""

from __future__ import annotations

from itertools import pairwise
from statistics import median

import numpy as np
from browser import chromium
from graphs import available
from served import NOTED, NOTES, served

JUMPS = 20
SPACING = 1_500
"""Milliseconds between two moves of the pointer."""

FAR = 130
"""Pixels that the pointer jumps, to and fro."""

SPAN = 0.3
"""What is seen of a layout that reaches from -1 to 1."""

FORMED = 1_500
"""Iterations after which it is dragged: a layout that still forms moves by itself."""

# The answer is told from what moves anyhow: neighbours follow further than they went in any frame before.
_NOISE = 1.5
_QUIET = 5


def _take_up(session, page):
    """Take up a node while the layout rests for a moment; returns it, its neighbours, and where the pointer is."""
    session.do("import numpy as np; graph = session.graph; degrees = np.diff(graph.adjacency.indptr)")
    box = page.locator(".graphne-surface").bounding_box()
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    for node in session.do("answer = np.flatnonzero((degrees > 3) & (degrees < 9))[::97].tolist()"):
        session.do("session.run.pause(); session.run.wait()")
        session.do(f"x, y = session.run.layout()[{node}]; session.set(camera={{'center': (x, y), 'span': {SPAN}}})")
        page.wait_for_timeout(1_500)
        page.mouse.move(*middle)
        page.mouse.down()
        page.mouse.move(middle[0] + 10, middle[1], steps=3)
        session.do("session.run.resume()")
        page.wait_for_timeout(500)
        held = session.do("answer = session.run.placement.nodes.tolist()")
        if held == [node]:
            session.do(f"start, end = graph.adjacency.indptr[[{held[0]}, {held[0]} + 1]]")
            near = session.do("answer = graph.adjacency.indices[start:end].tolist()")
            return held[0], near, (middle[0] + 10, middle[1])
        page.mouse.up()
        session.do("session.set(pinned=())")
    raise SystemExit("no node of Cora could be taken up")


def _series(notes, node):
    """Follow the held node and its neighbours through what was drawn.

    Returns
    -------
    held : list of (float, tuple)
        When the held node was drawn elsewhere than before, and where.
    frames : list of (float, ndarray)
        When a new frame of the layout was drawn, and where the neighbours are in it.
    """
    held, frames = [], []
    for write in notes["writes"]:
        places = np.array(write["places"], dtype=np.float64).reshape(-1, 2)
        one = write["node"] >= 0
        if one and write["node"] != node:
            continue
        place = tuple(places[0])
        if not held or not np.allclose(place, held[-1][1], atol=1e-4 * np.hypot(*place)):
            held.append((write["time"], place))
        if not one:
            frames.append((write["time"], places[1:]))
    return held, frames


def _measured(notes, node):
    """Measure in milliseconds.

    Returns
    -------
    shown, answered : list of float
        From each jump of the pointer to the frame that shows it, and to the one in which neighbours follow.
    between : list of float
        From one animation frame to the next.
    """
    draws, starts = np.array([*notes["draws"], np.inf]), np.array([*notes["frames"], np.inf])

    def on_screen(time):
        # What was drawn in an animation frame is on the screen when the next one begins.
        return starts[np.searchsorted(starts, draws[np.searchsorted(draws, time)], side="right")]

    held, frames = _series(notes, node)
    shown, answered = [], []
    for begun in notes["moves"]:
        placed = next(((time, place) for time, place in held if time >= begun), None)
        before = [place for time, place in held if time < begun]
        if placed is None or not before:
            continue
        shown.append(on_screen(placed[0]) - begun)
        toward = np.subtract(placed[1], before[-1])
        toward /= np.hypot(*toward)
        steps = [(time, float(((later - earlier) @ toward).mean())) for (_, earlier), (time, later) in pairwise(frames)]
        usual = max([abs(step) for time, step in steps if time < begun][-_QUIET:], default=np.inf)
        answer = next((time for time, step in steps if time >= begun and step > _NOISE * usual), None)
        answered.append(np.inf if answer is None else on_screen(answer) - begun)
    return shown, answered, np.diff(notes["frames"]).tolist()


def _drag(session, page):
    """Pull at a node, to and fro; returns what was noted of it and its neighbours, and which node it is."""
    node, neighbors, (left, top) = _take_up(session, page)
    page.wait_for_timeout(2_000)
    page.evaluate("(nodes) => void (window.kept = nodes)", [node, *neighbors])
    page.evaluate("Object.assign(notes, { writes: [], moves: [], draws: [], frames: [] })")
    page.wait_for_timeout(1_000)
    for jump in range(JUMPS):
        page.mouse.move(left + (0 if jump % 2 else FAR), top)
        page.wait_for_timeout(SPACING)
    notes = page.evaluate(NOTED)
    page.mouse.up()
    session.do("session.set(pinned=())")
    return notes, node


def drag(browser):
    """Print how long it takes until a dragged node, and then its neighbours, are seen elsewhere."""
    lines = (
        "from graphne_viz import datasets",
        "session = open_session(datasets.load('cora'), label=False, n_iter=100_000)",
    )
    with served(*lines) as (session, address):
        page = browser.new_page(viewport={"width": 1000, "height": 760})
        page.add_init_script(NOTES)
        page.add_init_script(f"window.nodes = {session.do('answer = session.graph.n_nodes')};")
        page.goto(address)
        page.locator(".graphne-surface").wait_for()
        while session.do("answer = session.run.iteration") < FORMED:
            page.wait_for_timeout(200)
        print(f"| cora, {JUMPS} moves of a node, ms | median | worst |\n|---|--:|--:|")
        for drawing in (False, True):
            page.evaluate(f"window.drawing = {str(drawing).lower()}")
            shown, answered, between = _measured(*_drag(session, page))
            how = "drawn by software" if drawing else "without drawing"
            for name, times, most in (("shown", shown, 50), ("neighbours follow", answered, 150)):
                print(f"| {name}, {how} | {median(times):.0f} (at most {most}) | {max(times):.0f} |", flush=True)
            print(f"| from one animation frame to the next, {how} | {median(between):.0f} | {max(between):.0f} |")
        page.close()


def main():
    """Print the figures."""
    if available(["cora"]):
        with chromium() as browser:
            drag(browser)


if __name__ == "__main__":
    main()
