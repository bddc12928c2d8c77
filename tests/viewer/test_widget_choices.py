"""Colour, size, label and attraction, set from Python."""

import networkx as nx
import numpy as np
import pytest
import traitlets
from matplotlib import colormaps
from views import circle, club, keys_of
from wires import our_threads, until, wired  # noqa: F401 -- one is a fixture

from graphne_viz import view
from graphne_viz.encoding.colors.node_colors import color_scale, node_colors
from graphne_viz.viewer.transport.wire import decode_container


def test_colours_of_any_kind_can_be_set():
    w = view(club(), circle(club()), color=None)
    w.color = "club"
    assert w.comm.updates("color")[-1] == "a:club"
    assert w._extra == view(club(), circle(club()))._extra, "the graph has it already"
    values = [k % 3 for k in range(34)]
    w.color = values
    assert w.comm.updates("color")[-1] == "custom:color"
    assert keys_of(w._extra) == ["custom:color"]
    order = [name for m, d, _ in w.comm.sent if m == "comm_msg" for name in ("_extra", "color") if _carries(d, name)]
    assert order[-2:] == ["_extra", "color"], "the column is there before it is asked for"
    assert w.color == values
    w.color = {0: 1.5, 33: 2.5}
    w.color = "tomato"
    w.color = (0.1, 0.2, 0.3)
    assert keys_of(w._extra) == ["custom:color"]
    w.color = None
    assert w.comm.updates("color")[-1] == ""


def _carries(data, name):
    return name in data.get("state", {}) or [name] in data.get("buffer_paths", [])


def test_a_list_that_changed_can_be_set_again():
    w = view(club(), circle(club()))
    values = [0.5] * 34
    w.color = values
    first = w._extra
    values[3] = 7.5
    assert w.color[3] == 0.5
    w.color = values
    assert w._extra != first


def test_the_browser_can_go_back_to_a_column_of_the_callers_own():
    w = view(club(), circle(club()))
    w.color = np.arange(34.0)
    w.comm.set(color="a:club")
    assert w.color == "club"
    assert keys_of(w._extra) == ["custom:color"]
    w.comm.set(color="custom:color")
    assert np.array_equal(w.color, np.arange(34.0))


@pytest.mark.parametrize("role", ["color", "size", "label"])
def test_a_choice_that_cannot_be_leaves_the_old_one(role):
    w = view(club(), circle(club()), color="club", size="degree", label=True)
    before = getattr(w, role)
    with pytest.raises(ValueError, match=f"{role}='nope' is not a node attribute"):
        setattr(w, role, "nope")
    with pytest.raises(traitlets.TraitError, match=f"{role} has 2 values, but the graph has 34 nodes"):
        setattr(w, role, [1, 2])
    assert getattr(w, role) == before
    assert w.get_state(role)[role] == {"color": "a:club", "size": "degree", "label": "name"}[role]


def spread(pos):
    points = np.array(list(pos.values()))
    return float(np.linalg.norm(points - points.mean(axis=0), axis=1).mean())


def test_the_dial_acts_on_the_running_optimisation():
    w = view(club(), scale=None, n_iter=100_000, pace=0)
    until(lambda: w.run.iteration > 1000)
    w.run.pause()
    until(lambda: w._status["state"] == "paused")
    wide = spread(w.pos)
    w.exaggeration = 10
    at = w.run.iteration
    w.run.resume()
    until(lambda: w.run.iteration > at + 500)
    assert spread(w.pos) < 0.6 * wide
    w.comm.set(exaggeration=1.0)
    at = w.run.iteration
    until(lambda: w.run.iteration > at + 1000)
    assert spread(w.pos) > 0.8 * wide
    assert w.run.count == 1


def test_the_dial_wakes_a_finished_run_and_the_run_moves_the_dial():
    w = view(club(), n_iter=50, pace=0)
    w.run.wait(30)
    w.comm.set(exaggeration=4.0)
    assert w.run.state != "finished" or w.run.iteration > 300
    w.run.wait(30)
    assert (w.run.exaggeration, w.run.iteration) == (4, 350)
    w.run.exaggeration = 7
    w.run.wait(30)
    assert w.exaggeration == 7
    assert w.comm.updates("exaggeration")[-1] == 7


