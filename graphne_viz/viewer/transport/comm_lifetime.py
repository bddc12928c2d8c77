"""What ends with the connection of a widget to its page."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


def end_with_comm(comm: Any, end: Callable[[], object]) -> None:  # noqa: ANN401 -- a notebook's own
    """Call a function when a comm is closed, whoever closes it: marimo does when a cell is run again, and tells nobody.

    Parameters
    ----------
    comm : comm or None
        Nothing happens without one.
    end : callable
        May be called twice.
    """
    if comm is not None:
        comm.close = partial(_close_both, end, comm.close)
        if hasattr(comm, "on_close"):  # what stands in for one in Shiny until the page is there has none
            comm.on_close(lambda _message: end())


def _close_both(end: Callable[[], object], close: Callable[..., object], *args: object, **keywords: object) -> None:
    end()
    close(*args, **keywords)
