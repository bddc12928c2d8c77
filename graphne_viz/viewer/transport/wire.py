"""The binary formats between Python and the browser: frames of positions, and graphs with their columns.

All numbers are little endian. ``js/src/protocol/wire.ts`` reads the same formats; ``js/test/protocol/data`` holds one
example of each, which the tests of both languages decode.

A *frame* is a header of 32 bytes and the positions as float32, x and y in turn::

    0 "GNF1" | 4 u32 nodes | 8 u32 seq | 12 u32 iteration | 16 u8 phase, 3 zero bytes | 20 f32 KL divergence, NaN
    where unknown | 24 f32 exaggeration | 28 u32 run

A *container* is ``"GNG1"``, the length of the header as u32, the header as JSON padded with spaces, and the arrays.
Where the header speaks of an array it has ``{"at": first byte after the header, "dtype": "f4", "length": items}``;
header and arrays begin at multiples of 8 bytes, so that the browser can look at the arrays where they are.

The header of a *graph* has the number of ``nodes`` and ``edges``; ``pairs``, the two ends of each edge that is sent,
source before target, loops and parallel ones included; ``directed``, which is true, false or one u1 for each of these;
``columns`` of the nodes and ``edge_columns`` of the edges that are sent. Left out, the last three are false and empty.
"""

from __future__ import annotations

import json
import math
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from graphne_viz._lazy import lazy_import
from graphne_viz.encoding.colors.node_colors import COLORMAP_STEPS
from graphne_viz.encoding.colors.palette import CLASS_COLORS, MISSING_COLOR, OTHER_COLOR, VALUE_COLORMAP
from graphne_viz.encoding.columns.column import ClassColumn, TextColumn
from graphne_viz.encoding.columns.edge_columns import rows_of
from graphne_viz.encoding.labels.text import MOST_TEXT, encode_names, node_names

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import matplotlib as mpl
    from matplotlib import colors as mpl_colors
    from matplotlib.colors import Colormap
    from numpy.typing import NDArray

    from graphne_viz.encoding.columns.column import Column
    from graphne_viz.graphs.graph import Graph

    Buffer: TypeAlias = bytes | bytearray | memoryview
else:
    mpl = lazy_import("matplotlib")
    mpl_colors = lazy_import("matplotlib.colors")

PHASES = ("start", "early exaggeration", "optimization", "finished", "training")
"""What the number of a frame's phase stands for."""

MOST_EDGES = 2_000_000
"""Of larger graphs a random sample of the edges is drawn."""

_FRAME_HEADER = struct.Struct("<4sIIIB3xffI")
_FRAME_MAGIC, _GRAPH_MAGIC = b"GNF1", b"GNG1"
_LARGEST_COUNT = 2**32 - 1
_DTYPES = ("u1", "u2", "u4", "f4", "f8")


@dataclass(frozen=True, eq=False)
class Frame:
    """Where the nodes are at one moment of a run.

    Attributes
    ----------
    positions : ndarray of float32, shape (n, 2)
    seq : int
        Number of the message, for its answer; 0 where none is wanted.
    iteration : int
    phase : int
        Index into `PHASES`.
    kl : float
        Kullback-Leibler divergence, NaN where it is unknown.
    exaggeration : float
    run : int
        How often the layout was started.
    """

    positions: NDArray[np.float32]
    seq: int = 0
    iteration: int = 0
    phase: int = 0
    kl: float = math.nan
    exaggeration: float = 1.0
    run: int = 0


def encode_frame(frame: Frame) -> bytes:
    """Write a frame as bytes, with a single copy of the positions if they are float32.

    Raises
    ------
    ValueError
        If a position is not finite, or a number does not fit its place.
    """
    positions = np.ascontiguousarray(frame.positions, dtype="<f4")
    if positions.ndim != 2 or positions.shape[1] != 2:
        raise ValueError(f"a frame's positions must have shape (n, 2), got {positions.shape}")
    _refuse_infinite(positions)
    for name in ("seq", "iteration", "run"):
        if not 0 <= getattr(frame, name) <= _LARGEST_COUNT:
            raise ValueError(f"a frame's {name} must be an unsigned integer of 32 bits, got {getattr(frame, name)}")
    if not 0 <= frame.phase < len(PHASES):
        raise ValueError(f"a frame's phase must be below {len(PHASES)}, got {frame.phase}")
    if not math.isfinite(frame.exaggeration):
        raise ValueError(f"a frame's exaggeration must be finite, got {frame.exaggeration}")
    counts = (len(positions), frame.seq, frame.iteration, frame.phase)
    kl, exaggeration = np.float32(frame.kl), np.float32(frame.exaggeration)
    header = _FRAME_HEADER.pack(_FRAME_MAGIC, *counts, kl if np.isfinite(kl) else math.nan, exaggeration, frame.run)
    return b"".join((header, positions.data))


