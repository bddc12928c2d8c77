"""What can be taken away from a view."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphne_viz.viewer.provenance import provenance_of_run

if TYPE_CHECKING:
    from graphne_viz.viewer.run import Run


class Exports:
    """The exports of a `GraphWidget`, which inherits them."""

    run: Run
    _weight: str | None

    @property
    def provenance(self) -> dict[str, Any]:
        """Parameters, seed and versions that made what is shown, as every export carries them; plain JSON values."""
        return provenance_of_run(self.run, weight=self._weight)
