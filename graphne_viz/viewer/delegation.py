"""Functions of a session as methods of an object that has one."""

from __future__ import annotations

import inspect
from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from graphne_viz.viewer.session.session import ViewSession

P = ParamSpec("P")
R = TypeVar("R")


def session_method(function: Callable[Concatenate[ViewSession, P], R]) -> Callable[Concatenate[Any, P], R]:
    """Make a method that calls a function with `self.session`, with the same keywords and documentation."""

    @wraps(function)
    def method(self: Any, /, *args: P.args, **keywords: P.kwargs) -> R:  # noqa: ANN401 -- whoever has a session
        return function(self.session, *args, **keywords)

    signature = inspect.signature(function)
    first, *others = signature.parameters.values()
    method.__signature__ = signature.replace(parameters=[first.replace(name="self"), *others])  # type: ignore[attr-defined] # read by inspect
    del method.__wrapped__  # the documentation would show the function instead
    return method
