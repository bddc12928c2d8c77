"""Statistics that another process computes."""

import subprocess
import sys
from types import SimpleNamespace

import networkx as nx
import numpy as np
import pytest

from graphne_viz.graphs import statistics_process
from graphne_viz.graphs.convert.api import as_graph
from graphne_viz.graphs.statistics import compute
from graphne_viz.graphs.statistics_process import StatisticCancelledError, compute_in_subprocess


@pytest.fixture
def large():
    G = nx.barabasi_albert_graph(900, 3, seed=1)
    nx.set_edge_attributes(G, {edge: 1 + sum(edge) % 5 for edge in G.edges}, "weight")
    graph = as_graph(G)
    assert graph.n_nodes + graph.n_edges > statistics_process.QUICK
    return graph


def always():
    return True


@pytest.mark.parametrize("name", ["communities", "pagerank", "pagerank along directions"])
def test_another_process_finds_the_same(large, name):
    if name.endswith("directions"):
        name = "pagerank"
        large = as_graph(nx.scale_free_graph(900, seed=1))
        assert large.directed
    found, expected = compute_in_subprocess(large, name, wanted=always), compute(large, name)
    np.testing.assert_array_equal(found.values, expected.values)
    assert (found.name, found.kind, found.note) == (expected.name, expected.kind, expected.note)
    assert not found.values.flags.writeable


def process(monkeypatch, code):
    """Start another program than ours; returns where it can be looked at."""
    pipe, begun = subprocess.PIPE, []

    def begin(_name):
        begun.append(subprocess.Popen([sys.executable, "-c", code], stdin=pipe, stdout=pipe, stderr=pipe))
        return begun[0]

    monkeypatch.setattr(statistics_process, "_begin", begin)
    return begun


def test_what_is_not_wanted_any_more_is_given_up(large, monkeypatch):
    begun = process(monkeypatch, "import sys, time; sys.stdin.buffer.read(); time.sleep(600)")
    with pytest.raises(StatisticCancelledError, match="computing betweenness was cancelled"):
        compute_in_subprocess(large, "betweenness", wanted=lambda: False)
    assert begun[0].returncode, "it was ended"


def test_the_last_words_of_a_process_that_failed_are_told(large, monkeypatch):
    process(monkeypatch, "raise MemoryError('no room')")
    with pytest.raises(RuntimeError, match="k-core could not be computed: MemoryError: no room"):
        compute_in_subprocess(large, "k-core", wanted=always)


def test_small_graphs_and_where_nothing_can_be_started_it_is_computed_here(large, monkeypatch):
    monkeypatch.setattr(sys, "executable", "")
    assert compute_in_subprocess(large, "k-core", wanted=always).values.max() == 3

    def begin(_name):
        raise AssertionError("no process is needed for so little")

    monkeypatch.setattr(statistics_process, "_begin", begin)
    club = as_graph(nx.karate_club_graph())
    assert compute_in_subprocess(club, "betweenness", wanted=always).values.argmax() == 0


@pytest.mark.parametrize("system", ["darwin", "win32"])
def test_no_other_system_is_asked_for_what_only_linux_has(monkeypatch, system):
    monkeypatch.setattr(statistics_process, "sys", SimpleNamespace(platform=system))
    monkeypatch.setattr(statistics_process, "ctypes", None)
    statistics_process._end_with_parent()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a process with its parent")
def test_the_process_ends_with_the_one_that_asked():
    """However that ends: it cannot be told, and igraph lets no thread look."""
    child = "import time; from graphne_viz.graphs.statistics_process import _end_with_parent as end; "
    child += "end(); print('ready', flush=True); time.sleep(600)"
    parent = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
    asking = subprocess.Popen([sys.executable, "-c", parent], stdout=subprocess.PIPE)
    try:
        assert asking.stdout.readline() == b"ready\n"
    finally:
        asking.kill()
    assert asking.communicate(timeout=60)[0] == b""  # the child had the same pipe
