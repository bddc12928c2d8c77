"""Functions of the caller's that hear what somebody does in a view: clicks on nodes, points at them, selects."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, TypeVar, get_args

if TYPE_CHECKING:
    from graphne_viz.viewer.session.session import ViewSession

log = logging.getLogger(__name__)

Event = Literal["click", "hover", "select"]
EVENTS: tuple[str, ...] = get_args(Event)

POINTER_EVENTS = ("click", "hover")
"""Events of which the browser tells only where somebody wants to hear of them."""

Callback = TypeVar("Callback", bound=Callable[[Any], object])


class Callbacks:
    """The functions of one view, by event."""

    def __init__(self) -> None:
        self._functions: dict[str, list[Callable[[Any], object]]] = {event: [] for event in EVENTS}

    @property
    def wanted(self) -> list[str]:
        """The events of the pointer that somebody wants to hear of."""
        return [event for event in POINTER_EVENTS if self._functions[event]]

    def change(self, event: str, function: Callable[[Any], object], *, remove: bool) -> None:
        """Add a function, or remove it."""
        if not callable(function):
            raise TypeError(f"on_{event} takes a function of one argument, got {function!r}")
        known = self._functions[event]
        if not remove:
            known.append(function)
        elif function in known:
            known.remove(function)
        else:
            raise ValueError(f"on_{event} cannot remove {function!r}, which was not added")

    def call(self, event: str, value: object) -> None:
        """Call the functions of an event; what one of them raises is logged, and the others are called."""
        for function in list(self._functions[event]):
            try:
                function(value)
            except Exception:
                log.exception("a function that was given to on_%s failed", event)


def on_click(session: ViewSession, function: Callback, *, remove: bool = False) -> Callback:
    """Have a function called with each node that is clicked.

    Parameters
    ----------
    function : callable
        Takes the node. It is called in the kernel's main thread; what it raises is logged.
    remove : bool
        Whether it is not to be called any more.

    Returns
    -------
    callable
        The function, so that it can be written under ``@w.on_click``.
    """
    return _change(session, "click", function, remove=remove)


def on_hover(session: ViewSession, function: Callback, *, remove: bool = False) -> Callback:
    """Have a function called with each node that the pointer comes to, and with None when it leaves.

    Parameters
    ----------
    function, remove
        As for `on_click`.
    """
    return _change(session, "hover", function, remove=remove)


def on_select(session: ViewSession, function: Callback, *, remove: bool = False) -> Callback:
    """Have a function called with the tuple of selected nodes whenever others are selected, in a browser or in Python.

    Parameters
    ----------
    function, remove
        As for `on_click`.
    """
    return _change(session, "select", function, remove=remove)


def _change(session: ViewSession, event: Event, function: Callback, *, remove: bool) -> Callback:
    session.callbacks.change(event, function, remove=remove)
    session.publish_events()
    return function
