"""Graphs to try things on: one that comes with the package, and those of the paper."""

from __future__ import annotations

import errno
import logging
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from graphne_viz._atomic import replace_when_complete
from graphne_viz._lazy import lazy_import
from graphne_viz.graphs.attributes import as_column
from graphne_viz.graphs.convert.arrays import from_matrix
from graphne_viz.graphs.datasets.catalogue import CATALOGUE
from graphne_viz.graphs.datasets.download import fetch, forget
from graphne_viz.graphs.datasets.published_files import tidy
from graphne_viz.graphs.graph import Graph
from graphne_viz.graphs.io.files import read_graph

if TYPE_CHECKING:
    import pooch
    from sklearn import datasets as sklearn_datasets
    from sklearn import neighbors as sklearn_neighbors

    from graphne_viz.graphs.datasets.catalogue import Entry
else:
    pooch = lazy_import("pooch", needs="the graphs of the paper are downloaded with pooch: pip install pooch")
    sklearn_datasets = lazy_import("sklearn.datasets")
    sklearn_neighbors = lazy_import("sklearn.neighbors")

log = logging.getLogger(__name__)

__all__ = ["CLASS", "NAMES", "digits", "is_here", "is_known", "load"]

NAMES = tuple(CATALOGUE)
"""The graphs of the paper, by the names that `load` knows."""

CLASS = "class"
"""Node attribute with the class, in the graphs that have one."""

_FOLDER, _CACHE = "GRAPHNE_DATA", "GRAPHNE_CACHE"
_N_NEIGHBORS = 15


def digits() -> Graph:
    """Return scikit-learn's 1,797 handwritten digits as a graph of nearest neighbours.

    Two digits are joined if either is among the 15 nearest of the other; all edges count the same.

    Returns
    -------
    Graph
        Ids are 0 to 1796; the attribute "class" holds the digit as text, "0" to "9".
    """
    images, classes = sklearn_datasets.load_digits(return_X_y=True)
    nearest = sp.csr_array(
        sklearn_neighbors.kneighbors_graph(images, _N_NEIGHBORS, mode="connectivity", include_self=False)
    )
    union = from_matrix(nearest.maximum(nearest.T), weight=None)
    return Graph(union.adjacency, union.ids, {CLASS: as_column([str(label) for label in np.asarray(classes)])})


def load(name: str, *, progress: bool = True) -> Graph:
    """Return a graph of the paper, which is downloaded the first time.

    Parameters
    ----------
    name : str
        "citeseer", "cora", "pubmed", "photo", "computer", "mnist", "arxiv" or "mag"; also any npz file by its name
        without ending in the folder that the environment variable GRAPHNE_DATA names.
    progress : bool, default True
        Show a progress bar while something is downloaded.

    Returns
    -------
    Graph
        The largest connected part, without self-loops and weights; it has as many nodes and edges as the paper says.
        Ids count from 0. The attribute "class" holds the class as text, None where a node has none; arXiv has "year".

    Raises
    ------
    ValueError
        If no graph has this name, what was found is not the graph of the paper, or there is no folder for the cache.
    ConnectionError
        If the graph has to be downloaded and cannot be. What had come is kept, and the next call resumes there.
    ModuleNotFoundError
        If pooch, which downloads, is missing.

    Notes
    -----
    It is looked for in the folder GRAPHNE_DATA, then in the cache, which is where your system keeps such things or the
    folder GRAPHNE_CACHE. A damaged file in the cache is made again. MAG is a download of 0.4 GB; MNIST takes minutes to
    find the neighbours of each digit, once.
    """
    entry = CATALOGUE.get(_canonical(name))
    folder = os.environ.get(_FOLDER)
    if folder:
        path = Path(folder) / f"{entry.file if entry else name}.npz"
        if path.is_file():
            return _read(path, entry)
    if entry is None:
        where = f"an npz file in {folder}" if folder else f"an npz file in the folder that {_FOLDER} names"
        raise ValueError(f"unknown graph {name!r}; there are {', '.join(NAMES)}, or {where}")
    cache = _cache()
    path = cache / f"{entry.file}.npz"
    found = f"{entry.title} is neither in the folder {_FOLDER} nor in the cache"
    if path.is_file():
        try:
            return _read(path, entry)
        except (ValueError, RuntimeError) as error:  # by one wrong bit an npz file says that it is encrypted
            found = f"the cached copy of {entry.title} is damaged ({error})"
            log.warning("%s; making it again", found)
    try:
        _download(entry, cache, progress=progress)
    except ConnectionError as error:
        raise ConnectionError(f"{found}, and {error}") from error
    return _read(path, entry)


