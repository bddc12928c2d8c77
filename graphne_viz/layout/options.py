"""What a caller may ask of a layout, checked at the door."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, get_args

from graphne_viz._checks import check_callable, check_choice, check_integer, check_n_jobs, check_positive, is_integer
from graphne_viz._keywords import defaults_from
from graphne_viz._lazy import lazy_import
from graphne_viz._threads import count_threads
from graphne_viz.layout.affinity import NORMALIZATIONS, Normalization  # noqa: TC001 - a dataclass shows its types
from graphne_viz.layout.engine.schedule import EARLY, LATE, OPENTSNE, choose_lengths
from graphne_viz.layout.keywords import Engine, EngineKeywords

if TYPE_CHECKING:
    from graphne_viz.layout.engine.torch_engine import device as devices
else:
    devices = lazy_import("graphne_viz.layout.engine.torch_engine.device")

ENGINES: tuple[str, ...] = get_args(Engine)
STARTS = ("spectral", "random")
LEAST_SCALE, MOST_SCALE = 1e-100, 1e100
"""Beyond, squares of distances between nodes are 0 or infinite."""
MOST_EXAGGERATION = 1e6
"""Beyond, float32 has no digits left for the repulsion; nor for the attraction below its inverse."""
LEAST_DOF, MOST_DOF = 0.01, 1000.0
"""Below, all nodes are about equally similar; above, the kernel is a Gaussian in all digits that float32 has."""


@dataclass(frozen=True, kw_only=True)
@defaults_from(EngineKeywords)
class Options:
    """Settings of one run: a field for each of `EngineKeywords`, with its default.

    How long a run is, and how strong early exaggeration, is openTSNE's here; `Options.of` chooses by the graph.

    Attributes
    ----------
    staged : bool
        Whether the length was chosen so, and not given: then attraction falls in stages, and momentum is more than
        openTSNE's.
    """

    normalization: Normalization
    exaggeration: float
    n_iter: int = OPENTSNE["n_iter"]
    early_exaggeration: float = OPENTSNE["early_exaggeration"]
    early_exaggeration_iter: int = OPENTSNE["early_exaggeration_iter"]
    dof: float
    engine: Engine
    device: str
    devices: int
    n_jobs: int | None
    staged: bool = False

    def __post_init__(self) -> None:
        """Refuse what cannot work, naming the argument, the value and what would be right."""
        check_choice("normalization", self.normalization, NORMALIZATIONS)
        check_choice("engine", self.engine, ENGINES)
        for name in ("exaggeration", "early_exaggeration"):
            check_positive(name, getattr(self, name), least=1 / MOST_EXAGGERATION, most=MOST_EXAGGERATION)
        check_positive("dof", self.dof, least=LEAST_DOF, most=MOST_DOF)
        check_integer("n_iter", self.n_iter, least=0)
        check_integer("early_exaggeration_iter", self.early_exaggeration_iter, least=0)
        check_n_jobs(self.n_jobs)
        self._check_device()

    def _check_device(self) -> None:
        """Refuse a device that is not there, or that the engine does not use."""
        if not isinstance(self.device, str):
            raise TypeError(f"device must be a string such as 'cpu' or 'cuda', got {self.device!r}")
        if self.device != "auto" and self.engine not in {"auto", "torch"}:
            raise ValueError(f"device={self.device!r} needs engine='torch' or 'auto', got engine={self.engine!r}")
        check_integer("devices", self.devices, least=1)
        if self.devices > 1 and self.engine not in {"auto", "torch"}:
            raise ValueError(f"devices={self.devices} needs engine='torch' or 'auto', got engine={self.engine!r}")
        if self.on_torch:
            devices.find_device(self.device)

    @classmethod
    def of(cls, n_nodes: int, keywords: EngineKeywords, degree: float = 0) -> Options:
        """Make the options of a graph from keywords, choosing by its nodes and mean degree what was left to choose."""
        if is_integer(keywords.get("devices")) and keywords["devices"] > max(n_nodes, 1):
            raise ValueError(f"devices must be at most the number of nodes, {n_nodes:,}, got {keywords['devices']}")
        given = {name: value for name, value in keywords.items() if name not in OPENTSNE or value is not None}
        staged = keywords.get("engine") != "opentsne" and not given.keys() & OPENTSNE.keys()
        chosen = choose_lengths(n_nodes, degree) if staged else OPENTSNE
        return cls(**{**chosen, **given}, staged=staged)  # type: ignore[arg-type] # checked when it is made

    @property
    def asked(self) -> dict[str, object]:
        """The keywords that make these options again."""
        return {
            field.name: None if self.staged and field.name in OPENTSNE else getattr(self, field.name)
            for field in fields(self)
            if field.name != "staged"
        }

    @property
    def on_torch(self) -> bool:
        """Whether torch was asked for, be it by naming a device or several."""
        return self.engine == "torch" or self.device != "auto" or self.devices > 1

    @property
    def threads(self) -> int:
        """Number of threads that ``n_jobs`` stands for."""
        return count_threads(self.n_jobs)

    @property
    def phases(self) -> tuple[tuple[str, int, float], ...]:
        """Name, iterations and exaggeration of each phase."""
        return (
            (EARLY, int(self.early_exaggeration_iter), float(self.early_exaggeration)),
            (LATE, int(self.n_iter), float(self.exaggeration)),
        )


def check_callback(callback: object, every: object) -> None:
    """Refuse what cannot be called every so many iterations."""
    check_integer("callback_every", every, least=1)
    check_callable("callback", callback)


def check_scale(value: object) -> None:
    """Refuse a scale that leaves no room for distances between nodes; None is none."""
    if value is not None:
        check_positive("scale", value, least=LEAST_SCALE, most=MOST_SCALE)
