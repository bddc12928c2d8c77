"""Frames from someone else's optimisation: a callback for openTSNE, and the task of the view that shows them.

openTSNE calls ``callback(iteration, error, embedding)`` in the thread that optimises, with its live array, counts
iterations anew in every ``optimize()``, and never says when the last one was. So the callback copies, counts on, hands
each frame to the thread of the view's run and waits for its answer, which is how Pause holds the optimisation and Stop
ends it. Where no frame has come for a while, the run has ended; another frame begins it again.
"""

from __future__ import annotations

import math
import threading
import time
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from graphne_viz.layout.engine.opentsne.callback import OpenTSNECallback
from graphne_viz.layout.engine.outcome import Outcome
from graphne_viz.layout.task import Task
from graphne_viz.viewer.background_threads import LOOK_AGAIN

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike, NDArray

    from graphne_viz.layout.keywords import TaskKeywords
    from graphne_viz.layout.snapshot import Snapshot

LEAST_SILENCE, SILENT_INTERVALS = 3.0, 20
"""Seconds, and multiples of the longest time between two frames, without a frame after which a run has ended."""


class FrameCallback:
    """A callback for openTSNE that shows every frame in a view; ``view(G, live="callback").callback`` is one.

    It does what openTSNE asks of a callback, so whatever calls ``callback(iteration, error, positions)`` can use it.

    Parameters
    ----------
    n_nodes : int
        Rows of every frame.
    """

    def __init__(self, n_nodes: int) -> None:
        self._n_nodes = n_nodes
        self._counted = OpenTSNECallback(self._hand_over)
        self._changed = threading.Condition()
        self._play: Callable[[], object] | None = None
        self._frame: Snapshot | None = None
        self._answer = False
        self._taking = False
        self._stopping = False
        self._stops = 0
        self._closed = False
        self._last = 0

    def __repr__(self) -> str:
        return f"FrameCallback({self._n_nodes:,} nodes, {self._counted.iteration:,} iterations so far)"

    def optimization_about_to_start(self) -> None:
        """Count on from here, or from 0 where the run before was stopped; openTSNE calls it before each `optimize`."""
        with self._changed:
            if self._stopping:
                self._counted.reset()
            self._stopping, self._last = False, 0
        self._counted.optimization_about_to_start()

    def __call__(self, iteration: int, error: float, embedding: ArrayLike) -> bool:
        """Show a frame, wait while the view is paused, and return whether the optimisation is to stop.

        Parameters
        ----------
        iteration : int
            Iterations since `optimization_about_to_start`.
        error : float
            Kullback-Leibler divergence.
        embedding : array_like, shape (n, 2)
            Copied.

        Raises
        ------
        ValueError
            If the positions do not fit the view's graph, or are not finite.
        """
        shape = np.shape(embedding)
        if shape != (self._n_nodes, 2):
            raise ValueError(
                f"the view shows {self._n_nodes:,} nodes in two dimensions, but the callback was given positions of "
                f"shape {shape}"
            )
        if not np.isfinite(embedding).all():
            raise ValueError("the callback was given positions that are not finite")
        if iteration <= self._last:
            self.optimization_about_to_start()  # openTSNE says so itself; others may not
        self._last = int(iteration)
        return self._counted(iteration, math.nan if error is None else error, np.asarray(embedding))

    def _hand_over(self, frame: Snapshot) -> bool:
        """Give a frame to whoever takes them, and return the answer."""
        with self._changed:
            self._frame, self._answer = frame, False
            self._changed.notify_all()
        while self._waits():
            # Whoever took frames has stopped doing so, or is about to: a run that has ended begins again.
            if not self._taking and self._play is not None:
                self._play()
            with self._changed:
                self._changed.wait_for(lambda: not self._waits(), LOOK_AGAIN)
        with self._changed:
            self._frame = None
            self._stopping = not self._closed and (self._stopping or self._answer)
            return self._stopping

    def _waits(self) -> bool:
        """Whether a frame waits to be taken by a view that wants it."""
        return self._frame is not None and not (self._closed or self._stopping)

    # ---- For the task ----

    def attach(self, play: Callable[[], object]) -> None:
        """Set what begins the view's run when a frame comes and nobody takes it."""
        self._play = play

    def take(self, show: Callable[[Snapshot], object]) -> Snapshot | None:
        """Take frames until the run is stopped or none has come for a while; returns the last one.

        Parameters
        ----------
        show : callable
            Called with each frame; a truthy return value ends the optimisation.
        """
        last, longest, since = None, 0.0, time.monotonic()
        with self._changed:
            self._taking, stops = True, self._stops
        try:
            while True:
                silence = math.inf if last is None else max(LEAST_SILENCE, SILENT_INTERVALS * longest)
                frame = self._wait_for_frame(silence, stops)
                if frame is None:
                    return last
                longest = 0.0 if last is None else max(longest, time.monotonic() - since)
                last, stop = frame, bool(show(frame))
                with self._changed:
                    self._frame, self._answer = None, stop
                    self._changed.notify_all()
                if stop:
                    return last
                since = time.monotonic()
        finally:
            with self._changed:
                self._taking = False
                self._changed.notify_all()

    def _wait_for_frame(self, seconds: float, stops: int) -> Snapshot | None:
        """Return the next frame; None where none comes in time, or the run was stopped or closed meanwhile."""
        end = time.monotonic() + seconds
        with self._changed:
            while not (self._closed or self._stops != stops) and time.monotonic() < end:
                if self._frame is not None:
                    return self._frame
                self._changed.wait(LOOK_AGAIN)
        return None

    def interrupt(self, *, close: bool) -> None:
        """Let nobody wait any more: the optimisation is to stop, or goes on unseen where the view is closed."""
        with self._changed:
            self._closed = self._closed or close
            self._stopping = self._stopping or not close
            self._stops += 1
            self._changed.notify_all()


