"""Tables of keywords: what several functions and a command accept, written once.

A table is a `TypedDict` whose annotations carry a `Keyword`, so that a keyword is one entry with its name, type,
default and description:

    class LayoutKeywords(TypedDict, total=False):
        exaggeration: Annotated[float, Keyword(1, "Attraction relative to repulsion: 1 is t-SNE, ...")]

    @with_keywords(LayoutKeywords)
    def graphne_layout(G, pos=None, **keywords: Unpack[LayoutKeywords]): ...

Type checkers and editors read the `TypedDict`; ``help()`` and ``inspect.signature`` show the keywords as if they stood
in the signature; the function gets all of them, with the defaults of those that were left out; and the command makes
its options of the same entries (`graphne_viz.cli.keyword_options`).

A module of tables has no ``from __future__ import annotations``, which would leave text of them.
"""

from __future__ import annotations

import functools
import inspect
import re
import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ForwardRef, Literal, ParamSpec, TypeVar, get_args, get_origin

from graphne_viz._checks import unknown_keyword

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_P = ParamSpec("_P")
_R = TypeVar("_R")
_T = TypeVar("_T")
_C = TypeVar("_C", bound=type)


@dataclass(frozen=True)
class Keyword:
    """What a table says of a keyword, beside its name and its type.

    Attributes
    ----------
    default : object
        Immutable.
    help : str
        Sentences; the first one is also the help of the command's option.
    kind : str, optional
        The type in words, where the annotation does not say it well.
    """

    default: Any
    help: str
    kind: str | None = None

    @property
    def summary(self) -> str:
        """The first sentence, as the help of an option: in small letters, without a full stop."""
        first = re.split(r"\.(?:\s|$)", " ".join(self.help.split()), maxsplit=1)[0]
        return first[0].lower() + first[1:]


def keywords_of(table: type) -> Mapping[str, Keyword]:
    """Return the entries of a table, in its order."""
    return {name: note.__metadata__[0] for name, note in table.__annotations__.items()}


def annotation_of(table: type, name: str) -> Any:  # noqa: ANN401 - whatever an annotation is
    """Return the type of a keyword; text where it cannot be imported."""
    annotation = get_args(table.__annotations__[name])[0]
    return annotation.__forward_arg__ if isinstance(annotation, ForwardRef) else annotation


def defaults_of(table: type[_T]) -> _T:
    """Return the defaults of a table.

    Examples
    --------
    >>> from typing import Annotated, TypedDict
    >>> Table = TypedDict("Table", {"n_iter": Annotated[int, Keyword(500, "Iterations.")]}, total=False)
    >>> defaults_of(Table)
    {'n_iter': 500}
    """
    return {name: keyword.default for name, keyword in keywords_of(table).items()}  # type: ignore[return-value]


def select(table: type[_T], keywords: Mapping[str, Any]) -> _T:
    """Return those of some keywords that a table has."""
    known = keywords_of(table)
    return {name: value for name, value in keywords.items() if name in known}  # type: ignore[return-value]


def with_keywords(table: type) -> Callable[[Callable[_P, _R]], Callable[_P, _R]]:
    """Give a function the keywords of a table, in place of its ``**keywords``.

    Callers may leave any of them out: the function gets its default. Others are a TypeError with the nearest name. The
    entry ``**keywords`` of the docstring becomes one for each.
    """

    def decorate(function: Callable[_P, _R]) -> Callable[_P, _R]:
        signature = inspect.signature(function)
        own = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
        more = [
            inspect.Parameter(
                name, inspect.Parameter.KEYWORD_ONLY, default=keyword.default, annotation=annotation_of(table, name)
            )
            for name, keyword in keywords_of(table).items()
        ]
        known = {parameter.name for parameter in [*own, *more]}
        defaults: dict[str, Any] = dict(defaults_of(table))
        name = function.__qualname__.removesuffix(".__init__")

        @functools.wraps(function)
        def call(*args: _P.args, **given: _P.kwargs) -> _R:
            for keyword in given:
                if keyword not in known:
                    raise unknown_keyword(name, keyword, known)
            complete: Any = {**defaults, **given}
            return function(*args, **complete)

        call.__signature__ = signature.replace(parameters=[*own, *more])  # type: ignore[attr-defined]
        if call.__doc__ is not None:  # python -OO removes it
            call.__doc__ = _with_entries(call.__doc__, table)
        del call.__wrapped__  # the documentation would show that instead
        return call

    return decorate


def documents(table: type) -> Callable[[_C], _C]:
    """Let the docstring of a class tell the keywords of a table, in place of its entry ``**keywords``."""

    def decorate(cls: _C) -> _C:
        if cls.__doc__ is not None:
            cls.__doc__ = _with_entries(cls.__doc__, table)
        return cls

    return decorate


def defaults_from(table: type) -> Callable[[_C], _C]:
    """Give the fields of a dataclass that have no default those of a table, by ``@defaults_from(Table)`` below it."""

    def decorate(cls: _C) -> _C:
        for name in (cls.__annotations__.keys() & keywords_of(table).keys()) - vars(cls).keys():
            setattr(cls, name, keywords_of(table)[name].default)
        return cls

    return decorate


def _with_entries(docstring: str, table: type) -> str:
    """Replace the entry ``**keywords`` of a NumPy docstring by those of a table."""
    entry = re.compile(r"^(?P<indent> *)\*\*keywords\n(?:(?P=indent) +\S.*\n)*", re.MULTILINE)
    return entry.sub(lambda found: textwrap.indent(describe(table), found["indent"]), docstring)


def describe(table: type) -> str:
    """Return the entries of a table as those of a NumPy docstring."""
    entries = []
    for name, keyword in keywords_of(table).items():
        kind = keyword.kind or _in_words(annotation_of(table, name))
        told = keyword.default is None or isinstance(keyword.default, tuple)  # in the help: there may be hundreds
        default = ", optional" if told else f", default {_literal(keyword.default)}"
        entries.append(f"{name} : {kind}{default}\n")
        entries += [f"    {line}\n" for line in textwrap.wrap(" ".join(keyword.help.split()), 112)]
    return "".join(entries)


def _in_words(annotation: Any) -> str:  # noqa: ANN401 - whatever an annotation is
    """Return a type as NumPy docstrings write it."""
    if get_origin(annotation) is Literal:
        return f"{{{', '.join(map(_literal, get_args(annotation)))}}}"
    if isinstance(annotation, type) and get_origin(annotation) is None:
        return annotation.__name__
    parts = [part for part in get_args(annotation) if part is not type(None)]
    return " or ".join(map(_in_words, parts)) if parts else str(annotation)


def _literal(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else repr(value)
