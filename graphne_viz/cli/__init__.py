"""The `graphne` command."""

from graphne_viz.cli.command import main

__all__ = ["main"]