def decode_frame(data: Buffer, n_nodes: int | None = None) -> Frame:
    """Read a frame.

    Parameters
    ----------
    data : bytes-like
    n_nodes : int, optional
        How many nodes it must have.

    Returns
    -------
    Frame
        Its positions are a read-only look at `data`.

    Raises
    ------
    ValueError
        If it is not a frame, has the wrong size, or a position is not finite.
    """
    size = memoryview(data).nbytes
    if size < _FRAME_HEADER.size or bytes(data[:4]) != _FRAME_MAGIC:
        raise ValueError(f"not a frame: {size:,} bytes without its header")
    _, n, seq, iteration, phase, kl, exaggeration, run = _FRAME_HEADER.unpack_from(data)
    expected = _FRAME_HEADER.size + 8 * n
    if size != expected:
        raise ValueError(f"a frame of {n:,} nodes has {expected:,} bytes, not {size:,}")
    if n_nodes is not None and n != n_nodes:
        raise ValueError(f"the frame has {n:,} nodes, but the graph has {n_nodes:,}")
    positions = np.frombuffer(data, dtype="<f4", offset=_FRAME_HEADER.size).reshape(n, 2)
    positions.flags.writeable = False
    _refuse_infinite(positions)
    return Frame(positions, seq, iteration, phase, kl, exaggeration, run)


def _refuse_infinite(positions: NDArray[np.float32]) -> None:
    finite = np.isfinite(positions)
    if not finite.all():
        node = int(np.flatnonzero(~finite.all(axis=1))[0])
        raise ValueError(f"the position of node {node:,} in a frame is not finite: {positions[node].tolist()}")


def encode_graph(
    graph: Graph,
    columns: Sequence[Column],
    *,
    edge_columns: Sequence[Column] = (),
    cmap: str | Colormap = VALUE_COLORMAP,
    max_edges: int = MOST_EDGES,
) -> bytes:
    """Write the part of a graph that does not change while it is looked at.

    Parameters
    ----------
    graph : Graph
    columns : sequence of Column
        As from `graphne_viz.encoding.columns.node_columns.attribute_columns`.
    edge_columns : sequence of Column
        As from `graphne_viz.encoding.columns.edge_columns.edge_columns`.
    cmap : str or Colormap
        matplotlib's, for numbers.
    max_edges : int, default 2,000,000
        If there are more, a random sample of so many, always the same, stands for them.

    Returns
    -------
    bytes
    """
    notes = []
    links = graph.links
    pairs, mixed = links.ends, links.mixed
    if len(pairs) > max_edges:
        chosen = np.sort(np.random.default_rng(0).choice(len(pairs), max_edges, replace=False, shuffle=False))
        pairs, mixed = pairs[chosen], None if mixed is None else mixed[chosen]
        edge_columns = [rows_of(column, chosen) for column in edge_columns]
    names = encode_names(node_names(graph), MOST_TEXT)
    if names is None:
        notes.append("the names of the nodes are left out because they are too long")
    room = MOST_TEXT - (0 if names is None else len(names.text))
    sent, left_out, room = _within_limit(columns, room)
    edges_sent, edges_left_out, _ = _within_limit(edge_columns, room)
    notes += [f"the text of {name} is left out because it is too long" for name in (*left_out, *edges_left_out)]
    header = {
        "nodes": graph.n_nodes,
        "edges": graph.n_edges,
        "pairs": pairs.astype("<u4").reshape(-1),
        "names": None if names is None else vars(names),
        "columns": sent,
        "colormap": _colormap(cmap),
        "other": OTHER_COLOR,
        "missing": MISSING_COLOR,
        "plain": CLASS_COLORS[0],
        "notes": notes,
    }
    if links.directed:
        header["directed"] = True if mixed is None else mixed.astype(np.uint8)
    if edges_sent:
        header["edge_columns"] = edges_sent
    return encode_container(header)


