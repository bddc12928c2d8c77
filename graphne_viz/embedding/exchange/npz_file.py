"""An embedding as an npz file, without pickle in either direction.

Every array is an entry that ``numpy.load`` shows: ``vectors``, ``isolated``, ``history_loss`` and its like, and of the
state ``state_parameters`` and its like. ``ids`` holds integers, or UTF-8 of a JSON list in which a list stands for a
tuple; it is absent where nodes are numbered from 0. ``metadata`` is UTF-8 of a JSON object, which says what else there
must be.

Nothing is compressed: deflating takes 7 % off vectors, for ten times the time.
"""

from __future__ import annotations

import json
import math
import struct
import zipfile
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from graphne_viz._atomic import replace_when_complete
from graphne_viz.embedding.embedding import Embedding
from graphne_viz.embedding.training.state import COUNTS, PAIRS, TABLES, State
from graphne_viz.graphs.io.builder import FileProblem
from graphne_viz.graphs.io.size_limit import SizeLimit, as_size, check_archive, check_file

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence
    from os import PathLike

    from numpy.typing import DTypeLike, NDArray

FORMAT, VERSION = "graphne_viz embedding", 1

_LONGEST_INTEGER = 10**4000  # Python reads no more than 4300 digits
_DEEPEST = 100  # tuples within tuples
_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    OSError,
    RuntimeError,  # zipfile's for an encrypted entry; NotImplementedError, and RecursionError of deep JSON
    OverflowError,
    LookupError,
    ValueError,
    TypeError,
    SyntaxError,  # of numpy's for a header that is not Python
)


def write_embedding(path: str | PathLike[str], embedding: Embedding, *, state: bool) -> None:
    """Write an embedding; see `Embedding.save`. The same embedding gives the same bytes."""
    if Path(path).suffix.lower() != ".npz":
        raise ValueError(f"{path} does not end in .npz")
    metadata: dict[str, object] = {
        "format": FORMAT,
        "version": VERSION,
        "origin": embedding.origin,
        "settings": dict(embedding.settings),
        "history": list(embedding.history),
        "numbered": embedding.ids == range(len(embedding)),
    }
    arrays: dict[str, NDArray[Any]] = {"vectors": embedding.vectors, "isolated": embedding.isolated}
    if not metadata["numbered"]:
        arrays["ids"] = _ids_as_array(embedding.ids)
    arrays |= {f"history_{name}": values for name, values in embedding.history.items()}
    kept = embedding.state if state else None
    if kept is not None:
        arrays |= {f"state_{name}": getattr(kept, name) for name in (*TABLES, *PAIRS)}
        metadata["state"] = {name: getattr(kept, name) for name in (*COUNTS, "log_temperature")}
    arrays["metadata"] = _as_bytes(metadata)
    with replace_when_complete(path) as unfinished, zipfile.ZipFile(unfinished, "w", zipfile.ZIP_STORED) as archive:
        for name, array in arrays.items():
            info = zipfile.ZipInfo(f"{name}.npy")  # dated 1980: the same embedding gives the same bytes
            with archive.open(info, "w", force_zip64=True) as entry:
                np.lib.format.write_array(entry, array, version=(1, 0), allow_pickle=False)


def read_embedding(path: str | PathLike[str], max_size: int | str | None = None) -> Embedding:
    """Read an embedding; see `Embedding.load`."""
    path, most = Path(path), as_size(max_size)
    check_file(path)
    with path.open("rb") as stream:
        limit = SizeLimit(path.stat().st_size, most)
        try:
            check_archive(stream, limit)
            with zipfile.ZipFile(stream) as archive:
                return _Reader(archive, limit).embedding()
        except (_Unreadable, FileProblem) as problem:
            raise ValueError(f"{path}: {problem}") from None
        except _BROKEN as error:
            reason = " ".join(str(error).split()) or type(error).__name__
            raise ValueError(f"{path} is not a readable embedding: {reason}") from None


class _Unreadable(Exception):  # noqa: N818 -- never reaches a user
    """What is wrong with a file."""


