"""The keywords of a layout: the one table of `graphne_layout`, `project`, `view` and the commands."""

from typing import TYPE_CHECKING, Annotated, Literal, TypedDict

from graphne_viz._keywords import Keyword
from graphne_viz.graphs.adjacency import DEFAULT_WEIGHT
from graphne_viz.graphs.keywords import TableKeywords
from graphne_viz.layout.affinity import Normalization

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

    from numpy.typing import ArrayLike

    from graphne_viz._seeds import Seed
    from graphne_viz.layout.snapshot import Snapshot

Engine = Literal["auto", "exact", "mesh", "torch", "opentsne"]


class OptimizerKeywords(TypedDict, total=False):
    """How the layout is optimised."""

    normalization: Annotated[
        Normalization,
        Keyword(
            "node",
            "How edge weights become affinities: every node pulls alike, every edge pulls alike, or as in SGtSNEpi.",
        ),
    ]
    exaggeration: Annotated[
        float,
        Keyword(1, "Attraction relative to repulsion: 1 is t-SNE, about 4 resembles UMAP, about 12 ForceAtlas2."),
    ]
    n_iter: Annotated[
        int | None,
        Keyword(
            None,
            """Iterations after the early phase. By default they and those of the early phase are chosen by the number
            of nodes, and attraction falls in steps; where one of ``n_iter``, ``early_exaggeration`` and
            ``early_exaggeration_iter`` is given, the others are openTSNE's: 500, 12 and 250.""",
            "int",
        ),
    ]
    early_exaggeration: Annotated[
        float | None,
        Keyword(None, "Exaggeration in the early phase, in which the large-scale order forms.", "float"),
    ]
    early_exaggeration_iter: Annotated[int | None, Keyword(None, "Iterations of the early phase.", "int")]
    dof: Annotated[
        float,
        Keyword(1, "Degrees of freedom of the similarity (1 + d^2/dof)^-dof: less than 1 shows finer clusters."),
    ]


class EngineKeywords(OptimizerKeywords, total=False):
    """The same, and what computes it; `Options` has a field for each."""

    engine: Annotated[
        Engine,
        Keyword(
            "auto",
            """All pairs, a particle mesh, the same on torch, or openTSNE's own code as a reference. By default the
            fastest: torch for large parts of a graph where there is CUDA, otherwise one of the first two.""",
        ),
    ]
    device: Annotated[
        str,
        Keyword(
            "auto",
            """Device of the engine on torch, as torch calls it: "cpu", "cuda", "cuda:1", "mps". By default CUDA or MPS
            where there is one, otherwise the CPU.""",
        ),
    ]
    devices: Annotated[
        int,
        Keyword(
            1,
            """Processes of this machine that share a layout on torch. With CUDA each takes another device, on the CPU
            each takes a share of the threads.""",
        ),
    ]
    n_jobs: Annotated[int | None, Keyword(None, "Number of threads. None and -1 use all cores.", "int")]


class TaskKeywords(EngineKeywords, total=False):
    """What a `Task` depends on: where the layout starts, and where it ends up."""

    fixed: Annotated[
        "Iterable[Hashable] | None",
        Keyword(None, "Nodes to keep exactly at their ``pos``; nothing is rescaled then.", "iterable of nodes"),
    ]
    initialization: Annotated[
        "str | ArrayLike",
        Keyword(
            "spectral",
            """What to start from, "spectral" or "random". Or an array of positions; ``pos`` takes precedence.""",
            '{"spectral", "random"} or array of shape (n, 2)',
        ),
    ]
    seed: Annotated[
        "Seed",
        Keyword(
            0,
            "The same seed gives the same layout, whatever the number of threads. None gives another one each time.",
            "int, RandomState, Generator or None",
        ),
    ]
    scale: Annotated[
        float | None,
        Keyword(
            1,
            """Half the extent of the layout in its longer direction. It fills ``[center - scale, center + scale]``;
            None leaves t-SNE's own units.""",
            "float or None",
        ),
    ]
    center: Annotated[
        "ArrayLike | None", Keyword(None, "Centre of the layout, by default the origin.", "array of shape (2,)")
    ]
    node_size: Annotated[
        "float | ArrayLike | None",
        Keyword(
            None,
            """Area of a node in square points, as for ``nx.draw``. Nodes that would overlap on its page are moved
            apart; an array has one size for each node, and 0 leaves all where t-SNE puts them. By default graphs of up
            to 500 nodes are given room for 300, as far as neighbours stay together, and more even edges; not where
            ``n_iter`` is given.""",
            "float or array of shape (n,)",
        ),
    ]
    dim: Annotated[int, Keyword(2, "Must be 2.")]


class LayoutKeywords(TableKeywords, TaskKeywords, total=False):
    """All keywords of `graphne_layout`."""

    weight: Annotated[
        str | None,
        Keyword(
            DEFAULT_WEIGHT,
            """Edge attribute or column that holds the weights, larger meaning closer. None counts every edge as 1.""",
            "str or None",
        ),
    ]
    store_pos_as: Annotated[
        str | None, Keyword(None, "Node attribute of the networkx graph to store the positions in, too.", "str")
    ]
    callback: Annotated[
        "Callable[[Snapshot], object] | None",
        Keyword(
            None,
            """Called with a `Snapshot` every ``callback_every`` iterations; a truthy return value ends the run and
            returns the layout so far.""",
            "callable",
        ),
    ]
    callback_every: Annotated[int, Keyword(10, "Iterations between two calls.")]
    progress: Annotated[bool, Keyword(False, "Show a progress bar.")]  # noqa: FBT003 - the default of a flag