def is_known(name: str) -> bool:
    """Tell whether `load` knows a graph of this name."""
    folder = os.environ.get(_FOLDER)
    known = {*NAMES, *(entry.file for entry in CATALOGUE.values())}
    return name in known or bool(folder and Path(name).name == name and (Path(folder) / f"{name}.npz").is_file())


def is_here(name: str) -> bool:
    """Tell whether `load` finds a graph of this name without a download.

    Parameters
    ----------
    name : str
        As for `load`.

    Returns
    -------
    bool
    """
    entry = CATALOGUE.get(_canonical(name))
    file = f"{entry.file if entry else name}.npz"
    folder = os.environ.get(_FOLDER)
    if folder and (Path(folder) / file).is_file():
        return True
    try:
        return entry is not None and (_cache() / file).is_file()
    except ModuleNotFoundError:  # without what downloads, nothing has been downloaded
        return False


def _canonical(name: str) -> str:
    """Refuse anything but the name of a file, and know a graph also by the name of its file."""
    if not isinstance(name, str) or not name or Path(name).name != name:
        raise ValueError(f"name must be one of {', '.join(NAMES)}, got {name!r}")
    return next((known for known, entry in CATALOGUE.items() if entry.file == name), name)


def _cache() -> Path:
    """Return the folder for what was downloaded."""
    named = os.environ.get(_CACHE)
    if named:
        return Path(named)
    return Path(pooch.os_cache("graphne_viz"))


def _download(entry: Entry, cache: Path, *, progress: bool) -> None:
    """Make the graph of the published files, and put it where it is found next time."""
    raw = cache / "raw"
    _make(raw, cache)
    paths = [fetch(source, raw, progress=progress) for source in entry.sources]
    try:
        arrays = tidy(entry.read(paths))
        _check(entry, len(arrays["labels"]), len(arrays["edges"]), entry.sources[0].url)
    except Exception as error:
        unsure = [source for source in entry.sources if source.checksum is None]
        if not unsure:
            raise
        for source in unsure:
            forget(source, raw)  # or the same would be found the next time
        text = str(error).partition(":\n")[0]  # tarfile tells of each of its attempts
        raise ValueError(
            f"{entry.title} cannot be read from the download of {unsure[0].url} ({text}); it was deleted, and the next "
            "call downloads it again"
        ) from error
    with replace_when_complete(cache / f"{entry.file}.npz") as unfinished:
        np.savez_compressed(unfinished, **arrays)  # type: ignore[arg-type] # its stub takes them for allow_pickle


def _make(folder: Path, cache: Path) -> None:
    """Make a folder in the cache, or name the variable that gives another cache."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        why = None if os.access(folder, os.W_OK) else os.strerror(errno.EACCES)
    except OSError as error:
        why = error.strerror
    if why is not None and os.environ.get(_CACHE):
        raise ValueError(f"{_CACHE} must name a writable folder, got {str(cache)!r} ({why})")
    if why is not None:
        raise ValueError(f"the cache {cache} cannot be written to ({why}); set {_CACHE} to a writable folder")


def _read(path: Path, entry: Entry | None) -> Graph:
    """Read a graph, call its labels classes, and compare it with the paper's."""
    graph = read_graph(path, weight=None)
    if entry is not None:
        _check(entry, graph.n_nodes, graph.n_edges, str(path))
    attributes = {CLASS if name == "labels" else name: column for name, column in graph.attributes.items()}
    if CLASS in attributes:
        texts = [None if value is None else str(value) for value in attributes[CLASS].tolist()]
        attributes[CLASS] = as_column(texts)
    return replace(graph, attributes=attributes)


def _check(entry: Entry, nodes: int, edges: int, where: str) -> None:
    if nodes != entry.nodes or abs(2 * edges - entry.edges) > entry.slack * entry.edges:
        raise ValueError(
            f"{where} gives {nodes:,} nodes and {edges:,} edges, but the paper's {entry.title} has {entry.nodes:,} and "
            f"{entry.edges // 2:,}"
        )