def encode_columns(n_nodes: int, columns: Sequence[Column]) -> bytes:
    """Write columns that are no attributes of the graph; texts that are too large are left out."""
    return encode_container({"nodes": n_nodes, "columns": _within_limit(columns, MOST_TEXT)[0]})


def encode_container(header: Mapping[str, object]) -> bytes:
    """Write a header and the arrays in it, wherever they are, as one piece.

    Raises
    ------
    ValueError
        If a number in the header is not finite.
    """
    pieces: list[bytes | memoryview] = []
    size = 0

    def as_json(value: object) -> object:
        nonlocal size
        if not isinstance(value, np.ndarray):
            raise TypeError(f"{type(value).__name__} cannot be in the header of a container")
        dtype = f"{value.dtype.kind}{value.dtype.itemsize}"
        if dtype not in _DTYPES:
            raise TypeError(f"an array of {value.dtype} cannot be in a container; supported are {', '.join(_DTYPES)}")
        ref = {"at": size, "dtype": dtype, "length": value.size}
        padding = -value.nbytes % 8
        pieces.extend((np.ascontiguousarray(value, dtype=f"<{dtype}").reshape(-1).data, bytes(padding)))
        size += value.nbytes + padding
        return ref

    written = json.dumps(header, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=as_json)
    text = written.encode("utf-8", "replace")
    text += b" " * (-(8 + len(text)) % 8)
    return b"".join((_GRAPH_MAGIC, struct.pack("<I", len(text)), text, *pieces))


def decode_container(data: Buffer) -> dict[str, object]:
    """Read what `encode_container` wrote: the header, with read-only arrays in the places of the arrays.

    Raises
    ------
    ValueError
        If it is not a container, or is cut short.
    """
    whole = memoryview(data).cast("B")
    if len(whole) < 8 or whole[:4] != _GRAPH_MAGIC:
        raise ValueError(f"not a container: {len(whole):,} bytes without its header")
    start = 8 + struct.unpack_from("<I", whole, 4)[0]
    if start > len(whole):
        raise ValueError(f"the header of a graph ends at byte {start:,}, but there are only {len(whole):,}")

    def resolve(found: dict[str, object]) -> object:
        if found.keys() != {"at", "dtype", "length"}:
            return found
        at, dtype, length = int(str(found["at"])), np.dtype(f"<{found['dtype']}"), int(str(found["length"]))
        if start + at + length * dtype.itemsize > len(whole):
            raise ValueError(f"an array of {length:,} items is cut short")
        array = np.frombuffer(whole, dtype=dtype, count=length, offset=start + at)
        array.flags.writeable = False
        return array

    header: dict[str, object] = json.loads(bytes(whole[8:start]), object_hook=resolve)
    return header


def _within_limit(columns: Sequence[Column], room: int) -> tuple[list[dict[str, object]], list[str], int]:
    """Return the headers of the columns whose text there is room for, the names of the others, and the room left."""
    sent, left_out = [], []
    for column in columns:
        if isinstance(column, TextColumn):
            if column.texts is None or len(column.texts.text) > room:
                left_out.append(column.name)
                continue
            room -= len(column.texts.text)
        sent.append(_column_header(column))
    return sent, left_out, room


def _column_header(column: Column) -> dict[str, object]:
    header = {
        field: value
        for field, value in vars(column).items()
        if value is not None and (field not in {"note", "date", "numbers"} or value)
    }
    if isinstance(column, ClassColumn):
        header["categories"] = [vars(category) for category in column.categories]
    elif isinstance(column, TextColumn):
        header |= vars(header.pop("texts"))
    return header


def _colormap(cmap: str | Colormap) -> list[str]:
    found = mpl.colormaps.get_cmap(cmap)
    return [mpl_colors.to_hex(color) for color in found(np.linspace(0, 1, COLORMAP_STEPS))]
