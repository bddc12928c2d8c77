"""Edges on disk, sorted in pieces that fit into memory: first into ranges of nodes, then each range by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

import numpy as np

from graphne_viz.graphs.shards.writer import Rows

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

BUCKET_ROWS = 1 << 22
"""Rows of a range, about; while it is sorted, one of them takes some 50 bytes of memory."""

_AT_ONCE = 1 << 20
"""Edges that are distributed at once."""

_GROUPS = 1 << 16
"""Into so many groups nodes are counted, to find ranges with equally many edges."""

_SAME = 1e-5
"""By how much weights may differ that are the same: those of float32 do, in the last digits."""


class EdgeSorter:
    """Takes edges in any order, and gives the rows of range after range of nodes.

    Parameters
    ----------
    folder : Path
        For temporary files: 24 bytes an edge, 56 with weights.
    n : int
        Number of nodes.
    weighted : bool
        Whether edges come with weights.
    bucket_rows : int
        About how many rows are held at once.
    """

    def __init__(self, folder: Path, n: int, *, weighted: bool, bucket_rows: int = BUCKET_ROWS) -> None:
        kind = np.dtype(np.uint32 if n < 2**32 else np.uint64)
        fields = [("source", kind), ("target", kind)]
        self._record = np.dtype([*fields, ("weight", np.float64)] if weighted else fields)
        self._folder = folder
        self._n = n
        self._bucket_rows = bucket_rows
        self._group = -(-n // _GROUPS) or 1
        self._counts = np.zeros(-(-n // self._group), dtype=np.int64)
        self._file = (folder / "edges").open("wb")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()

    def add(
        self, source: NDArray[np.int64], target: NDArray[np.int64], weight: NDArray[np.float64] | None = None
    ) -> None:
        """Take some edges; loops and those of weight 0 are left out."""
        keep = source != target
        if weight is not None:
            keep &= weight > 0
        edges = np.empty(int(keep.sum()), dtype=self._record)
        edges["source"], edges["target"] = source[keep], target[keep]
        if weight is not None:
            edges["weight"] = weight[keep]
        for end in ("source", "target"):
            self._counts += np.bincount(edges[end].astype(np.int64) // self._group, minlength=len(self._counts))
        self._file.write(edges.tobytes())  # numpy's own does not say why it could not

    def distribute(self) -> Iterator[int]:
        """Put each edge, in both directions, beside the others of its range; tells after how many edges it is."""
        self._file.close()
        filled = np.cumsum(self._counts)
        groups = np.searchsorted(
            filled, np.arange(self._bucket_rows, filled[-1] if len(filled) else 0, self._bucket_rows)
        )
        self._cuts = np.unique([0, *((groups + 1) * self._group).tolist(), self._n])
        for edges in self._read("edges"):
            back = edges.copy()
            back["source"], back["target"] = edges["target"], edges["source"]
            for name, found in (("there", edges), ("back", back)):
                bucket = (np.searchsorted(self._cuts, found["source"], side="right") - 1).astype(np.uint16)
                order = np.argsort(bucket, kind="stable")
                rows, bucket = found[order], bucket[order].astype(np.int32)
                first = np.flatnonzero(np.diff(bucket, prepend=-1))
                for begin, end in zip(first, [*first[1:], len(rows)], strict=True):
                    with (self._folder / f"{name}-{bucket[begin]}").open("ab") as file:
                        file.write(rows[begin:end].tobytes())
            yield len(edges)
        (self._folder / "edges").unlink()

    def is_listed_twice(self) -> bool:
        """Whether every edge stands in both directions already, so that each counts once."""
        return all(self._range(k, once=True) is not None for k in range(len(self._cuts) - 1))

    def ranges(self) -> Iterator[tuple[int, int, Rows]]:
        """Return the first node, one past the last and the rows, range by range."""
        once = self.is_listed_twice()
        for k, (first, stop) in enumerate(zip(self._cuts, self._cuts[1:], strict=False)):
            rows = self._range(k, once=once)
            if rows is not None:
                yield int(first), int(stop), rows

    def _range(self, k: int, *, once: bool) -> Rows | None:
        """Sort the rows of a range; with ``once``, None if an edge is not there in both directions alike."""
        first = int(self._cuts[k])
        key, weight = self._summed(f"there-{k}", first)
        back, weight_back = self._summed(f"back-{k}", first)
        if not once:
            key, weight = _add_up(np.concatenate([key, back]), np.concatenate([weight, weight_back]))
        elif not np.array_equal(key, back) or not np.allclose(weight, weight_back, rtol=_SAME, atol=0):
            return None
        source, target = np.divmod(key, self._n)
        return Rows(source + first, target, weight)

    def _summed(self, name: str, first: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Keys and weights of a file's edges, parallel ones added up."""
        path = self._folder / name
        edges = np.fromfile(path, dtype=self._record) if path.exists() else np.empty(0, dtype=self._record)
        key = (edges["source"].astype(np.int64) - first) * self._n + edges["target"].astype(np.int64)
        return _add_up(key, edges["weight"] if "weight" in (self._record.names or ()) else None)

    def _read(self, name: str) -> Iterator[NDArray[np.void]]:
        with (self._folder / name).open("rb") as file:
            while len(edges := np.fromfile(file, dtype=self._record, count=_AT_ONCE)):
                yield edges


def _add_up(
    key: NDArray[np.int64], weight: NDArray[np.float64] | None
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Sort keys, and add up the weights, 1 by default, of equal ones."""
    if weight is None:
        key = np.sort(key)
    else:
        order = np.argsort(key, kind="stable")
        key, weight = key[order], weight[order]
    first = np.flatnonzero(np.diff(key, prepend=-1))
    if weight is None:
        return key[first], np.diff(first, append=len(key)).astype(np.float64)
    return key[first], np.add.reduceat(weight, first) if len(first) else weight
