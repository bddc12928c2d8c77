"""What can be changed about a run while it runs: the exaggeration, and nodes that somebody holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphne_viz.viewer.run.placement import NOWHERE

if TYPE_CHECKING:
    from graphne_viz.layout.engine.pins import Pins
    from graphne_viz.viewer.run.placement import Placement


class Steering:
    """The exaggeration and the nodes that are held, and when that was last changed.

    Whoever uses it from several threads holds a lock.

    Parameters
    ----------
    exaggeration : float

    Attributes
    ----------
    exaggeration : float
        Attraction relative to repulsion in the late phase.
    steered : bool
        Whether it was changed since the layout was started.
    placement : Placement
        Nodes that were put somewhere by hand.
    pulled : bool
        Whether a node was held while the layout formed, since it was started.
    """

    def __init__(self, exaggeration: float) -> None:
        self.exaggeration = exaggeration
        self.steered = False
        self.placement = NOWHERE
        self.pulled = False
        self._changed_at: int | None = None

    @property
    def pins(self) -> Pins | None:
        """What the optimiser is to hold now; None where nobody has ever held a node."""
        if not self.pulled and not self.placement.nodes.size:
            return None
        self.pulled = True
        return self.placement.pins

    def place(self, placement: Placement, *, at: int | None) -> None:
        """Put nodes somewhere, in place of those that were put there before.

        Parameters
        ----------
        placement : Placement
        at : int or None
            Iteration from which on it acts, for `needs_more`; None where nothing is optimised.
        """
        self.placement = placement
        if at is not None:
            self._changed_at = at

    @property
    def pending(self) -> bool:
        """Whether a change has not been answered by `needs_more` yet."""
        return self._changed_at is not None

    def change(self, exaggeration: float, *, at: int | None) -> bool:
        """Set the exaggeration; returns whether it is another one.

        Parameters
        ----------
        exaggeration : float
        at : int or None
            Iteration from which on it acts, for `needs_more`; None for a change that prolongs nothing.
        """
        if exaggeration == self.exaggeration:
            return False
        self.exaggeration, self.steered = exaggeration, True
        if at is not None:
            self._changed_at = at
        return True

    def reset(self) -> None:
        """Note that the layout starts again, with the exaggeration as it is, and around the nodes that are pinned."""
        self.steered, self.pulled, self._changed_at = False, False, None
        self.placement = self.placement.only_pinned()

    def needs_more(self, iteration: int, n_iter: int) -> bool:
        """Say, once for each change, whether it came too late to act for half of `n_iter` iterations."""
        changed_at, self._changed_at = self._changed_at, None
        return changed_at is not None and iteration - changed_at < n_iter / 2
