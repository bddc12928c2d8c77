"""Colours and sizes by the genes of AnnData."""

import numpy as np
import pytest
import scipy.sparse as sp

from graphne_viz import plot, view
from graphne_viz.encoding.columns.node_columns import color_column, size_column
from graphne_viz.graphs.convert.api import as_graph

anndata = pytest.importorskip("anndata")

GENES = ("CD8A", "degree", "C1", "batch")


@pytest.fixture
def cells():
    """Return six cells in a ring, with four genes, of which some have the names of other things."""
    ring = sp.csr_array(np.roll(np.eye(6), 1, axis=1) + np.roll(np.eye(6), -1, axis=1))
    counts = np.arange(24.0).reshape(6, 4)
    adata = anndata.AnnData(sp.csr_matrix(counts), obs={"batch": list("aabbcc")}, obsp={"connectivities": ring})
    adata.obs_names, adata.var_names = list("uvwxyz"), list(GENES)
    return adata


@pytest.mark.parametrize("gene", ["CD8A", "C1"])  # the second is a colour of matplotlib, too
def test_a_gene_is_values_under_its_own_name(cells, gene):
    column = color_column(as_graph(cells), gene)
    assert (column.kind, column.name) == ("values", gene)
    assert column.values.tolist() == cells.X[:, GENES.index(gene)].toarray().ravel().tolist()


def test_columns_of_obs_and_statistics_come_first(cells):
    graph = as_graph(cells)
    assert color_column(graph, "batch").kind == "classes"
    assert set(color_column(graph, "degree").values.tolist()) == {2.0}


def test_raw_counts_come_before_the_scaled_ones_as_in_scanpy(cells):
    cells.raw = cells.copy()
    cells.X = cells.X * 0.5
    assert color_column(as_graph(cells), "CD8A").values.tolist() == [0, 4, 8, 12, 16, 20]


def test_dots_are_sized_by_a_gene(cells):
    assert size_column(as_graph(cells), "CD8A").values.tolist() == [0, 4, 8, 12, 16, 20]


def test_view_and_plot_take_genes(cells):
    places = np.random.default_rng(0).random((6, 2))
    w = view(cells, places, color="CD8A")
    assert w.color == "CD8A"
    scatter = plot(cells, places, color="CD8A").collections[-1]
    assert scatter.get_facecolors().shape == (6, 4)
    assert len(np.unique(scatter.get_facecolors(), axis=0)) == 6


def test_unknown_genes_are_refused_with_the_nearest_one(cells):
    with pytest.raises(ValueError, match=r"color='CD8' is not a node attribute.*one of 4 genes.*Did you mean 'CD8A'\?"):
        view(cells, color="CD8")


def test_a_gene_that_is_there_twice_is_refused(cells):
    cells.var_names = ["CD8A", "CD8A", "B", "C"]
    with pytest.raises(ValueError, match="'CD8A' 2 times"):
        color_column(as_graph(cells), "CD8A")


def test_data_without_counts_has_no_genes(cells):
    cells.X = None
    assert len(as_graph(cells).genes) == 0
    with pytest.raises(ValueError, match="is not a node attribute"):
        color_column(as_graph(cells), "CD8A")
