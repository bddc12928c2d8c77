"""When nodes and edges of GEXF begin and end."""

import datetime as dt

import networkx as nx
import pytest

from graphne_viz import view
from graphne_viz.graphs.io.files import read_graph

DYNAMIC = """<?xml version="1.0"?><gexf xmlns="http://www.gexf.net/1.2draft" version="1.2">
<graph mode="dynamic" timeformat="date" defaultedgetype="undirected"><nodes>
<node id="a"><spells><spell start="2000-01-01" end="2001-01-01"/>
<spell start="2002-01-01" end="2003-01-01"/></spells></node>
<node id="b" start="2005-01-01" end="INF"/><node id="c"/></nodes>
<edges><edge source="a" target="b" start="2001-01-01" end="2004-01-01"/><edge source="b" target="c"/></edges>
</graph></gexf>"""


def test_spells_start_and_end_are_read_and_written(tmp_path):
    (tmp_path / "dynamic.gexf").write_text(DYNAMIC)
    graph = read_graph(tmp_path / "dynamic.gexf")
    w = view(graph, live=False)
    w.to_gexf(tmp_path / "again.gexf")
    w.close()
    nx.read_gexf(tmp_path / "again.gexf")
    for found in (graph, read_graph(tmp_path / "again.gexf")):
        assert found.attributes["start"].tolist() == [dt.date(2000, 1, 1), dt.date(2005, 1, 1), None]
        assert found.attributes["end"].tolist() == [dt.date(2003, 1, 1), None, None]
        assert found.links.attributes["start"].tolist() == [dt.date(2001, 1, 1), None]
        assert found.links.attributes["end"].tolist() == [dt.date(2004, 1, 1), None]


def test_a_date_that_is_none_is_named_with_its_line(tmp_path):
    (tmp_path / "broken.gexf").write_text(DYNAMIC.replace("2005-01-01", "yesterday"))
    with pytest.raises(ValueError, match="line 5: 'yesterday' is not a date such as 2020-01-31"):
        read_graph(tmp_path / "broken.gexf")
