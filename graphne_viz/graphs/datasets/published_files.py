"""Graphs in the files that their authors published, read without pickle and without unpacking to disk."""

from __future__ import annotations

import gzip
import struct
import tarfile
import zipfile
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from graphne_viz._lazy import lazy_import

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray
    from scipy.sparse import csgraph
    from sklearn import neighbors as sklearn_neighbors
else:
    sklearn_neighbors = lazy_import("sklearn.neighbors")
    csgraph = lazy_import("scipy.sparse.csgraph")

_N_NEIGHBORS, _N_COMPONENTS = 15, 50
_IMAGES, _LABELS = 2051, 2049


class Raw(NamedTuple):
    """A graph as published.

    Attributes
    ----------
    n_nodes : int
    ends : ndarray of int64, shape (E, 2)
        Nodes that are joined, in any direction; an edge may be there twice, and join a node to itself.
    classes : list of str or None, length n_nodes
    numbers : mapping of str to ndarray of shape (n_nodes,)
        Further attributes.
    """

    n_nodes: int
    ends: NDArray[np.int64]
    classes: Sequence[str | None]
    numbers: Mapping[str, NDArray[Any]] = {}


def read_cites(paths: Sequence[Path]) -> Raw:
    """Read Cora or Citeseer as LINQS publishes them: a line of words and class for each paper, and pairs of papers.

    Papers that are cited but not described have no class.
    """
    with tarfile.open(paths[0]) as archive:
        content, cites = (_lines(archive, ending) for ending in (".content", ".cites"))
    classes: dict[str, str | None] = {line[0]: line[-1] for line in content}
    for pair in cites:
        for paper in pair:
            classes.setdefault(paper, None)
    return _named(classes, cites)


def read_tabs(paths: Sequence[Path]) -> Raw:
    """Read PubMed as LINQS publishes it: tables with two lines of head."""
    with tarfile.open(paths[0]) as archive:
        papers, cites = (_lines(archive, ending) for ending in ("NODE.paper.tab", "DIRECTED.cites.tab"))
    classes: dict[str, str | None] = {line[0]: line[1].removeprefix("label=") for line in papers[2:]}
    return _named(classes, [[end.removeprefix("paper:") for end in (line[1], line[3])] for line in cites[2:]])


def _lines(archive: tarfile.TarFile, ending: str) -> list[list[str]]:
    """Return the fields of each line of the one file in an archive whose name ends so."""
    for member in archive.getmembers():
        if member.isfile() and member.name.endswith(ending) and not member.name.rpartition("/")[2].startswith("._"):
            stream = archive.extractfile(member)
            if stream is not None:
                text = stream.read().decode("utf-8", "replace")
                return [line.split() for line in text.splitlines() if line.strip()]
    raise ValueError(f"{archive.name!r} has no file that ends in {ending}")


def _named(classes: Mapping[str, str | None], pairs: Sequence[Sequence[str]]) -> Raw:
    place = {name: number for number, name in enumerate(classes)}
    ends = np.array([[place[source], place[target]] for source, target in pairs], dtype=np.int64)
    return Raw(len(place), ends, list(classes.values()))


def read_benchmark(paths: Sequence[Path]) -> Raw:
    """Read Photo or Computer as in the GNN benchmark of Shchur et al.: a csr matrix and classes in an npz file."""
    with np.load(paths[0], allow_pickle=False) as file:
        indptr, indices, labels = (file[name] for name in ("adj_indptr", "adj_indices", "labels"))
        try:
            names = [str(name) for name in file["class_names"]]
        except (KeyError, ValueError):  # not there, or pickled
            names = []
    n = len(indptr) - 1
    ends = np.column_stack([np.repeat(np.arange(n), np.diff(indptr)), indices]).astype(np.int64)
    return Raw(n, ends, [names[label] if names else str(label) for label in labels.tolist()])


def read_ogb(paths: Sequence[Path]) -> Raw:
    """Read arXiv, or the papers of MAG with who cites whom, from an archive of the Open Graph Benchmark."""
    with zipfile.ZipFile(paths[0]) as archive:
        papers = "paper___cites___paper/edge.csv.gz"
        of_many = any(name.endswith(papers) for name in archive.namelist())
        ends = _table(archive, papers if of_many else "raw/edge.csv.gz")
        labels = _table(archive, "node-label/paper/node-label.csv.gz" if of_many else "raw/node-label.csv.gz")[:, 0]
        numbers = {} if of_many else {"year": _table(archive, "raw/node_year.csv.gz")[:, 0]}
        names = _categories(archive)
    return Raw(len(labels), ends, [names.get(label, str(label)) for label in labels.tolist()], numbers)


