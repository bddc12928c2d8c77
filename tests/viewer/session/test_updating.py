"""A view whose graph changes."""

import networkx as nx
import numpy as np
import pytest
from runs import until

from graphne_viz.embedding.api import embed
from graphne_viz.layout.api import graphne_layout
from graphne_viz.viewer.run.placement import Placement
from graphne_viz.viewer.session.opening import open_session
from graphne_viz.viewer.session.updating import update_graph
from graphne_viz.viewer.transport.wire import decode_container, decode_frame


def blocks(sizes=(40, 40, 40), seed=1):
    """Make a graph of clear groups, whose nodes have names."""
    G = nx.stochastic_block_model(sizes, 0.3 * np.eye(len(sizes)) + 0.005, seed=seed)
    nx.set_node_attributes(G, {v: f"group {G.nodes[v]['block']}" for v in G}, "group")
    return nx.relabel_nodes(G, {v: f"n{v}" for v in G})


@pytest.fixture
def opened():
    sessions = []

    def make(G, *args, **keywords):
        sessions.append(open_session(G, *args, **keywords))
        sessions[-1].start()
        return sessions[-1]

    yield make
    for session in sessions:
        session.close()


def positions(session):
    return dict(zip(session.graph.ids, session.run.layout(), strict=True))


def colors(session):
    column = session.columns.find("group")
    return {category.label: category.color for category in column.categories}


def test_the_map_stays_and_what_is_new_appears_at_its_neighbours(opened):
    G = blocks()
    session = opened(G, color="group", pace=0)
    session.run.wait()
    before, first_run = positions(session), session.run
    session.set(selection=["n0", "n1", "n50"], hidden=["n2", "n60"], filters={"group": ["group 0", "group 1"]})
    H = G.copy()
    H.remove_nodes_from(["n1", "n60"])
    H.add_edges_from([("new", "n50"), ("new", "n51"), ("new", "n52"), ("newer", "new")])
    H.nodes["new"]["group"] = "a group before all others"
    kept = colors(session)

    update = update_graph(session, H)

    assert (update.added, update.removed) == (("new", "newer"), ("n1", "n60"))
    gone = G.degree("n1") + G.degree("n60") - G.has_edge("n1", "n60")
    assert (update.edges_added, update.edges_removed, update.edges_changed) == (4, gone, 0)
    assert session.run is first_run
    session.run.wait()
    after = positions(session)
    assert list(after) == list(H)
    far = update.moved()
    assert np.median(list(far.values())) < 0.02
    assert all(np.corrcoef(*zip(*[(before[v][k], after[v][k]) for v in far], strict=True))[0, 1] > 0.99 for k in (0, 1))
    around = np.mean([after[v] for v in ("n50", "n51", "n52")], axis=0)
    assert np.linalg.norm(after["new"] - around) < 0.3  # of a map from -1 to 1
    assert session["selection"] == ("n0", "n50")
    assert session["hidden"] == ("n2",)
    assert "group 2" not in session["filters"]["group"]  # a class that is new is shown
    # Its name comes first, and still the others have the colours that they had.
    assert kept.items() <= colors(session).items()
    assert len(set(colors(session).values())) == 4
    assert "new" not in far
    assert list(far.values()) == sorted(far.values(), reverse=True)
    assert session.state()["_status"]["update"] == update.text()
    assert update.text().startswith("Updated: 2 nodes added, 2 nodes removed, 4 edges added,")


def test_an_update_comes_whole_and_no_frame_of_the_graph_before_follows(opened):
    session = opened(blocks(), pace=0, n_iter=2_000)
    seen = []

    class Host:
        def publish(self, changes):
            if "_graph" in changes:
                frame = decode_frame(changes["_frame"])
                seen.append(("graph", decode_container(changes["_graph"])["nodes"], frame))

        def announce(self, changes):
            pass

        def send(self, content, buffers):
            if content["kind"] == "frame":
                session.stream.answered(content["seq"])
                seen.append(("frame", len(decode_frame(buffers[0]).positions), None))

    host = Host()
    session.subscribe(host)
    session.handle({"kind": "command", "id": 1, "name": "ready"})
    for sizes in ((40, 40, 41), (40, 40), (40, 40, 40, 40)):
        count = len(seen)
        until(lambda count=count: any(kind == "frame" for kind, *_ in seen[count:]), 60)
        update_graph(session, blocks(sizes))
    count = len(seen)
    until(lambda: any(kind == "frame" for kind, *_ in seen[count:]), 60)
    nodes = 120
    for kind, found, frame in seen:
        if kind == "graph":
            nodes = found
            assert len(frame.positions) == nodes
        assert found == nodes


def test_statistics_and_own_data_follow_their_nodes(opened):
    G = blocks()
    session = opened(G, color="pagerank", size=dict.fromkeys(G, 2.0) | {"n0": 5.0}, pace=0)
    session.set(label=[f"label of {v}" for v in G])
    session.run.wait()
    H = G.copy()
    H.add_edge("new", "n0")
    update_graph(session, H)
    rank = nx.pagerank(H)
    until(lambda: not session.columns.outdated, 60)
    values = session.columns.find("pagerank").values
    np.testing.assert_allclose(values, [rank[v] for v in H], rtol=1e-3)
    texts = session.columns.column("label", session["label"]).texts
    assert [texts[0], texts[len(G)]] == ["label of n0", ""]
    assert session.columns.column("size", session["size"]).values[0] == 5


