"""Approximate nearest neighbours of many vectors: time and share of the exact ones, library by library.

    python benchmarks/nearest.py --graph arxiv --libraries ours,pynndescent,hnswlib,usearch,faiss

The vectors are those of an embedding (``--vectors FILE.npz``), or random ones averaged along the edges of the graph,
which are clustered like those of an embedding and take seconds. Libraries that are not installed are skipped.
"""

from __future__ import annotations

import argparse
import os
import time

import numpy as np
from graphs import load

K, SAMPLE = 15, 2000


def averaged(A, dim=128, rounds=4):
    """Random vectors averaged along the edges, of unit length, shape (n, dim)."""
    rng = np.random.default_rng(0)
    Z = rng.standard_normal((A.shape[0], dim)).astype(np.float32)
    degrees = np.maximum(np.asarray(A.sum(axis=1)).ravel(), 1)[:, None].astype(np.float32)
    for _ in range(rounds):
        Z = 0.5 * Z + 0.5 * (A.astype(np.float32) @ Z) / degrees
        Z /= np.linalg.norm(Z, axis=1, keepdims=True)
    return np.ascontiguousarray(Z, dtype=np.float32)


def exact(Z, nodes):
    """Nearest nodes of some, by brute force, shape (m, K)."""
    found = np.empty((len(nodes), K), np.int64)
    for lo in range(0, len(nodes), 200):
        some = nodes[lo : lo + 200]
        S = Z[some] @ Z.T
        S[np.arange(len(some)), some] = -np.inf
        found[lo : lo + 200] = np.argpartition(-S, K, axis=1)[:, :K]
    return found


def by_ours(Z, _):
    """Find them as `project` does."""
    from graphne_viz.embedding.neighbors.nearest import nearest  # noqa: PLC0415 - imported only where it is measured

    return nearest(Z, K)


def by_pynndescent(Z, threads):
    """Find them by nearest-neighbour descent."""
    from pynndescent import NNDescent  # noqa: PLC0415 - need not be installed

    return NNDescent(Z, metric="dot", n_neighbors=K + 1, n_jobs=threads, random_state=0).neighbor_graph[0]


def by_hnswlib(Z, threads, *, M=16, construction=100, search=64):
    """Find them in hierarchical navigable small worlds."""
    import hnswlib  # noqa: PLC0415 - need not be installed

    index = hnswlib.Index(space="ip", dim=Z.shape[1])
    index.init_index(max_elements=len(Z), ef_construction=construction, M=M)
    index.set_num_threads(threads)
    index.add_items(Z)
    index.set_ef(search)
    return index.knn_query(Z, k=K + 1)[0]


def by_usearch(Z, threads):
    """Find them in small worlds, too."""
    from usearch.index import Index  # noqa: PLC0415 - need not be installed

    index = Index(ndim=Z.shape[1], metric="ip", dtype="f32", connectivity=16, expansion_add=100, expansion_search=64)
    index.add(np.arange(len(Z)), Z, threads=threads)
    return index.search(Z, K + 1, threads=threads).keys


def by_faiss_hnsw(Z, threads):
    """Find them in small worlds, as `project` does for very many."""
    import faiss  # noqa: PLC0415 - need not be installed

    faiss.omp_set_num_threads(threads)
    from graphne_viz.embedding.neighbors.nearest import nearest  # noqa: PLC0415 - imported only where it is measured

    return nearest(Z, K, exact=False)


def by_faiss(Z, threads, *, probes=24):
    """Find them in the lists of the nearest centres."""
    import faiss  # noqa: PLC0415 - need not be installed

    faiss.omp_set_num_threads(threads)
    lists = int(2 * np.sqrt(len(Z)))
    centres = faiss.IndexFlatIP(Z.shape[1])
    index = faiss.IndexIVFFlat(centres, Z.shape[1], lists, faiss.METRIC_INNER_PRODUCT)
    index.cp.niter = 8
    index.train(Z)
    index.add(Z)
    index.nprobe = probes
    return index.search(Z, K + 1)[1]


LIBRARIES = {name.removeprefix("by_"): made for name, made in list(globals().items()) if name.startswith("by_")}


def main():
    """Print a row for each library."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--graph", default="arxiv")
    parser.add_argument("--vectors", help="npz file of an embedding")
    parser.add_argument("--libraries", default=",".join(LIBRARIES))
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    options = parser.parse_args()
    Z = np.load(options.vectors)["vectors"] if options.vectors else averaged(load(options.graph)[0])
    nodes = np.random.default_rng(1).permutation(len(Z))[:SAMPLE]
    truth = exact(Z, nodes)
    print(f"| {len(Z):,} x {Z.shape[1]} | seconds (CPU) | exact neighbours found % |\n|---|--:|--:|")
    for name in options.libraries.split(","):
        wall, cpu = time.perf_counter(), time.process_time()
        try:
            found = LIBRARIES[name](Z, options.threads)
        except ImportError as error:
            print(f"{name} is skipped: {error}")
            continue
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        kept = [len(set(mine.tolist()) & set(right.tolist())) for mine, right in zip(found[nodes], truth, strict=True)]
        print(f"| {name} | {wall:.1f} ({cpu:.1f}) | {100 * np.mean(kept) / K:.1f} |", flush=True)


if __name__ == "__main__":
    main()
