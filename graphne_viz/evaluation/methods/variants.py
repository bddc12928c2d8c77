"""Methods with options, as they are named on the command line, in tables and in presets."""

from __future__ import annotations

import inspect
import json
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from graphne_viz.evaluation.methods.registry import FLAT, find_method, methods

if TYPE_CHECKING:
    from collections.abc import Mapping

    Option = str | float | bool | None

_OWN = {"graph", "dim", "seed"}

PRESETS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "ablation": tuple(
            f"graphne:normalization={normalization}:initialization={start}"
            for normalization in ("node", "graph")
            for start in ("spectral", "random")
        ),
        "sweep": tuple(f"graphne:exaggeration={value}" for value in (1, 2, 3, 4, 6, 8, 12, 16, 22, 30)),
    }
)
"""Variants of our own layout in 2D: the paper's ablation, and the balance of attraction and repulsion."""

PRESET_DATASETS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"ablation": ("photo", "computer"), "sweep": ("citeseer", "cora", "pubmed", "photo", "computer")}
)
"""The graphs of each preset, if no others are named."""


@dataclass(frozen=True)
class Variant:
    """A method with options.

    Attributes
    ----------
    method : str
    options : str
        JSON with sorted names; ``"{}"`` where the method is as it comes. Options at their defaults are left out.
    """

    method: str
    options: str = "{}"

    @property
    def keywords(self) -> dict[str, Option]:
        """The options, for `run_method`."""
        found: dict[str, Option] = json.loads(self.options)
        return found

    @property
    def label(self) -> str:
        """What it is called in a table."""
        return " ".join([self.method, *(f"{name}={value}" for name, value in self.keywords.items())])


def as_variant(text: str, dim: int = FLAT) -> Variant:
    """Read a method with its options.

    Parameters
    ----------
    text : str
        The method's name, and behind colons its options.
    dim : int, default 2

    Raises
    ------
    ValueError
        If there is no such method in so many dimensions, or it has no such option.

    Examples
    --------
    >>> as_variant("graphne:exaggeration=4:normalization=node").label
    'graphne exaggeration=4'
    """
    method, *pairs = text.strip().split(":")
    if method not in methods(dim):
        raise ValueError(f"unknown method {method!r}; in {dim} dimensions there are {', '.join(methods(dim))}")
    if not pairs:
        return Variant(method)
    options = dict(map(_pair, pairs))
    try:
        parameters = inspect.signature(find_method(method, dim)).parameters
    except ImportError:  # it cannot run either, which is told when it should
        return Variant(method, json.dumps(options, sort_keys=True))
    accepted = [name for name in parameters if name not in _OWN]
    for name in options:
        if name not in accepted:
            raise ValueError(f"{method} has no option {name!r}; it has {', '.join(accepted) or 'none'}")
    changed = {name: value for name, value in options.items() if parameters[name].default != value}
    return Variant(method, json.dumps(changed, sort_keys=True))


def _pair(text: str) -> tuple[str, Option]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise ValueError(f"an option is written name=value, got {text!r}")
    try:
        read = json.loads(value)
    except json.JSONDecodeError:
        return name, value
    return name, read if isinstance(read, (str, float, int, bool)) or read is None else value
