"""The digits are what their docstring says."""

import numpy as np

from graphne_viz.graphs.datasets import digits


def test_digits_are_a_nearest_neighbour_graph_by_class():
    graph = digits()
    assert graph.n_nodes == 1797
    assert graph.degrees.min() >= 15
    assert set(graph.edge_weights.tolist()) == {1.0}
    classes = graph.attributes["class"]
    assert sorted(set(classes.tolist())) == list("0123456789")
    source, target = graph.edges.T
    assert np.mean(classes[source] == classes[target]) > 0.9  # neighbours are mostly the same digit


def test_digits_are_always_the_same():
    one, two = digits(), digits()
    np.testing.assert_array_equal(one.adjacency.indices, two.adjacency.indices)
    assert one.attributes["class"].tolist() == two.attributes["class"].tolist()
