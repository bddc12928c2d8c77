"""The `graphne` command."""

from graphne_viz.cli.entry import main

__all__ = ["main"]
