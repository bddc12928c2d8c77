import base64
import json
import re
import sys
from dataclasses import replace

import networkx as nx
import pytest
from comparisons import REASON, some

from graphne_viz.evaluation.metrics.scores import Scores
from graphne_viz.viewer.export.comparison_page import class_choice, comparison_page, panels, table
from graphne_viz.viewer.export.html_table import Table

HOSTILE = "</script><script>window.__hacked=1</script>"


def test_a_panel_for_each_result_and_the_graph_once():
    comparison = some(4, failed=1)
    text = comparison_page(comparison)
    assert re.findall(r"<h2>(.*?)</h2>", text) == ["graphne", "sgtsnepi", "forceatlas2"]
    assert re.findall(r"<figcaption>(.*?)</figcaption>", text)[1] == "recall 0.200 · 15-NN accuracy 0.700 · 1.00 s"
    described = json.loads(re.search(r'id="graphne-data">(.*?)</script>', text)[1])
    assert len({panel["graph"] for panel in described["panels"]}) == 1
    assert len({panel["recording"] for panel in described["panels"]}) == 3
    assert {panel["color"] for panel in described["panels"]} == {class_key(comparison)}
    assert "<title>34 nodes and 78 edges by 4 methods</title>" in text


def class_key(comparison):
    return panels(comparison)[0].color


def test_the_table_has_every_method_and_says_what_failed():
    made = table(some(3, failed=1))
    assert made.head == ["method", "neighbour recall", "kNN accuracy", "time", "computed by"]
    assert made.rows == [
        ["graphne", "0.100", "0.700", "1.00 s", "graphne 1.0"],
        ["sgtsnepi", "0.200", "0.700", "1.00 s", "sgtsnepi 1.0"],
        ["forceatlas2", "", "", "", f"no result: {REASON}"],
    ]
    assert made.best == {(1, 1)}
    text = comparison_page(some(3, failed=1))
    assert "<td><b>0.200</b></td>" in text
    assert "no result: this method needs a package that is not here: pip install &#x27;graphne-viz[" in text


def test_how_it_was_made_is_told():
    text = comparison_page(
        some(2, dim=128, seed=3, options={"graphne": {"temperature": 0.5}}), title="Mine", theme="dark"
    )
    about = json.loads(re.search(r'id="graphne-data">(.*?)</script>', text)[1])["about"]
    assert about["made_by"] == "comparison"
    assert about["parameters"] == {
        "methods": ["graphne", "sgtsnepi"],
        "dim": 128,
        "seed": 3,
        "options": {"graphne": {"temperature": 0.5}},
    }
    assert about["computed_by"] == {"graphne": "graphne 1.0", "sgtsnepi": "sgtsnepi 1.0"}
    assert "<h1>Mine</h1>" in text
    assert 'data-theme="dark"' in text
    assert "The figures are those of 128 dimensions; the pictures are projections of them." in text
    assert "scaled to match that of graphne" in text


def test_labels_are_classes_even_where_they_are_numbers():
    assert class_choice(some(1)) == "club"
    assert class_choice(some(1, classes=None)) is None
    G = nx.path_graph(40)
    nx.set_node_attributes(G, {node: 0.5 * (node % 3) for node in G}, "third")
    column = class_choice(some(1, G=G, classes="third"))
    assert (column.key, column.name) == ("custom:color", "third")
    assert [column.categories[code].label for code in column.codes[:4]] == ["0.0", "0.5", "1.0", "0.0"]
    column = class_choice(some(1, G=G, classes={0: 7, 1: 9}))
    assert [category.label for category in column.categories] == ["7", "9"]
    assert column.codes[:3].tolist() == [0, 1, 2]


def test_what_people_wrote_stays_text():
    G = nx.path_graph([HOSTILE, *range(20)])
    nx.set_node_attributes(G, dict.fromkeys(G, HOSTILE), HOSTILE)
    classes = [HOSTILE if node == HOSTILE else "other" for node in G]
    comparison = some(2, G=G, classes=classes)
    text = comparison_page(comparison, title=HOSTILE)
    assert "window.__hacked=1</script>" not in text
    assert text.count("&lt;script&gt;window.__hacked") == 2
    assert "<script>" not in Table([HOSTILE], [[HOSTILE]]).as_html()


def test_files(tmp_path):
    comparison = some(2)
    comparison.to_html(tmp_path / "a.html")
    comparison.save(tmp_path / "b.html")
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()
    before = sorted(tmp_path.iterdir())
    with pytest.raises(ValueError, match=r"no method succeeded \(graphne: this method needs"):
        some(1, failed=1).to_html(tmp_path / "c.html")
    with pytest.raises(ValueError, match="theme must be one of 'auto', 'light', 'dark', got 'blue'"):
        comparison.to_html(tmp_path / "c.html", theme="blue")
    with pytest.raises(ValueError, match=r"path must end in \.html, got '.*c\.graphml'"):
        comparison.to_html(tmp_path / "c.graphml")
    assert sorted(tmp_path.iterdir()) == before


def test_the_page_says_how_the_accuracy_is_measured_where_there_is_one():
    comparison = some(2)
    assert "15-NN accuracy: a tenth of the nodes is held out" in comparison_page(comparison)
    bare = replace(comparison, results=tuple(replace(each, scores=Scores()) for each in comparison.results))
    assert "held out" not in comparison_page(bare)


def test_a_notebook_gets_linked_views_the_table_and_a_picture():
    comparison = some(3, failed=1)
    data = comparison._repr_mimebundle_()
    try:
        assert "application/vnd.jupyter.widget-view+json" in data
        assert base64.b64decode(data["image/png"]).startswith(b"\x89PNG")
        assert data["text/plain"] == repr(comparison)
        widgets = comparison.views.widgets
        assert len({widget._group for widget in widgets}) == 1
        assert [widget.color for widget in widgets] == ["club", "club"]
        # What other methods made is looked at, not optimised.
        assert not any(widget.get_state()["_status"]["steerable"] for widget in widgets)
        assert REASON.split("'")[0] in comparison._box.children[1].value
    finally:
        comparison.close()
        comparison.close()


def test_without_anywidget_there_is_a_picture(monkeypatch):
    monkeypatch.setitem(sys.modules, "graphne_viz.viewer.widget", None)
    data = some(2)._repr_mimebundle_()
    assert set(data) == {"text/plain", "image/png"}
    assert set(some(1, failed=1)._repr_mimebundle_()) == {"text/plain"}
