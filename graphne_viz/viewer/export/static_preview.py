"""Pictures beside live views, for readers who have only the saved notebook.

A view is shown when its layout has hardly begun, so a picture of that moment says nothing, and a picture in the same
output cannot be replaced later: the notebook would remove the live view and make another. So it has an output of
its own. Where the viewer runs, its style sheet hides that; on GitHub, in a PDF and without a kernel nothing does.
"""

from __future__ import annotations

import base64
import logging
import sys
import threading
from collections import deque
from typing import TYPE_CHECKING, Any

from graphne_viz._lazy import lazy_import
from graphne_viz.viewer.export.exports import static_preview
from graphne_viz.viewer.run.state_machine import ACTIVE, MOVING

if TYPE_CHECKING:
    from collections.abc import Callable

    from IPython import display as ipython_display

    from graphne_viz.viewer.session.session import ViewSession
else:
    ipython_display = lazy_import("IPython.display")

log = logging.getLogger(__name__)

CLASS = "graphne-static-preview"
_MOST_RENEWED = 4
"""Pictures that are kept up to date, of a widget that is shown several times."""


_NOT_YET = {
    "text/html": f'<p class="{CLASS}">The layout was being computed.</p>',
    "text/plain": "The layout was being computed.",
}


class StaticPreviews:
    """The pictures of one session in a notebook.

    Parameters
    ----------
    session : ViewSession
    """

    def __init__(self, session: ViewSession) -> None:
        self._session = session
        self._handles: deque[Any] = deque(maxlen=_MOST_RENEWED)
        self._drawing = threading.Lock()
        self._due = False

    def add_picture(self, bundle: Any, comm: object) -> Any:  # noqa: ANN401 -- as anywidget has it
        """Put a picture beside a view, which is a bundle by MIME types that is being shown; returns the bundle."""
        # marimo asks without looking at the answer.
        if bundle is None or type(comm).__module__.startswith("marimo"):
            return bundle
        self._session.stream.displayed()
        data = bundle[0] if isinstance(bundle, tuple) else bundle
        try:
            data["image/png"] = base64.b64encode(static_preview(self._session)).decode()
        except Exception:
            log.exception("the static preview could not be drawn")
        return bundle

    def _can_be_renewed(self) -> bool:
        """Whether a picture in an output of its own is worth while: a run is under way, in a kernel."""
        ipython = sys.modules.get("IPython")
        in_a_kernel = ipython is not None and hasattr(ipython.get_ipython(), "kernel")  # not in a terminal
        return in_a_kernel and self._session.run.state in ACTIVE

    def show(self, make_bundle: Callable[[], Any], comm: object) -> bool:
        """Show a view, and beside it a picture that is renewed when the run rests; returns whether that was of use."""
        bundle = make_bundle() if comm is not None and self._can_be_renewed() else None
        if bundle is None:
            return False
        self._session.stream.displayed()
        ipython_display.display(bundle[0] if isinstance(bundle, tuple) else bundle, raw=True)  # type: ignore[no-untyped-call] # IPython publishes no types
        # A picture would say little yet, and drawing it would hold up the first frames.
        self._handles.append(ipython_display.display(_NOT_YET, raw=True, display_id=True))  # type: ignore[no-untyped-call] # the same
        self.renew()  # short runs have come to rest by now
        return True

    def renew(self) -> None:
        """Draw the pictures again if the run rests, in a thread of their own."""
        if self._handles and not self._due and self._session.run.state not in MOVING:
            self._due = True
            threading.Thread(target=self._renew, name="graphne-preview").start()

    def _renew(self) -> None:
        try:
            with self._drawing:
                self._due = False
                bundle = _bundle(static_preview(self._session))
                for handle in list(self._handles):
                    handle.update(bundle, raw=True)
        except Exception:
            log.exception("the static preview could not be drawn")


def _bundle(png: bytes) -> dict[str, object]:
    encoded = base64.b64encode(png).decode()
    return {
        "text/html": f'<img class="{CLASS}" alt="The layout of the graph" src="data:image/png;base64,{encoded}">',
        "image/png": encoded,
        "text/plain": "The layout of the graph",
    }
