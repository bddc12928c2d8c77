"""Commands that write, ended at any moment: files are the old ones or complete, and nothing is left behind."""

import os
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from types import SimpleNamespace

import networkx as nx
import pytest
from interruptions import Interrupted, Moment, make_old, unfinished

from graphne_viz import Embedding
from graphne_viz._atomic import replace_when_complete, unfinished_path
from graphne_viz.cli import entry
from graphne_viz.evaluation.benchmark.records import Record, Records
from graphne_viz.graphs.io.files import read_graph
from graphne_viz.graphs.shards.reader import open_shards

ROUNDS = int(os.environ.get("FAULT_ROUNDS", "0"))
"""How often each command is ended by each signal; 0 is once, and only commands that start quickly."""

SEED = os.environ.get("FAULT_SEED", "")
"""Decides the moments: `make fuzz` tries others each time, and the names of the tests tell them."""

PRECIOUS = "what was there before\n"

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="processes are looked for in /proc")


@dataclass(frozen=True)
class Writing:
    """A command that writes.

    Attributes
    ----------
    words : list of str
        Its arguments; IN is a graph of 34 nodes, and OUT the folder to write to.
    files : dict of name to callable
        What it writes, and whether that is complete.
    seconds : float
        About how long it takes.
    needs : list of str
        Packages without which there is no such command.
    quick : bool
        Whether `make test` tries it.
    """

    words: str
    files: dict
    seconds: float
    needs: list = field(default_factory=list)
    quick: bool = True


def is_csv(path):
    return len(path.read_text().splitlines()) == 35


def is_graph(path):
    return read_graph(path).n_nodes == 34


def is_embedding(path):
    return len(Embedding.load(path)) == 34


def is_png(path):
    return path.read_bytes().endswith(b"IEND\xaeB`\x82")


def ends_as(text):
    return lambda path: path.read_text().rstrip().endswith(text)


def is_folder_of_shards(path):
    return open_shards(path).graph().n_nodes == 34


def are_runs(path):
    return "earlier" in {run.dataset for run in Records(path)}


def is_report(path):
    return path.read_text().startswith("#") and path.read_text().endswith("\n")


COMMANDS = {
    "layout": Writing(
        "layout IN -o OUT/a.csv -o OUT/b.gexf -o OUT/c.npz -o OUT/d.png -o OUT/e.html",
        {"a.csv": is_csv, "b.gexf": is_graph, "c.npz": is_graph, "d.png": is_png, "e.html": ends_as("</html>")},
        1.5,
    ),
    "embed": Writing(
        "embed IN -o OUT/a.npz -o OUT/b.csv --dim 4 --epochs 20",
        {"a.npz": is_embedding, "b.csv": is_csv},
        3.0,
        ["torch"],
    ),
    "compare": Writing(
        "compare IN -o OUT/a.html -o OUT/b.svg --methods laplacian,graphne",
        {"a.html": ends_as("</html>"), "b.svg": ends_as("</svg>")},
        3.0,
    ),
    "bench": Writing(
        "bench --datasets IN --methods laplacian --runs 2 --out OUT",
        {"runs.csv": are_runs, "report.md": is_report},
        2.0,
    ),
    "prepare": Writing("prepare IN.csv -o OUT/shards", {"shards": is_folder_of_shards}, 1.0, ["duckdb", "pyarrow"]),
    "demo": Writing(
        "demo --out OUT",
        {"digits.png": is_png, "digits.gexf": lambda path: read_graph(path).n_nodes == 1797},
        4.0,
        ["sklearn"],
        quick=False,
    ),
    "layout on two devices": Writing(
        "layout IN -o OUT/a.csv --engine torch --devices 2", {"a.csv": is_csv}, 5.0, ["torch"], quick=False
    ),
    "embed on two devices": Writing(
        "embed IN -o OUT/a.npz --dim 4 --epochs 20 --devices 2", {"a.npz": is_embedding}, 6.0, ["torch"], quick=False
    ),
}
SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGKILL]


@pytest.fixture
def places(tmp_path):
    """Return a graph's name, the folder to write to and one for temporary files."""
    for name in ("out", "tmp"):
        (tmp_path / name).mkdir()
    G = nx.convert_node_labels_to_integers(nx.karate_club_graph())
    nx.write_graphml(G, tmp_path / "karate.graphml")
    lines = "".join(f"{u},{v}\n" for u, v in G.edges)
    (tmp_path / "karate.graphml.csv").write_text(f"source,target\n{lines}")
    return tmp_path / "karate.graphml", tmp_path / "out", tmp_path / "tmp"


def put_precious(command, out):
    """Put something where the command writes to, which only a complete file may replace."""
    for name in command.files:
        if name == "runs.csv":
            Records(out / name).add(
                Record(dataset="earlier", method="a", options="{}", dim=2, seed=0, classes="", sample="all")
            )
        elif name != "shards":
            (out / name).write_text(PRECIOUS)


