"""Node embeddings: the front door of the second half of the paper."""

from __future__ import annotations

import logging
import signal
import threading
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from graphne_viz.embedding.embedding import Embedding
from graphne_viz.embedding.settings import PRESETS, Settings, settle
from graphne_viz.embedding.start import read_start, starting_vectors
from graphne_viz.graphs.adjacency import DEFAULT_WEIGHT
from graphne_viz.graphs.convert import as_graph
from graphne_viz.layout.options import whole

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import ArrayLike, NDArray

    from graphne_viz.embedding.settings import Negatives, Preset
    from graphne_viz.embedding.trainer import Trainer
    from graphne_viz.graphs.arrays import Foreign
    from graphne_viz.graphs.graph import Graph
    from graphne_viz.layout.initialization import Seed

log = logging.getLogger(__name__)

DIM, TEMPERATURE = 128, 0.05


@dataclass(frozen=True)
class Progress:
    """What a callback sees after an epoch.

    Attributes
    ----------
    epoch, epochs : int
        Epochs done, and in all.
    loss : float
        Mean over the epoch.
    temperature : float
    recall : float
        Mean share of neighbours that a sample of nodes have nearest to them.
    vectors : callable
        Returns the vectors as they are at that moment, shape (n, dim); within the callback only.
    """

    epoch: int
    epochs: int
    loss: float
    temperature: float
    recall: float
    vectors: Callable[[], NDArray[np.float32]]


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
        Of Adam, falling linearly; 0.1, in the preset "paper" 0.001.
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
    graph = as_graph(G, weight=weight)
    asked: dict[str, Any] = {
        "dim": dim,
        "temperature": temperature,
        "batch_size": batch_size,
        "negatives": negatives,
        "learning_rate": learning_rate,
        "initialization": initialization,
        "preset": preset,
        "seed": seed,
    }
    settings = settle(graph, epochs=epochs, **asked) if start is None else _settings_of(start, graph, epochs, asked)
    first = read_start(initialization, graph.n_nodes, settings.dim) if start is None else None
    trainer_of = _torch(device)
    with _enough_memory(graph, settings, device):
        if first is not None:
            trainer = trainer_of(graph, settings, starting_vectors(graph, first, settings))
        else:
            trainer = trainer_of(graph, settings, start)
        _train(trainer, settings, callback, show=progress)
    return Embedding(
        vectors=trainer.vectors(),
        ids=graph.ids,
        history=_history(start, trainer),
        settings=asdict(settings),
        isolated=graph.degrees == 0,
        origin=graph.origin,
        state=trainer.state(),
    )


def _settings_of(start: Embedding, graph: Graph, epochs: int | None, asked: dict[str, Any]) -> Settings:
    """Take the settings of an earlier training, and refuse what contradicts them."""
    if not isinstance(start, Embedding):
        raise TypeError(f"start must be an Embedding, got a {type(start).__name__}")
    if start.state is None:
        raise ValueError("start was saved without its state, so that training cannot go on from it")
    if list(start.ids) != list(graph.ids):
        raise ValueError(f"start embeds another graph: its {len(start):,} nodes are not the {graph.n_nodes:,} given")
    settings = Settings(**start.settings)
    chosen = asdict(settings)
    usual = {"dim": DIM, "temperature": TEMPERATURE, "batch_size": "auto", "initialization": "spectral"}
    usual |= {"negatives": None, "learning_rate": None, "preset": "default", "seed": 0}
    for name, value in asked.items():
        same = isinstance(value, str | int | float | None) and value in (usual[name], chosen[name])
        if not same:
            raise ValueError(f"start goes on with {name}={chosen[name]!r}; leave {name} out")
    if epochs is not None:
        whole("epochs", epochs, least=1)
        settings = replace(settings, epochs=int(epochs))
    if start.state.epoch >= settings.epochs:
        raise ValueError(
            f"start has had its {start.state.epoch} epochs; to go on, epochs must be larger than that"
            + ("" if epochs is None else f", got {epochs!r}")
        )
    return settings


