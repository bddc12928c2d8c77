"""What can be taken away from a view."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from graphne_viz.viewer.page import Panel, write_page
from graphne_viz.viewer.provenance import provenance_of_run

if TYPE_CHECKING:
    import os

    from graphne_viz.viewer.run import Run
    from graphne_viz.viewer.widget import GraphWidget


class Exports:
    """The exports of a `GraphWidget`, which inherits them."""

    run: Run
    _weight: str | None

    @property
    def provenance(self) -> dict[str, Any]:
        """Parameters, seed and versions that made what is shown, as every export carries them; plain JSON values."""
        return provenance_of_run(self.run, weight=self._weight)

    def to_html(
        self, path: str | os.PathLike[str], *, title: str | None = None, caption: str = "", replay: bool = True
    ) -> None:
        """Write one HTML file with the same viewer, for any browser: no kernel, no network.

        Parameters
        ----------
        path : path-like
        title : str, optional
            Stands above the picture.
        caption : str
            Stands below it.
        replay : bool, default True
            Whether the file tells how the layout formed, too. That takes most of its size; it is thinned out so that
            20,000 nodes need less than 2 MB in all, beside the viewer.

        Raises
        ------
        ValueError
            If there is no layout yet.
        """
        panel = Panel.of(cast("GraphWidget", self), caption=caption, replay=replay)
        write_page(path, [panel], title=title or "", about=self.provenance)
