"""CPU time of a warm call on the karate club (34 nodes) beside networkx's spring layout, taken in turns.

python benchmarks/small.py --runs 50
"""

from __future__ import annotations

import argparse
import time
from statistics import median

import networkx as nx

from graphne_viz import graphne_layout


def main():
    """Print both medians and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=50)
    arguments = parser.parse_args()
    G = nx.karate_club_graph()
    methods = {"graphne_layout": graphne_layout, "nx.spring_layout": lambda G: nx.spring_layout(G, seed=0)}
    taken = {name: [] for name in methods}
    for layout in methods.values():
        layout(G)
    for _ in range(arguments.runs):
        for name, layout in methods.items():
            begun = time.process_time()
            layout(G)
            taken[name].append(1e3 * (time.process_time() - begun))
    ours, spring = (median(times) for times in taken.values())
    ratio = f"{ours / spring:.1f} x"
    print(f"karate club, warm, CPU: graphne_layout {ours:.1f} ms, nx.spring_layout {spring:.1f} ms, {ratio}")


if __name__ == "__main__":
    main()
