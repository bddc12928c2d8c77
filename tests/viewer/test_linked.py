import gc
import json
import re

import networkx as nx
import numpy as np
import pytest

from graphne_viz import linked, view

ANGLE = 2.0


@pytest.fixture
def views():
    """Two views of one graph, of which the second is turned, mirrored and larger, and one of a part of it."""
    G = nx.karate_club_graph()
    pos = nx.spring_layout(G, seed=1)
    matrix = 7 * np.array([[np.cos(ANGLE), np.sin(ANGLE)], [np.sin(ANGLE), -np.cos(ANGLE)]])
    part = G.subgraph(range(5, 25)).copy()
    made = [
        view(G, pos, color="club"),
        view(G, {node: matrix @ place for node, place in pos.items()}, color="club"),
        view(part, {node: (-pos[node][1], pos[node][0]) for node in part}),
    ]
    yield made
    for one in made:
        one.close()


def shown(widget):
    positions = widget.run.latest.positions
    turned = positions @ np.reshape(widget._rotation, (2, 2)).T if widget._rotation else positions
    return normed(turned)


def normed(positions):
    centred = positions - positions.mean(axis=0)
    return centred / np.linalg.norm(centred)


def test_the_others_lie_as_the_first_does(views):
    pos = views[1].pos
    linked(views)
    np.testing.assert_allclose(shown(views[1]), shown(views[0]), atol=1e-5)
    np.testing.assert_allclose(shown(views[2]), normed(shown(views[0])[5:25]), atol=1e-5)
    assert views[0]._rotation == []
    assert all((views[1].pos[node] == pos[node]).all() for node in pos)


def test_they_are_in_one_group_and_need_not_be_aligned(views):
    linked(views[:2], aligned=False)
    assert views[0]._group == views[1]._group != ""
    assert views[1]._rotation == []
    first = views[0]._group
    linked(views[:2])
    assert views[0]._group == views[1]._group != first


def test_a_run_that_ends_is_aligned():
    G = nx.karate_club_graph()
    first = view(G, live=False, seed=1)
    second = view(G, initialization="random", seed=5, pace=0)
    both = linked([first, second])
    second.run.wait()
    one, other = shown(first), shown(second)
    apart = np.square(one - other).sum()
    for angle in np.linspace(0.3, 6, 20):
        turned = other @ np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        assert np.square(one - turned).sum() > apart
    both.close()
    both.close()


def test_it_shows_itself_with_titles_as_text_and_a_picture(views):
    both = linked(views, titles=["<b>one</b>", "two", ""], captions=["a & b", "", ""], columns=2)
    bundle = both._repr_mimebundle_()
    data = bundle[0] if isinstance(bundle, tuple) else bundle
    assert "application/vnd.jupyter.widget-view+json" in data
    assert data["image/png"].startswith("iVBOR")
    # Two beside each other, one where a cell is too narrow for two.
    places = "repeat(auto-fit, minmax(max(min(100%, 320px), (100% - 12px) / 2), 1fr))"
    assert both.box.layout.grid_template_columns == places
    first = both.box.children[0].children
    assert "&lt;b&gt;one&lt;/b&gt;" in first[0].value
    assert first[1] is views[0]
    assert "a &amp; b" in first[2].value
    assert both.box.children[2].children == (views[2],)


def test_one_file_holds_them_all_with_their_common_graph_once(views, tmp_path):
    linked(views, titles=["one", "two", "three"]).to_html(tmp_path / "g.html", title="All")
    text = (tmp_path / "g.html").read_text()
    data = json.loads(re.search(r'id="graphne-data">(.*?)</script>', text)[1])
    graphs = [panel["graph"] for panel in data["panels"]]
    assert graphs[0] == graphs[1] != graphs[2]
    assert data["panels"][1]["rotation"] == views[1]._rotation
    assert re.findall("<h2>(.*?)</h2>", text) == ["one", "two", "three"]
    assert [one["made_by"] for one in data["about"]["views"]] == ["given"] * 3


def test_only_a_page_is_overwritten(views, tmp_path):
    (tmp_path / "r.txt").write_text("mine")
    with pytest.raises(ValueError, match=r"path must end in \.html, got '.*r\.txt'"):
        linked(views).to_html(tmp_path / "r.txt")
    assert (tmp_path / "r.txt").read_text() == "mine"
    linked(views).to_html(tmp_path / "r.HTM")
    assert len(list(tmp_path.iterdir())) == 2


