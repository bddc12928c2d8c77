"""Training that can be watched: after every few epochs the vectors are projected, each time from the last picture."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from graphne_viz._keywords import keywords_of
from graphne_viz._lazy import lazy_import
from graphne_viz.embedding.keywords import TrainingKeywords
from graphne_viz.embedding.projection import NEIGHBORS, nearest_graph
from graphne_viz.embedding.training.training import Training
from graphne_viz.layout.engine.outcome import Outcome
from graphne_viz.layout.engine.watch import Watch
from graphne_viz.layout.task import Task

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from graphne_viz.embedding.embedding import Embedding
    from graphne_viz.embedding.training.training import Progress
    from graphne_viz.graphs.graph import Graph
    from graphne_viz.layout.engine import run as engine_run
    from graphne_viz.layout.engine.pins import Pins
    from graphne_viz.layout.snapshot import Snapshot

    Watcher = Callable[[Snapshot], object]
else:
    engine_run = lazy_import("graphne_viz.layout.engine.run")

TRAINING = "training"
"""The phase of what is seen meanwhile."""

PICTURES = 25
"""Projections in a training, or one an epoch where there are fewer epochs."""

ITERATIONS = 30
"""Iterations of t-SNE from one projection to the next; all of them are seen."""


class ProjectionTask(Task):
    """What ``view(G, embedding=E)`` is to compute: an embedding, projected.

    Parameters
    ----------
    graph : Graph
        What is shown.
    embedding : Embedding
        Of the same nodes, in any order.
    **keywords
        As for `Task`.
    """

    made_by: ClassVar[str] = "projection"

    def __init__(self, graph: Graph, embedding: Embedding, **keywords: Any) -> None:  # noqa: ANN401 - Task checks them
        self.embedding = embedding
        places = {node: place for place, node in enumerate(embedding.ids)}
        if len(embedding) != graph.n_nodes or any(node not in places for node in graph.ids):
            raise ValueError(
                f"embedding has {len(embedding):,} nodes, which are not the {graph.n_nodes:,} nodes of this graph"
            )
        self._order = np.array([places[node] for node in graph.ids], dtype=np.intp)
        self._prepared = False
        super().__init__(graph, **keywords)

    def prepare(self, tell: Callable[[str], object]) -> None:
        """Find the nearest neighbours, which takes too long for a constructor; see `Task.prepare`."""
        if self._prepared:
            return
        tell("Finding nearest neighbours")
        vectors, isolated = self.embedding.vectors[self._order], self.embedding.isolated[self._order]

        def say(share: float) -> None:
            tell(f"Finding nearest neighbours, {share:.0%}")

        self.neighbors = nearest_graph(vectors, apart=isolated, progress=say)
        self._prepared = True

    def run(self, watch: Watcher | None = None, every: int = 10, **keywords: Any) -> Outcome:  # noqa: ANN401 - as `Task.run` has them
        """Find the nearest neighbours unless that is done, and lay them out; see `Task.run`."""
        self.prepare(lambda _text: None)
        return super().run(watch, every, **keywords)


class TrainingTask(Task):
    """What ``view(G, embedding="train")`` is to compute: an embedding, projected again and again while it is trained.

    Isolates have no edges to be trained on: they are parked beside the others, as in any layout.

    In the eyes of a watcher the early phase is the training; the late phase lays out what has been learned, and can be
    resumed like any layout.

    Parameters
    ----------
    graph : Graph
    training : mapping
        Keywords of `embed` that say how to train.
    neighbors : int
        As for `project`.
    **keywords
        As for `Task`.

    Attributes
    ----------
    embedding : Embedding or None
        What the last run has trained, None while there is nothing.
    """

    made_by: ClassVar[str] = "training"

    def __init__(
        self,
        graph: Graph,
        training: Mapping[str, Any],
        *,
        neighbors: int = NEIGHBORS,
        **keywords: Any,  # noqa: ANN401 - Task checks them
    ) -> None:
        _check_training(training)
        super().__init__(graph, whole=True, **keywords)
        self._training = Training(graph, **training)
        self._k = neighbors
        self._epochs = self._training.settings.epochs
        self._stride = math.ceil(self._epochs / PICTURES)
        pictures = math.ceil(self._epochs / self._stride)
        self._asked_early_iterations = self.options.asked["early_exaggeration_iter"]
        self.options = replace(self.options, early_exaggeration_iter=ITERATIONS * pictures)
        self.embedding: Embedding | None = None

    def run(
        self,
        watch: Watcher | None = None,
        every: int = 10,
        *,
        steer: Callable[[], float] | None = None,
        pins: Callable[[], Pins | None] | None = None,
        from_start: bool = False,
        longest: float = math.inf,
        kl_every: int = 1,
        resume: Outcome | None = None,
    ) -> Outcome:
        """Train, then lay out what has been learned; see `Task.run`."""
        if resume is not None and self.embedding is not None:
            return super().run(watch, every, steer=steer, pins=pins, longest=longest, kl_every=kl_every, resume=resume)
        last: Outcome | None = None
        stopped = False
        trained = self.graph.degrees > 0

        def see(snapshot: Snapshot) -> bool:
            nonlocal stopped
            stopped = watch is not None and bool(watch(replace(snapshot, phase=TRAINING)))
            return stopped

        def picture(progress: Progress) -> bool:
            """Lay out what has been learned for some iterations, from the last picture, which it resembles thereby."""
            nonlocal last
            if progress.epoch % self._stride and progress.epoch != self._epochs:
                return False
            self.status_text = f"epoch {progress.epoch} / {progress.epochs}, recall {progress.recall:.2f}"
            vectors = progress.vectors()
            self.neighbors = nearest_graph(vectors, self._k, apart=~trained)
            first = last is None
            # The first one finds its large-scale order; the others have it from the one before.
            early, late = (ITERATIONS, 0) if first else (0, ITERATIONS)
            seen = Watch(
                see=see,
                every=every,
                steer=steer,
                pins=pins,
                from_start=first and from_start,
                longest=longest,
                kl_every=kl_every,
            )
            last = engine_run.solve(
                self.neighbors,
                replace(self.options, early_exaggeration_iter=early, n_iter=late),
                start=_principal(vectors, trained),
                seed=self.seed,
                whole=True,
                watch=seen,
                resume=last,
            )
            return stopped

        self.embedding = None
        self.embedding = self._training.run(picture)
        self.status_text = ""
        if stopped or last is None:
            return last or Outcome(np.zeros((self.graph.n_nodes, 2)), math.nan, 0)
        return super().run(watch, every, steer=steer, pins=pins, longest=longest, kl_every=kl_every, resume=last)

    def provenance(self) -> tuple[dict[str, object], list[str]]:
        """Return what makes it again: the length of the early phase as it was asked for, not that of the training."""
        parameters, caveats = super().provenance()
        return parameters | {"early_exaggeration_iter": self._asked_early_iterations}, caveats


def _check_training(training: object) -> None:
    """Refuse anything but keywords of a training."""
    if not isinstance(training, Mapping):
        raise TypeError(f"training must be a dict of keywords of embed, got a {type(training).__name__}")
    known = ["dim", *keywords_of(TrainingKeywords)]
    for name in training:
        if name not in known:
            raise TypeError(f"training has no {name!r}; it has {', '.join(known)}")


def _principal(vectors: NDArray[np.float32], trained: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the two principal components of the vectors that mean something, 0 for the others, shape (n, 2)."""
    meant = vectors[trained]
    centred = np.asarray(meant - meant.mean(axis=0), dtype=np.float64)
    _, axes = np.linalg.eigh(centred.T @ centred)
    start = np.zeros((len(vectors), 2))
    start[trained] = centred @ axes[:, :-3:-1]
    return start
