"""`w.update` of 5 % of arXiv's edges, in Chromium: from the call to the first frame in which nodes have moved.

    python benchmarks/update.py

The view is served by a process of its own, as by ``graphne view``, on the same cores as the browser; drawing itself is
left out, as in viewer.py.
"""

from __future__ import annotations

from statistics import median

import numpy as np
from browser import chromium
from graphs import available
from served import NOTED, NOTES, served

TURNS = 3

PREPARE = (
    "import time; import numpy as np; import scipy.sparse as sp; from graphs import load",
    "from graphne_viz.viewer.session.updating import update_graph",
    "A = sp.csr_matrix(load('arxiv')[0]); rng = np.random.default_rng(0)",
    "session = open_session(A, color=None, label=False)",
)

# Another twentieth of the edges each time, and as many to a neighbour's neighbour in their place.
CHANGE = """
upper = sp.triu(A, 1).tocoo()
gone = rng.random(upper.nnz) < 0.05
start, end = upper.row[gone], upper.col[gone]
further = A.indices[A.indptr[end] + rng.integers(0, np.diff(A.indptr)[end])]
pairs = np.stack([np.r_[upper.row[~gone], start], np.r_[upper.col[~gone], further]])
pairs = pairs[:, pairs[0] != pairs[1]]
B = sp.coo_matrix((np.ones(pairs.shape[1]), pairs), shape=A.shape).tocsr()
B = B.maximum(B.T)
"""


def _moved(notes, called):
    """Milliseconds from the call to the frame in which nodes are elsewhere than in the first one after it."""
    writes = [(write["time"], np.array(write["places"])) for write in notes["writes"] if write["time"] > called]
    first = writes[0][1]
    least = 1e-4 * np.ptp(first)
    time = next(time for time, places in writes if np.abs(places - first).max() > least)
    drawn = next(draw for draw in notes["draws"] if draw >= time)
    return next(frame for frame in notes["frames"] if frame > drawn) - called


def update(browser):
    """Print how long it takes until an update is seen."""
    with served(*PREPARE) as (session, address):
        nodes = session.do("answer = session.graph.n_nodes")
        page = browser.new_page(viewport={"width": 1000, "height": 760})
        page.add_init_script(NOTES)
        page.add_init_script(f"window.drawing = false; window.every = 997; window.nodes = {nodes};")
        page.goto(address)
        page.locator(".graphne-surface").wait_for()
        times = []
        for _ in range(TURNS):
            session.do("session.run.wait()")
            session.do(CHANGE)
            page.wait_for_timeout(3_000)  # what the browser does with a layout that has come to rest is not measured
            page.evaluate("Object.assign(notes, { writes: [], moves: [], draws: [], frames: [] })")
            origin = page.evaluate("performance.timeOrigin")
            called, returned = session.do("t = time.time(); update_graph(session, B); answer = [t, time.time()]")
            page.wait_for_timeout(8_000)
            notes = page.evaluate(NOTED)
            times.append((1000 * (returned - called), _moved(notes, 1000 * called - origin)))
        page.close()
    print(f"arxiv, 5 % of the edges exchanged, median and worst of {TURNS}, from the call")
    names = ("the call returns", "first moved frame (at most 2,000)")
    for name, taken in zip(names, zip(*times, strict=True), strict=True):
        print(f"{name}: {median(taken):,.0f} ms, {max(taken):,.0f} ms")


def main():
    """Print the figures."""
    if available(["arxiv"]):
        with chromium() as browser:
            update(browser)


if __name__ == "__main__":
    main()
