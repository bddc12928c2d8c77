"""Graphs to try things on: one that comes with the package, and those of the paper."""

from graphne_viz.graphs.datasets.api import CLASS, NAMES, digits, is_here, is_known, load

__all__ = ["CLASS", "NAMES", "digits", "is_here", "is_known", "load"]
