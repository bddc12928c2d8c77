"""Imports that wait until they are needed: one mechanism for modules that are slow to import or optional.

``import graphne_viz`` loads nothing but itself, although drawing needs matplotlib, statistics need networkx and
training needs torch. Such a module is imported at the top of the file that uses it, as any other is:

    if TYPE_CHECKING:
        import networkx as nx
    else:
        nx = lazy_import("networkx")

Type checkers and editors see the first import; Python runs the second, which costs nothing until the first attribute is
asked for. A test compares the two. An access costs about a microsecond more than one to the module itself; a loop
that would notice binds the function to a local name first, as it would anyway.

The standard library's ``LazyLoader``, which SPEC 1's ``lazy_loader`` builds upon, was not chosen: it puts the
unfinished module into ``sys.modules``, where other libraries look to find out what is loaded (scikit-learn looks for
pandas), and it imports the parent of a submodule at once.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from types import ModuleType

_companions: dict[str, str] = {}
"""Modules, each with one that it can do without and is not to import."""


class _LazyModule:
    """Stands for a module and imports it when an attribute is asked for.

    It is no ``ModuleType``: those take three times as long to find out that an attribute is not their own.
    """

    __slots__ = ("_module", "_name", "_needs")

    def __init__(self, name: str, needs: str | None) -> None:
        self._name = name
        self._needs = needs
        self._module: ModuleType | None = None

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - a module's attributes are anything
        # Attributes are not kept here: whoever replaces one in the module itself, as tests do, would not be heard.
        # One that was removed or replaced among the loaded modules is imported again, as a plain import would do.
        module = self._module
        if module is None or sys.modules.get(self._name) is not module:
            module = self._load()
        return getattr(module, name)

    def __dir__(self) -> list[str]:
        return dir(self._load())

    def __repr__(self) -> str:
        return f"<lazily imported module {self._name!r}>"

    def _load(self) -> ModuleType:
        try:
            with _as_if_missing(_companions.get(self._name)):
                self._module = import_module(self._name)
        except ModuleNotFoundError as error:
            package = self._name.partition(".")[0]
            if self._needs is None or (error.name or "").partition(".")[0] != package:
                raise
            raise ModuleNotFoundError(self._needs, name=error.name) from error
        return self._module


def lazy_import(name: str, *, needs: str | None = None) -> Any:  # noqa: ANN401 - the checker sees the module itself
    """Return a stand-in for a module, which is imported when one of its attributes is asked for.

    Parameters
    ----------
    name : str
        Full name of a module: ``"matplotlib.pyplot"``.
    needs : str, optional
        What the error says where an optional package is not installed: what needs it, and how to install it.

    Examples
    --------
    >>> statistics = lazy_import("statistics")
    >>> statistics.mean([1, 3])
    2
    """
    return _LazyModule(name, needs)


def import_without(name: str, companion: str) -> None:
    """Have a module imported, when it is needed, as if something that it can do without were not installed.

    For processes of our own only, and from one thread: what the module would do with its companion fails for good.
    """
    _companions[name] = companion


@contextmanager
def _as_if_missing(name: str | None) -> Iterator[None]:
    """Let imports of a module fail meanwhile, unless it is loaded."""
    if name is None or name in sys.modules:
        yield
        return
    sys.modules[name] = None  # type: ignore[assignment] # Python's own way to say that there is none
    try:
        yield
    finally:
        del sys.modules[name]


def lazy_exports(
    package: str, exports: Mapping[str, str], *, needs: Mapping[str, str] | None = None
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Make the public names of a package load when they are first asked for, as SPEC 1 describes.

    Parameters
    ----------
    package : str
        Its ``__name__``.
    exports : mapping of str to str
        Public name to the module that has it. A name that the module does not have stands for the module itself.
    needs : mapping of str to str, optional
        Public name to the optional package it needs. Where that is not installed the name is not listed, because
        ``from package import *`` would fail with it; asking for it by name says what is missing.

    Returns
    -------
    __getattr__, __dir__, __all__
        To be assigned in the package's ``__init__.py``.
    """

    def load(name: str) -> Any:  # noqa: ANN401 - a module's attributes are anything
        if name not in exports:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = import_module(exports[name])
        value = getattr(module, name, module)
        setattr(import_module(package), name, value)  # so that the next access does not come here
        return value

    missing = {name for name, needed in (needs or {}).items() if find_spec(needed) is None}
    listed = sorted(set(exports) - missing)
    return load, lambda: list(listed), listed
