"""Graphs to try things on, at the package's top: ``from graphne_viz.datasets import load``."""

from graphne_viz.graphs.datasets import CLASS, NAMES, digits, is_here, is_known, load

__all__ = ["CLASS", "NAMES", "digits", "is_here", "is_known", "load"]
