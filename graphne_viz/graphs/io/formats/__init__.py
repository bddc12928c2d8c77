"""Formats of graph files, one a file."""
