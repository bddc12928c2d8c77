"""Statistics computed in a process of their own.

igraph keeps Python's lock while it computes: a thread beside the kernel would stop it all the same, for seconds and
more. Graph and result travel as npz, without pickle.
"""

from __future__ import annotations

import ctypes
import io
import os
import signal
import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from graphne_viz._lazy import import_without, lazy_import
from graphne_viz.graphs.edge_table import EdgeTable
from graphne_viz.graphs.graph import Graph
from graphne_viz.graphs.statistics import STATISTICS, compute, named

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray
    from scipy import sparse

    from graphne_viz.graphs.statistics import Statistic
else:
    sparse = lazy_import("scipy.sparse")

QUICK = 2_000
"""Nodes and edges up to which everything takes less time than a process needs to begin."""

_QUICKEST = {"degree", "weighted degree", "part"}
_LOOK = 0.1  # seconds between two looks whether anybody still waits
_NICENESS = 10
_SET_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG


class StatisticCancelledError(RuntimeError):
    """The result is no longer needed."""


def compute_in_subprocess(graph: Graph, name: str, *, wanted: Callable[[], bool]) -> Statistic:
    """Compute what `graphne_viz.graphs.statistics.compute` does, and let other threads run meanwhile.

    Parameters
    ----------
    graph : Graph
    name : str
        One of `STATISTICS`.
    wanted : callable
        Asked now and then; the process is ended when it returns False.

    Returns
    -------
    Statistic

    Raises
    ------
    StatisticCancelledError
        If `wanted` returned False before it was done.
    RuntimeError
        If the process failed; with its last words.
    """
    if name in _QUICKEST or graph.n_nodes + graph.n_edges <= QUICK:
        return compute(graph, name)
    try:
        process = _begin(name)
    except OSError:  # where there can be no process it is computed here, which is merely less smooth
        return compute(graph, name)
    matrix = graph.adjacency
    arrays: dict[str, Any] = {"data": matrix.data, "indices": matrix.indices, "indptr": matrix.indptr}
    if graph.directed:
        arrays |= {"ends": graph.links.ends, "weights": graph.links.weights, "mixed": graph.links.has_direction}
    sent = _packed(arrays)
    with process:
        # By hand: `communicate` forgets what it has not sent yet when its time is over.
        with suppress(BrokenPipeError), process.stdin or io.BytesIO() as pipe:
            pipe.write(sent)
        process.stdin = None
        while True:
            try:
                answer, errors = process.communicate(timeout=_LOOK)
                break
            except subprocess.TimeoutExpired:
                if not wanted():
                    process.kill()
                    raise StatisticCancelledError(f"computing {name} was cancelled") from None
    if process.returncode:
        words = errors.decode(errors="replace").strip().splitlines() or [f"exit code {process.returncode}"]
        raise RuntimeError(f"{name} could not be computed: {words[-1]}")
    found = _unpacked(answer)
    return named(name, found["values"], str(found["note"]))


def _begin(name: str) -> subprocess.Popen[bytes]:
    if not sys.executable:
        raise FileNotFoundError("no Python interpreter was found")
    command = [sys.executable, "-m", __name__, name]
    # It shall find what was found here, however it was found.
    surroundings = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    return subprocess.Popen(  # noqa: S603 -- no shell
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=surroundings,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )


def _packed(arrays: Mapping[str, Any]) -> bytes:
    written = io.BytesIO()
    np.savez(written, **arrays)
    return written.getvalue()


def _unpacked(data: bytes) -> dict[str, NDArray[Any]]:
    with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
        return dict(arrays)


def _end_with_parent() -> None:
    """Let Linux end this process with the one that asked, however that ends: a thread could not, beside igraph."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_SET_DEATH_SIGNAL, signal.SIGKILL)


def _main(name: str) -> None:
    """Read a graph from the standard input, and write a statistic of it to the standard output."""
    _end_with_parent()
    import_without("igraph", "matplotlib")  # which nobody needs here, and takes longer than most statistics
    with suppress(AttributeError, OSError):  # Windows has no such thing, a sandbox may not allow it
        os.nice(_NICENESS)
    sent = _unpacked(sys.stdin.buffer.read())
    n = len(sent["indptr"]) - 1
    links = EdgeTable(sent["ends"], sent["weights"], {}, directed=True, mixed=sent["mixed"]) if "ends" in sent else None
    adjacency = sparse.csr_array((sent["data"], sent["indices"], sent["indptr"]), shape=(n, n))
    graph = Graph(adjacency, range(n), edge_table=links)
    found = compute(graph, name)
    sys.stdout.buffer.write(_packed({"values": found.values, "note": np.array(found.note)}))


if __name__ == "__main__" and len(sys.argv) == 2 and sys.argv[1] in STATISTICS:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who interrupts a cell does not mean this
    _main(sys.argv[1])
