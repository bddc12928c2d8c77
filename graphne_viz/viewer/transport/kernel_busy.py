"""Whether a cell keeps the kernel busy, so that no message of the browser is read."""

from __future__ import annotations

import sys
import threading
import weakref
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any, Protocol

    class Listener(Protocol):
        """Who wants to know when a cell begins or ends."""

        def poke(self) -> None:
            """Look again."""


class KernelActivity:
    """Learns from IPython when a cell begins and when it ends.

    `watch` registers with the shell that is there, once; without IPython no cell ever runs.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._shell: weakref.ref[Any] | None = None
        self._busy = False
        self._listeners: weakref.WeakSet[Listener] = weakref.WeakSet()

    @property
    def busy(self) -> bool:
        """Whether a cell runs now."""
        return self._busy

    def watch(self, listener: Listener) -> None:
        """Have a listener, weakly held, told when a cell begins or ends."""
        with self._lock:
            self._listeners.add(listener)
            shell = _shell()
            if shell is None or (self._shell is not None and self._shell() is shell):
                return
            self._shell = weakref.ref(shell)
            shell.events.register("pre_run_cell", self._begin)
            shell.events.register("post_run_cell", self._end)
            self._busy = _in_a_cell(shell)

    def _begin(self, _info: object = None) -> None:
        self._change(busy=True)

    def _end(self, _result: object = None) -> None:
        self._change(busy=False)

    def _change(self, *, busy: bool) -> None:
        with self._lock:
            self._busy = busy
            listeners = list(self._listeners)
        for listener in listeners:
            listener.poke()


def _shell() -> Any:  # noqa: ANN401 - IPython's own, which publishes no types
    """Return the shell of IPython, if that is what runs us."""
    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython is not None else None


def _in_a_cell(shell: Any) -> bool:  # noqa: ANN401 - IPython's own
    """Tell a cell, which began before anyone could watch, from a message of a widget."""
    header = getattr(shell, "parent_header", None) or {}
    if "header" in header:
        header = header["header"]
    return bool(header.get("msg_type") == "execute_request")


KERNEL = KernelActivity()
"""There is one kernel."""


def kernel_is_busy() -> bool:
    """Whether a cell keeps the kernel busy now."""
    return KERNEL.busy
