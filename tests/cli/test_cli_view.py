"""The command `graphne view`; tests/viewer/test_server.py has its server, tests/browser/test_serve.py looks at it."""

import re
import signal
import socket
import subprocess
import sys
import urllib.request
from types import SimpleNamespace
from urllib.parse import urlsplit
from urllib.request import HTTPCookieProcessor, build_opener

import networkx as nx
import pytest
from refusals import check_refused

from graphne_viz.cli import entry, main, view


@pytest.fixture
def karate(tmp_path):
    path = tmp_path / "karate.graphml"
    nx.write_graphml(nx.karate_club_graph(), path)
    return path


def test_ctrl_c_ends_the_command(karate):
    command = [
        sys.executable,
        "-m",
        "graphne_viz.cli",
        "view",
        karate,
        "--no-browser",
        "--color",
        "club",
        "--pace",
        "60",
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        line = process.stdout.readline()
        found = re.fullmatch(
            r"34 nodes, 78 edges, 1 part; Ctrl-C stops it: (http://127\.0\.0\.1:\d+/[\w-]{40,}/)\n", line
        )
        assert found, line + process.stderr.read()
        with build_opener(HTTPCookieProcessor()).open(found[1], timeout=30) as answer:
            assert (answer.status, b"graphne-view" in answer.read()) == (200, True)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
        process.communicate()
    assert (process.returncode, out, err) == (0, "", "")


def test_a_sample_of_a_large_result_is_said_in_the_terminal_and_the_title(tmp_path, capsys, monkeypatch):
    pa = pytest.importorskip("pyarrow")
    pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "layout.parquet"
    numbers = range(50)
    pa.parquet.write_table(pa.table({"id": [f"node {k}" for k in numbers], "x": numbers, "y": numbers}), path)
    pages = []

    class LookThenCtrlC:
        def wait(self, _):
            address = re.search(r"http://\S+", capsys.readouterr().out)
            said.append(address.string)
            opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor())
            pages.append(opener.open(address[0], timeout=30).read().decode())
            raise KeyboardInterrupt

    said = []
    monkeypatch.setattr(view, "threading", SimpleNamespace(Event=LookThenCtrlC))
    assert main(["view", str(path), "--no-browser"]) == 0
    monkeypatch.setattr("graphne_viz.graphs.shards.sample.SHOWN", 20)
    assert main(["view", str(path), "--no-browser"]) == 0
    assert said[0].startswith("50 nodes, 0 edges; Ctrl-C stops it: ")
    assert "<title>layout.parquet · graphne</title>" in pages[0]
    assert said[1].startswith("20 nodes, 0 edges, a fair sample of 50 nodes; Ctrl-C stops it: ")
    assert "<title>layout.parquet, a fair sample of 50 nodes · graphne</title>" in pages[1]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--color", "nothing"], "color='nothing' is not a node attribute"),
        (["--theme", "pink"], "theme must be one of"),
        (["--port", "70000"], "--port must be a number from 0 to 65,535, got 70000"),
        (["--n-iter", "-1"], "n_iter must be at least 0"),
        (["--weight", "cost"], "cost"),
    ],
)
def test_bad_arguments_are_refused_in_a_sentence(karate, capsys, arguments, words):
    check_refused(["view", str(karate), "--no-browser", *arguments], words, capsys, karate.parent)


def test_a_port_that_is_taken_is_said(karate, capsys):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert main(["view", str(karate), "--no-browser", "--port", str(port)]) == 2
    assert f"port {port} is unavailable (Address already in use)" in capsys.readouterr().err


def test_the_command_needs_no_notebook(karate):
    """Neither ipywidgets nor anywidget nor traitlets is imported on the way to a served view."""
    code = f"""
import sys, types
for name in ("anywidget", "ipywidgets", "traitlets"):
    sys.modules[name] = None
from graphne_viz.cli import main, view
class CtrlC:
    def wait(self, timeout):
        raise KeyboardInterrupt
view.threading = types.SimpleNamespace(Event=CtrlC)
sys.exit(main(["view", {str(karate)!r}, "--no-browser", "--color", "club", "--n-iter", "20"]))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
    assert "http://127.0.0.1:" in done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGTERM")
def test_a_signal_ends_the_command_and_what_it_began(karate):
    command = [sys.executable, "-m", "graphne_viz.cli", "view", karate, "--no-browser", "--quiet", "--pace", "60"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        address = process.stdout.readline().strip()
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
        process.wait()
    assert (process.returncode, out, err) == (128 + signal.SIGTERM, "", "")
    with pytest.raises(ConnectionRefusedError, match="refused"):
        socket.create_connection((urlsplit(address).hostname, urlsplit(address).port), timeout=30)


def test_ctrl_c_while_the_command_is_imported_ends_it_quietly(monkeypatch):
    looked = "import sys, graphne_viz.cli; print('graphne_viz.cli.command' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", looked], capture_output=True, check=True).stdout == b"False\n"

    class Interrupted:
        def __getattr__(self, name):
            raise KeyboardInterrupt

    monkeypatch.setattr(entry, "command", Interrupted())
    assert main([]) == 130
