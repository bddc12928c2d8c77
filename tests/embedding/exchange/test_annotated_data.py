"""scanpy's conventions: positions, vectors and parameters in AnnData."""

import anndata
import networkx as nx
import numpy as np
import pandas as pd
import pytest

import graphne_viz
from graphne_viz import project
from graphne_viz.tl import graphne


def cells(n=40):
    adata = anndata.AnnData(np.ones((n, 2), np.float32), obs=pd.DataFrame(index=[f"cell {i}" for i in range(n)]))
    adata.obsp["connectivities"] = nx.to_scipy_sparse_array(nx.cycle_graph(n), dtype=float, format="csr")
    adata.obsp["other_connectivities"] = nx.to_scipy_sparse_array(nx.path_graph(n), dtype=float, format="csr")
    adata.uns["neighbors"] = {"connectivities_key": "connectivities"}
    adata.uns["other"] = {"connectivities_key": "other_connectivities"}
    return adata


def test_positions_go_where_scanpy_looks_for_them(tmp_path):
    adata = cells()
    assert graphne(adata, n_iter=50, seed=3) is None
    assert adata.obsm["X_graphne"].shape == (40, 2)
    assert adata.uns["graphne"]["params"] == {"neighbors_key": "neighbors", "n_iter": 50, "seed": 3}
    adata.write_h5ad(tmp_path / "a.h5ad")
    again = anndata.read_h5ad(tmp_path / "a.h5ad")
    assert np.array_equal(again.obsm["X_graphne"], adata.obsm["X_graphne"])
    # Cells that are joined are closer than others.
    Y = adata.obsm["X_graphne"]
    assert np.linalg.norm(Y - np.roll(Y, 1, axis=0), axis=1).mean() < 0.5 * np.linalg.norm(Y - Y[::-1], axis=1).mean()


def test_another_key_another_graph_and_a_copy():
    adata = cells()
    changed = graphne(adata, key_added="map", neighbors_key="other", copy=True, n_iter=20)
    assert "X_map" not in adata.obsm
    assert changed.obsm["X_map"].shape == (40, 2)
    assert changed.uns["map"]["params"]["neighbors_key"] == "other"
    plain = graphne(adata, copy=True, n_iter=20)
    assert not np.array_equal(plain.obsm["X_graphne"], changed.obsm["X_map"])


def test_vectors_go_to_a_key_of_their_own():
    pytest.importorskip("torch")
    adata = cells()
    graphne_viz.tl.graphne(adata, vectors={"dim": 8, "epochs": 3}, n_iter=20)
    assert adata.obsm["X_graphne_vectors"].shape == (40, 8)
    assert adata.obsm["X_graphne"].shape == (40, 2)
    assert adata.uns["graphne"]["params"]["embedding"]["dim"] == 8


def test_an_embedding_takes_its_projection_along():
    pytest.importorskip("torch")
    from graphne_viz import embed

    E = embed(nx.path_graph(12), 4, epochs=2)
    adata = E.to_anndata(project(E, n_iter=20))
    assert adata.obsm["X_graphne"].shape == (12, 2)
    assert np.array_equal(adata.obsm["X_graphne_vectors"], E.vectors)


@pytest.mark.parametrize(
    ("given", "keywords", "error", "words"),
    [
        (cells, {"neighbors_key": "none"}, ValueError, "uns has no 'none'; it has 'neighbors', 'other'"),
        (cells, {"key_added": ""}, TypeError, "key_added must be a name, got ''"),
        (cells, {"copy": 1}, TypeError, "copy must be"),
        (lambda: nx.path_graph(3), {}, TypeError, "adata must be an AnnData, got a Graph"),
        (lambda: anndata.AnnData(np.ones((3, 2))), {}, ValueError, r"obsp has no 'connectivities', only nothing; run"),
    ],
)
def test_bad_input(given, keywords, error, words):
    with pytest.raises(error, match=words):
        graphne(given(), **keywords)
