"""Firefox, driven by WebDriver BiDi, which it speaks itself: Playwright's Firefox is one of its own."""

from __future__ import annotations

import base64
import json
import re
import shutil
import signal
import subprocess
import time
from contextlib import contextmanager

import numpy as np
import websocket

from .servers import PATIENCE, clean_environment

_SETTINGS = {
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "remote.active-protocols": 1,
    "toolkit.telemetry.reportingpolicy.firstRun": False,
}
_LISTENS = re.compile(r"WebDriver BiDi listening on (ws://\S+)")
_LEFT = 0


class Firefox:
    """One page of a Firefox; addresses of elements are selectors of CSS."""

    def __init__(self, connection):
        self._connection = connection
        self._last = 0
        self._send("session.new", capabilities={})
        self._page = {"context": self._send("browsingContext.getTree")["contexts"][0]["context"]}
        self._send("browsingContext.setViewport", **self._page, viewport={"width": 1000, "height": 700})

    def goto(self, address):
        self._send("browsingContext.navigate", **self._page, url=address, wait="complete")

    def ask(self, expression):
        """Return the value of a JavaScript expression."""
        answer = self._send(
            "script.evaluate", expression=f"JSON.stringify({expression})", target=self._page, awaitPromise=True
        )
        assert answer["type"] == "success", f"{expression}: {answer['exceptionDetails']['text']}"
        return json.loads(answer["result"].get("value", "null"))

    def until(self, expression, seconds=PATIENCE):
        """Ask until the answer is true, and return it."""
        deadline = time.monotonic() + seconds
        while not (answer := self.ask(expression)):
            assert time.monotonic() < deadline, f"not within {seconds} s: {expression}"
            time.sleep(0.05)
        return answer

    def text(self, selector):
        return self.ask(f"document.querySelector({selector!r})?.innerText ?? ''")

    def until_text(self, selector, text):
        """Wait until an element shows a text."""
        self.until(f"(document.querySelector({selector!r})?.innerText ?? '').includes({text!r})")

    def box(self, selector):
        """Return left, top, width and height of an element in the page."""
        place = f"document.querySelector({selector!r}).getBoundingClientRect()"
        return self.ask(f"(({{x, y, width, height}}) => [x, y, width, height])({place})")

    def move(self, x, y):
        self._point({"type": "pointerMove", "x": round(x), "y": round(y)})

    def click(self, x, y):
        down, up = ({"type": f"pointer{way}", "button": _LEFT} for way in ("Down", "Up"))
        self._point({"type": "pointerMove", "x": round(x), "y": round(y)}, down, up)

    def drag(self, start, end):
        """Press the button at a point, and release it at another one."""
        down, up = ({"type": f"pointer{way}", "button": _LEFT} for way in ("Down", "Up"))
        halfway = (np.array(start) + end) / 2
        moves = [{"type": "pointerMove", "x": round(x), "y": round(y)} for x, y in (start, halfway, end)]
        self._point(moves[0], down, *moves[1:], up)

    def press(self, selector):
        """Click on the middle of an element."""
        x, y, width, height = self.box(selector)
        self.click(x + width / 2, y + height / 2)

    def shot(self):
        """Return a picture of the page as PNG."""
        return base64.b64decode(self._send("browsingContext.captureScreenshot", **self._page)["data"])

    def _point(self, *actions):
        mouse = {"type": "pointer", "id": "mouse", "actions": list(actions)}
        self._send("input.performActions", **self._page, actions=[mouse])

    def _send(self, method, **parameters):
        self._last += 1
        self._connection.send(json.dumps({"id": self._last, "method": method, "params": parameters}))
        while (answer := json.loads(self._connection.recv())).get("id") != self._last:
            pass  # an event that nobody asked for
        assert answer["type"] == "success", f"{method}: {answer.get('error')}: {answer.get('message')}"
        return answer["result"]


@contextmanager
def running_firefox(home):
    """Run Firefox with a profile of its own; yields its page."""
    command = shutil.which("firefox-esr") or shutil.which("firefox")
    if command is None:
        raise FileNotFoundError("there is no command named firefox-esr or firefox")
    profile = home / "profile"
    profile.mkdir()
    lines = (f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in _SETTINGS.items())
    (profile / "user.js").write_text("".join(lines))
    log = home / "firefox.log"
    options = ["--headless", "--no-remote", "--remote-debugging-port", "0", "--profile", str(profile)]
    with log.open("wb") as output:
        process = subprocess.Popen(
            [command, *options],
            env=clean_environment(home) | {"MOZ_HEADLESS": "1", "MOZ_CRASHREPORTER_DISABLE": "1"},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        connection = websocket.create_connection(
            f"{_address(process, log)}/session", timeout=PATIENCE, suppress_origin=True
        )
        try:
            yield Firefox(connection)
        finally:
            connection.close()
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(PATIENCE / 4)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(PATIENCE)


def _address(process, log):
    """Return where Firefox listens, once it says so."""
    deadline = time.monotonic() + PATIENCE
    while not (found := _LISTENS.search(log.read_text(errors="replace"))):
        assert process.poll() is None, f"Firefox ended with {process.returncode}:\n{log.read_text(errors='replace')}"
        assert time.monotonic() < deadline, f"no answer within {PATIENCE} s:\n{log.read_text(errors='replace')}"
        time.sleep(0.1)
    return found[1]
