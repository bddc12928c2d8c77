"""Node embeddings: the front door of the second half of the paper."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from graphne_viz.embedding.settings import DIM, TEMPERATURE
from graphne_viz.embedding.training import Training
from graphne_viz.graphs.adjacency import DEFAULT_WEIGHT
from graphne_viz.graphs.convert import as_graph

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike

    from graphne_viz.embedding.embedding import Embedding
    from graphne_viz.embedding.settings import Negatives, Preset
    from graphne_viz.embedding.training import Progress
    from graphne_viz.graphs.arrays import Foreign
    from graphne_viz.layout.initialization import Seed


def embed(
    G: Foreign,
    dim: int = DIM,
    *,
    temperature: float | Literal["learn"] = TEMPERATURE,
    epochs: int | None = None,
    batch_size: int | Literal["auto"] = "auto",
    negatives: Negatives | None = None,
    learning_rate: float | None = None,
    initialization: str | ArrayLike = "spectral",
    preset: Preset = "default",
    weight: str | None = DEFAULT_WEIGHT,
    seed: Seed = 0,
    device: str = "auto",
    start: Embedding | None = None,
    callback: Callable[[Progress], object] | None = None,
    progress: bool = False,
) -> Embedding:
    """Give every node a vector on the sphere, so that neighbours in the graph point the same way.

    Contrastive neighbour embedding: the InfoNCE loss draws the two ends of an edge together and pushes all other nodes
    of a mini-batch away, by the cosine of their vectors.

    Parameters
    ----------
    G : graph
        Anything `graphne_layout` accepts, with at least one edge.
    dim : int, default 128
        Length of the vectors, from 2 to the number of nodes.
    temperature : float or "learn", default 0.05
        How close is close: low keeps neighbours, 0.5 keeps classes only. It can be learned, too.
    epochs : int, optional
        How often each edge is visited, in both directions at once. By default so often that a node is visited about
        400 times, from 10 epochs in dense graphs to 100 in sparse ones; in the preset "paper" 200, which are its 100,
        since there an epoch visits each edge once in each direction.
    batch_size : int or "auto", default "auto"
        Edges in a mini-batch; by default a tenth of the number of nodes, from 128 to 512 (in the preset "paper" up to
        8,192).
    negatives : {"batch", "copies"}, optional
        What a node is pushed away from: "batch", every other node of the mini-batch once; "copies", as often as it
        occurs there, the node's own further occurrences included, as in the paper's library. By default as the
        preset says.
    learning_rate : float, optional
        Of Adam, falling linearly; 0.05, in the preset "paper" 0.001.
    initialization : {"spectral", "random"} or array of shape (n, dim), default "spectral"
        Diffusion maps, random directions, or any vectors but zero, of which only the directions count.
    preset : {"default", "paper"}, default "default"
        Where the values above come from that are not given.
    weight : str or None, default "weight"
        Edge attribute that holds the weights: an edge is visited in proportion to its own. None counts each as 1.
    seed : int, RandomState, Generator or None, default 0
        The same seed gives the same vectors on the CPU, with the same number of threads.
    device : str, default "auto"
        As in torch; by default CUDA or MPS where there is one, otherwise the CPU.
    start : Embedding, optional
        An embedding of the same graph to go on with, exactly where it was, with its own settings; `epochs` may be
        raised.
    callback : callable, optional
        Called with a `Progress` after each epoch; a truthy answer ends the training and returns what there is.
    progress : bool, default False
        Show a progress bar with loss and neighbour recall.

    Returns
    -------
    Embedding
        With `vectors` of shape (n, dim), `ids`, `history` and `isolated`. Nodes without neighbours have random
        directions. After Ctrl-C it holds what was trained so far, and ``embed(G, start=E)`` goes on.

    Raises
    ------
    ImportError
        If torch is not installed.
    TypeError, ValueError
        If an argument cannot be, before anything is started.
    MemoryError
        If the device has not enough memory, with what to lower.

    Examples
    --------
    >>> import networkx as nx
    >>> E = embed(nx.karate_club_graph(), dim=16)
    >>> E.vectors.shape, E.complete
    ((34, 16), True)
    """
    if callback is not None and not callable(callback):
        raise TypeError(f"callback must be callable, got {callback!r}")
    training = Training(
        as_graph(G, weight=weight),
        dim=dim,
        temperature=temperature,
        epochs=epochs,
        batch_size=batch_size,
        negatives=negatives,
        learning_rate=learning_rate,
        initialization=initialization,
        preset=preset,
        seed=seed,
        device=device,
        start=start,
    )
    return training.run(callback, show=progress)
