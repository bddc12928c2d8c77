"""Statistics may be called as functions, menus and people call them."""

import networkx as nx
import pytest

from graphne_viz import view
from graphne_viz.encoding.columns.node_columns import color_column, size_column
from graphne_viz.graphs.convert.api import as_graph


@pytest.mark.parametrize(
    ("spelled", "key"),
    [
        ("PageRank", "s:pagerank"),
        ("page_rank", "s:pagerank"),
        ("weighted_degree", "s:weighted degree"),
        ("Weighted Degree", "s:weighted degree"),
        ("k_core", "s:k-core"),
        ("K-core", "s:k-core"),
        ("clustering coefficient", "s:clustering"),
        ("connected part", "s:part"),
        ("Communities", "s:communities"),
        ("neighbor_recall", "s:neighbour recall"),
        ("neighbour recall", "s:neighbour recall"),
        ("neighbor recall", "s:neighbour recall"),
    ],
)
def test_either_spelling_is_understood(spelled, key):
    graph = as_graph(nx.karate_club_graph())
    assert color_column(graph, spelled).key == key
    if key not in {"s:part", "s:communities"}:
        assert size_column(graph, spelled).key == key


def test_an_attribute_goes_before_a_statistic():
    G = nx.path_graph(3)
    nx.set_node_attributes(G, {0: "a", 1: "b", 2: "a"}, "PageRank")
    assert color_column(as_graph(G), "PageRank").kind == "classes"
    assert color_column(as_graph(G), "pagerank").kind == "values"
    with pytest.raises(ValueError, match="color='page runk' is not a node attribute"):
        color_column(as_graph(G), "page runk")


def test_a_view_calls_it_by_one_name():
    w = view(
        nx.karate_club_graph(), nx.circular_layout(nx.karate_club_graph()), color="PageRank", size="Weighted_degree"
    )
    assert (w.color, w.size) == ("pagerank", "weighted degree")
    w.color = "neighbor_recall"
    assert w.color == "neighbour recall"
    w.close()
