"""What goes wrong around the package: full disks, clocks that jump, processes and threads beside each other."""

import errno
import http.client
import multiprocessing
import os
import re
import subprocess
import sys
import threading
import time
import weakref
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import networkx as nx
import numpy as np
import pytest
import tqdm.std
from runs import until

from graphne_viz import graphne_layout
from graphne_viz.cli import main
from graphne_viz.viewer.server import ViewServer
from graphne_viz.viewer.session.opening import open_session

PACKAGE = Path(__file__).parents[1] / "graphne_viz"
PRECIOUS = "what was there before\n"


@pytest.fixture
def karate(tmp_path):
    G = nx.convert_node_labels_to_integers(nx.karate_club_graph())
    nx.write_graphml(G, tmp_path / "karate.graphml")
    lines = "".join(f"{u},{v}\n" for u, v in G.edges)
    (tmp_path / "karate.csv").write_text(f"source,target\n{lines}")
    return tmp_path / "karate.graphml"


@contextmanager
def full_disk():
    """Let no file grow beyond some bytes, which a program sees as it sees a full disk: writing fails."""
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (64, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


WRITING = {
    "layout": (["layout", "IN", "-o"], ["a.csv", "a.csv.gz", "a.gexf", "a.graphml", "a.json", "a.npz"]),
    "pictures": (["layout", "IN", "-o"], ["a.png", "a.svg", "a.pdf", "a.html"]),
    "embed": (["embed", "IN", "--dim", "4", "--epochs", "1", "-o"], ["a.npz", "a.csv", "a.txt", "a.parquet"]),
    "compare": (["compare", "IN", "--methods", "laplacian", "-o"], ["a.html", "a.png", "a.csv"]),
}
NEEDED = {"embed": ["torch", "pyarrow"]}


@pytest.mark.parametrize("name", WRITING)
def test_a_full_disk_is_named_with_every_file_and_costs_none(karate, tmp_path, capsys, name):
    for package in NEEDED.get(name, []):
        pytest.importorskip(package)
    words, files = WRITING[name]
    (tmp_path / "out").mkdir()
    paths = [tmp_path / "out" / file for file in files]
    for path in paths:
        path.write_text(PRECIOUS)
    command = [str(karate) if word == "IN" else word for word in words[:-1]]
    for path in paths:
        command += ["-o", str(path)]
    with full_disk():
        assert main([*command, "--quiet"]) == 2
    said = capsys.readouterr().err
    for path in paths:
        assert re.search(rf"{re.escape(str(path))} could not be written: [^;]*{os.strerror(errno.EFBIG)}", said)
        assert path.read_text() == PRECIOUS
    assert said.count("\n") == 1
    assert sorted((tmp_path / "out").iterdir()) == sorted(paths)


def test_a_full_disk_stops_a_benchmark_in_one_sentence(karate, tmp_path, capsys):
    command = [
        "bench",
        "--datasets",
        str(karate),
        "--methods",
        "laplacian",
        "--runs",
        "1",
        "--out",
        str(tmp_path / "o"),
    ]
    with full_disk():
        assert main(command) == 2
    assert capsys.readouterr().err == f"graphne: {tmp_path / 'o' / 'runs.csv'}: {os.strerror(errno.EFBIG)}\n"
    assert main([*command, "--quiet"]) == 0
    kept = (tmp_path / "o" / "runs.csv").read_text()
    with full_disk():
        assert main([*command, "--quiet"]) == 2
    assert (tmp_path / "o" / "runs.csv").read_text() == kept
    assert sorted(path.name for path in (tmp_path / "o").iterdir()) == ["report.md", "runs.csv"]


def test_a_full_disk_leaves_no_shards(karate, tmp_path, capsys):
    pytest.importorskip("duckdb")
    pytest.importorskip("pyarrow")
    before = sorted(tmp_path.iterdir())
    with full_disk():
        assert main(["prepare", str(karate.with_suffix(".csv")), "-o", str(tmp_path / "shards")]) == 2
    said = capsys.readouterr().err
    assert said == f"graphne: {tmp_path / 'shards'} could not be written: {os.strerror(errno.EFBIG)}\n"
    assert sorted(tmp_path.iterdir()) == before


def layout_bytes(seed):
    """Lay out a graph that needs compiled loops; sent to other processes, so it stands here."""
    return graphne_layout(np.array(nx.random_regular_graph(3, 200, seed=1).edges), n_iter=60, seed=seed).tobytes()


def test_ten_threads_at_once_give_the_bytes_of_one_alone():
    before = threading.active_count()
    alone = [layout_bytes(seed) for seed in range(2)]
    with ThreadPoolExecutor(10) as pool:
        found = list(pool.map(layout_bytes, [k % 2 for k in range(10)]))
    assert found == alone * 5
    assert threading.active_count() == before


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")  # what is being tried
@pytest.mark.parametrize("way", ["fork", "spawn"])
def test_processes_begun_in_either_way_give_the_same_bytes(way):
    if way not in multiprocessing.get_all_start_methods():
        pytest.skip(f"this system has no {way}")
    here = layout_bytes(0)  # threads and compiled loops are there before the others begin
    with multiprocessing.get_context(way).Pool(2) as pool:
        assert pool.map_async(layout_bytes, [0, 0]).get(timeout=120) == [here, here]
    assert layout_bytes(0) == here


COMPARES = """
import sys, numpy as np, networkx as nx
from graphne_viz import _compiled, graphne_layout
for G in (nx.random_regular_graph(3, 200, seed=1), nx.path_graph(3_000)):
    print(graphne_layout(np.array(G.edges), n_iter=60, seed=0).tobytes().hex(), file=sys.stderr)
print(_compiled.times_compiled() > 0)
"""


def test_the_process_that_compiles_the_loops_gives_the_bytes_of_those_that_load_them(tmp_path):
    """The code of a loop that another one calls is rounded in the same order wherever it came from."""
    surroundings = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", COMPARES]
    first, second = (
        subprocess.run(command, env=surroundings, capture_output=True, text=True, check=True) for _ in range(2)
    )
    assert (first.stdout, second.stdout) == ("True\n", "False\n")
    assert first.stderr == second.stderr


COMPILES = """
import sys
from graphne_viz import _compiled

def loop(x):
    return x + 1

sys.stdin.readline()
made = _compiled.compiled()(loop)
print(made(1), _compiled.are_kept())
"""


def compiling(tmp_path, count, **surroundings):
    """Let processes compile the same loop at once; what each says, and the warnings."""
    (tmp_path / "compiles.py").write_text(COMPILES)
    environment = {**os.environ, **surroundings, "PYTHONPATH": os.pathsep.join([str(PACKAGE.parent), *sys.path])}
    begun = [
        subprocess.Popen(
            [sys.executable, tmp_path / "compiles.py"],
            env={name: value for name, value in environment.items() if value is not None},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(count)
    ]
    for process in begun:
        process.stdin.write("\n")
        process.stdin.flush()
    return [process.communicate(timeout=120) for process in begun]


def test_processes_that_compile_at_once_with_an_empty_cache_both_succeed(tmp_path):
    cache = str(tmp_path / "cache")
    assert compiling(tmp_path, 2, NUMBA_CACHE_DIR=cache) == [("2 True\n", "")] * 2
    assert compiling(tmp_path, 1, NUMBA_CACHE_DIR=cache) == [("2 True\n", "")]


def test_where_no_cache_can_be_written_that_costs_time_only(tmp_path):
    (tmp_path / "__pycache__").touch()  # beside the file is where numba looks next, then in the user's folder
    nowhere = str(tmp_path / "__pycache__" / "cache")
    [(out, err)] = compiling(tmp_path, 1, NUMBA_CACHE_DIR=nowhere, XDG_CACHE_HOME=nowhere, HOME=nowhere)
    assert out == "2 False\n"
    assert re.fullmatch(r"compiled code cannot be kept \(.*\); set NUMBA_CACHE_DIR to a writable folder\n", err)


@pytest.mark.skipif(os.name != "posix", reason="other systems have no HOME")
def test_a_command_needs_no_home(karate, tmp_path):
    left_out = {"HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "MPLCONFIGDIR"}
    environment = {name: value for name, value in os.environ.items() if name not in left_out}
    command = [sys.executable, "-m", "graphne_viz.cli", "layout", karate.name, "-o", "a.csv", "-o", "b.png", "--quiet"]
    for home in ({}, {"HOME": "/nonexistent"}):
        done = subprocess.run(
            command, cwd=tmp_path, env=environment | home, capture_output=True, text=True, check=False, timeout=120
        )
        assert (done.returncode, done.stdout) == (0, ""), done.stderr
        assert "Traceback" not in done.stderr
        assert len((tmp_path / "a.csv").read_text().splitlines()) == 35


def test_only_the_age_of_files_is_told_by_the_clock_of_the_day():
    """Everything else waits by a clock that a sleeping laptop or a corrected time does not move."""
    uses = [
        path.name for path in PACKAGE.rglob("*.py") if re.search(r"\btime\.time\(|datetime.*now\(", path.read_text())
    ]
    assert uses == ["_atomic.py"]


@pytest.fixture
def jumping_clock(monkeypatch):
    """Let the clock of the day leap by years, forth and back, each time it is looked at."""
    leaps = [0.0, 1e9, -1e9, 1e-3, -3_600.0, 3_600.0]
    now, looked = time.time(), []

    def jump():
        looked.append(1)
        return now + leaps[len(looked) % len(leaps)]

    monkeypatch.setattr(time, "time", jump)
    monkeypatch.setattr(tqdm.std, "time", jump)  # which has looked the clock up before
    return looked


class Browser:
    """Shows a session: acknowledges every frame, as a page does."""

    def __init__(self, session):
        self.session, self.frames = weakref.ref(session), 0
        session.subscribe(self)
        session.handle({"kind": "command", "name": "ready", "id": "c0"})

    def publish(self, changes):
        pass

    def announce(self, changes):
        pass

    def send(self, content, _):
        if content["kind"] == "frame":
            self.frames += 1
            self.session().handle({"kind": "ack", "seq": content["seq"]})


def test_a_clock_that_jumps_stalls_neither_a_run_nor_its_frames(jumping_clock):
    G = nx.karate_club_graph()
    graphne_layout(G, n_iter=50, progress=True)
    assert jumping_clock, "the bar has looked"
    session = open_session(G, n_iter=200, pace=1)
    try:
        browser = Browser(session)
        session.start()
        until(lambda: session.run.state == "finished", seconds=30)
        until(lambda: browser.frames > 10, seconds=30)
    finally:
        session.close()


def test_a_clock_that_jumps_ends_no_connection(jumping_clock):
    G = nx.karate_club_graph()
    server = ViewServer(open_session(G, nx.circular_layout(G)), title="clock")
    try:
        place = urlsplit(server.url)
        connection = http.client.HTTPConnection(place.hostname, place.port, timeout=30)
        for _ in range(5):  # of one connection that stays open
            connection.request("GET", f"/{server.http.place}/", headers={"Cookie": f"graphne={server.http.token}"})
            answer = connection.getresponse()
            assert (answer.status, b"graphne-view" in answer.read()) == (200, True)
        connection.close()
    finally:
        server.close()
    assert jumping_clock, "the server tells the date"
