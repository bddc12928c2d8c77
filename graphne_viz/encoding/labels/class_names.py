"""Names of classes on a map, at the heart of each cluster; ``js/test/encoding/names.json`` holds examples.

The browser has the same algorithm (``js/src/picture/labels/class-names.ts``). Counts are whole numbers and sums of
them, so that both find the same hearts; widths of text are measured by whoever draws it.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from graphne_viz._lazy import lazy_import

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray
    from scipy import ndimage
else:
    ndimage = lazy_import("scipy.ndimage")

FEWEST_CELLS, MOST_CELLS = 8, 64
"""Bounds of the number of cells along the longer side of the layout."""

CELLS = 1.2
"""Cells along the longer side, for each node on average."""

VALLEY = 8
"""Cells that are emptier than this part of the fullest one part the clusters of a class."""

SHARE = 5
"""A cluster has at least this part of the nodes of its class, or it has no name of its own."""

FEWEST_NODES = 3
SMALLEST_SHARE = 0.005
MOST_NAMES = 60
ROOM = 6_000
"""Square pixels of the picture for each name."""

SMALLEST_TEXT, LARGEST_TEXT = 10.0, 18.0  # pixels, in a picture of USUAL_SIDE
USUAL_SIDE = 600.0
LINE = 1.15  # height of a line, relative to the size of its letters
MARGIN = 3.0  # pixels around a name
LONGEST_LINE, LONGEST_NAME = 16, 34  # characters
STEP = 0.75  # between two rings of places, relative to the size of the letters
ANGLES = 16
LED = 2  # from this ring on a line leads from the name to its place
ASIDE = 4  # so many rings are looked at for a place that covers fewer discs
FAR = 0.02  # what a square pixel of the way there counts, where a disc counts by the square of its radius

MOST_DISCS = 400
"""Of more nodes the discs are so small that names may lie on them."""

WHOLE_ZOOM, GONE_ZOOM = 1.5, 4.0
"""Names fade between these zooms: nodes' own labels take over."""


class Heart(NamedTuple):
    """Where a cluster of a class is, in the units of the layout, and how many nodes it has."""

    code: int
    x: float
    y: float
    nodes: int


class PlacedName(NamedTuple):
    """A name on the picture.

    Attributes
    ----------
    heart : int
        Which of the hearts it names.
    lines : tuple of str
        Its text.
    x, y : float
        The middle of the text in pixels; y points down.
    size : float
        Of its letters, in pixels.
    led : bool
        Whether a line should lead from it to its heart.
    """

    heart: int
    lines: tuple[str, ...]
    x: float
    y: float
    size: float
    led: bool


def find_hearts(positions: NDArray[np.floating], codes: NDArray[np.integer], n_classes: int) -> list[Heart]:
    """Find the clusters of each class: where its nodes lie densely on a coarse grid.

    Parameters
    ----------
    positions : ndarray, shape (n, 2)
        Of the visible nodes.
    codes : ndarray, shape (n,)
        Their classes; those from `n_classes` on are none.
    n_classes : int

    Returns
    -------
    list of Heart
        The largest first, then by class.
    """
    n = len(positions)
    if not n:
        return []
    places = positions.astype(np.float64)
    low, span = places.min(axis=0), np.ptp(places, axis=0)
    across = min(MOST_CELLS, max(FEWEST_CELLS, math.floor(CELLS * math.sqrt(n) + 0.5)))
    side = float(span.max()) / across or 1.0
    cells = np.minimum(np.floor((places - low) / side).astype(np.intp), across - 1)
    least = max(FEWEST_NODES, SMALLEST_SHARE * n)
    order = np.argsort(codes, kind="stable")
    ends = np.searchsorted(codes[order], np.arange(n_classes + 1))
    hearts: list[Heart] = []
    for code in range(n_classes):
        members = order[ends[code] : ends[code + 1]]
        if len(members) >= least:
            hearts += _hearts_of(code, cells[members], places[members], across)
    return sorted(hearts, key=lambda heart: (-heart.nodes, heart.code))


def _hearts_of(code: int, cells: NDArray[np.intp], places: NDArray[np.float64], across: int) -> list[Heart]:
    """Find the clusters of one class: fields of cells that are full, each with its fullest one."""
    counts = np.zeros((across, across), dtype=np.int64)  # by row, that is y, and column
    np.add.at(counts, (cells[:, 1], cells[:, 0]), 1)
    dense = _smoothed(_smoothed(counts))
    full = VALLEY * dense >= dense.max()
    field, fields = ndimage.label(full, np.ones((3, 3)))  # by row and column of their first cell; corners connect
    found = []
    for k in range(1, fields + 1):
        within = field == k
        inside = within[cells[:, 1], cells[:, 0]]
        count = int(inside.sum())
        if count < FEWEST_NODES or SHARE * count < len(cells):
            continue
        row, column = divmod(int(np.where(within, dense, -1).argmax()), across)
        # Not the middle of the fullest cell, which would jump by whole cells, but of the nodes around it.
        near = inside & (np.abs(cells[:, 1] - row) <= 1) & (np.abs(cells[:, 0] - column) <= 1)
        if not near.any():
            near = inside
        x, y = places[near].sum(axis=0) / near.sum()
        found.append(Heart(code, float(x), float(y), count))
    return found


