"""Compiled loops where their folder is full, damaged or missing."""

from __future__ import annotations

import errno
import os
import subprocess
import sys

import pytest
from numba import config
from numba.core.caching import CompileResultCacheImpl, IndexDataCacheFile

from graphne_viz import _compiled

NOT_KEPT = "compiled code cannot be kept ({}); set NUMBA_CACHE_DIR to a writable folder"


def loop(x):
    return x + 1


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Return an empty folder for compiled code, with nothing remembered of other tests."""
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(_compiled, "_KEPT", _compiled._Kept())
    return tmp_path / "cache"


def compile_anew():
    """Compile or load the loop, as a new process would; returns whether it was found on disk."""
    made = _compiled.compiled()(loop)
    assert made(1) == 2
    return bool(sum(made.stats.cache_hits.values()))


def test_what_was_compiled_is_found_again(caplog):
    assert not compile_anew()
    assert _compiled.times_compiled() == 1
    assert compile_anew()
    assert _compiled.times_compiled() == 1
    assert _compiled.are_kept()
    assert not caplog.records


@pytest.mark.parametrize("ending", ["nbi", "nbc"])
@pytest.mark.parametrize("content", [b"", b"not a pickle"])
def test_damaged_files_are_replaced(folder, caplog, ending, content):
    compile_anew()
    for path in folder.rglob(f"*.{ending}"):
        path.write_bytes(content)
    assert not compile_anew()
    assert [record.getMessage()[:30] for record in caplog.records] == ["compiled code cannot be kept ("]
    assert compile_anew(), "mended"


def test_a_full_disk_costs_only_time(monkeypatch, caplog):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(IndexDataCacheFile, "save", full)
    assert not compile_anew()
    assert not compile_anew()
    assert not _compiled.are_kept()
    told = NOT_KEPT.format("OSError: [Errno 28] No space left on device")
    assert [record.getMessage() for record in caplog.records] == [told]


def test_no_writable_folder_costs_only_time(monkeypatch, caplog):
    monkeypatch.setattr(CompileResultCacheImpl, "_locator_classes", [])
    assert not compile_anew()
    assert not compile_anew()
    assert [record.getMessage() for record in caplog.records] == [NOT_KEPT.format("no folder is writable")]


def test_layouts_run_without_compiling():
    code = """
import networkx as nx, numpy as np
from graphne_viz import graphne_layout
G = nx.path_graph(140)
print(np.isfinite(list(graphne_layout(G, n_iter=2, early_exaggeration_iter=1, n_jobs=1).values())).all())
"""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("True\n", "")
