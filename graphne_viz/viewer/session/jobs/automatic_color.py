"""Colours that take longer to find than a first picture may take: communities of a large graph."""

from __future__ import annotations

import logging
import weakref
from functools import partial
from typing import TYPE_CHECKING

from graphne_viz.encoding.automatic import is_auto
from graphne_viz.graphs.statistics import COMMUNITIES, finds_communities_quickly
from graphne_viz.graphs.statistics_process import compute_in_subprocess

if TYPE_CHECKING:
    from graphne_viz.graphs.graph import Graph
    from graphne_viz.viewer.session.column_registry import Choice, ColumnRegistry
    from graphne_viz.viewer.session.session import ViewSession

log = logging.getLogger(__name__)


def color_at_first(graph: Graph, columns: ColumnRegistry, color: Choice, *, at_once: bool) -> tuple[Choice, bool]:
    """Return what the first picture is coloured by, and whether communities follow.

    Parameters
    ----------
    graph : Graph
    columns : ColumnRegistry
    color
        As the keyword of `view`.
    at_once : bool
        Whether the caller waits for everything.
    """
    if not is_auto(graph, color):
        return color, False
    chosen = columns.automatic("color")
    later = chosen == COMMUNITIES and not at_once and not finds_communities_quickly(graph)
    return (None if later else chosen), later


def color_later(session: ViewSession) -> None:
    """Find communities in the background, and colour by them unless somebody has chosen something else by then."""
    columns, jobs, ref = session.columns, session.jobs, weakref.ref(session)

    def show(_result: object, error: BaseException | None) -> None:
        if error is not None:
            log.warning("communities could not be found: %s", error)
            return
        live = ref()
        if live is not None and live["color"] is None:
            live.publish_columns()
            live.set(color=COMMUNITIES)

    work = partial(columns.compute, COMMUNITIES, by=partial(compute_in_subprocess, wanted=lambda: not jobs.closed))
    # Under the key of the browser's own wish for it, so that it is computed once.
    jobs.run(("statistic", COMMUNITIES), work, show)
