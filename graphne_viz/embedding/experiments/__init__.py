"""Experiments of the paper about how training unfolds."""
