"""The figures of one layout or embedding, as one table."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from graphne_viz.graphs.frames import as_frame

if TYPE_CHECKING:
    from collections.abc import Iterator

    from graphne_viz.graphs.arrays import Foreign


@dataclass(frozen=True, repr=False, eq=False)
class Scores(Mapping[str, float]):
    """What `evaluate` found: a mapping of name to figure, and the figures as attributes. NaN where there is none.

    Attributes
    ----------
    neighbor_recall, knn_accuracy, linear_accuracy, link_prediction_auc, two_hop_recall, distance_correlation : float
        As the functions of these names return them.

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
        return "\n".join(
            f"{title:<{width}}" + ("     -" if math.isnan(self[name]) else f"{self[name]:6.3f}")
            for name, title in TITLES.items()
        )

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
