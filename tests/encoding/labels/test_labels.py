import igraph as ig
import pytest

from graphne_viz.encoding.columns.node_columns import label_column
from graphne_viz.encoding.labels.node_labels import node_labels, number_text
from graphne_viz.graphs.convert.api import as_graph


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1984.0, "1984"),
        (12345.0, "12,345"),
        (-2.0, "\N{MINUS SIGN}2"),
        (100.25, "100.3"),  # JavaScript rounds halves up
        (1234.5, "1,235"),
        (0.1 + 0.2, "0.3"),
        (12_345_678.9, "1.23e7"),
        (0.00001, "1e-5"),
    ],
)
def test_numbers_are_spelled_as_in_the_viewer(value, text):
    assert number_text(value) == text


def test_nodes_of_igraph_are_called_by_their_names():
    g = ig.Graph(edges=[(0, 1), (1, 2)])
    g.vs["name"] = ["a", "b", "c"]
    graph = as_graph(g)
    assert node_labels(label_column(graph, label=True), graph) == ["a", "b", "c"]


def test_labels_of_an_attribute_are_the_same_with_and_without_the_columns_of_a_view():
    g = ig.Graph(edges=[(0, 1), (1, 2)])
    g.vs["share"] = [1 / 3, None, 2.0]
    graph = as_graph(g)
    assert node_labels(label_column(graph, "share"), graph) == ["0.3333", "", "2"]
