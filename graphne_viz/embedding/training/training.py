"""A training that has been asked for: checked, then run."""

from __future__ import annotations

import logging
import math
import signal
import threading
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from graphne_viz._checks import check_integer
from graphne_viz._keywords import defaults_of, with_keywords
from graphne_viz._lazy import lazy_import
from graphne_viz._threads import count_cores
from graphne_viz.embedding.embedding import Embedding
from graphne_viz.embedding.keywords import TrainingKeywords
from graphne_viz.embedding.training.finish.axes import along_principal_axes
from graphne_viz.embedding.training.finish.far_neighbors import told_of_far_neighbors
from graphne_viz.embedding.training.settings import Settings, settle
from graphne_viz.embedding.training.start import read_start, starting_vectors
from graphne_viz.embedding.training.state import checksum
from graphne_viz.layout.engine.torch_engine.device import find_device

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Unpack

    import torch
    from numpy.typing import NDArray
    from tqdm import auto as tqdm_auto

    from graphne_viz.embedding.distributed import workers as distributed_workers
    from graphne_viz.embedding.distributed.workers import DistributedTrainer
    from graphne_viz.embedding.training import trainer as trainers
    from graphne_viz.embedding.training.state import State
    from graphne_viz.embedding.training.trainer import Trainer
    from graphne_viz.graphs.graph import Graph
else:
    torch = lazy_import("torch", needs="embed needs torch: pip install 'graphne-viz[embed]'")
    distributed_workers = lazy_import("graphne_viz.embedding.distributed.workers")
    trainers = lazy_import("graphne_viz.embedding.training.trainer")
    tqdm_auto = lazy_import("tqdm.auto")

log = logging.getLogger(__name__)


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


class Training:
    """What `embed` is to compute; whatever cannot work is refused here.

    Parameters
    ----------
    graph : Graph
    dim : int, optional
    **keywords
        See `TrainingKeywords`.

    Attributes
    ----------
    settings : Settings
        With all that was left open chosen.
    """

    @with_keywords(TrainingKeywords)
    def __init__(self, graph: Graph, dim: int | None = None, **keywords: Unpack[TrainingKeywords]) -> None:
        self._graph, self._start = graph, keywords["start"]
        asked: dict[str, Any] = {"dim": dim, **keywords}
        del asked["device"], asked["devices"], asked["start"]
        if self._start is None:
            self.settings = settle(graph, **asked)
            self._first = read_start(keywords["initialization"], graph.n_nodes, self.settings.dim)
        else:
            self.settings = _settings_of(self._start, graph, asked)
        self._device, self._trainer_of = _torch(keywords["device"])
        self._devices = keywords["devices"]
        check_integer("devices", self._devices, least=1)
        if self._devices > graph.n_nodes:
            raise ValueError(f"devices must be at most the number of nodes, {graph.n_nodes:,}, got {self._devices:,}")

    def run(
        self, callback: Callable[[Progress], object] | None = None, *, show: bool = False, rotate: bool = True
    ) -> Embedding:
        """Train until the end, a truthy return value of the callback or Ctrl-C.

        Parameters
        ----------
        callback : callable, optional
            As for `embed`.
        show : bool
            Whether a progress bar is shown.
        rotate : bool
            As for `embedding`.

        Returns
        -------
        Embedding
        """
        with self.trainer() as trainer:
            _train(trainer, self.settings, callback, show=show)
            return self.embedding(trainer, state=True, rotate=rotate)

    @contextmanager
    def trainer(self) -> Iterator[Trainer | DistributedTrainer]:
        """Hand out what trains; within the context a device that runs out of memory is a MemoryError."""
        graph, settings = self._graph, self.settings
        with _enough_memory(graph, settings, self._device):
            going_on = None if self._start is None else self._start.state
            begin = going_on or starting_vectors(graph, self._first, settings)
            if self._devices == 1:
                yield self._trainer_of(graph, settings, begin)
                return
            state = trainers.beginning(graph, begin, settings) if isinstance(begin, np.ndarray) else begin
            with (
                distributed_workers.TrainingWorkers(self._devices, self._device, count_cores()) as workers,
                workers.trainer(graph, settings, state) as trainer,
            ):
                yield trainer

    def embedding(self, trainer: Trainer | DistributedTrainer, *, state: bool, rotate: bool = True) -> Embedding:
        """Return what has been trained so far.

        Parameters
        ----------
        trainer : Trainer or DistributedTrainer
        state : bool
            Whether with the state to resume from.
        rotate : bool
            Whether the coordinates become principal axes once all epochs are done, if the preset says so; not where
            they are to be compared with earlier ones.
        """
        graph = self._graph
        found = Embedding(
            vectors=trainer.vectors(),
            ids=graph.ids,
            history=_history(self._start, trainer),
            settings=asdict(self.settings),
            isolated=graph.degrees == 0,
            origin=graph.origin,
            state=trainer.state() if state else None,
        )
        if not (trainer.done and self.settings.defaults.turned):
            return found
        if rotate:
            found = along_principal_axes(found)
        return told_of_far_neighbors(found, graph, self.settings.far_coordinates)


