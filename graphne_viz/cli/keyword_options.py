"""Options of the command that are keywords of a function: name, type, default and help come from its table."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

from graphne_viz._keywords import annotation_of, keywords_of

if TYPE_CHECKING:
    from argparse import Namespace, _ArgumentGroup
    from collections.abc import Callable, Collection, Mapping

_METAVARS: dict[type, str] = {int: "N", float: "X", str: "NAME"}
"""What an option can be, the narrowest first, and what the help calls it."""


def add_keyword_options(
    group: _ArgumentGroup, table: type, *, without: Collection[str] = (), notes: Mapping[str, str] | None = None
) -> None:
    """Add an option for each keyword of a table.

    Parameters
    ----------
    group : argument group
        Of a parser with ``argument_default=SUPPRESS``: what is not given is left to the function.
    table : TypedDict
        See `graphne_viz._keywords`.
    without : collection of str
        Keywords that make no sense on a command line.
    notes : mapping of str to str, optional
        What to say in place of the default, by keyword.
    """
    for name, keyword in keywords_of(table).items():
        if name in without:
            continue
        flag = f"--{name.replace('_', '-')}"
        annotation = annotation_of(table, name)
        if annotation in {bool, bool | None}:
            group.add_argument(flag, action=argparse.BooleanOptionalAction, help=_escaped(keyword.summary))
            continue
        types = _types_of(annotation)
        choices = "" if int in types or float in types else ", ".join(_choices_of(annotation))
        default = None if keyword.default is None else f"default: {keyword.default}"
        told = "; ".join(filter(None, [choices, (notes or {}).get(name, default)]))
        group.add_argument(
            flag,
            type=_reader(types),
            metavar=_METAVARS[types[0]],
            help=_escaped(keyword.summary + (f" ({told})" if told else "")),
        )


def given_keywords(options: Namespace, *tables: type, also: Collection[str] = ()) -> dict[str, Any]:
    """Return those options that are keywords of the tables, or named by `also`, and were given."""
    known = {*also, *(name for table in tables for name in keywords_of(table))}
    return {name: value for name, value in vars(options).items() if name in known}


def _types_of(annotation: Any) -> list[type]:  # noqa: ANN401 - whatever an annotation is
    """Return what a text is tried to be read as, the narrowest first."""
    if annotation == "Seed":
        return [int]
    if isinstance(annotation, str):  # what cannot be imported is only named
        return [kind for kind in _METAVARS if kind.__name__ in annotation.split(" | ")] or [str]
    parts = get_args(annotation) if get_origin(annotation) is not Literal else (annotation,)
    kinds = {str if get_origin(part) is Literal else part for part in parts or (annotation,)}
    return [kind for kind in _METAVARS if kind in kinds] or [str]


def _choices_of(annotation: Any) -> list[str]:  # noqa: ANN401 - whatever an annotation is
    """Return the names that an annotation allows."""
    if get_origin(annotation) is Literal:
        return [str(choice) for choice in get_args(annotation)]
    return [choice for part in get_args(annotation) for choice in _choices_of(part)]


def _reader(types: list[type]) -> Callable[[str], object]:
    """Return what reads the text of an option; argparse names it where the text is neither."""

    def read(text: str) -> object:
        for kind in types[:-1]:
            try:
                return kind(text)
            except ValueError:
                continue
        return types[-1](text)

    read.__name__ = " or ".join(kind.__name__ for kind in types)
    return read


def _escaped(text: str) -> str:
    """Return a help text in which argparse finds nothing to fill in."""
    return text.replace("%", "%%").replace("``", "").replace("`", "")
