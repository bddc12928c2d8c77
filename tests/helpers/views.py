"""Graphs to look at, and what views hold of them."""

import networkx as nx
import numpy as np

from graphne_viz.viewer.transport.wire import decode_container


def club():
    return nx.karate_club_graph()


def circle(G):
    return nx.circular_layout(G)


def same(one, other):
    return one.keys() == other.keys() and all(np.array_equal(one[node], other[node]) for node in one)


def keys_of(trait_bytes):
    return [column["key"] for column in decode_container(trait_bytes)["columns"]]
