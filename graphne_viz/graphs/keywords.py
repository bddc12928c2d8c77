"""The keywords that say how tables are read as graphs: one table for functions, files and commands."""

from typing import Annotated, Any, TypedDict

from graphne_viz._keywords import Keyword


class TableKeywords(TypedDict, total=False):
    """What a table of edges, or a list of them, does not say by itself."""

    nodes: Annotated[
        Any,
        Keyword(
            None,
            """Table of the nodes, beside a table of edges: their ids, and attributes in the other columns. A node that
            no edge names is one without neighbours.""",
            "table",
        ),
    ]
    source: Annotated[
        str | None,
        Keyword(
            None,
            """Column of the edge table in which edges begin. By default "source", "from", "src" or "u", in small or
            capital letters, or the first of two.""",
            "str",
        ),
    ]
    target: Annotated[
        str | None,
        Keyword(
            None, """Column in which they end. By default "target", "to", "dst" or "v", or the second of two.""", "str"
        ),
    ]
    id: Annotated[
        str | None,
        Keyword(None, """Column of the node table with the ids. By default "id", "node", "key" or "name".""", "str"),
    ]
    directed: Annotated[
        bool | None,
        Keyword(
            None,
            """Whether the edges of a table, list or array have a direction. By default as a column "type" says
            ("Directed", "Undirected"), or as the edges look: see `as_graph`.""",
            "bool",
        ),
    ]
