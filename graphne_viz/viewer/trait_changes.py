"""Traits that any thread may set, and of whose changes observers are told later."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

import traitlets as t

if TYPE_CHECKING:
    from collections.abc import Mapping


class TraitChanges:
    """Changes of one object's traits that its observers have not heard of yet.

    Not by assignment: traitlets' and ipywidgets' ways of holding back changes are not for several threads, and would
    call observers, who may do anything, under whatever lock the caller holds.

    Parameters
    ----------
    origin : str
        Key under which observers find True in these changes, to tell them from others.
    """

    def __init__(self, origin: str) -> None:
        self._origin = origin
        self._pending: deque[t.Bunch] = deque()

    def set(self, owner: t.HasTraits, values: Mapping[str, Any]) -> None:
        """Give traits valid values without telling anyone."""
        for name, new in values.items():
            change = t.Bunch(name=name, old=getattr(owner, name), new=new, owner=owner, type="change")
            self._pending.append(t.Bunch(change | {self._origin: True}))
        owner._trait_values.update(values)  # noqa: SLF001 -- the one way past validation and observers

    def notify(self, owner: t.HasTraits) -> None:
        """Tell observers of all changes since, in the order in which they were made; several threads may do so."""
        while self._pending:
            try:
                change = self._pending.popleft()
            except IndexError:  # another thread has taken the last
                return
            t.HasTraits.notify_change(owner, change)