def _settings_of(start: Embedding, graph: Graph, asked: dict[str, Any]) -> Settings:
    """Take the settings of an earlier training, and refuse what contradicts them."""
    if not isinstance(start, Embedding):
        raise TypeError(f"start must be an Embedding, got a {type(start).__name__}")
    if start.state is None:
        raise ValueError("start was saved without its state, so training cannot resume from it")
    if list(start.ids) != list(graph.ids):
        raise ValueError(f"start embeds another graph: its {len(start):,} nodes are not the {graph.n_nodes:,} given")
    if start.state.edges != checksum(graph):
        raise ValueError("start embeds another graph: its edges or their weights are not those given")
    settings = _read_settings(start, graph)
    chosen = asdict(settings)
    epochs = asked.pop("epochs")
    defaults = {"dim": None, **defaults_of(TrainingKeywords)}
    for name, value in asked.items():
        same = isinstance(value, str | int | float | np.integer | None) and value in (defaults[name], chosen[name])
        if not same:
            raise ValueError(f"start resumes with {name}={chosen[name]!r}; leave {name} out")
    if epochs is not None:
        check_integer("epochs", epochs, least=1)
        settings = replace(settings, epochs=int(epochs))
    if start.state.epoch >= settings.epochs:
        raise ValueError(
            f"start was already trained for {start.state.epoch} epochs; to continue, epochs must be larger"
            + ("" if epochs is None else f", got {epochs!r}")
        )
    return settings


def _read_settings(start: Embedding, graph: Graph) -> Settings:
    """Check what an embedding says about its training, which may come from a file."""
    try:
        chosen = {field.name: start.settings[field.name] for field in fields(Settings)}
        check_integer("dim", chosen["dim"], least=2)
        return settle(graph, **chosen)
    except KeyError as error:
        raise ValueError(f"cannot resume from start: its settings lack {error}") from None
    except (TypeError, ValueError) as error:
        raise ValueError(f"cannot resume from start: {error}") from None


def _torch(device: str) -> tuple[str, Callable[[Graph, Settings, State | NDArray[np.float32]], Trainer]]:
    """Load torch, which a program without embeddings need not install, and find the device.

    Returns
    -------
    device : str
        The one that is used.
    trainer_of : callable
        Makes the trainer, from a state or the first vectors.
    """
    _ = torch.device  # where torch is missing, this says so
    place = find_device(device).place

    def trainer_of(graph: Graph, settings: Settings, begin: State | NDArray[np.float32]) -> Trainer:
        state = trainers.beginning(graph, begin, settings) if isinstance(begin, np.ndarray) else begin
        return trainers.Trainer(graph, settings, state, place)

    return str(place), trainer_of


@contextmanager
def _enough_memory(graph: Graph, settings: Settings, device: str) -> Iterator[None]:
    """Say what to lower where a device runs out of memory."""
    try:
        yield
    except (RuntimeError, MemoryError) as error:
        reason = str(error).lower()
        if not isinstance(error, MemoryError) and "memory" not in reason:
            raise
        elsewhere = "" if device == "cpu" else ", or take device='cpu'"
        raise MemoryError(
            f"not enough memory on device {device!r} for {graph.n_nodes:,} nodes in {settings.dim} dimensions with "
            f"batches of {settings.batch_size:,} edges; lower dim or batch_size{elsewhere}"
        ) from error


def _train(
    trainer: Trainer | DistributedTrainer,
    settings: Settings,
    callback: Callable[[Progress], object] | None,
    *,
    show: bool,
) -> None:
    """Run until the end, a truthy return value or Ctrl-C, which waits for the batch under way."""
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
                "training was interrupted after %.1f of %d epochs; embed(G, start=E) resumes it",
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
def _bar(trainer: Trainer | DistributedTrainer, settings: Settings, *, show: bool) -> Iterator[Callable[[], None]]:
    """Show how far training is."""
    if not show:
        yield lambda: None
        return

    form = "{l_bar}{bar}| epoch {n:.1f}/{total_fmt} [{elapsed}<{remaining}{postfix}]"
    with tqdm_auto.tqdm(total=settings.epochs, initial=trainer.progress, bar_format=form) as bar:

        def step() -> None:
            history, loss = trainer.history, trainer.loss
            if math.isnan(loss) and history.loss:  # between two epochs
                loss = history.loss[-1]
            figures = {"loss": f"{loss:.3f}"}
            if history.recall:
                figures["recall"] = f"{history.recall[-1]:.3f}"
            bar.set_postfix(figures, refresh=False)
            bar.update(trainer.progress - bar.n)

        yield step


def _history(start: Embedding | None, trainer: Trainer | DistributedTrainer) -> dict[str, NDArray[np.float64]]:
    """Join what was there with what came; an epoch that was interrupted and then finished counts once."""
    new = trainer.history.columns()
    if start is None:
        return new
    whole_ones = np.mod(start.history["epoch"], 1) == 0
    return {name: np.concatenate([start.history[name][whole_ones], values]) for name, values in new.items()}