def _torch(device: str) -> Callable[[Graph, Settings, Any], Trainer]:
    """Load torch, which a program without embeddings need not install, and find the device."""
    try:
        import torch  # noqa: PLC0415 -- an optional dependency
    except ModuleNotFoundError as error:
        if error.name != "torch":
            raise
        raise ImportError("embed needs torch: pip install 'graphne-viz[embed]'") from error
    from graphne_viz.embedding.trainer import Trainer, beginning  # noqa: PLC0415 -- needs torch

    if device == "auto":
        device = "cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available() else "cpu"
    try:
        place = torch.device(device)
        torch.empty(1, device=place)
    except (RuntimeError, AssertionError, TypeError) as error:
        said = str(error).partition("\n")[0]
        raise ValueError(f"device must be 'auto' or one that torch finds here, got {device!r} ({said})") from None

    def trainer_of(graph: Graph, settings: Settings, begin: Any) -> Trainer:  # noqa: ANN401 - vectors or an Embedding
        state = begin.state if isinstance(begin, Embedding) else beginning(begin, settings)
        return Trainer(graph, settings, state, place)

    return trainer_of


@contextmanager
def _enough_memory(graph: Graph, settings: Settings, device: str) -> Iterator[None]:
    """Say what to lower where a device runs out of memory."""
    try:
        yield
    except (RuntimeError, MemoryError) as error:
        said = str(error).lower()
        if not isinstance(error, MemoryError) and "memory" not in said:
            raise
        raise MemoryError(
            f"not enough memory on device {device!r} for {graph.n_nodes:,} nodes in {settings.dim} dimensions with "
            f"batches of {settings.batch_size:,} edges; lower dim or batch_size, or take device='cpu'"
        ) from error


def _train(
    trainer: Trainer, settings: Settings, callback: Callable[[Progress], object] | None, *, show: bool
) -> None:
    """Run until the end, a truthy answer or Ctrl-C, which waits for the batch under way."""
    with _interrupts() as interrupted, _bar(trainer, settings, show=show) as step:

        def after_batch() -> bool:
            step()
            return interrupted()

        def after_epoch() -> object:
            history = trainer.history
            step()
            answer = callback is not None and callback(
                Progress(
                    trainer.epoch,
                    settings.epochs,
                    history.loss[-1],
                    history.temperature[-1],
                    history.recall[-1],
                    trainer.vectors,
                )
            )
            return answer or interrupted()

        trainer.run(after_batch, after_epoch)
        if interrupted() and not trainer.done:
            log.warning(
                "training was interrupted after %.1f of %d epochs; embed(G, start=E) goes on",
                trainer.progress,
                settings.epochs,
            )


@contextmanager
def _interrupts() -> Iterator[Callable[[], bool]]:
    """Have the first Ctrl-C noted instead of raised; a second one is raised.

    Only the main thread can hear it, and only where nobody else has arranged for it.
    """
    heard = threading.Event()
    usual = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or usual is not signal.default_int_handler:
        yield heard.is_set
        return

    def note(number: int, frame: Any) -> None:  # noqa: ANN401 - the interpreter's own
        if heard.is_set():
            signal.default_int_handler(number, frame)
        heard.set()

    signal.signal(signal.SIGINT, note)
    try:
        yield heard.is_set
    finally:
        signal.signal(signal.SIGINT, usual)


@contextmanager
def _bar(trainer: Trainer, settings: Settings, *, show: bool) -> Iterator[Callable[[], None]]:
    """Show how far training is."""
    if not show:
        yield lambda: None
        return
    from tqdm.auto import tqdm  # noqa: PLC0415 -- only for those who want a bar

    form = "{l_bar}{bar}| epoch {n:.1f}/{total_fmt} [{elapsed}<{remaining}{postfix}]"
    with tqdm(total=settings.epochs, initial=trainer.progress, bar_format=form) as bar:

        def step() -> None:
            recall = trainer.history.recall
            said = {"loss": f"{trainer.loss if trainer.progress % 1 else trainer.history.loss[-1]:.3f}"}
            if recall:
                said["recall"] = f"{recall[-1]:.3f}"
            bar.set_postfix(said, refresh=False)
            bar.update(trainer.progress - bar.n)

        yield step


def _history(start: Embedding | None, trainer: Trainer) -> dict[str, NDArray[np.float64]]:
    """Join what was there with what came; an epoch that was interrupted and then finished counts once."""
    new = trainer.history.columns()
    if start is None:
        return new
    whole_ones = np.mod(start.history["epoch"], 1) == 0
    return {name: np.concatenate([start.history[name][whole_ones], values]) for name, values in new.items()}
