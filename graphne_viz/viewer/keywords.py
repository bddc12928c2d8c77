"""The keywords of a view: how it looks, beside those of the layout it shows."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypedDict

from graphne_viz._keywords import Keyword
from graphne_viz.encoding.colors.palette import CLASS_COLORS, VALUE_COLORMAP
from graphne_viz.layout.keywords import LayoutKeywords

if TYPE_CHECKING:
    from matplotlib.colors import Colormap, Normalize

    from graphne_viz.embedding.embedding import Embedding
    from graphne_viz.encoding.columns.values import NodeData, Palette

Theme = Literal["auto", "light", "dark"]


class AppearanceKeywords(TypedDict, total=False):
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
    color: Annotated[
        "NodeData | tuple[float, ...] | None",
        Keyword(
            "auto",
            """Name of a node attribute or of a statistic ("degree", "weighted degree", "pagerank", "betweenness",
            "k-core", "clustering", "communities", "part"), "neighbour recall", a gene of AnnData, a mapping from node
            to value, one value a node, or a colour for all; None for one colour. A statistic is computed once, when it
            is asked for; neighbour recall is measured in the view, whenever the layout rests. By default the one
            attribute that is a class, or is called so, otherwise communities, which are named by their nodes with the
            most neighbours.""",
            "str, tuple, mapping or array_like of length n",
        ),
    ]
    palette: Annotated[
        "Palette",
        Keyword(
            CLASS_COLORS,
            """Colours of classes in their natural order, or a mapping from class to colour. By default 256, the first
            twelve of them safe for colour-blind readers.""",
            "sequence of colours or mapping",
        ),
    ]
    cmap: Annotated[
        "str | Colormap", Keyword(VALUE_COLORMAP, "matplotlib's colour map for numbers.", "str or Colormap")
    ]
    norm: Annotated[
        "str | Normalize | None",
        Keyword(
            None,
            """matplotlib's normalisation for the numbers that nodes are coloured by, such as "log". By default the
            scale is linear and ends where a long tail of values begins.""",
            "str or Normalize",
        ),
    ]
    size: Annotated[
        "NodeData | float | None",
        Keyword(
            "auto",
            """Area of the nodes in square points, or numbers as for `color`, whose range is mapped to areas that
            suit; None for one size. By default the degree.""",
            "float, str, mapping or array_like of length n",
        ),
    ]
    label: Annotated[
        "NodeData | bool | None",
        Keyword(
            "auto",
            """What is written beside nodes where there is room; True or ``"name"`` for their names, None for nothing.
            By default an attribute "label", "name" or "title", or what nodes are called, where that is no number.""",
            "str, bool, mapping or array_like of length n",
        ),
    ]
    edges: Annotated[
        Any,
        Keyword(
            True,  # noqa: FBT003 - the default of a flag
            "Whether edges are drawn. Or a table, list or array of edges, in place of `G`.",
            "bool, or table of edges",
        ),
    ]
    edge_width: Annotated[
        str | None,
        Keyword(
            "auto",
            """Name of an edge attribute whose numbers are the widths of the edges. By default the weights, where they
            differ and there are at most 50,000 edges; None draws all alike.""",
        ),
    ]
    edge_color: Annotated[
        str | None,
        Keyword(None, 'Name of an edge attribute to colour the edges by, or "ends" for the colours of their nodes.'),
    ]
    edge_label: Annotated[str | None, Keyword(None, "Name of an edge attribute that is written beside the edges.")]
    arrows: Annotated[
        bool | None, Keyword(None, "Whether edges have arrows. By default those of a directed graph have.")
    ]
    curved: Annotated[
        bool | None,
        Keyword(
            None, "Whether edges are curved. By default where several join the same two nodes, in whatever direction."
        ),
    ]
    class_names: Annotated[
        bool,
        Keyword(True, "Whether the names of classes are written on the map, where their nodes are."),  # noqa: FBT003 - the default of a flag
    ]
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
