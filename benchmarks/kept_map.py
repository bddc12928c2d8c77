"""Maps that stay: a twentieth of a graph's nodes and edges changes, and its layout goes on from the old one.

    python benchmarks/kept_map.py --graphs citeseer,cora,photo,computer --runs 3

Moved is the way of the median old node, in per cent of the old map's radius, once the common translation is taken away.
Recall is of the new graph: in the map that was kept, then in a layout from scratch. Placing is the CPU time of a layout
in which all old nodes are fixed, beside one from scratch, and the share of nodes that are new.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
import scipy.sparse as sp
from graphs import available, load

from graphne_viz import Graph, graphne_layout, neighbor_recall

SHARE = 0.05


def changed(A, seed):
    """Take away a share of the nodes and of the edges, and add as many nodes with neighbours of others.

    Returns
    -------
    old, new : Graph
        Their nodes have the same names.
    """
    rng = np.random.default_rng(seed)
    n, count = A.shape[0], int(SHARE * A.shape[0])
    come, gone = np.array_split(rng.permutation(n)[: 2 * count], 2)
    rows, columns = A.nonzero()
    pairs = np.column_stack([rows, columns])[rows < columns]
    before = pairs[~np.isin(pairs, come).any(axis=1)]
    after = pairs[~np.isin(pairs, gone).any(axis=1)]
    return graph_of(before), graph_of(after[rng.random(len(after)) > SHARE])


def graph_of(pairs):
    """Make a graph of the nodes that have edges, named by their numbers."""
    ids, places = np.unique(pairs, return_inverse=True)
    places = places.reshape(-1, 2)
    size = len(ids)
    half = sp.coo_array((np.ones(len(places)), (places[:, 0], places[:, 1])), shape=(size, size))
    return Graph((half + half.T).tocsr(), ids.tolist())


def timed(graph, **keywords):
    """Return positions by node, and seconds of CPU time."""
    begun = time.process_time()
    found = graphne_layout(graph, scale=None, **keywords)
    return dict(zip(graph.ids, found, strict=True)), time.process_time() - begun


def measure(A, seed):
    """Figures of one change."""
    old, new = changed(A, seed)
    before, _ = timed(old, seed=seed)
    kept, keeping = timed(new, pos=before, seed=seed)
    fresh, laying_out = timed(new, seed=seed)
    both = [node for node in new.ids if node in before]
    was, now = (np.array([pos[node] for node in both]) for pos in (before, kept))
    moved = now - was
    moved -= np.median(moved, axis=0)
    radius = np.ptp(was, axis=0).max() / 2
    placed, placing = timed(new, pos=before, fixed=both, seed=seed)
    if any((placed[node] != before[node]).any() for node in both):
        raise RuntimeError("a fixed node has moved")
    return {
        "moved": 100 * np.median(np.linalg.norm(moved, axis=1)) / radius,
        "kept": 100 * neighbor_recall(new, kept),
        "fresh": 100 * neighbor_recall(new, fresh),
        "keeping": 100 * keeping / laying_out,
        "placing": 100 * placing / laying_out,
        "new": 100 * (new.n_nodes - len(both)) / new.n_nodes,
    }


def main():
    """Print a row for each graph."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--graphs", default="citeseer,cora,photo,computer,pubmed,arxiv")
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    print("| graph | moved % | recall, from scratch % | time of keeping % | of placing % | new nodes % |")
    print("|---|--:|--:|--:|--:|--:|")
    for name in available(options.graphs.split(",")):
        A, _ = load(name)
        measure(A, options.runs)  # what is compiled is there then
        found = [measure(A, seed) for seed in range(options.runs)]
        mean = {key: np.mean([figures[key] for figures in found]) for key in found[0]}
        print(
            f"| {name} | {mean['moved']:.1f} | {mean['kept']:.1f}, {mean['fresh']:.1f} | {mean['keeping']:.0f} "
            f"| {mean['placing']:.0f} | {mean['new']:.1f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
