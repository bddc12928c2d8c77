"""The figures of one layout or embedding, as one table."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from graphne_viz.evaluation.metrics.noise import digits
from graphne_viz.graphs.convert.frames import as_frame

if TYPE_CHECKING:
    from collections.abc import Iterator

    from graphne_viz._types import Foreign
    from graphne_viz.evaluation.metrics.recall_bounds import RecallBounds

_NEARLY_ALL, _HARDLY_ANY = 0.995, 0.005


@dataclass(frozen=True, repr=False, eq=False)
class Scores(Mapping[str, float]):
    """What `evaluate` found: a mapping of name to figure, and the figures as attributes. NaN where there is none.

    Attributes
    ----------
    neighbor_recall, knn_accuracy, linear_accuracy, link_prediction_auc, two_hop_recall, distance_correlation : float
        As the functions of these names return them.
    bounds : RecallBounds or None
        What neighbour recall would be by chance, and at best.
    errors : mapping of str to float
        Standard error of each figure, from the number of nodes or pairs it was measured on.

    Examples
    --------
    >>> scores = Scores(neighbor_recall=0.61, distance_correlation=0.5)
    >>> scores["neighbor_recall"], scores.distance_correlation
    (0.61, 0.5)
    >>> scores
    neighbour recall      0.610
    kNN accuracy              -
    linear accuracy           -
    link prediction AUC       -
    2-hop recall              -
    distance correlation  0.500
    """

    neighbor_recall: float = math.nan
    knn_accuracy: float = math.nan
    linear_accuracy: float = math.nan
    link_prediction_auc: float = math.nan
    two_hop_recall: float = math.nan
    distance_correlation: float = math.nan
    bounds: RecallBounds | None = None
    errors: Mapping[str, float] = field(default_factory=dict)

    def __getitem__(self, name: str) -> float:
        if name not in TITLES:
            raise KeyError(name)
        return float(getattr(self, name))

    def __iter__(self) -> Iterator[str]:
        return iter(TITLES)

    def __len__(self) -> int:
        return len(TITLES)

    def __repr__(self) -> str:
        width = max(map(len, TITLES.values())) + 1
        lines = [f"{title:<{width}}{self.text(name):>6}" for name, title in TITLES.items()]
        if self.bounds is not None:
            lines[0] = f"{lines[0]:<{width + 6}}  ({self.bounds_text()})"
        return "\n".join(lines)

    def text(self, name: str) -> str:
        """Return a figure with the decimals that mean something, "-" where there is none."""
        return "-" if math.isnan(self[name]) else f"{self[name]:.{digits(self.errors.get(name, math.nan))}f}"

    def bounds_text(self) -> str:
        """Return what neighbour recall can be, in words; "" if that is not known."""
        if self.bounds is None:
            return ""
        most = f", at most {self.bounds.best:.2f}" if self.bounds.best < _NEARLY_ALL else ""
        chance = f"{self.bounds.random:.2f}" if self.bounds.random >= _HARDLY_ANY else "less than 0.01"
        return f"{chance} by chance{most}"

    def to_frame(self) -> Foreign:
        """Return a pandas table of one row, with a column for each figure."""
        return as_frame([self])


TITLES = {
    "neighbor_recall": "neighbour recall",
    "knn_accuracy": "kNN accuracy",
    "linear_accuracy": "linear accuracy",
    "link_prediction_auc": "link prediction AUC",
    "two_hop_recall": "2-hop recall",
    "distance_correlation": "distance correlation",
}
"""How each figure is called where people read it; in tables of pandas and csv it has the name of its function."""