def _smoothed(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Spread counts to their neighbours by the weights 1, 2, 1 in each direction; the sums stay whole numbers."""
    for axis in (0, 1):
        padded = np.pad(counts, [(1, 1) if k == axis else (0, 0) for k in (0, 1)])
        before, after = (np.roll(padded, shift, axis)[_inner(axis)] for shift in (1, -1))
        counts = before + 2 * counts + after
    return counts


def _inner(axis: int) -> tuple[slice, slice]:
    return (slice(1, -1), slice(None)) if axis == 0 else (slice(None), slice(1, -1))


def place_names(
    hearts: Sequence[Heart],
    centers: Sequence[tuple[float, float]],
    texts: Sequence[str],
    *,
    size: tuple[float, float],
    measure: Callable[[str, float], float],
    rings: int = LED - 1,
    discs: Sequence[tuple[float, float, float]] = (),
) -> list[PlacedName]:
    """Write the names of the largest clusters where they do not overlap each other, and cover few nodes.

    Parameters
    ----------
    hearts : sequence of Heart
        From `find_hearts`.
    centers : sequence of pairs
        Where each of them is on the picture in pixels; y points down.
    texts : sequence of str
        The name of each class; an empty one is not written.
    size : tuple of float
        Width and height of the picture in pixels.
    measure : callable
        Width of a text of given size in pixels.
    rings : int
        How far a name may be moved to find room. From ring `LED` on it needs a line to its heart.
    discs : sequence of triples
        The nodes as they are drawn: x, y and radius in pixels. To cover few of them a name moves up to `ASIDE` rings.

    Returns
    -------
    list of PlacedName
        In the order of `hearts`.
    """
    width, height = size
    most = min(MOST_NAMES, max(1, math.floor(width * height / ROOM)))
    scale = min(1.6, max(0.7, math.sqrt(width * height) / USUAL_SIDE))
    largest = max((heart.nodes for heart in hearts), default=1)
    taken: list[tuple[float, float, float, float]] = []
    placed: list[PlacedName] = []
    for k, heart in enumerate(hearts):
        if len(placed) >= most:
            break
        lines = name_lines(texts[heart.code])
        if not lines:
            continue
        letters = text_size(heart.nodes, largest) * scale
        half = max(measure(line, letters) for line in lines) / 2 + MARGIN, len(lines) * LINE * letters / 2 + MARGIN
        aside = ASIDE if len(discs) else 0
        least, best = math.inf, None
        for ring, dx, dy in _offsets(max(rings, aside), STEP * letters):
            if best is not None and ring > aside:
                break
            # A name that would hang over the edge is moved inside.
            x = min(max(centers[k][0] + dx, half[0]), width - half[0])
            y = min(max(centers[k][1] + dy, half[1]), height - half[1])
            box = x - half[0], y - half[1], x + half[0], y + half[1]
            if 2 * half[0] > width or any(_overlap(box, other) for other in taken):
                continue
            cost = FAR * (dx**2 + dy**2) + sum(r**2 for left, top, r in discs if _touches(box, left, top, r))
            if cost < least:
                least, best = cost, (box, PlacedName(k, lines, x, y, letters, ring >= max(LED, aside + 1)))
        if best is not None:
            taken.append(best[0])
            placed.append(best[1])
    return placed


def text_size(count: int, largest: int) -> float:
    """Return the size of a name's letters in pixels, in a picture of `USUAL_SIDE`."""
    size = SMALLEST_TEXT + (LARGEST_TEXT - SMALLEST_TEXT) * math.sqrt(count / largest)
    return math.floor(2 * size + 0.5) / 2


def name_lines(text: str) -> tuple[str, ...]:
    """Break a name into at most two lines, at the space nearest to its middle; a long one is cut.

    Examples
    --------
    >>> name_lines("Physics"), name_lines("Computer science and mathematics")
    (('Physics',), ('Computer science', 'and mathematics'))
    """
    text = " ".join(text.split())
    if len(text) > LONGEST_NAME:
        text = f"{text[: LONGEST_NAME - 1].rstrip()}…"
    if len(text) <= LONGEST_LINE:
        return (text,) if text else ()
    spaces = [k for k, letter in enumerate(text) if letter == " "]
    if not spaces:
        return (text,)
    at = min(spaces, key=lambda k: (abs(2 * k + 1 - len(text)), k))
    return text[:at], text[at + 1 :]


def name_opacity(zoom: float) -> float:
    """Return how clearly names are seen where the picture is zoomed in so many times."""
    return min(1.0, max(0.0, (GONE_ZOOM - zoom) / (GONE_ZOOM - WHOLE_ZOOM)))


def _offsets(rings: int, step: float) -> list[tuple[int, float, float]]:
    """List the places of a name around its heart, nearest first; above and below before the sides."""
    found = [(0, 0.0, 0.0)]
    for ring in range(1, rings + 1):
        for k in range(ANGLES):
            turn = (k + 1) // 2 * (-1) ** k  # 0, -1, 1, -2, 2, ...
            angle = 2 * math.pi * turn / ANGLES
            found.append((ring, step * ring * math.sin(angle), -step * ring * math.cos(angle)))
    return found


def _touches(box: tuple[float, float, float, float], x: float, y: float, radius: float) -> bool:
    dx, dy = max(box[0] - x, 0.0, x - box[2]), max(box[1] - y, 0.0, y - box[3])
    return dx * dx + dy * dy < radius * radius


def _overlap(one: tuple[float, float, float, float], other: tuple[float, float, float, float]) -> bool:
    return one[0] < other[2] and one[2] > other[0] and one[1] < other[3] and one[3] > other[1]
