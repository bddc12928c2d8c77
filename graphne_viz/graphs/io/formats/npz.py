"""Reading and writing numpy's npz, without pickle in either direction."""

from __future__ import annotations

import json
import logging
import re
import zipfile
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from graphne_viz.graphs.adjacency import DEFAULT_WEIGHT, unknown_weight
from graphne_viz.graphs.attributes import as_column
from graphne_viz.graphs.convert.arrays import from_matrix, graph_from_edges
from graphne_viz.graphs.io.builder import FileProblem
from graphne_viz.graphs.io.laid_out import free_name, typed_values, unique_names
from graphne_viz.graphs.io.size_limit import CELL, DAMAGED, check_archive, limit_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping, Sequence
    from typing import BinaryIO

    from numpy.typing import NDArray

    from graphne_viz.graphs.build import Direction
    from graphne_viz.graphs.graph import Graph
    from graphne_viz.graphs.io.laid_out import LaidOut
    from graphne_viz.graphs.io.size_limit import SizeLimit

_LOG = logging.getLogger(__name__)

_OWN = ("edges", "weight", "directed", "ids", "positions", "colors", "sizes", "metadata", "labels", "label_names")
_OF_EDGES = "edge_"  # before the name of an array with a value for each edge
_MOST_TEXT = 1 << 28  # characters in one array of text, which is as wide as its longest entry
_UNSAFE = re.compile(r"[\x00-\x1f/\\:\ud800-\udfff]")


def read_npz(stream: BinaryIO, weight: str | None) -> Graph:
    """Read a matrix saved by ``scipy.sparse.save_npz``, or arrays by name.

    Then ``edges`` (E, 2) holds node indices and ``weight`` (E,) may hold weights; ``directed``, one truth value or
    (E,), says whether they have a direction, and arrays ``edge_...`` (E,) are their attributes. ``ids`` (n,) may name
    the nodes, ``positions`` (n, 2) gives the attributes "x" and "y" where there are none, and every other array of
    length n is an attribute; the integers in ``labels`` are replaced by what ``label_names`` has at that index.
    """
    limit = limit_of(stream)
    try:
        if zipfile.is_zipfile(stream):
            stream.seek(0)
            check_archive(stream, limit)
        stream.seek(0)
        archive = np.load(stream, allow_pickle=False)
        if not isinstance(archive, np.lib.npyio.NpzFile):
            raise FileProblem("not an npz archive")
        if {"format", "shape", "data"} <= set(archive.files):
            _check_nodes(archive["shape"], limit)
            return _read_sparse(stream, weight)
        arrays = {name: _checked(archive[name], name, limit) for name in archive.files}
    except DAMAGED as error:
        raise FileProblem(f"not a readable npz file: {error}") from None
    except ValueError as error:
        words = str(error).partition(". ")[0]  # the next sentence is advice to load it unsafely
        raise FileProblem(f"not a plain npz file, or one with pickled objects, which are never read: {words}") from None
    return _graph_from_arrays(arrays, weight, limit)


def _checked(array: NDArray[Any], name: str, limit: SizeLimit) -> NDArray[Any]:
    """Refuse more values than there may be: empty text takes no bytes in a file, however many there are."""
    if array.dtype.kind not in "biuf":
        limit.check(CELL * array.size, f"{array.size:,} values of {name!r}")
    return array


def _check_nodes(counts: NDArray[Any], limit: SizeLimit) -> None:
    """Refuse more nodes than there may be: a matrix without entries may claim any number."""
    n = max((int(count) for count in counts.reshape(-1)), default=0) if counts.dtype.kind in "iu" else 0
    limit.check(CELL * n, f"{n:,} nodes")


def _read_sparse(stream: BinaryIO, weight: str | None) -> Graph:
    if weight not in (None, DEFAULT_WEIGHT):
        raise FileProblem(f"weight={weight!r} names an edge attribute, but a matrix has none")
    stream.seek(0)
    matrix = sp.load_npz(stream)
    if hasattr(matrix, "check_format"):
        matrix.check_format(full_check=True)  # the file may claim any index; scipy's loops trust them
    return from_matrix(matrix, weight)


def _graph_from_arrays(arrays: Mapping[str, NDArray[Any]], weight: str | None, limit: SizeLimit) -> Graph:
    edges = arrays.get("edges")
    if edges is None or edges.ndim != 2 or edges.shape[1] != 2:
        raise FileProblem(
            "there must be an array 'edges' of shape (E, 2), or a matrix saved by scipy.sparse.save_npz; "
            f"there are {', '.join(f'{name} {array.shape}' for name, array in arrays.items()) or 'none'}"
        )
    weights = None if weight is None else arrays.get(weight)
    if weights is None and weight not in (None, DEFAULT_WEIGHT):
        raise FileProblem(str(unknown_weight(weight, arrays, "an array of the file")))
    edge_attributes = {
        name.removeprefix(_OF_EDGES): as_column(array)
        for name, array in arrays.items()
        if name.startswith(_OF_EDGES) and array.shape == (len(edges),) and name != weight
    }
    if edges.dtype.kind in "iu":
        _check_nodes(edges.max(initial=0, keepdims=True), limit)
    graph = graph_from_edges(
        edges,
        weights,
        _n_nodes(arrays, weight),
        direction=_direction(arrays.get("directed"), len(edges)),
        edge_attributes=edge_attributes,
    )
    n = graph.n_nodes
    ids: Sequence[Hashable] = graph.ids
    if "ids" in arrays and (arrays["ids"].shape != (n,) or len(np.unique(arrays["ids"])) < n):
        raise FileProblem(f"'ids' has shape {arrays['ids'].shape}; it must name each of {n} nodes once")
    if "ids" in arrays and not np.array_equal(arrays["ids"], np.arange(n)):
        ids = tuple(arrays["ids"].tolist())
    attributes = dict(_attributes(arrays, n, weight))
    places = {name: column for name, column in _places(arrays, n) if name not in attributes}
    return replace(graph, ids=ids, attributes=places | attributes, axes=frozenset(places))