class _Reader:
    """Takes an embedding out of an archive and trusts nothing it says."""

    def __init__(self, archive: zipfile.ZipFile, limit: SizeLimit) -> None:
        self._archive = archive
        self._limit = limit
        self._entries = {info.filename.removesuffix(".npy"): info for info in archive.infolist()}

    def embedding(self) -> Embedding:
        if not {"vectors", "metadata"} <= set(self._entries):
            raise _Unreadable(
                f"not an embedding; it holds {', '.join(map(repr, list(self._entries)[:10])) or 'nothing'}"
            )
        metadata = self._metadata()
        vectors = self._array("vectors", np.float32, (None, None))
        n = len(vectors)
        return Embedding(
            vectors=vectors,
            ids=range(n) if metadata["numbered"] else self._ids(n),
            history={name: self._array(f"history_{name}", np.float64, (None,)) for name in _names(metadata["history"])},
            settings=metadata["settings"],
            isolated=self._array("isolated", np.bool_, (n,)),
            origin=metadata["origin"],
            state=self._state(metadata["state"], vectors.shape) if "state" in metadata else None,
        )

    def _metadata(self) -> dict[str, Any]:
        metadata = self._parsed(self._array("metadata", np.uint8, (None,)))
        if not isinstance(metadata, dict) or metadata.get("format") != FORMAT:
            raise _Unreadable(f"not a {FORMAT}")
        version = metadata.get("version")
        if version != VERSION:
            raise _Unreadable(f"an embedding of version {version!r}, which this version of graphne_viz cannot read")
        for name, kind in {"settings": dict, "origin": str, "history": list, "numbered": bool}.items():
            if not isinstance(metadata.get(name), kind):
                raise _Unreadable(f"its metadata lacks {name}")
        return metadata

    def _state(self, numbers: object, shape: tuple[int, ...]) -> State:
        if not isinstance(numbers, dict) or not {*COUNTS, "log_temperature"} <= set(numbers):
            raise _Unreadable("its state is not complete")
        if type(numbers["log_temperature"]) not in {int, float}:
            raise _Unreadable(f"its log_temperature is {numbers['log_temperature']!r}")
        parts: dict[str, Any] = {name: numbers[name] for name in (*COUNTS, "log_temperature")}
        parts |= {name: self._array(f"state_{name}", np.float32, shape) for name in TABLES}
        parts |= {name: self._array(f"state_{name}", np.float64, (2,)) for name in PAIRS}
        return State(**parts)

    def _ids(self, n: int) -> Sequence[Hashable]:
        array = self._array("ids", None, (None,))
        if array.dtype.kind == "i":
            ids = tuple(array.tolist())
        elif array.dtype == np.uint8:
            listed = self._parsed(array)
            if not isinstance(listed, list):
                raise _Unreadable("its ids are not a list")
            ids = tuple(_node_from_json(entry) for entry in listed)
        else:
            raise _Unreadable(f"its ids are of type {array.dtype}")
        if len(ids) != n:
            raise _Unreadable(f"it has {len(ids):,} ids for {n:,} vectors")
        return ids

    def _parsed(self, array: NDArray[np.uint8]) -> Any:  # noqa: ANN401 -- whatever JSON holds
        content = array.tobytes()
        self._limit.check_json(content)
        return json.loads(content.decode("utf-8", "surrogatepass"))

    def _array(self, name: str, dtype: DTypeLike | None, shape: tuple[int | None, ...]) -> NDArray[Any]:
        """Read an array once its header claims what is expected and no more than the entry holds."""
        if name not in self._entries:
            raise _Unreadable(f"it has no array {name!r}")
        info = self._entries[name]
        with self._archive.open(info) as entry:
            version = np.lib.format.read_magic(entry)
            read_header = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
            if version not in read_header:
                raise _Unreadable(f"its array {name!r} is of version {version}")
            claimed, _, kind = read_header[version](entry)
            held = info.file_size - entry.tell()
        if kind.hasobject:
            raise _Unreadable(f"its array {name!r} holds pickled objects, which are never read")
        if dtype is not None and kind.newbyteorder("=") != np.dtype(dtype):
            raise _Unreadable(f"its array {name!r} is of type {kind}, not {np.dtype(dtype)}")
        fits = len(claimed) == len(shape) and all(want in {None, has} for want, has in zip(shape, claimed, strict=True))
        if not fits:
            wanted = tuple("any" if want is None else want for want in shape)
            raise _Unreadable(f"its array {name!r} has shape {claimed}, not ({', '.join(map(str, wanted))})")
        if math.prod(claimed) * kind.itemsize != held or min(claimed, default=0) < 0:
            raise _Unreadable(f"its array {name!r} claims shape {claimed}, but holds {held:,} bytes")
        with self._archive.open(info) as entry:
            return np.asarray(np.lib.format.read_array(entry, allow_pickle=False))


def _as_bytes(value: object) -> NDArray[np.uint8]:
    # Neither escaped nor refused, surrogates come back as they were, also where two of them look like a pair.
    text = json.dumps(value, ensure_ascii=False)
    return np.frombuffer(text.encode("utf-8", "surrogatepass"), dtype=np.uint8)


def _names(listed: list[Any]) -> dict[str, None]:
    """Return each name once: one that is listed a million times is read once."""
    return dict.fromkeys(map(str, listed))


def _ids_as_array(ids: Sequence[Hashable]) -> NDArray[Any]:
    if all(type(node) is int and -(2**63) <= node < 2**63 for node in ids):
        return np.array(ids, dtype=np.int64)
    return _as_bytes([_node_as_json(node, node) for node in ids])


def _node_as_json(part: object, node: Hashable, depth: int = 0) -> object:
    """Return a part of a node as JSON holds it, such that it comes back equal."""
    if isinstance(part, np.generic):
        part = part.item()
    if isinstance(part, tuple) and depth < _DEEPEST:
        return [_node_as_json(inner, node, depth + 1) for inner in part]
    whole = isinstance(part, int) and abs(part) < _LONGEST_INTEGER
    if part is None or whole or isinstance(part, str | float):
        return part
    raise ValueError(
        f"node {node!r} cannot be written: nodes may be numbers, text, and tuples of these, not {type(part).__name__}"
    )


def _node_from_json(value: Any) -> Hashable:  # noqa: ANN401 -- whatever JSON holds
    if isinstance(value, dict):
        raise _Unreadable("its ids contain an object, which cannot be a node")
    return tuple(_node_from_json(part) for part in value) if isinstance(value, list) else value