class CallbackTask(Task):
    """What a view that waits for frames has in place of a layout to compute.

    Parameters
    ----------
    graph, pos, **keywords
        As for `Task`; `n_iter` and `early_exaggeration_iter` tell how long the run will be, by default as openTSNE's.

    Attributes
    ----------
    callback : FrameCallback
    """

    made_by: ClassVar[str] = "callback"
    steerable: ClassVar[bool] = False

    def __init__(self, graph: Any, pos: Any = None, **keywords: Any) -> None:  # noqa: ANN401 - Task checks them
        lengths = {"n_iter": 500, "early_exaggeration_iter": 250}
        given: TaskKeywords = {**keywords, **{k: v for k, v in lengths.items() if keywords.get(k) is None}}  # type: ignore[typeddict-item] # Task checks them
        super().__init__(graph, pos, **given)
        self.callback = FrameCallback(graph.n_nodes)

    def prepare(self, tell: Callable[[str], object]) -> None:
        """Say what is waited for."""
        tell("Waiting for the first frame")

    def run(  # type: ignore[override] # nobody asks it to resume, and without a frame there is no outcome
        self, watch: Callable[[Snapshot], object], _every: int, **_settings: object
    ) -> Outcome | None:
        """Show frames until they end; returns the last one, None where none came."""
        last = self.callback.take(watch)
        return None if last is None else Outcome(last.positions.astype(np.float64), last.kl, last.iteration)

    def interrupt(self, *, close: bool) -> None:
        """Stop waiting for frames."""
        self.callback.interrupt(close=close)

    def scaled(self, positions: NDArray[np.floating]) -> NDArray[np.float64]:
        """Leave positions as they came."""
        return np.array(positions, dtype=np.float64)

    def provenance(self) -> tuple[dict[str, object], list[str]]:
        """Return nothing to make the layout again: it was made elsewhere."""
        return {}, ["it was optimised elsewhere, and shown through a callback"]
