"""The keywords that say what is drawn of nodes and edges: one table for pictures and views."""

from typing import TYPE_CHECKING, Annotated, TypedDict

from graphne_viz._keywords import Keyword
from graphne_viz.encoding.automatic import AUTO
from graphne_viz.encoding.colors.palette import CLASS_COLORS, VALUE_COLORMAP

if TYPE_CHECKING:
    from matplotlib.colors import Colormap, Normalize

    from graphne_viz.encoding.columns.values import NodeData, Palette


class DrawingKeywords(TypedDict, total=False):
    """What colours, sizes, labels and edges show, in `plot` as in `view`."""

    color: Annotated[
        "NodeData | tuple[float, ...] | None",
        Keyword(
            AUTO,
            """Name of a node attribute or of a statistic ("degree", "weighted degree", "pagerank", "betweenness",
            "k-core", "clustering", "communities", "part" and the others that `graphne_viz.graphs.statistics.statistic`
            lists), "neighbour recall", a gene of AnnData, a mapping from node to value, one value a node, or a colour
            for all; None for one colour. Nodes without a value (None, NaN, not in the mapping) are grey. A statistic is
            computed once, when it is asked for; neighbour recall is that of the layout, in a view whenever it rests.
            By default the one attribute that is a class, or is called so, otherwise communities, which are named by
            their nodes with the most neighbours.""",
            "str, tuple, mapping or array_like of length n",
        ),
    ]
    palette: Annotated[
        "Palette",
        Keyword(
            CLASS_COLORS,
            """Colours of classes in their natural order, or a mapping from class to colour, which may leave classes
            out: those are grey. By default 256, the first twelve of them safe for colour-blind readers.""",
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
            """matplotlib's normalisation for the numbers that nodes are coloured by; "log" suits degrees. By default
            the scale is linear and ends where a long tail of values begins.""",
            "str or Normalize",
        ),
    ]
    size: Annotated[
        "NodeData | float | None",
        Keyword(
            AUTO,
            """Area of the nodes in square points, as matplotlib's scatter has it, or numbers as for `color`, whose
            range is mapped to areas that suit; None for one size. By default the degree.""",
            "float, str, mapping or array_like of length n",
        ),
    ]
    label: Annotated[
        "NodeData | bool | None",
        Keyword(
            AUTO,
            """What is written beside nodes, in a view where there is room, by `plot` on every node; True or
            ``"name"`` for their names, None for nothing. By default, where there is room, an attribute "label", "name"
            or "title", or what nodes are called, where that is no number.""",
            "str, bool, mapping or array_like of length n",
        ),
    ]
    edge_width: Annotated[
        str | None,
        Keyword(
            AUTO,
            """Name of an edge attribute whose numbers are the widths of the edges. By default the weights, where they
            differ and there are at most 50,000 edges; None draws all alike.""",
        ),
    ]
    edge_color: Annotated[
        str | None,
        Keyword(None, 'Name of an edge attribute to colour the edges by, or "ends" for the colours of their nodes.'),
    ]
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