def cases():
    for place, (name, command) in enumerate(COMMANDS.items()):
        for number in SIGNALS:
            for k in range(ROUNDS or int(command.quick)):
                writing = (place + SIGNALS.index(number) + k) % 2 == 0
                moment = Moment(f"{name} {number} {k}{SEED}", command.seconds, writing=writing)
                yield pytest.param(name, number, moment, id=f"{name}-{number.name}-{moment}")


@pytest.mark.parametrize(("name", "number", "moment"), list(cases()))
def test_a_command_ended_at_any_moment_leaves_nothing_half_written(places, name, number, moment):
    command = COMMANDS[name]
    for package in command.needs:
        pytest.importorskip(package)
    graph, out, temporary = places
    put_precious(command, out)
    words = command.words.replace("IN", str(graph)).replace("OUT", str(out)).split()
    ended = Interrupted(words, number, moment, out, temporary)

    assert ended.left_running == []
    for file, is_complete in command.files.items():
        path = out / file
        if file == "shards":
            assert not path.exists() or is_complete(path)
        else:
            assert (path.read_text(errors="replace") == PRECIOUS) or is_complete(path), file
    if number != signal.SIGKILL:
        assert "Traceback" not in ended.err
        assert "Exception ignored" not in ended.err
        assert ended.code in {0, 130 if number == signal.SIGINT else 128 + number}
    left = [*unfinished(out), *unfinished(temporary)]
    assert number == signal.SIGKILL or not left
    make_old(left)
    for folder in (out, temporary):
        with replace_when_complete(folder / "next"):
            pass
    assert [path for path in left if path.exists()] == []
    assert {path.name for path in out.iterdir()} - {*command.files, "next", "digits.html"} == set()
    assert [path.name for path in temporary.iterdir()] == ["next"]


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize("share", [0.3, 1.0])
def test_a_view_ended_at_any_moment_leaves_no_process(places, number, share):
    graph, out, temporary = places
    moment = Moment(f"view {number} {share}", 2 * share, writing=False)
    ended = Interrupted(["view", graph, "--no-browser", "--pace", "60"], number, moment, out, temporary)
    assert ended.left_running == []
    if number != signal.SIGKILL:
        assert ended.err == ""
        assert ended.code in ({0, 130} if number == signal.SIGINT else {128 + number})
    assert list(out.iterdir()) == list(temporary.iterdir()) == []


def test_folders_that_a_killed_process_left_are_removed_as_well(tmp_path):
    folder = unfinished_path(tmp_path)
    assert unfinished(tmp_path) == []
    gone = 2**22 + 1  # above the largest number of a process
    left = tmp_path / folder.name.replace(f"-{os.getpid()}-", f"-{gone}-")
    (left / "work").mkdir(parents=True)
    (left / "work" / "edges").write_text("half")
    unfinished_path(tmp_path)
    assert left.exists(), "it may be of another machine that shares the folder, where it is being written"
    make_old([left])
    unfinished_path(tmp_path)
    assert not left.exists()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_what_nohup_keeps_from_a_command_stays_away(places, number):
    """A signal that is ignored when the command begins does not end it."""
    graph, out, temporary = places
    before = signal.signal(number, signal.SIG_IGN)
    try:
        moment = Moment("nohup", 0.5, writing=False)
        ended = Interrupted(["layout", graph, "-o", out / "a.csv"], number, moment, out, temporary)
    finally:
        signal.signal(number, before)
    assert (ended.code, ended.err) == (0, "")
    assert is_csv(out / "a.csv")


SWALLOWS = """
import os, sys, threading, weakref
from types import SimpleNamespace
from graphne_viz.cli import entry

class Falls:
    pass

def main(_):
    def interrupt(*_):
        os.kill(os.getpid(), int(sys.argv[1]))

    if sys.argv[2] == "callback":
        fallen = Falls()
        weakref.finalize(fallen, interrupt)
        del fallen
    elif sys.argv[2] == "dropped":
        try:
            interrupt()
        except BaseException:
            pass
    else:
        try:
            interrupt()
        except BaseException:
            raise ImportError("circular, most likely") from None
    sys.stdout.write("went on")
    threading.Event().wait(60)

entry.command = SimpleNamespace(main=main)
sys.exit(entry.main())
"""


@pytest.mark.parametrize("number", SIGNALS[:2])
@pytest.mark.parametrize("way", ["callback", "dropped", "renamed"])
def test_what_a_signal_raises_ends_the_command_wherever_it_is_swallowed(number, way):
    if number == signal.SIGINT and way != "callback":
        pytest.skip("Ctrl-C may be answered otherwise, as by training, which writes what it has")
    command = [sys.executable, "-c", SWALLOWS, str(int(number)), way]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=30)
    assert (done.returncode, done.stderr) == (130 if number == signal.SIGINT else 128 + number, "")
    assert done.stdout == ("" if way == "renamed" else "went on"), "what is tried did not happen"


def test_windows_is_sent_signals_again_in_its_own_way(monkeypatch):
    sent = []
    monkeypatch.setattr(entry, "os", SimpleNamespace(name="nt"))
    monkeypatch.setattr(entry.signal, "raise_signal", sent.append)
    entry._send(signal.SIGINT)
    assert sent == [signal.SIGINT]
