"""JupyterLab as a user drives it: notebooks are opened in a page, cells are run, answers are read."""

from __future__ import annotations

import ast
import json
import secrets
import sys
import time
from contextlib import contextmanager
from pathlib import Path

from .servers import PATIENCE, ask, free_port, pauses, python_command, running, write_json

KERNEL = "graphne-test"

DRIVER = Path(__file__).with_name("lab.js")


def write_notebook(path, source):
    """Write a notebook of one cell for the kernel of the tests."""
    cell = {"cell_type": "code", "id": "one", "source": source, "metadata": {}, "outputs": [], "execution_count": None}
    metadata = {"kernelspec": {"name": KERNEL, "display_name": KERNEL, "language": "python"}}
    write_json(path, {"cells": [cell], "metadata": metadata, "nbformat": 4, "nbformat_minor": 5})


class Lab:
    """A running JupyterLab with one kernel that has imported the package already."""

    def __init__(self, port, token, folder, log):
        self.port, self.token, self.folder, self.log = port, token, Path(folder), log
        self._shared = None

    @property
    def address(self):
        return f"http://127.0.0.1:{self.port}"

    def api(self, method, path, body=None):
        status, answer = ask(self.port, method, f"/api/{path}", token=self.token, body=body)
        if status >= 400:
            raise RuntimeError(f"{method} {path} was answered with {status}: {answer}")
        return answer

    def shared_kernel(self):
        """Return the id of a kernel that many notebooks use, one after the other: imports take seconds."""
        alive = {kernel["id"] for kernel in self.api("GET", "kernels")}
        if self._shared not in alive:
            self._shared = self.api("POST", "kernels", {"name": KERNEL})["id"]
        return self._shared

    def own_kernel(self):
        return self.api("POST", "kernels", {"name": KERNEL})["id"]

    def end_kernel(self, kernel):
        self.api("DELETE", f"kernels/{kernel}")

    def show(self, page, workspace="desk"):
        """Load JupyterLab into a page; in the default workspace it would open what was open before."""
        page.goto(f"{self.address}/lab/workspaces/{workspace}?token={self.token}")
        page.wait_for_function("window.jupyterapp?.restored.then(() => true)")

    def create(self, name, kernel):
        """Write a notebook with an empty cell and join it to a kernel; returns its path on the server."""
        path = f"{name}.ipynb"
        cell = {
            "cell_type": "code",
            "id": "first",
            "source": "",
            "metadata": {},
            "outputs": [],
            "execution_count": None,
        }
        metadata = {"kernelspec": {"name": KERNEL, "display_name": KERNEL, "language": "python"}}
        write_json(self.folder / path, {"cells": [cell], "metadata": metadata, "nbformat": 4, "nbformat_minor": 5})
        session = {"path": path, "name": name, "type": "notebook", "kernel": {"id": kernel}}
        self.api("POST", "sessions", session)
        return path


class Notebook:
    """A notebook that is open in a page with the driver."""

    def __init__(self, lab, page, path):
        self.lab, self.page, self.path = lab, page, path

    def open(self):
        """Open it in the page, which shows JupyterLab already."""
        self._call("open")
        self._wait_ready()

    def close(self):
        """Close it without a question whether to save it; the kernel goes on."""
        self._call("close")

    def reload(self):
        """Save, as a user does before leaving, and load the page anew."""
        self._call("save")
        self.page.reload()
        self._wait_ready()

    def add(self, source):
        """Append a cell and return its place."""
        return self._call("add", source)

    def run(self, source):
        """Append a cell, run it to its end and return its place."""
        index = self.add(source)
        for output in self._call("run", index):
            assert output["output_type"] != "error", "\n".join(output["traceback"])
        return index

    def start(self, source):
        """Append a cell, set it running and return its place at once."""
        index = self.add(source)
        self.page.evaluate("([path, index]) => void window.driver.run(path, index)", [self.path, index])
        return index

    def theme(self, name):
        """Change JupyterLab's theme, which outlives the page."""
        self.page.evaluate("(name) => window.driver.theme(name)", name)

    def cell(self, index):
        return self.page.locator(".jp-Notebook-cell").nth(index)

    def output(self, index):
        return self.cell(index).locator(".jp-OutputArea-output")

    def scroll_to(self, index):
        self._call("scrollTo", index)

    def do(self, code):
        """Execute code in the kernel, beside the notebook."""
        self._answer(code, "")

    def ask(self, expression, code=""):
        """Return the value of a Python expression in the kernel, by way of JSON."""
        answer = self._answer(code, f"__import__('json').dumps({expression})")
        result = answer["user_expressions"]["answer"]
        assert result["status"] == "ok", f"{expression}: {result.get('ename')}: {result.get('evalue')}"
        return json.loads(ast.literal_eval(result["data"]["text/plain"]))

    def wait(self, expression, seconds=PATIENCE):
        """Ask until the answer is true, and return it."""
        deadline, pause = time.monotonic() + seconds, pauses()
        while not (answer := self.ask(expression)):
            assert time.monotonic() < deadline, f"not within {seconds} s: {expression}"
            self.page.wait_for_timeout(next(pause))
        return answer

    def restart_kernel(self):
        self._call("restart")

    def _answer(self, code, expression):
        answer = self._call("ask", code, expression)
        assert answer["status"] == "ok", "\n".join(answer.get("traceback", [str(answer)]))
        return answer

    def _call(self, name, *arguments):
        return self.page.evaluate(f"(arguments_) => window.driver.{name}(...arguments_)", [self.path, *arguments])

    def _wait_ready(self):
        self.page.wait_for_function("(path) => window.driver.ready(path)", arg=self.path)


@contextmanager
def running_lab(home):
    """Run JupyterLab on a folder of its own."""
    port, token = free_port(), secrets.token_hex(16)
    folder = home / "notebooks"
    folder.mkdir()
    kernel = {
        "argv": [sys.executable, "-Xfrozen_modules=off", "-m", "ipykernel_launcher", "-f", "{connection_file}"],
        "display_name": KERNEL,
        "language": "python",
    }
    write_json(home / "data" / "kernels" / KERNEL / "kernel.json", kernel)
    # It would ask the network for news, and cover the page with the question whether it may.
    quiet = {"disabledExtensions": {"@jupyterlab/apputils-extension:announcements": True}}
    write_json(home / "config" / "labconfig" / "page_config.json", quiet)
    command = python_command(
        "jupyterlab",
        "--allow-root",
        "--no-browser",
        "--ip=127.0.0.1",
        f"--port={port}",
        "--ServerApp.port_retries=0",
        f"--IdentityProvider.token={token}",
        f"--ServerApp.root_dir={folder}",
        "--LabApp.expose_app_in_browser=True",
        "--LabApp.extension_manager=readonly",
    )
    with running(command, port=port, ready="/api/status", home=home, cwd=folder) as log:
        yield Lab(port, token, folder, log)