def test_what_the_new_graph_does_not_have_is_no_longer_shown_and_named(opened):
    session = opened(blocks(), color="group", pace=0)
    session.run.wait()
    session.set(filters={"group": ["group 0"]})
    plain = nx.Graph(blocks().edges)
    update = update_graph(session, plain)
    assert update.dropped == ("color='group'", "filtered by 'group'")
    assert (session["color"], session["filters"]) == (None, {})


def test_places_of_the_callers_own_stay_exactly_and_only_what_is_new_is_placed(opened):
    G = blocks()
    random = dict(zip(G, np.random.default_rng(0).normal(size=(len(G), 2)), strict=True))
    session = opened(G, random)
    H = G.copy()
    H.add_edges_from([("new", "n0"), ("new", "n1")])
    update_graph(session, H)
    session.run.wait()
    after = positions(session)
    assert all((after[v] == random[v]).all() for v in G)
    assert np.isfinite(after["new"]).all()


@pytest.mark.parametrize(
    ("graph", "message"),
    [
        (nx.path_graph(4), r"nodes such as 0, of another type than those of the old one, such as 'n0'"),
        (17, r"17 is not a graph"),
    ],
)
def test_what_is_no_other_state_of_the_graph_is_refused_and_the_picture_stays(opened, graph, message):
    session = opened(blocks(), pace=0)
    session.run.wait()
    before = session.state()
    with pytest.raises((TypeError, ValueError), match=message):
        update_graph(session, graph)
    assert session.state() == before


def test_views_that_cannot_follow_say_so(opened):
    G = nx.karate_club_graph()
    session = opened(G, embedding=embed(G, 4, epochs=1))
    with pytest.raises(ValueError, match="a view of an embedding"):
        update_graph(session, G)
    closed = opened(G)
    closed.close()
    with pytest.raises(RuntimeError, match="the view is closed"):
        update_graph(closed, G)


def test_a_restart_lays_out_all_anew_and_not_in_the_few_iterations_of_an_update(opened):
    G = blocks()
    session = opened(G, pace=0, seed=3)
    session.run.wait()
    full = session.run.status()["total"]
    H = G.copy()
    H.add_edges_from([("new", "n0"), ("new", "n1")])
    update_graph(session, H)
    session.run.wait()
    assert session.run.status()["total"] < full
    session.run.restart()
    session.run.wait()
    assert session.run.iteration == session.run.status()["total"] == full
    expected = graphne_layout(H, seed=3)
    np.testing.assert_allclose(session.run.layout(), [expected[node] for node in H], atol=1e-6)


def test_a_map_without_clusters_stays_too_when_an_isolate_and_a_tail_come(opened):
    G = nx.star_graph(12)
    session = opened(G, pace=0)
    session.run.wait()
    before = positions(session)
    H = G.copy()
    H.add_node("alone")
    nx.add_path(H, [1, "first", "second"])
    update_graph(session, H)
    session.run.wait()
    after = positions(session)
    old, new = (np.array([pos[node] for node in G]).ravel() for pos in (before, after))
    assert np.corrcoef(old, new)[0, 1] > 0.95


def numbers(version, *nodes):
    """Return numbers of nodes in a state of the graph, as a browser sends them."""
    return np.array([version, *nodes], dtype="<u4").tobytes()


def test_what_a_browser_said_about_the_graph_before_arrives_after_the_update(opened):
    session = opened(nx.path_graph(6), pace=0)
    session.run.wait()
    clicked, published = [], []
    session.callbacks.change("click", clicked.append, remove=False)

    class Host:
        def publish(self, changes):
            published.append(set(changes))

        def announce(self, changes):
            pass

        def send(self, content, buffers):
            pass

    host = Host()
    session.subscribe(host)
    before = session.state()
    update_graph(session, nx.path_graph(range(2, 8)))  # 2 was number 2 and is number 0
    session.run.wait()
    pinned = session["_pinned"]
    rows = numbers(0) + Placement(np.array([3]), np.zeros((1, 2)), np.ones(1, dtype=bool)).encode()
    session.receive({"_selected": numbers(0, 1, 3, 4), "_hidden": numbers(0) + b"\x22", "_pinned": rows})
    assert session["selection"] == (3, 4)  # and 1 is gone
    assert session["hidden"] == (5,)
    assert session["_pinned"] == pinned  # a place on the map as it was
    update_graph(session, nx.path_graph(range(3, 9)))
    session.receive({"_selected": numbers(1, 0, 2), "_hidden": numbers(2)})
    assert (session["selection"], session["hidden"]) == ((4,), ())
    session.receive({"_selected": numbers(2, 5)})
    assert session["selection"] == (8,)
    for version, node in ((0, 3), (1, 0), (2, 5), (0, 1)):
        session.handle({"kind": "event", "name": "click", "node": node, "version": version})
    assert clicked == [3, 8]  # 2 and 1 are gone
    assert before["_selected"] == numbers(0)
    assert session.state()["_selected"] == numbers(2, 5)
    with pytest.raises(ValueError, match="state 7 of the graph is not known; it was updated 2 times"):
        session.receive({"_selected": numbers(7, 1)})
    assert session["selection"] == (8,)


def test_sizes_that_were_given_stay_with_their_nodes_however_often_the_graph_changes(opened):
    G = blocks()
    sizes = np.arange(1.0, 1.0 + len(G))
    of = dict(zip(G, sizes, strict=True))
    session = opened(G, node_size=sizes, live=False)
    for gone in (["n0", "n1", "n2"], ["n50", "n51"]):
        G = G.subgraph([node for node in G if node not in gone]).copy()
        update_graph(session, G)
        session.run.wait()
    found = session.recipe.layout["node_size"]
    assert dict(zip(session.graph.ids, found, strict=True)) == {node: of[node] for node in G}