def _direction(given: NDArray[Any] | None, n_edges: int) -> Direction | NDArray[np.bool_]:
    if given is None:
        return "listed"
    if given.dtype != np.bool_ or given.shape not in {(), (n_edges,)}:
        text = f"'directed' has shape {given.shape} and dtype {given.dtype}; it must be one truth value, or one an edge"
        raise FileProblem(text)
    return given if given.ndim else "directed" if given else "undirected"


def _n_nodes(arrays: Mapping[str, NDArray[Any]], weight: str | None) -> int | None:
    """Tell the number of nodes from the arrays that have one entry for each, if there are any."""
    for name in ("ids", "positions", "labels"):
        if name in arrays and arrays[name].ndim:
            return len(arrays[name])
    edges = arrays["edges"]
    least = int(edges.max(initial=-1)) + 1 if edges.dtype.kind in "iu" else len(edges) + 1
    others = (array for name, array in arrays.items() if name not in (*_OWN, weight) and not name.startswith(_OF_EDGES))
    lengths = {len(array) for array in others if array.ndim == 1}
    possible = [length for length in lengths if length == least or (length > least and length != len(edges))]
    return min(possible, default=None)


def _attributes(
    arrays: Mapping[str, NDArray[Any]], n: int, weight: str | None
) -> Iterable[tuple[str, NDArray[np.generic]]]:
    for name, array in arrays.items():
        if array.shape != (n,) or name in {*_OWN, weight} - {"labels"} or name.startswith(_OF_EDGES):
            continue
        yield name, as_column(_named(array, arrays.get("label_names")) if name == "labels" else array)


def _places(arrays: Mapping[str, NDArray[Any]], n: int) -> Iterable[tuple[str, NDArray[np.generic]]]:
    positions = arrays.get("positions")
    if positions is not None and positions.ndim == 2 and positions.shape[0] == n:
        yield from ((axis, as_column(column)) for axis, column in zip("xyz", positions.T, strict=False))


def _named(labels: NDArray[Any], names: NDArray[Any] | None) -> NDArray[Any] | list[object]:
    """Replace labels by their names; one outside of the list, such as -1, is a missing one."""
    if names is None or names.ndim != 1 or labels.dtype.kind not in "iu":
        return labels
    known = names.tolist()
    return [known[label] if 0 <= label < len(known) else None for label in labels.tolist()]


def write_npz(stream: BinaryIO, laid_out: LaidOut) -> None:
    """Write ``positions``, ``ids``, ``edges``, ``weight``, ``directed`` and one array per attribute.

    Arrays have no missing entries: a missing number becomes NaN, missing text empty.
    """
    graph, links = laid_out.graph, laid_out.links
    arrays: dict[str, NDArray[Any]] = {
        "positions": laid_out.positions,
        "ids": _ids(graph.ids),
        "edges": links.ends,
        "weight": links.weights,
        "directed": np.array(links.directed) if links.mixed is None else links.mixed,
        "metadata": np.array(json.dumps(laid_out.metadata)),
    }
    if laid_out.colors is not None:
        arrays["colors"] = laid_out.colors
    if laid_out.sizes is not None:
        arrays["sizes"] = laid_out.sizes
    of_edges = {_OF_EDGES + name: column for name, column in links.attributes.items()}
    for name, column in {**laid_out.attributes, **of_edges}.items():
        array = _storable(column)
        if array is None:
            _LOG.warning("attribute %r is not written: its values are too long for an npz file", name)
            continue
        own = {*_OWN, *arrays} - {"labels"}
        arrays[free_name(_UNSAFE.sub("_", name) or "attribute", own, "attribute_")] = array
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, array in arrays.items():
            info = zipfile.ZipInfo(f"{name}.npy")  # dated 1980: the same layout gives the same bytes
            info.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(info, "w", force_zip64=True) as entry:
                np.lib.format.write_array(entry, np.asarray(array, order="C"), allow_pickle=False)


def _ids(ids: Sequence[Hashable]) -> NDArray[Any]:
    if isinstance(ids, range) or all(type(name) is int and abs(name) < 2**63 for name in ids):
        return np.array(ids, dtype=np.int64)
    texts = _text_array(unique_names([_storable_text(name) for name in ids]))
    if texts is None:
        _LOG.warning("node names are too long for an npz file: nodes are numbered instead")
        return np.arange(len(ids))
    return texts


def _storable(column: NDArray[np.generic]) -> NDArray[Any] | None:
    kind, values = typed_values(column)
    if None not in values and kind in {"boolean", "long", "double"}:
        return np.array(values, dtype={"boolean": np.bool_, "long": np.int64, "double": np.float64}[kind])
    if kind in {"boolean", "long", "double"}:
        return np.array([np.nan if value is None else value for value in values], dtype=np.float64)
    return _text_array(["" if value is None else _storable_text(value) for value in values])


def _storable_text(value: object) -> str:
    """Return a value as text that numpy reads back: no NUL, which ends it, and lone surrogates spelled out."""
    return str(value).replace("\0", "\ufffd").encode("utf-8", "backslashreplace").decode()


def _text_array(texts: list[str]) -> NDArray[Any] | None:
    if max(map(len, texts), default=0) * len(texts) > _MOST_TEXT:
        return None
    return np.array(texts, dtype=np.str_)
