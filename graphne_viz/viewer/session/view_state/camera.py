"""The camera of a view, in the coordinates of `pos`.

The browser keeps its camera in the coordinates of the frames, which grow while a layout forms and of which only the
proportions are those of `pos`. So a camera that Python has set is translated, and translated again as the layout grows,
until somebody moves it in the browser.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from graphne_viz.viewer.session.view_state.view_settings import check_camera

if TYPE_CHECKING:
    from graphne_viz.layout.snapshot import Snapshot
    from graphne_viz.viewer.run.run import Run

_MOVED = 0.02
"""Share of the span by which a camera has to be off before a running layout is followed."""

_EXACT = 1e-9

Place = dict[str, Any]
"""``{"center": (x, y), "span": s}``."""


class Camera:
    """Translates where a view looks. Whoever uses it from several threads holds a lock.

    Parameters
    ----------
    run : Run
        Whose positions are looked at.
    """

    def __init__(self, run: Run) -> None:
        self._run = run
        self._asked: tuple[Place, Place] | None = None
        self._units: tuple[Snapshot | None, float, tuple[float, float]] = (None, 1.0, (0.0, 0.0))

    def to_frame(self, place: Place | None) -> Place | None:
        """Translate a camera that Python sets to the coordinates of the frames."""
        if place is None:
            return None
        scale, (left, bottom) = self.translation()
        x, y = place["center"]
        found = {"center": ((x - left) / scale, (y - bottom) / scale), "span": place["span"] / scale}
        self._asked = (place, found)
        return found

    def to_layout(self, place: Place | None) -> Place | None:
        """Translate a camera of the browser's to the coordinates of `pos`; one that Python has set is as it was set."""
        place = check_camera(place)
        if place is None:
            return None
        if self._asked is not None and _off(place, self._asked[1]) < _EXACT:
            return dict(self._asked[0])
        scale, (left, bottom) = self.translation()
        x, y = place["center"]
        return {"center": (scale * x + left, scale * y + bottom), "span": scale * place["span"]}

    def renewed(self, place: Place | None, *, at_rest: bool) -> Place | None:
        """Return where the browser's camera has to be, now that the positions are others; None where it may stay.

        Parameters
        ----------
        place : dict or None
            Where it is.
        at_rest : bool
            Whether the positions stay; otherwise it need not be exact.
        """
        place = check_camera(place)
        if place is None or self._asked is None or _off(place, self._asked[1]) >= _EXACT:
            self._asked = None  # it was moved in the browser, and stays where it was put
            return None
        asked, before = self._asked
        found = self.to_frame(asked)
        if found is None or _off(before, found) < (_EXACT if at_rest else _MOVED):
            self._asked = (asked, before)
            return None
        return found

    def translation(self) -> tuple[float, tuple[float, float]]:
        """Return `scale` and `offset`: ``pos = scale * frame + offset``; as they are before there are positions."""
        latest = self._run.latest
        if latest is not self._units[0]:
            layout = self._run.layout()
            if latest is not None and layout is not None and len(layout):
                low, high = latest.positions.min(axis=0).astype(float), latest.positions.max(axis=0).astype(float)
                least, most = layout.min(axis=0), layout.max(axis=0)
                reach, drawn = float((most / 2 - least / 2).max()), float((high / 2 - low / 2).max())
                scale = reach / drawn if reach > 0 and drawn > 0 else 1.0  # all nodes may stand on one point
                offset = least / 2 + most / 2 - scale * (low / 2 + high / 2)
                self._units = (latest, scale, (float(offset[0]), float(offset[1])))
        return self._units[1], self._units[2]


def _off(one: Place, other: Place) -> float:
    """Return by how much two cameras differ, as a share of what they show."""
    span: float = max(one["span"], other["span"])
    wider: float = abs(one["span"] - other["span"])
    return max(wider, math.dist(one["center"], other["center"])) / span
