"""marimo as a user drives it: a notebook opened for editing, run when it opens, asked by a button."""

from __future__ import annotations

import json
from contextlib import contextmanager

from .servers import free_port, python_command, running

_NOTEBOOK = """
import marimo

app = marimo.App()


@app.cell
def _():
    import json
    import marimo as mo
    return json, mo


@app.cell
def _():
{setup}
    return (w,)


@app.cell
def _(w):
    {shown}
    return


@app.cell
def _(mo):
    ask = mo.ui.button(label="Ask Python", value=0, on_click=lambda times: times + 1)
    ask
    return (ask,)


@app.cell
def _(ask, json, mo, w):
    mo.plain_text("ANSWER" + json.dumps([ask.value, {expression}]))
    return


if __name__ == "__main__":
    app.run()
"""


class Marimo:
    """A marimo notebook that shows a widget `w`, and beside it what Python says of it."""

    def __init__(self, page, port):
        self.page, self.port = page, port

    def open(self):
        self.page.goto(f"http://127.0.0.1:{self.port}/")

    def ask(self):
        """Return the value of the notebook's expression now."""
        times = self._read()[0] + 1
        self.page.get_by_role("button", name="Ask Python").click()
        self.page.get_by_text(f"ANSWER[{times}, ").wait_for()
        return self._read()[1]

    def _read(self):
        text = self.page.get_by_text("ANSWER[").inner_text()
        return json.loads(text[text.index("[") :])


@contextmanager
def running_marimo(home, setup, expression, shown="w"):
    """Run marimo on a notebook whose `setup` makes `w`, of which `shown` is seen; `expression` can be asked of it."""
    port = free_port()
    home.mkdir(exist_ok=True)
    notebook = home / "notebook.py"
    indented = "\n".join(f"    {line}" for line in setup.strip().splitlines())
    notebook.write_text(_NOTEBOOK.format(setup=indented, expression=expression, shown=shown))
    settings = home / "xdg" / "marimo" / "marimo.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text("[runtime]\nauto_instantiate = true\n")
    command = python_command(
        "marimo",
        "--quiet",
        "--yes",
        "edit",
        "--headless",
        "--no-token",
        "--skip-update-check",
        "--no-sandbox",
        "--host=127.0.0.1",
        f"--port={port}",
        notebook,
    )
    with running(command, port=port, ready="/health", home=home, cwd=home):
        yield port
