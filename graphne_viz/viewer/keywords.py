"""The keywords of a view: how it looks, beside those of the layout it shows."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal

from graphne_viz._keywords import Keyword
from graphne_viz.encoding.keywords import DrawingKeywords
from graphne_viz.layout.keywords import LayoutKeywords

if TYPE_CHECKING:
    from graphne_viz.embedding.embedding import Embedding

Theme = Literal["auto", "light", "dark"]


class AppearanceKeywords(DrawingKeywords, total=False):
    """What is shown, and how it looks."""

    embedding: Annotated[
        "Embedding | Literal['train'] | None",
        Keyword(
            None,
            """Lay out what `embed` has made of the graph, instead of the graph itself; "train" makes it now, and its
            projection is seen while it is trained. The edges that are drawn are the graph's.""",
            'Embedding or "train"',
        ),
    ]
    training: Annotated[
        Mapping[str, Any] | None,
        Keyword(None, 'Keywords of `embed` for "train", such as ``{"temperature": 0.5}``.', "mapping"),
    ]
    edges: Annotated[
        Any,
        Keyword(
            True,  # noqa: FBT003 - the default of a flag
            "Whether edges are drawn. Or a table, list or array of edges, in place of `G`.",
            "bool, or table of edges",
        ),
    ]
    edge_label: Annotated[str | None, Keyword(None, "Name of an edge attribute that is written beside the edges.")]
    colors: Annotated[
        Mapping[str, Mapping[str, str]] | None,
        Keyword(
            None,
            """Colours of single classes, as they can be chosen in the legend too:
            ``{"department": {"Physics": "#0072B2"}}``.""",
            "mapping",
        ),
    ]
    size_range: Annotated[
        tuple[float, float] | None,
        Keyword(
            None,
            """Diameters of the smallest and the largest node in pixels, where a size is given by numbers. By default
            what suits the number of nodes.""",
            "pair of float",
        ),
    ]
    live: Annotated[
        bool | Literal["callback"] | None,
        Keyword(
            None,
            """False lays out first and shows the result. By default a layout without `pos` is shown while it forms.
            "callback" waits for frames of someone else's optimisation: hand the view's ``callback`` to openTSNE.""",
            'bool or "callback"',
        ),
    ]
    theme: Annotated[Theme, Keyword("auto", "Colours of the view. By default those of the notebook.")]
    height: Annotated[int, Keyword(520, "Height in pixels.")]
    pace: Annotated[
        float | Literal["auto"],
        Keyword(
            "auto",
            """Seconds that a run takes at least. By default graphs of fewer than 5,000 nodes are slowed down to about
            3, because nothing could be seen otherwise; waiting for the run, with ``run.wait()``, hurries it. 0 never
            slows.""",
            'float or "auto"',
        ),
    ]


class ViewKeywords(AppearanceKeywords, LayoutKeywords, total=False):
    """All keywords of `view`."""
