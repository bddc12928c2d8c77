"""A view in a process of its own, as ``graphne view`` has one, and a page that notes when what reaches the screen.

    python benchmarks/served.py

is that process: it carries out the lines that it is given, and answers each.
"""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

# Notes what is brought to the graphics card and when, places of all nodes or of a few, when that is drawn, and the
# animation frame after. Where ``window.drawing`` is false, nothing is drawn in earnest. Of many nodes only one
# coordinate of ``window.every`` is noted, or the places of those in ``window.kept``.
NOTES = """
window.notes = { writes: [], moves: [], draws: [], frames: [] };
const upload = WebGL2RenderingContext.prototype.bufferSubData;
WebGL2RenderingContext.prototype.bufferSubData = function (target, offset, data, from, length) {
  if (data instanceof Float32Array && window.nodes && (length === 2 || data.length === 2 * window.nodes)) {
    const { every = 1, kept } = window;
    let places;
    if (length === 2) places = data.slice(from, from + 2);
    else if (kept) places = kept.flatMap((node) => [data[2 * node], data[2 * node + 1]]);
    else places = data.filter((_, k) => k % every === 0);
    window.notes.writes.push({ time: performance.now(), node: length === 2 ? offset / 8 : -1, places });
  }
  if (from === undefined) upload.call(this, target, offset, data);
  else upload.call(this, target, offset, data, from, length);
};
for (const name of ["drawArrays", "drawElements", "drawArraysInstanced", "drawElementsInstanced"]) {
  const draw = WebGL2RenderingContext.prototype[name];
  WebGL2RenderingContext.prototype[name] = function (...rest) {
    const { draws } = window.notes;
    const now = performance.now();
    if (!(now - draws.at(-1) < 1)) draws.push(now);
    if (window.drawing !== false) draw.apply(this, rest);
  };
}
addEventListener("pointermove", ({ timeStamp }) => window.notes.moves.push(timeStamp), { capture: true });
const tick = (time) => {
  // What was drawn in an animation frame is on the screen when the next one begins.
  window.notes.frames.push(performance.now());
  requestAnimationFrame(tick);
};
requestAnimationFrame(tick);
"""

NOTED = "({ ...notes, writes: notes.writes.map((write) => ({ ...write, places: [...write.places] })) })"
"""What was noted, as JSON."""


class Served:
    """What runs in the other process."""

    def __init__(self, process):
        self._process = process

    def do(self, line):
        """Carry out a line; returns what it has set ``answer`` to."""
        self._process.stdin.write(json.dumps(line) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            sys.exit("the process that serves the view has ended")
        return json.loads(answer)


@contextmanager
def served(*lines):
    """Run a process that carries out these lines; they make ``session``. Yields it and the address of its view."""
    command = [sys.executable, Path(__file__)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        one = Served(process)
        one.do("from graphne_viz.viewer.session.opening import open_session")
        for line in lines:
            one.do(line)
        one.do("from graphne_viz.viewer.server import ViewServer")
        yield one, one.do("server = ViewServer(session, title='measured'); session.start(); answer = server.url")
    finally:
        process.stdin.close()
        process.wait(60)


def main():
    """Carry out lines until there are no more."""
    names = {}
    for line in sys.stdin:
        names["answer"] = None
        exec(json.loads(line), names)  # noqa: S102 - of the script that has started this process
        print(json.dumps(names["answer"]), flush=True)
    if "server" in names:
        names["server"].close()


if __name__ == "__main__":
    main()
