"""Edges that an embedding foretells, as the browser asks for them."""

import networkx as nx
import numpy as np
import pytest
from views import circle, club
from wires import until, wired  # noqa: F401 -- one is a fixture

from graphne_viz import embed, view


@pytest.fixture(scope="module")
def caves():
    """Four groups of eight that know each other, but for one pair each."""
    G = nx.connected_caveman_graph(4, 8)
    return G, embed(G, 8, epochs=40)


def asked(w, name, **fields):
    """Answer to a command that takes its time."""
    w.comm.command(name, **fields)
    until(lambda: w.comm.customs("answer"))
    return w.comm.customs("answer")[-1][0]


def test_the_pairs_are_those_of_the_embedding(caves):
    G, E = caves
    w = view(G, embedding=E, n_iter=5, early_exaggeration_iter=5)
    answer = asked(w, "predicted_links", count=3)
    pairs = np.reshape(answer["result"]["ends"], (-1, 2)).tolist()
    nodes = list(G)
    expected = E.predict_links(G, 3)
    assert [(nodes[i], nodes[j]) for i, j in pairs] == [(a, b) for a, b, _ in expected]
    assert answer["result"]["similarity"] == pytest.approx([similarity for *_, similarity in expected])
    assert not any(G.has_edge(nodes[i], nodes[j]) for i, j in pairs)


def test_the_held_out_edges_say_how_far_they_are_to_be_trusted(caves):
    G, E = caves
    answer = asked(view(G, embedding=E, n_iter=5, early_exaggeration_iter=5), "link_auc")
    assert 0.8 < answer["result"] <= 1


@pytest.mark.parametrize(("count", "words"), [(0, "from 1 to 10,000, got 0"), (10**5, "from 1"), ("3", "an integer")])
def test_other_counts_are_refused(caves, count, words):
    G, E = caves
    w = view(G, embedding=E, n_iter=5, early_exaggeration_iter=5)
    assert words in w.comm.command("predicted_links", count=count)["error"]


@pytest.mark.parametrize("name", ["predicted_links", "link_auc"])
def test_a_layout_foretells_no_edges(name):
    w = view(club(), circle(club()))
    assert "there is none: view(G, embedding=embed(G))" in w.comm.command(name, count=3)["error"]