def _categories(archive: zipfile.ZipFile) -> dict[int, str]:
    """Return the names of arXiv's categories by number, where the archive has them: "cs.LG" is written "cs lg"."""
    for name in archive.namelist():
        if name.endswith("mapping/labelidx2arxivcategeory.csv.gz"):  # sic
            with archive.open(name) as packed, gzip.open(packed, "rt") as text:
                rows = [line.strip().partition(",") for line in text][1:]
            return {int(number): category.removeprefix("arxiv ") for number, _, category in rows if category}
    return {}


def _table(archive: zipfile.ZipFile, ending: str) -> NDArray[np.int64]:
    """Return a table of whole numbers, shape (rows, columns), from the one file whose name ends so."""
    for name in archive.namelist():
        if name.endswith(ending):
            with archive.open(name) as packed, gzip.open(packed, "rt") as text:
                return np.loadtxt(text, delimiter=",", dtype=np.int64, ndmin=2)
    raise ValueError(f"{archive.filename} has no file that ends in {ending}")


def read_mnist(paths: Sequence[Path]) -> Raw:
    """Read images and classes of MNIST, for training and then for testing, and join each image to its 15 nearest.

    Near is meant among the first 50 principal components, as in the paper, but exactly: the paper's approximate search
    gave it 0.1 % more edges.
    """
    images = np.concatenate([_idx(path, _IMAGES) for path in paths[::2]])
    classes = np.concatenate([_idx(path, _LABELS) for path in paths[1::2]])
    return Raw(len(images), nearest_neighbors(images.reshape(len(images), -1)), [str(label) for label in classes])


def _idx(path: Path, magic: int) -> NDArray[np.uint8]:
    """Return an array from one of LeCun's files: a magic number, the shape, then bytes."""
    data = gzip.decompress(path.read_bytes())
    axes = magic & 0xFF
    found, *shape = struct.unpack_from(f">{1 + axes}I", data)
    if found != magic:
        raise ValueError(f"{path} begins with {found}; it should be {magic}")
    return np.frombuffer(data, dtype=np.uint8, offset=4 * (1 + axes)).reshape(shape)


def nearest_neighbors(
    vectors: NDArray[Any], k: int = _N_NEIGHBORS, components: int = _N_COMPONENTS
) -> NDArray[np.int64]:
    """Join each vector to its nearest among the first principal components.

    Parameters
    ----------
    vectors : ndarray, shape (n, d)
    k : int, default 15
    components : int, default 50

    Returns
    -------
    ndarray of int64, shape (n * k, 2)
        A vector and one of its nearest; of two that are each other's, both directions are there.
    """
    centred = vectors.astype(np.float32)
    centred -= centred.mean(axis=0)
    _, directions = np.linalg.eigh((centred.T @ centred).astype(np.float64))  # ascending
    reduced = centred @ directions[:, : -components - 1 : -1].astype(np.float32)
    nearest = (
        sklearn_neighbors.NearestNeighbors(n_neighbors=k, algorithm="brute")
        .fit(reduced)
        .kneighbors(return_distance=False)
    )
    return np.column_stack([np.repeat(np.arange(len(vectors)), k), nearest.ravel()]).astype(np.int64)


def tidy(raw: Raw) -> dict[str, NDArray[Any]]:
    """Keep the largest connected part, each edge once, without self-loops.

    Parameters
    ----------
    raw : Raw

    Returns
    -------
    dict of str to ndarray
        What `read_graph` reads from an npz file: ``edges`` of shape (E, 2) with i < j, ``labels`` (-1 for no class),
        ``label_names``, and the further attributes.
    """
    n = raw.n_nodes
    ends = np.sort(raw.ends[raw.ends[:, 0] != raw.ends[:, 1]], axis=1)
    codes = np.unique(ends @ np.array([n, 1]))
    source, target = np.divmod(codes, n)
    _, part = csgraph.connected_components(
        sp.coo_array((np.ones(len(codes)), (source, target)), shape=(n, n)), directed=False
    )
    inside = part == np.bincount(part).argmax()
    place = np.cumsum(inside) - 1
    kept = inside[source]
    names = sorted({name for name in raw.classes if name is not None})
    code = {name: number for number, name in enumerate(names)}
    labels = np.array([-1 if name is None else code[name] for name in raw.classes], dtype=np.int32)
    return {
        "edges": np.column_stack([place[source[kept]], place[target[kept]]]).astype(np.int32),
        "labels": labels[inside],
        "label_names": np.array(names),
        **{name: values[inside] for name, values in raw.numbers.items()},
    }
