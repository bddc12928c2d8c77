"""The keywords of `plot` that other functions have, too."""

from graphne_viz.encoding.keywords import DrawingKeywords
from graphne_viz.graphs.keywords import TableKeywords


class PlotKeywords(DrawingKeywords, TableKeywords, total=False):
    """What is drawn of nodes and edges, and how tables are read as graphs."""
