"""What was measured round by round: printed as a curve, and judged whether it grows."""

from __future__ import annotations

from collections import defaultdict
from statistics import median

_BARS = "▁▂▃▄▅▆▇█"
_WIDTH = 30

ALLOWED = {
    "RSS MB": (12.0, 0.03),
    "JS heap MB": (1.5, 0.03),
    "threads": (0.0, 0.0),
    "open files": (2.0, 0.0),
    "WebGL contexts": (0.0, 0.0),
    "elements": (20.0, 0.0),
    "listeners": (20.0, 0.0),
}
"""How much more the last third of the rounds may have than the one before: an amount, or a share of it if that is more.

Memory is what the allocator and the garbage collector leave it at. The kernel's threads open and close files at any
time, so that their number differs by some from round to round; everything else is counted.
"""

EACH_ROUND = {"elements": 2.0}
"""What may be left of a round beside that: JupyterLab keeps two empty elements of every view, fourteen of a slider."""


class Curves:
    """Measurements of one story, one after the other."""

    def __init__(self) -> None:
        self._values: dict[str, list[float]] = defaultdict(list)

    def add(self, measured: dict[str, float]) -> None:
        """Keep the measurements of a round."""
        for name, value in measured.items():
            self._values[name].append(value)

    @property
    def rounds(self) -> int:
        """How many were measured."""
        return max(map(len, self._values.values()), default=0)

    def growing(self) -> list[str]:
        """Names of what grows: the last third of the rounds has more of it than the second third, in the middle.

        The first third is left out, in which caches fill and code is compiled.
        """
        return [name for name, values in self._values.items() if _growth(values) > _allowed(name, values)]

    def rows(self, story: str) -> list[str]:
        """Return the lines of the table."""
        growing = self.growing()
        rows = []
        for name, values in self._values.items():
            figures = values[0], median(_third(values, 1)), median(_third(values, 2))
            three = " | ".join(f"{value:,.4g}" for value in figures)
            verdict = "GROWS" if name in growing else "flat"
            rows.append(f"| {story} | {name} | {three} | {_allowed(name, values):.3g} | {curve(values)} | {verdict} |")
        return rows


HEAD = "| story | | first | second third | last third | may grow by | curve | |\n|---|---|--:|--:|--:|--:|---|---|"


def curve(values: list[float]) -> str:
    """Draw values as a line of bars, from the least to the most.

    >>> curve([1, 2, 3, 8])
    '▁▂▃█'
    """
    step = max(1, len(values) / _WIDTH)
    chosen = [values[int(k * step)] for k in range(min(len(values), _WIDTH))]
    low, span = min(chosen), max(chosen) - min(chosen)
    return "".join(_BARS[round((len(_BARS) - 1) * (value - low) / span) if span else 0] for value in chosen)


def _third(values: list[float], number: int) -> list[float]:
    n = len(values)
    return values[number * n // 3 : (number + 1) * n // 3] or values[-1:]


def _growth(values: list[float]) -> float:
    return median(_third(values, 2)) - median(_third(values, 1))


def _allowed(name: str, values: list[float]) -> float:
    amount, share = ALLOWED[name]
    return max(amount, share * median(_third(values, 1))) + EACH_ROUND.get(name, 0) * len(values) / 3
