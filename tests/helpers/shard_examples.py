"""A folder of shards to try commands on."""

import networkx as nx

from graphne_viz.graphs.convert.api import as_graph
from graphne_viz.graphs.shards.writer import write_graph


def write_shards(path):
    """Write two parts that all processes share, some that they do not, and an isolate."""
    parts = [
        nx.random_partition_graph([120] * 8, 0.1, 0.003, seed=0),
        nx.connected_watts_strogatz_graph(750, 6, 0.1, seed=0),
        nx.cycle_graph(30),
        nx.path_graph(12),
        nx.empty_graph(1),
    ]
    graph = nx.relabel_nodes(nx.disjoint_union_all(parts), str)
    write_graph(path, as_graph(graph), shard_rows=3000)
    assert len(list(path.glob("edges-*.parquet"))) > 3
    return path