def test_views_that_have_just_begun_are_waited_for(tmp_path):
    views = [view(nx.karate_club_graph(), seed=seed, n_iter=20, pace=0) for seed in (0, 1)]
    linked(views).to_html(tmp_path / "g.html")
    assert (tmp_path / "g.html").stat().st_size > 1000
    linked(views).close()


def test_what_cannot_be_linked_is_refused(views):
    with pytest.raises(TypeError, match=r"widgets must come from view\(\), got Graph"):
        linked([nx.path_graph(2)])
    with pytest.raises(ValueError, match="at least one view"):
        linked([])
    with pytest.raises(ValueError, match="given twice"):
        linked([views[0], views[0]])
    with pytest.raises(ValueError, match="titles must be 3 strings, one for each view"):
        linked(views, titles=["one"])
    with pytest.raises(ValueError, match="columns must be"):
        linked(views, columns=0)


def test_filters_hidden_nodes_and_the_tool_are_shared_but_not_the_camera(views):
    both = linked(views)
    one, other, part = both.widgets
    one.filters = {"club": ["Officer"], "degree": (2, None)}
    assert other.filters == part.filters == one.filters
    other.hidden = [0, 7, 8]
    assert one.hidden == (0, 7, 8)
    assert part.hidden == (7, 8), "it has no node 0"
    part.hidden = [9]
    assert one.hidden == other.hidden == (0, 9), "what a view does not have it does not show again"
    one.tool = "lasso"
    assert part.tool == "lasso"
    part.lens = True
    assert one.lens is other.lens is True
    one.camera = {"center": (1, 2), "span": 3}
    assert other.camera is None
    one.selection = [0, 5]
    assert other.selection == (0, 5)
    assert part.selection == (5,), "it has no node 0"
    part.selection = []
    assert one.selection == other.selection == ()


def test_the_legend_is_shared_by_views_of_the_same_colours(views):
    one, other, part = (both := linked(views)).widgets
    part.color = "degree"
    one.legend = {"isolated": ["Officer"], "hidden": ["Mr. Hi"]}
    assert other.legend == one.legend == {"isolated": ["Officer"], "hidden": ["Mr. Hi"]}
    assert part.legend == {"isolated": [], "hidden": []}
    part.color = "club"
    other.legend = {"hidden": ["Officer"]}
    assert one.legend == part.legend == {"isolated": [], "hidden": ["Officer"]}
    assert both.widgets == views


def test_filters_that_another_graph_does_not_have_stay_where_they_are(views):
    G = nx.path_graph(4)
    nx.set_node_attributes(G, {0: "x", 1: "y", 2: "x", 3: "y"}, "club")
    stranger = view(G, nx.circular_layout(G))
    both = linked([views[0], stranger])
    views[0].filters = {"club": ["Officer"], "degree": (2, None)}
    assert stranger.filters == {"degree": (2, None)}
    assert both.widgets[0].filters == {"club": ["Officer"], "degree": (2, None)}
    stranger.close()


def test_a_linked_page_holds_the_view_of_each(views, tmp_path):
    both = linked(views[:2])
    views[0].filters = {"club": ["Officer"]}
    place = views[1].pos
    views[1].camera = {"center": place[4], "span": 1}
    both.to_html(tmp_path / "g.html")
    data = json.loads(re.search(r'id="graphne-data">(.*?)</script>', (tmp_path / "g.html").read_text())[1])
    assert [panel["view"]["filters"] for panel in data["panels"]] == [{"a:club": {"without": ["Mr. Hi"]}}] * 2
    cameras = [panel["view"]["camera"] for panel in data["panels"]]
    assert cameras[0] is None
    np.testing.assert_allclose(cameras[1]["center"], views[1].run.latest.positions[4], atol=1e-4)
    assert len(views[1]._rotation) == 4, "it is turned, which its camera does not have to know"


def test_what_the_browser_sets_is_shared_by_the_browser(views):
    both = linked(views)
    views[0].set_state({"_view": views[0]._view | {"tool": "lasso"}})
    assert [widget.tool for widget in both.widgets] == ["lasso", "pan", "pan"]


def test_views_that_are_gone_share_nothing(views):
    linked(views)
    gc.collect()
    views[0].tool = "lasso"
    assert views[1].tool == "pan"
