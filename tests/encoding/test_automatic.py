"""What a graph is coloured, sized and labelled by where nobody says it."""

import igraph as ig
import networkx as nx
import numpy as np
import pytest

from graphne_viz.encoding.automatic import automatic_color, automatic_label, automatic_size
from graphne_viz.encoding.columns.node_columns import attribute_columns, statistic_column
from graphne_viz.graphs.convert.api import as_graph


def graph_with(n=12, **attributes):
    G = nx.path_graph(n)
    for name, values in attributes.items():
        nx.set_node_attributes(G, dict(enumerate(values)), name)
    return as_graph(G)


def color_of(graph):
    return automatic_color(graph, attribute_columns(graph))


AB, XYZ = list("aabbaabbaabb"), list("xyzxyzxyzxyz")


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        ({}, "communities"),
        ({"side": AB}, "side"),
        ({"side": AB, "height": np.linspace(0, 1, 12).tolist()}, "side"),
        ({"side": AB, "group": XYZ}, "group"),
        ({"side": AB, "Modularity Class": [k % 3 for k in range(12)]}, "Modularity Class"),
        ({"only": ["same"] * 12}, "communities"),
        ({"title": [f"title {k}" for k in range(12)]}, "communities"),
    ],
)
def test_the_one_attribute_that_is_a_class_or_is_called_so(attributes, expected):
    assert color_of(graph_with(**attributes)) == (expected, "")


@pytest.mark.parametrize("names", [("side", "team"), ("class", "group")])
def test_of_two_that_could_be_the_class_neither_is_taken_and_the_note_says_how_to_choose(names):
    choice, note = color_of(graph_with(**dict(zip(names, (AB, XYZ), strict=True))))
    assert choice == "communities"
    assert note == f"{names[0]!r} and {names[1]!r} could both be the class: color={names[0]!r} chooses one"


def test_without_edges_there_is_nothing_to_find():
    assert color_of(as_graph(nx.empty_graph(4))) == (None, "")
    assert automatic_size(as_graph(nx.empty_graph(4))) is None
    assert automatic_size(as_graph(nx.cycle_graph(4))) is None, "all have two neighbours"
    assert automatic_size(as_graph(nx.path_graph(4))) == "degree"
    assert color_of(as_graph(nx.empty_graph(0))) == (None, "")


def test_labels_are_names_not_numbers():
    assert automatic_label(graph_with()) is None
    assert automatic_label(as_graph(nx.relabel_nodes(nx.path_graph(3), str))) is None, "digits are numbers"
    assert automatic_label(as_graph(nx.les_miserables_graph())) is True
    names = [f"person {k}" for k in range(12)]
    assert automatic_label(graph_with(title=names, Label=names)) == "Label"
    assert automatic_label(graph_with(label=AB, title=names)) == "title", "a label that many share is a class"
    named = ig.Graph.Ring(4)
    named.vs["name"] = ["a", "b", "c", "d"]
    assert automatic_label(as_graph(named)) == "name"


def test_communities_are_named_by_their_nodes_with_the_most_neighbours_and_leave_isolates_out():
    G = nx.les_miserables_graph()
    G.add_nodes_from(["Nobody", "No one"])
    column = statistic_column(as_graph(G), "communities")
    assert column.categories[0].label == "Valjean, Marius"
    counts = [category.count for category in column.categories]
    assert counts == sorted(counts, reverse=True)
    assert (column.codes[-2:] == len(column.categories)).all()
    assert len({category.label for category in column.categories}) == len(counts)
