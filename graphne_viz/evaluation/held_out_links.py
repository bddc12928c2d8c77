"""How well an embedding foretells edges that it has not seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from graphne_viz._lazy import lazy_import
from graphne_viz._seeds import as_generator
from graphne_viz.embedding.api import embed
from graphne_viz.evaluation.metrics.samples import check_share, some_non_edges, with_edges
from graphne_viz.graphs.graph import Graph

if TYPE_CHECKING:
    from typing import Unpack

    from numpy.typing import NDArray
    from scipy import stats
    from scipy.sparse import csgraph

    from graphne_viz._seeds import Seed
    from graphne_viz._types import Foreign
    from graphne_viz.embedding.keywords import SettingsKeywords
else:
    stats = lazy_import("scipy.stats")
    csgraph = lazy_import("scipy.sparse.csgraph")


def held_out_link_auc(
    G: Foreign, *, share: float = 0.1, seed: Seed = 0, dim: int | None = None, **keywords: Unpack[SettingsKeywords]
) -> float:
    """Embed a graph without some of its edges, and measure how well similarity tells these from pairs without an edge.

    Parameters
    ----------
    G : graph
        With edges beyond those that hold its parts together.
    share : float, default 0.1
        Share of the edges that are left out. No part of the graph falls apart: edges of a spanning forest stay.
    seed : int, RandomState, Generator or None, default 0
        For the edges, the pairs without one, and the training.
    dim : int, optional
    **keywords
        How to train, as for `embed`.

    Returns
    -------
    float
        Area under the ROC curve: 1 if every edge left out is more similar than every other pair, 0.5 by chance.
    """
    graph = with_edges(G)
    check_share("share", share)
    rng = as_generator(seed)
    out = _left_out(graph, float(share), rng)
    if not out.any():
        raise ValueError("no edge can be held out: removing any of them would disconnect the graph")
    kept, weights = graph.pairs[~out], graph.pair_weights[~out]
    half = sp.coo_array((weights, (kept[:, 0], kept[:, 1])), shape=(graph.n_nodes, graph.n_nodes))
    rest = Graph(sp.csr_array(half + half.T), graph.ids)
    Z = embed(rest, dim, seed=int(rng.integers(2**31)), **keywords).vectors
    pairs = graph.pairs[out], some_non_edges(graph, int(out.sum()), rng)
    edges, others = (np.einsum("ij,ij->i", Z[ends[:, 0]], Z[ends[:, 1]]) for ends in pairs)
    ranks = stats.rankdata(np.concatenate([edges, others]))[: len(edges)]
    wins = ranks.sum() - len(edges) * (len(edges) + 1) / 2
    return float(wins / (len(edges) * len(others)))


def _left_out(graph: Graph, share: float, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Choose edges whose loss leaves all parts connected, shape (E,)."""
    edges, n = graph.pairs, graph.n_nodes
    numbers = rng.permutation(len(edges)) + 1.0  # random lengths: a random forest
    source, target = edges.astype(np.int32).T  # scipy 1.15 takes no others
    tree = csgraph.minimum_spanning_tree(sp.csr_array((numbers, (source, target)), shape=(n, n)))
    free = np.ones(len(edges), np.bool_)
    free[np.isin(numbers, tree.data)] = False
    count = min(round(share * len(edges)), int(free.sum()))
    out = np.zeros(len(edges), np.bool_)
    out[rng.choice(np.flatnonzero(free), count, replace=False)] = True
    return out
