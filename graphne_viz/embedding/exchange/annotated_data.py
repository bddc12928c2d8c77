"""Layout and vectors written into AnnData, by the conventions of scanpy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from graphne_viz._checks import check_flag
from graphne_viz.embedding.api import embed
from graphne_viz.embedding.projection import project
from graphne_viz.graphs.convert.api import as_graph
from graphne_viz.graphs.convert.recognition import is_anndata
from graphne_viz.layout.api import graphne_layout

if TYPE_CHECKING:
    from collections.abc import Mapping

    from graphne_viz._types import Foreign

VECTORS = "_vectors"
"""What is added to the key under which the plane is, for the vectors."""


def graphne(
    adata: Foreign,
    *,
    key_added: str = "graphne",
    neighbors_key: str | None = None,
    copy: bool = False,
    vectors: bool | Mapping[str, Any] = False,
    **keywords: Any,  # noqa: ANN401 - graphne_layout checks them
) -> Foreign:
    """Lay out the graph of neighbours that ``sc.pp.neighbors`` made, as ``sc.tl.umap`` does.

    Parameters
    ----------
    adata : AnnData
        With a graph in ``obsp``.
    key_added : str, default "graphne"
        The positions go to ``obsm["X_" + key_added]``, which ``sc.pl.embedding(adata, basis=key_added)`` draws, and
        what they depend on to ``uns[key_added]``.
    neighbors_key : str, optional
        As in scanpy: ``uns[neighbors_key]["connectivities_key"]`` names the graph in ``obsp``. By default that of
        ``uns["neighbors"]``, or "connectivities".
    copy : bool, default False
        Whether to return a changed copy; otherwise `adata` is changed, and nothing returned.
    vectors : bool or mapping, default False
        Whether to embed the graph as well, or keywords of `embed`: the vectors go to
        ``obsm["X_" + key_added + "_vectors"]``, and the plane shows them, as by `project`, instead of the graph.
    **keywords
        As for `graphne_layout`.

    Returns
    -------
    AnnData or None
    """
    check_flag("copy", copy)
    if not isinstance(key_added, str) or not key_added:
        raise TypeError(f"key_added must be a name, got {key_added!r}")
    if not is_anndata(adata):
        raise TypeError(f"adata must be an AnnData, got a {type(adata).__name__}")
    graph = as_graph(_connectivities(adata, neighbors_key))
    about: dict[str, Any] = {"neighbors_key": neighbors_key or "neighbors", **_plain(keywords)}
    given = adata.copy() if copy else adata
    if vectors is False:
        positions = graphne_layout(graph, **keywords)
    else:
        E = embed(graph, **({} if vectors is True else vectors))
        given.obsm[f"X_{key_added}{VECTORS}"] = np.array(E.vectors)
        about["embedding"] = _plain(E.settings)
        positions = project(E, **keywords)
    given.obsm[f"X_{key_added}"] = np.asarray(positions, dtype=np.float64)
    given.uns[key_added] = {"params": about}
    return given if copy else None


def _connectivities(adata: Foreign, neighbors_key: str | None) -> Foreign:
    """Find the graph as scanpy does."""
    key = "neighbors" if neighbors_key is None else neighbors_key
    if key in adata.uns:
        name = adata.uns[key].get("connectivities_key", "connectivities")
    elif neighbors_key is None:
        name = "connectivities"
    else:
        raise ValueError(f"uns has no {neighbors_key!r}; it has {', '.join(map(repr, adata.uns)) or 'nothing'}")
    if name not in adata.obsp:
        there = ", ".join(map(repr, adata.obsp)) or "nothing"
        raise ValueError(f"obsp has no {name!r}, only {there}; run sc.pp.neighbors(adata) first")
    return adata.obsp[name]


def _plain(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a file can hold of some settings."""
    return {name: value for name, value in settings.items() if isinstance(value, str | int | float | bool)}
