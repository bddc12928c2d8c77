"""Nodes that somebody holds while a layout forms around them: pulled about, dropped, released, between iterations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from graphne_viz.layout.components import fit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from graphne_viz.layout.components import Parts

    Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Pins:
    """Nodes that stay where they are put.

    Attributes
    ----------
    nodes : ndarray of int, shape (k,)
        Ascending, each once.
    places : ndarray of float64, shape (k, 2)
        In the units of the snapshots.
    """

    nodes: NDArray[np.intp]
    places: Floats

    def put(self, positions: Floats) -> Floats:
        """Write the places into positions of all nodes, shape (n, 2), and return those."""
        positions[self.nodes] = self.places
        return positions


class Holdable(Protocol):
    """A part of a layout, some of whose nodes can be held."""

    def hold(self, nodes: NDArray[np.intp], places: Floats) -> None:
        """Put nodes somewhere, in the part's own units, and hold them, and no others, until the next call.

        The part is neither centred nor scaled up from then on, even if none is held any more.
        """

    def write(self, positions: Floats) -> None:
        """Put the positions into an array."""


class Problem(Protocol):
    """Rows ``lo:hi`` of all nodes grouped by part."""

    @property
    def lo(self) -> int:
        """The first row."""

    @property
    def hi(self) -> int:
        """The row after the last."""

    @property
    def part(self) -> Holdable:
        """What optimises them."""


class Pinning:
    """Holds nodes in a layout of all parts, and says where the parts lie in the picture meanwhile.

    A part is usually centred in every snapshot. That would move what is held, so the place of a part in the picture is
    frozen when one of its nodes is held for the first time; only its size still follows its disc.

    Parameters
    ----------
    parts : Parts
    discs : tuple of ndarray, or None
        Centres and radii of the parts' discs; None for one part, which is drawn in its own units.
    problems : sequence of Problem
        What is optimised.
    origins : ndarray, shape (k, 2), optional
        Those of an earlier run that is resumed.

    Attributes
    ----------
    pins : Pins or None
        What is held now.
    origins : ndarray, shape (k, 2)
        The point of each part, in its own units, that lies at the middle of its disc; NaN where that is not frozen.
    """

    def __init__(
        self,
        parts: Parts,
        discs: tuple[Floats, Floats] | None,
        problems: Sequence[Problem],
        origins: Floats | None = None,
    ) -> None:
        self.pins: Pins | None = None
        self._parts = parts
        self._discs = discs
        self._problems = problems
        self._size = int(parts.offsets[-1])
        self._rows = np.empty(0, dtype=np.intp)
        self.origins = np.full((parts.n_parts, 2), np.nan) if origins is None else origins.copy()
        self._row_of: NDArray[np.intp] | None = None
        for problem in problems if self.frozen else ():
            problem.part.hold(np.empty(0, np.intp), np.empty((0, 2)))

    @property
    def frozen(self) -> bool:
        """Whether a node is held, or was."""
        return bool(np.isfinite(self.origins).any())

    def hold(self, pins: Pins) -> None:
        """Hold these nodes, and no others, from now on; to be called again as the layout grows."""
        if self._row_of is None:
            self._row_of = np.empty_like(self._parts.order)
            self._row_of[self._parts.order] = np.arange(self._parts.order.size)
        rows = self._row_of[pins.nodes]
        linked = rows < self._size  # isolates are drawn where they are put, and nothing answers
        rows, places = rows[linked], pins.places[linked]
        order = np.argsort(rows)
        rows, places = rows[order], places[order]
        numbers = np.searchsorted(self._parts.offsets, rows, side="right") - 1
        self._freeze(np.unique(numbers))
        self.pins, self._rows = pins, rows
        own = self._to_own(places, numbers)
        for problem in self._problems:
            lo, hi = np.searchsorted(rows, (problem.lo, problem.hi))
            problem.part.hold(rows[lo:hi] - problem.lo, own[lo:hi])

    def shrink(self, factor: float) -> None:
        """Note that all parts were divided by a factor."""
        self.origins /= factor

    def placed(self, grouped: Floats) -> Floats:
        """Put all parts together, in the caller's order of nodes, shape (n, 2); see `components.place`."""
        if self._discs is None:
            placed = np.empty_like(grouped)
            placed[self._parts.order] = grouped - self.origins[0]
        else:
            centers, radii = self._discs
            placed = fit(self._without_held(grouped), self._parts, radii).at(centers, self.origins)
        return placed if self.pins is None else self.pins.put(placed)

    def _freeze(self, numbers: NDArray[np.intp]) -> None:
        """Note where parts lie in the picture that no node has been held of."""
        fresh = numbers[np.isnan(self.origins[numbers, 0])]
        if not fresh.size:
            return
        before = self._grouped()
        for problem in self._problems:
            problem.part.hold(np.empty(0, np.intp), np.empty((0, 2)))
        first = self._parts.offsets[fresh]
        self.origins[fresh] = self._grouped()[first] - before[first]
        if self._discs is not None:
            self.origins[fresh] += fit(before, self._parts, self._discs[1]).middles[fresh]

    def _to_own(self, places: Floats, numbers: NDArray[np.intp]) -> Floats:
        """Translate places in the picture to the own units of the parts of these numbers."""
        origins = self.origins[numbers]
        if self._discs is None:
            return places + origins
        centers, radii = self._discs
        scales = fit(self._without_held(self._grouped()), self._parts, radii).scales[numbers, None]
        away = places - centers[numbers]
        return origins + np.divide(away, scales, out=np.zeros_like(away), where=scales > 0)

    def _without_held(self, grouped: Floats) -> Floats:
        """Move held nodes to the middle of their parts, so that those are not shrunk to hold them, too."""
        if not self._rows.size:
            return grouped
        moved, offsets = grouped.copy(), self._parts.offsets
        numbers = np.searchsorted(offsets, self._rows, side="right") - 1
        means = np.add.reduceat(grouped, offsets[:-1]) / self._parts.sizes[:, None]
        moved[self._rows] = means[numbers]
        return moved

    def _grouped(self) -> Floats:
        grouped = np.empty((self._size, 2))
        for problem in self._problems:
            problem.part.write(grouped[problem.lo : problem.hi])
        return grouped
