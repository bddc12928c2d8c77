"""The exaggeration of a run, which can be changed while it runs."""

from __future__ import annotations


class Steering:
    """The exaggeration, and when it was last changed. Whoever uses it from several threads holds a lock.

    Parameters
    ----------
    exaggeration : float

    Attributes
    ----------
    exaggeration : float
        Attraction relative to repulsion in the late phase.
    steered : bool
        Whether it was changed since the layout was started.
    """

    def __init__(self, exaggeration: float) -> None:
        self.exaggeration = exaggeration
        self.steered = False
        self._changed_at: int | None = None

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
        """Note that the layout starts again, with the exaggeration as it is."""
        self.steered, self._changed_at = False, None

    def needs_more(self, iteration: int, n_iter: int) -> bool:
        """Say, once for each change, whether it came too late to act for half of `n_iter` iterations."""
        changed_at, self._changed_at = self._changed_at, None
        return changed_at is not None and iteration - changed_at < n_iter / 2
