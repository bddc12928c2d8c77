"""Edges that are not there yet: the most similar pairs of nodes without one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from graphne_viz._checks import check_integer
from graphne_viz.graphs.convert.api import as_graph

if TYPE_CHECKING:
    from collections.abc import Hashable

    import scipy.sparse as sp
    from numpy.typing import NDArray

    from graphne_viz._types import Foreign
    from graphne_viz.embedding.embedding import Embedding

_BLOCK = 1 << 23
"""Similarities held at once."""


def predict_links(embedding: Embedding, G: Foreign, k: int) -> list[tuple[Hashable, Hashable, float]]:
    """Return the most similar pairs without an edge; see `Embedding.predict_links`."""
    check_integer("k", k, least=1)
    graph = as_graph(G)
    places = {node: place for place, node in enumerate(embedding.ids)}
    if len(embedding) != graph.n_nodes or any(node not in places for node in graph.ids):
        raise ValueError(
            f"the graph has {graph.n_nodes:,} nodes, which are not the {len(embedding):,} nodes that were embedded"
        )
    order = np.array([places[node] for node in graph.ids], dtype=np.int64)
    linked = np.flatnonzero((graph.degrees > 0) & ~embedding.isolated[order])
    joined = graph.adjacency[linked][:, linked]
    pairs, similarities = most_similar_pairs(embedding.vectors[order[linked]], joined, int(k))
    return [
        (graph.ids[linked[i]], graph.ids[linked[j]], similarity)
        for (i, j), similarity in zip(pairs.tolist(), similarities.tolist(), strict=True)
    ]


def most_similar_pairs(
    vectors: NDArray[np.float32], joined: sp.csr_array, count: int
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Find the most similar pairs that are not joined, some rows at a time.

    Parameters
    ----------
    vectors : ndarray of float32, shape (n, d)
        Of unit length.
    joined : csr_array, shape (n, n)
        Symmetric; whatever is stored in it is an edge.
    count : int
        How many pairs; fewer are returned where there are no more.

    Returns
    -------
    pairs : ndarray of int64, shape (m, 2)
        The smaller node first, the most similar pair first; of equally similar ones those that come first.
    similarities : ndarray of float32, shape (m,)
        Cosines.
    """
    n = len(vectors)
    best = np.empty(0, np.int64)  # pairs as row * n + column
    similarity = np.empty(0, np.float32)
    rows = max(_BLOCK // max(n, 1), 1)
    for lo in range(0, n, rows):
        block = vectors[lo : lo + rows]
        S = block @ vectors[lo:].T
        S[np.tril_indices(len(S), 0, S.shape[1])] = -np.inf
        some = joined[lo : lo + len(S)]
        row, column = np.repeat(np.arange(len(S)), np.diff(some.indptr)), some.indices - lo
        later = column > row
        S[row[later], column[later]] = -np.inf
        flat = S.ravel()
        least = similarity.min() if len(similarity) == count else np.float32(-2)
        # At most as many of a block as are wanted in all, and only better ones than those there are.
        places = np.flatnonzero(flat > least)
        if len(places) > count:
            places = places[np.argpartition(-flat[places], count - 1)[:count]]
        width = S.shape[1]
        best = np.concatenate([best, (places // width + lo) * n + places % width + lo])
        similarity = np.concatenate([similarity, flat[places]])
        order = np.lexsort((best, -similarity))[:count]
        best, similarity = best[order], similarity[order]
    return np.column_stack([best // n, best % n]), np.clip(similarity, -1, 1)
