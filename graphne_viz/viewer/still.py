"""Pictures beside live views, for readers who have only the saved notebook.

A view is shown when its layout has hardly begun, so a picture of that moment says nothing, and a picture in the same
output cannot be exchanged later: the notebook would take the live view away and make another. So it has an output of
its own. Where the viewer runs, its style sheet hides that; on GitHub, in a PDF and without a kernel nothing does.
"""

from __future__ import annotations

import base64
import logging
import sys
import threading
from collections import deque
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

log = logging.getLogger(__name__)

CLASS = "graphne-still"
_MOST_RENEWED = 4
"""Pictures that are kept up to date; whoever shows a widget often sees the older ones no more."""


class Stills:
    """The pictures beside the views of one widget."""

    def __init__(self) -> None:
        self._handles: deque[Any] = deque(maxlen=_MOST_RENEWED)
        self._drawing = threading.Lock()
        self._due = False

    def show(self, view: dict[str, object], draw: Callable[[], bytes]) -> None:
        """Show a view, a bundle by MIME types, and beside it the PNG that ``draw`` returns."""
        from IPython.display import display  # noqa: PLC0415 -- there is a kernel that has imported it

        display(view, raw=True)  # type: ignore[no-untyped-call] # IPython publishes no types
        handle = display(_bundle(draw()), raw=True, display_id=True)  # type: ignore[no-untyped-call] # the same
        self._handles.append(handle)

    def renew(self, draw: Callable[[], bytes]) -> None:
        """Draw the pictures anew, in a thread that ends with that."""
        if self._handles and not self._due:
            self._due = True
            threading.Thread(target=self._renew, args=(draw,), name="graphne-still").start()

    def _renew(self, draw: Callable[[], bytes]) -> None:
        try:
            with self._drawing:
                self._due = False
                bundle = _bundle(draw())
                for handle in list(self._handles):
                    handle.update(bundle, raw=True)
        except Exception:
            log.exception("no picture could be drawn for readers without a browser")


def in_a_kernel() -> bool:
    """Whether outputs can be exchanged later: in a notebook, not in a terminal."""
    ipython = sys.modules.get("IPython")
    return ipython is not None and hasattr(ipython.get_ipython(), "kernel")


def _bundle(png: bytes) -> dict[str, object]:
    encoded = base64.b64encode(png).decode()
    return {
        "text/html": f'<img class="{CLASS}" alt="The layout of the graph" src="data:image/png;base64,{encoded}">',
        "image/png": encoded,
        "text/plain": "The layout of the graph",
    }
