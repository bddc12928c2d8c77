"""Checks of arguments: a bad one is refused in one sentence with its name, its value and what would be accepted."""

from __future__ import annotations

import math
from difflib import get_close_matches
from numbers import Integral, Real
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable


def is_integer(value: object) -> bool:
    """Whether a value is an integer of Python or numpy; True and False are not."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def check_integer(name: str, value: object, *, least: int) -> None:
    """Refuse anything but an integer of at least ``least``.

    Examples
    --------
    >>> check_integer("dim", 1.5, least=2)
    Traceback (most recent call last):
    ...
    TypeError: dim must be an integer, got 1.5
    """
    if not is_integer(value):
        raise TypeError(f"{name} must be an integer, got {value!r}")
    if value < least:  # type: ignore[operator] # an integer, as was just checked
        raise ValueError(f"{name} must be at least {least}, got {value!r}")


def check_positive(name: str, value: object, *, least: float = 0, most: float = math.inf) -> None:
    """Refuse anything but a positive, finite number from ``least`` to ``most``."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{name} must be a number, got {value!r}")
    if not 0 < float(value) < math.inf:
        raise ValueError(f"{name} must be positive and finite, got {value!r}")
    if float(value) < least:
        raise ValueError(f"{name} must be at least {least:,g}, got {value!r}")
    if float(value) > most:
        raise ValueError(f"{name} must be at most {most:,g}, got {value!r}")


def check_choice(name: str, value: object, choices: Iterable[str]) -> None:
    """Refuse anything but one of the choices."""
    choices = tuple(choices)
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, choices))}, got {value!r}")


def check_flag(name: str, value: object) -> None:
    """Refuse anything but True and False."""
    if not isinstance(value, bool):
        raise TypeError(f"{name} must be True or False, got {value!r}")


def check_callable(name: str, value: object) -> None:
    """Refuse anything but None and what can be called."""
    if value is not None and not callable(value):
        raise TypeError(f"{name} must be callable, got {value!r}")


def check_n_jobs(value: object) -> None:
    """Refuse anything but a number of threads as scikit-learn counts them."""
    if value is not None and (not is_integer(value) or value == 0):
        raise ValueError(f"n_jobs must be None or -1 (all cores) or a number of threads, got {value!r}")


def unknown_keyword(function: str, name: str, known: Collection[str]) -> TypeError:
    """Return the error for a keyword that a function does not have, with the nearest one that it has.

    Examples
    --------
    >>> unknown_keyword("embed", "temprature", ["temperature", "epochs"])
    TypeError("embed() got an unexpected keyword argument 'temprature'. Did you mean 'temperature'?")
    """
    near = get_close_matches(name, known, n=1)
    hint = f". Did you mean {near[0]!r}?" if near else ""
    return TypeError(f"{function}() got an unexpected keyword argument {name!r}{hint}")


def no_such_name(
    argument: str, name: str, what: str, known: Iterable[str], *, also: str = "", more: Iterable[str] = ()
) -> ValueError:
    """Return the error for a name that stands for nothing, with those that do and the nearest of them.

    Parameters
    ----------
    argument, name : str
        What the caller gave.
    what : str
        What it should have been the name of.
    known : iterable of str
        The names there are.
    also : str
        What else would be accepted, as the rest of the sentence.
    more : iterable of str
        Further names that may have been meant.

    Examples
    --------
    >>> no_such_name("color", "clas", "a node attribute", ["class", "year"])
    ValueError("color='clas' is not a node attribute; there are: 'class', 'year'. Did you mean 'class'?")
    """
    known = list(known)
    near = get_close_matches(name, [*known, *more], n=1)
    hint = f". Did you mean {near[0]!r}?" if near else ""
    listed = ", ".join(map(repr, known)) or "none"
    return ValueError(f"{argument}={name!r} is not {what}; there are: {listed}{also}{hint}")
