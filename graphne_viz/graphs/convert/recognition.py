"""Telling objects of other libraries without importing these."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from graphne_viz.graphs.graph import Graph


def is_instance(G: object, module: str, *names: str) -> bool:
    """Check for a class of a library that, if `G` is one of its objects, must be imported already."""
    library = sys.modules.get(module)
    classes = (getattr(library, name, None) for name in names)
    return any(isinstance(candidate, type) and isinstance(G, candidate) for candidate in classes)


def changed(n: int, graph: Graph) -> ValueError:
    """Return the error for a graph that has other nodes by now than when it was read."""
    return ValueError(
        f"the graph has changed since it was laid out: it has {n:,} nodes, not the {graph.n_nodes:,} it had then"
    )


def is_dgl(G: object) -> bool:
    """Check for a DGL graph, by what it offers."""
    return all(callable(getattr(G, name, None)) for name in ("edges", "num_nodes")) and hasattr(G, "ndata")


def is_anndata(G: object) -> bool:
    """Whether it is annotated data of scanpy's kind."""
    return hasattr(G, "obsp") and hasattr(G, "obs_names")
