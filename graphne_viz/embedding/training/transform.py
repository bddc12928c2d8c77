"""Vectors for nodes that have come to the graph since it was embedded; those of the others stay as they are.

A new node begins in the middle of its neighbours. Then its vector is turned until they, rather than the nodes that are
nearest to it by mistake, are its nearest; which those are is looked up again a few times. Training on batches, as the
graph itself was, cannot do that: while old nodes stand still, only few of them matter to a new one, and a batch hardly
ever has them.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from graphne_viz._threads import ThreadTeam, count_cores
from graphne_viz.embedding.embedding import Embedding
from graphne_viz.embedding.training import batch_kernels
from graphne_viz.embedding.training.state import State, checksum
from graphne_viz.embedding.training.training import Training
from graphne_viz.graphs.convert.api import as_graph

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from graphne_viz._types import Foreign
    from graphne_viz.graphs.graph import Graph

    Floats = NDArray[np.float32]

ROUNDS, STEPS, RATE = 8, 60, 0.1
"""How often the nearest nodes are looked up, and the gradient steps after each time."""

NEAREST = 256
"""Nodes that a new one is told apart from, beside its neighbours."""

TEMPERATURE = 0.02
"""Lower than in training: new nodes have to find the one place among vectors that do not make room."""

SHARE_OF_EPOCHS, SHARE_OF_RATE = 0.25, 0.3
"""What training on has of the epochs and of the learning rate before."""

_BLOCK = 1 << 24
_HEAVY = 1e10  # weights are scaled down to this: in single precision the squares of heavier ones would overflow


def transform(embedding: Embedding, G: Foreign, *, weight: str | None, seed: int) -> Embedding:
    """Return an embedding of a graph with new nodes; see `Embedding.transform`."""
    graph = as_graph(G, weight=weight)
    vectors = place_new(embedding, graph, rows_of(embedding, graph), seed)
    return Embedding(
        vectors=vectors,
        ids=graph.ids,
        history=embedding.history,
        settings=embedding.settings,
        isolated=graph.degrees == 0,
        origin=graph.origin,
    )


def update(
    embedding: Embedding, G: Foreign, *, weight: str | None, epochs: int | None, seed: int, device: str
) -> Embedding:
    """Train on with a graph that has changed; see `Embedding.update`."""
    graph = as_graph(G, weight=weight)
    rows = rows_of(embedding, graph)
    if not {"epochs", "learning_rate"} <= set(embedding.settings):
        raise ValueError("the embedding does not say how it was trained, so training cannot resume from it")
    if epochs is None:
        epochs = max(round(SHARE_OF_EPOCHS * embedding.settings["epochs"]), 5)
    settings = {
        **embedding.settings,
        "epochs": epochs,
        "learning_rate": SHARE_OF_RATE * embedding.settings["learning_rate"],
        "seed": seed,
    }
    start = Embedding(
        vectors=place_new(_as_trained(embedding), graph, rows, seed),
        ids=graph.ids,
        history={name: np.empty(0) for name in embedding.history},
        settings=settings,
        isolated=graph.degrees == 0,
        origin=graph.origin,
    )
    going_on = replace(start, state=_state(embedding, start, graph, rows))
    return Training(graph, start=going_on, device=device).run(rotate=False)


def _as_trained(embedding: Embedding) -> Embedding:
    """Return an embedding of the vectors that training resumes from, without what was done to them in the end."""
    if embedding.state is None:
        return embedding
    raw = embedding.state.parameters
    return replace(embedding, vectors=raw / np.linalg.norm(raw, axis=1, keepdims=True))


def _state(embedding: Embedding, start: Embedding, graph: Graph, rows: NDArray[np.int64]) -> State:
    """Return what training resumes from: of old nodes all that is known of them, of new ones their vectors."""
    old, kept = embedding.state, rows >= 0
    parameters = start.vectors * np.float32(np.sqrt(embedding.dim))
    first, second = np.zeros_like(parameters), np.zeros_like(parameters)
    if old is not None:
        parameters[kept] = old.parameters[rows[kept]]
        # A new node is as long as the others are, on average, so that it turns as fast.
        lengths = np.linalg.norm(old.parameters, axis=1)
        parameters[~kept] = start.vectors[~kept] * np.float32(lengths.mean())
        first[kept], second[kept] = old.first[rows[kept]], old.second[rows[kept]]
    temperature = embedding.temperature if math.isfinite(embedding.temperature) else 0.05
    return State(
        parameters=parameters,
        first=first,
        second=second,
        edges=checksum(graph),
        step=0 if old is None else old.step,
        epoch=0,
        batch=0,
        log_temperature=math.log(temperature),
        temperature_moments=np.zeros(2) if old is None else old.temperature_moments,
        loss=np.zeros(2),
    )


def rows_of(embedding: Embedding, graph: Graph) -> NDArray[np.int64]:
    """Return where the nodes of a graph stand in an embedding, -1 for new ones, shape (n,).

    Raises
    ------
    ValueError
        If the graph lacks a node of the embedding.
    """
    places = {node: place for place, node in enumerate(embedding.ids)}
    rows = np.array([places.get(node, -1) for node in graph.ids], dtype=np.int64)
    found = np.zeros(len(embedding), np.bool_)
    found[rows[rows >= 0]] = True
    lost = np.flatnonzero(~found)
    if lost.size:
        raise ValueError(
            f"the graph lacks {lost.size:,} of the {len(embedding):,} embedded nodes, the first of which is "
            f"{embedding.ids[lost[0]]!r}; it must have all of them, and may have new ones"
        )
    return rows


def place_new(embedding: Embedding, graph: Graph, rows: NDArray[np.int64], seed: int = 0) -> Floats:
    """Return vectors for all nodes of a graph, of which those of nodes that were embedded are as they were.

    Parameters
    ----------
    embedding : Embedding
    graph : Graph
        With the nodes that were embedded, and new ones.
    rows : ndarray of int64, shape (n,)
        From `rows_of`.
    seed : int

    Returns
    -------
    ndarray of float32, shape (n, dim)
        Of unit length. New nodes without neighbours have random directions.
    """
    new = rows < 0
    vectors = np.zeros((len(rows), embedding.dim), np.float32)
    vectors[~new] = embedding.vectors[rows[~new]]
    _start(vectors, graph, new, np.random.default_rng(seed))
    linked = np.flatnonzero(new & (graph.degrees > 0))
    with ThreadTeam(count_cores()) as team:
        for _ in range(ROUNDS if linked.size else 0):
            _rotate(vectors, graph, linked, team)
    return vectors


def _start(vectors: Floats, graph: Graph, new: NDArray[np.bool_], rng: np.random.Generator) -> None:
    """Put new nodes in the middle of their neighbours, those next to old ones first."""
    unplaced, placed = np.flatnonzero(new), ~new
    while unplaced.size:
        A = graph.adjacency[unplaced]
        A = A / max(A.data.max(initial=0) / _HEAVY, 1)  # so that no sum overflows
        ready = A @ placed.astype(np.float64) > 0
        if not ready.any():
            break
        some = unplaced[ready]
        middle = A[np.flatnonzero(ready)] @ vectors  # those without a place are zero
        vectors[some] = middle + 1e-3 * rng.standard_normal(middle.shape)  # no two in the same place
        vectors[some] /= np.linalg.norm(vectors[some], axis=1, keepdims=True)
        placed[some] = True
        unplaced = unplaced[~ready]
    vectors[unplaced] = rng.standard_normal((unplaced.size, vectors.shape[1]))
    vectors[unplaced] /= np.linalg.norm(vectors[unplaced], axis=1, keepdims=True)


def _rotate(vectors: Floats, graph: Graph, nodes: NDArray[np.int64], team: ThreadTeam) -> None:
    """Rotate the vectors of some nodes, in place; all of them at once, from what the others were before."""
    A, before = graph.adjacency, vectors.copy()
    count = min(NEAREST, len(vectors) - 1)
    rows = max(_BLOCK // len(vectors), 1)
    for lo in range(0, len(nodes), rows):
        some = nodes[lo : lo + rows]
        S = before[some] @ before.T
        S[np.arange(len(some)), some] = -np.inf
        nearest = np.argpartition(-S, count - 1, axis=1)[:, :count]

        def fit(k: int, some: NDArray[np.int64] = some, nearest: NDArray[np.intp] = nearest) -> None:
            node = some[k]
            edges = slice(A.indptr[node], A.indptr[node + 1])
            neighbors, weights = A.indices[edges], A.data[edges]
            others = np.concatenate([neighbors, np.setdiff1d(nearest[k], neighbors)])
            targets = np.zeros(len(others), np.float32)
            weights = weights / max(weights.max(initial=0) / _HEAVY, 1)
            targets[: len(neighbors)] = weights / weights.sum()
            batch_kernels.fit_node(
                vectors[node],
                before[others],
                targets,
                np.float32(1 / TEMPERATURE),
                STEPS,
                np.float32(RATE),
                np.empty(len(others), np.float32),
            )

        team.run(fit, len(some))
