"""A folder of shards."""

import networkx as nx
import pytest

from graphne_viz.graphs.convert.api import as_graph
from graphne_viz.graphs.shards.writer import write_graph


@pytest.fixture(scope="session")
def shards(tmp_path_factory):
    """Two parts that all processes share, some that they do not, and an isolate."""
    pytest.importorskip("pyarrow")
    parts = [
        nx.random_partition_graph([120] * 8, 0.1, 0.003, seed=0),
        nx.connected_watts_strogatz_graph(750, 6, 0.1, seed=0),
        nx.cycle_graph(30),
        nx.path_graph(12),
        nx.empty_graph(1),
    ]
    graph = nx.relabel_nodes(nx.disjoint_union_all(parts), str)
    path = tmp_path_factory.mktemp("graph") / "shards"
    write_graph(path, as_graph(graph), shard_rows=3000)
    assert len(list(path.glob("edges-*.parquet"))) > 3
    return path
