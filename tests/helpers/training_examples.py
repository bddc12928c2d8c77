"""Graphs to train on, small enough for a second."""

import networkx as nx
import numpy as np

from graphne_viz.graphs.convert.api import as_graph


def block_model(blocks=4, size=50, inside=0.25, across=0.01, seed=0):
    """Return a stochastic block model as a networkx graph, and the block of each node."""
    chances = np.full((blocks, blocks), across)
    np.fill_diagonal(chances, inside)
    G = nx.stochastic_block_model([size] * blocks, chances, seed=seed)
    return G, np.repeat(np.arange(blocks), size)


def in_parts():
    """Return a graph of three parts, one of them a pair, and four isolates among them."""
    G = nx.disjoint_union_all(
        [nx.empty_graph(2), nx.grid_2d_graph(6, 5), nx.cycle_graph(12), nx.empty_graph(2), nx.path_graph(2)]
    )
    return as_graph(G)


def lattice(n=40, reach=2):
    """Return the edges of a ring in which every node has the next ones as neighbours, shape (E, 2)."""
    return np.array([(i, (i + step) % n) for i in range(n) for step in range(1, reach + 1)])


def cosines(vectors):
    return np.asarray(vectors, dtype=np.float64) @ np.asarray(vectors, dtype=np.float64).T


def interrupt_at(monkeypatch, call, times=1):
    """Have Ctrl-C pressed while a given step, counted from 1, is under way."""
    import os
    import signal

    from graphne_viz.embedding.training.trainer import Trainer

    usual, calls = Trainer._take, []

    def pressed(*arguments):
        calls.append(1)
        if len(calls) == call:
            for _ in range(times):
                os.kill(os.getpid(), signal.SIGINT)
        return usual(*arguments)

    monkeypatch.setattr(Trainer, "_take", pressed)
