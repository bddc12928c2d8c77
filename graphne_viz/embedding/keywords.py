"""The keywords of an embedding: the one table of `embed`, the estimator `GraphNE` and the command."""

from typing import TYPE_CHECKING, Annotated, Literal, TypedDict

from graphne_viz._keywords import Keyword
from graphne_viz.graphs.adjacency import DEFAULT_WEIGHT
from graphne_viz.graphs.keywords import TableKeywords

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike

    from graphne_viz._seeds import Seed
    from graphne_viz.embedding.embedding import Embedding
    from graphne_viz.embedding.training.training import Progress

Preset = Literal["default", "paper"]
Negatives = Literal["batch", "copies"]

DIM = 128
"""Default of ``dim``, for graphs with as many nodes."""

_SEED = Keyword(
    0,
    "Seed of all that is random. The same seed gives the same vectors on the CPU, with the same number of threads.",
    "int, RandomState, Generator or None",
)
_WEIGHT = Keyword(
    DEFAULT_WEIGHT,
    """Edge attribute that holds the weights: an edge is visited in proportion to its share of all weight at its two
    nodes, in the preset "paper" in proportion to its own. None counts each as 1.""",
    "str or None",
)


class SettingsKeywords(TypedDict, total=False):
    """How to train, whoever asks for it."""

    focus: Annotated[
        float | None,
        Keyword(
            None,
            """What the vectors are to be good at, from 0 (neighbours) to 1 (classes). At 0 a node's neighbours are
            its nearest nodes, and there is hardly any order beyond; towards 1 nodes farther and farther away keep
            their order, too, so that distances follow the lengths of paths, and a linear model separates classes. By
            default 0.5, a balance of both; in the preset "paper" 0.""",
        ),
    ]
    temperature: Annotated[
        float | Literal["learn"] | None,
        Keyword(
            None,
            """How close is close: low keeps neighbours, 0.5 keeps classes only; "learn" learns it. By default 0.05, as
            in the paper.""",
            'float or "learn"',
        ),
    ]
    epochs: Annotated[
        int | None,
        Keyword(
            None,
            """How often each edge is visited, in both directions at once. By default so often that a node is visited
            about 420 times, from 30 epochs in dense graphs to 100 in sparse ones, and less often in graphs of more
            than 20,000 nodes; in the preset "paper" 200, which are its 100, since there an epoch visits each edge once
            in each direction.""",
        ),
    ]
    batch_size: Annotated[
        int | Literal["auto"],
        Keyword(
            "auto",
            """Edges in a mini-batch. By default 128, in graphs of more than some thousand nodes all from one region; in
            the preset "paper" a tenth of the number of nodes, up to 8,192.""",
            'int or "auto"',
        ),
    ]
    negatives: Annotated[
        Negatives | None,
        Keyword(
            None,
            """What a node is pushed away from, "batch" or "copies". "batch": every other node of the mini-batch once;
            "copies": as often as it occurs there, the node's own further occurrences included, as in the paper's
            library. By default as the preset says.""",
        ),
    ]
    learning_rate: Annotated[
        float | None,
        Keyword(None, """Learning rate of Adam, falling linearly. By default 0.1, in the preset "paper" 0.001."""),
    ]
    initialization: Annotated[
        "str | ArrayLike",
        Keyword(
            "spectral",
            """What to start from, "spectral" (diffusion maps) or "random". Or an array of vectors, none of them
            zero, of which only the directions count.""",
            '{"spectral", "random"} or array of shape (n, dim)',
        ),
    ]
    preset: Annotated[Preset, Keyword("default", "Defaults of what is not given: our own, or those of the paper.")]
    device: Annotated[
        str,
        Keyword("auto", "Device, as in torch. By default CUDA or MPS where there is one, otherwise the CPU."),
    ]
    devices: Annotated[
        int,
        Keyword(
            1,
            """Processes of this machine that share the work. Each has a share of the vectors and of the edges, so that
            its memory falls with their number; of several CUDA devices each takes another one.""",
        ),
    ]


class TrainingKeywords(SettingsKeywords, total=False):
    """What a `Training` depends on, beside the graph."""

    seed: Annotated["Seed", _SEED]
    start: Annotated[
        "Embedding | None",
        Keyword(
            None,
            """An embedding of the same graph to continue from, exactly where it was, with its own settings; `epochs`
            may be raised.""",
            "Embedding",
        ),
    ]


class EmbedKeywords(TableKeywords, TrainingKeywords, total=False):
    """All keywords of `embed`."""

    weight: Annotated[str | None, _WEIGHT]
    callback: Annotated[
        "Callable[[Progress], object] | None",
        Keyword(
            None,
            """Called with a `Progress` after each epoch; a truthy return value ends the training and returns the
            vectors so far.""",
            "callable",
        ),
    ]
    progress: Annotated[
        bool, Keyword(False, "Show a progress bar with loss and neighbour recall.")  # noqa: FBT003 - a flag's default
    ]


class EstimatorKeywords(SettingsKeywords, total=False):
    """All keywords of `GraphNE`, with scikit-learn's name for the seed."""

    weight: Annotated[str | None, _WEIGHT]
    random_state: Annotated["Seed", _SEED]
