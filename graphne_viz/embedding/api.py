"""Node embeddings: the front door of the second half of the paper."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphne_viz._checks import check_callable
from graphne_viz._keywords import select, with_keywords
from graphne_viz.embedding.keywords import EmbedKeywords, TrainingKeywords
from graphne_viz.embedding.training.training import Training
from graphne_viz.graphs.convert.api import as_graph
from graphne_viz.graphs.keywords import TableKeywords

if TYPE_CHECKING:
    from typing import Unpack

    from graphne_viz._types import Foreign
    from graphne_viz.embedding.embedding import Embedding


@with_keywords(EmbedKeywords)
def embed(
    G: Foreign = None, dim: int | None = None, *, edges: Foreign = None, **keywords: Unpack[EmbedKeywords]
) -> Embedding:
    """Give every node a vector on the sphere, so that neighbours in the graph point the same way.

    Contrastive neighbour embedding: the InfoNCE loss draws the two ends of an edge together and pushes all other nodes
    of a mini-batch away, by the cosine of their vectors.

    Parameters
    ----------
    G : graph
        Anything `graphne_layout` accepts, with at least one edge.
    dim : int, optional
        Length of the vectors, from 2 to the number of nodes. By default 128, or as many as there are nodes.
    edges : table, list or array of edges, optional
        In place of `G`.
    **keywords
        See `EmbedKeywords`.

    Returns
    -------
    Embedding
        With `vectors` of shape (n, dim), `ids`, `history` and `isolated`. Nodes without neighbours have random
        directions. After Ctrl-C it holds what was trained so far, and ``embed(G, start=E)`` resumes it.

    Raises
    ------
    ImportError
        If torch is not installed.
    TypeError, ValueError
        If an argument is invalid, before anything is started.
    MemoryError
        If the device has not enough memory, with what to lower.

    Examples
    --------
    >>> import networkx as nx
    >>> E = embed(nx.karate_club_graph(), dim=16)
    >>> E.vectors.shape, E.complete
    ((34, 16), True)
    """
    check_callable("callback", keywords["callback"])
    graph = as_graph(G, edges=edges, weight=keywords["weight"], **select(TableKeywords, keywords))
    training = Training(graph, dim, **select(TrainingKeywords, keywords))
    return training.run(keywords["callback"], show=keywords["progress"])