def test_a_dial_turned_too_far_is_refused():
    finished = view(nx.path_graph(4), live=False, n_iter=10)
    with pytest.raises(ValueError, match="exaggeration must be at most 1e\\+06"):
        finished.exaggeration = 1e39


def directed():
    G = nx.MultiDiGraph([(0, 1, {"since": 1990, "kind": "x"}), (1, 0, {"since": 2000, "kind": "y"}), (1, 2)])
    return G, nx.circular_layout(G)


def test_edges_are_drawn_by_their_attributes_and_have_what_suits_them():
    w = view(*directed(), edge_width="since", edge_color="ends")
    assert (w.arrows, w.curved, w.class_names, w.edge_label) == (True, True, True, None)
    state = w.session.state()
    assert (state["edge_width"], state["edge_color"], state["edge_label"]) == ("e:since", "ends", "")
    w.edge_color, w.edge_label = "kind", "kind"
    assert (w.comm.updates("edge_color")[-1], w.comm.updates("edge_label")[-1]) == ("e:kind", "e:kind")
    w.comm.set(edge_width="", edge_color="ends", arrows=False)
    assert (w.edge_width, w.edge_color, w.arrows) == (None, "ends", False)
    w.arrows = None
    assert w.arrows is True, "as suits a directed graph"
    with pytest.raises(ValueError, match="edge_width='kind' holds classes; widths need numbers"):
        w.edge_width = "kind"
    plain = view(nx.path_graph(3), nx.circular_layout(nx.path_graph(3)))
    assert (plain.edge_width, plain.arrows, plain.curved) == (None, False, False)


def test_weights_that_differ_are_widths_unless_the_caller_declines():
    assert view(club(), circle(club())).edge_width == "weight"
    assert view(club(), circle(club()), edge_width=None).edge_width is None


def test_colours_of_single_classes_go_by_names_here_and_by_keys_there():
    w = view(club(), circle(club()), color="club", colors={"club": {"Officer": "red"}}, size_range=[2, 30])
    assert w.colors == {"club": {"Officer": "#ff0000"}}
    assert w.session.state()["colors"] == {"a:club": {"Officer": "#ff0000"}}
    assert w.size_range == (2, 30)
    w.comm.set(colors={"a:club": {"Mr. Hi": "#00ff00"}}, size_range=None, class_names=False)
    assert (w.colors, w.size_range, w.class_names) == ({"club": {"Mr. Hi": "#00ff00"}}, None, False)
    assert "#00ff00" in w.to_svg()
    w.colors = None
    assert w.colors == {}


def test_palettes_colour_maps_and_scales_are_those_of_matplotlib():
    G = club()
    w = view(G, circle(G), color="club", palette=["black", "#ff0000"], cmap="magma", norm="log")
    (column,) = decode_container(w._extra)["columns"]
    assert (column["key"], [c["color"] for c in column["categories"]]) == ("a:club", ["#000000", "#ff0000"])
    assert decode_container(w._graph)["colormap"][0] == "#000004"
    w.color = "degree"
    column = next(c for c in decode_container(w._extra)["columns"] if c["key"] == "degree")
    assert column["scale"] == [1, 17]
    np.testing.assert_allclose(column["stops"], 17 ** (np.arange(1, 256) / 256), rtol=1e-6)
    colored = w.session.columns.column("color", "degree")
    drawn = node_colors(colored, 34, scale=color_scale(colored, "magma", "log")).rgba
    places = np.searchsorted(column["stops"], column["values"], side="right")
    np.testing.assert_allclose(drawn, colormaps["magma"](places), atol=0.02)
    with pytest.raises(ValueError, match="palette has 2 colours, but 'communities' has"):
        w.color = "communities"
    with pytest.raises(ValueError, match=r"cmap='virids' is not a colour map of matplotlib. Did you mean 'viridis'\?"):
        view(G, circle(G), cmap="virids")
