"""The legend's classes: in the words of Python, as the browser holds them, and who can be seen."""

import networkx as nx
import numpy as np
import pytest

from graphne_viz.viewer.session.opening import open_session
from graphne_viz.viewer.session.updating import update_graph

G = nx.karate_club_graph()
for odd in (0, 33):
    G.nodes[odd]["club"] = None
CLUBS = [club for _, club in G.nodes(data="club")]
NOTHING = {"isolated": [], "hidden": []}


@pytest.fixture
def session():
    made = open_session(G, nx.circular_layout(G), color="club")
    yield made
    made.close()


def shown(session):
    return np.flatnonzero(session.fields.visible()).tolist()


def test_what_python_sets_the_browser_gets_and_comes_back(session):
    assert session["legend"] == NOTHING
    session.set(legend={"isolated": ["Officer"], "hidden": ["Mr. Hi", None]})
    stored = session.state()["_view"]["legend"]
    assert stored == {"column": "a:club", "isolated": ["Officer"], "hidden": ["Mr. Hi", "\0missing"]}
    assert session["legend"] == {"isolated": ["Officer"], "hidden": ["Mr. Hi", None]}
    assert shown(session) == [node for node, club in enumerate(CLUBS) if club == "Officer"]
    session.set(legend={"isolated": [None, "Officer"]})
    assert session["legend"] == {"isolated": ["Officer", None], "hidden": []}
    assert len(shown(session)) == 34, "isolated classes stand out, and the others are still there"
    session.set(legend={})
    assert session["legend"] == NOTHING


def test_what_the_browser_sets_python_reads(session):
    legend = {"column": "a:club", "isolated": [], "hidden": ["\0missing", "a class that is gone"]}
    session.receive({"_view": session["_view"] | {"legend": legend}})
    assert session["legend"] == {"isolated": [], "hidden": [None]}


def test_what_is_hidden_does_not_stand_out(session):
    session.set(legend={"isolated": ["Officer", "Mr. Hi"], "hidden": ["Officer"]})
    assert session["legend"] == {"isolated": ["Mr. Hi"], "hidden": ["Officer"]}


def test_other_colours_have_another_legend(session):
    session.set(legend={"hidden": ["Officer"]})
    session.set(color="degree")
    assert session["legend"] == NOTHING
    assert len(shown(session)) == 34, "what the legend of before has hidden"
    session.set(legend={})
    session.set(color="communities")
    assert session["legend"] == NOTHING
    first = session.columns.find("communities").categories[0].label
    session.set(legend={"isolated": [first]})
    assert session["legend"] == {"isolated": [first], "hidden": []}


def test_classes_without_colours_of_their_own_are_one_entry():
    many = nx.path_graph(6)
    nx.set_node_attributes(many, dict(enumerate("aabcde")), "kind")
    session = open_session(many, nx.circular_layout(many), color="kind", palette={"a": "red", "c": "blue"})
    session.set(legend={"isolated": ["a"], "hidden": ["d"]})
    assert session["_view"]["legend"]["hidden"] == ["\0other"]
    assert session["legend"] == {"isolated": ["a"], "hidden": ["b", "d", "e"]}
    assert shown(session) == [0, 1, 3]
    session.close()


def test_the_legend_stays_with_its_classes_when_the_graph_changes(session):
    session.set(legend={"isolated": ["Mr. Hi"], "hidden": ["Officer"]})
    smaller = G.subgraph([node for node in G if G.nodes[node]["club"] != "Mr. Hi"]).copy()
    update_graph(session, smaller)
    session.run.wait(60)
    assert session["legend"] == {"isolated": [], "hidden": ["Officer"]}
    assert [G.nodes[session.graph.ids[i]]["club"] for i in shown(session)] == [None, None]


@pytest.mark.parametrize(
    ("color", "wanted", "words"),
    [
        ("club", 3, r'legend must be {"isolated": \[classes\], "hidden": \[classes\]}, got 3'),
        ("club", None, "legend must be .*, got None"),
        ("club", {"shown": []}, "legend must be .*, got {'shown': \\[\\]}"),
        ("club", {"hidden": "Officer"}, "the hidden classes of legend must be a list, got 'Officer'"),
        ("club", {"isolated": ["Officers"]}, "legend has 'Officers', which is not one of the classes of 'club'"),
        ("degree", {"isolated": ["Officer"]}, "legend has 'Officer', but the nodes are not coloured by classes"),
        (None, {"hidden": [None]}, "legend has None, but the nodes are not coloured by classes"),
    ],
)
def test_a_legend_that_is_none_is_refused_in_one_sentence(session, color, wanted, words):
    session.set(color=color)
    with pytest.raises(ValueError, match=words):
        session.set(legend=wanted)
    assert session["legend"] == NOTHING
