"""What pages take from elsewhere in the project, so that it is written once: the README, and what the command says."""

from __future__ import annotations

import io
import os
import re
from contextlib import redirect_stdout, suppress
from pathlib import Path

from graphne_viz.cli import main

ROOT = Path(__file__).parents[1]
WIDTH = "88"  # columns that fit a page

README = "{{ readme }}"
HELP = re.compile(r"\{\{ help ?(\w*) \}\}")
LINK = re.compile(r"(?<!!)\[([^\]]+)\]\((?!https?:|#|docs/)[^)]*\)")


def on_page_markdown(markdown, **_keywords):
    """Fill in what a page asks for."""
    markdown = markdown.replace(README, readme())
    return HELP.sub(lambda match: f"```text\n{said(match[1])}```", markdown)


def readme():
    """Return the README as a page: pictures lie beside it, and files of the source are only named."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    return LINK.sub(r"\1", text).replace("](docs/", "](")


def said(name):
    """Return the help of a subcommand."""
    os.environ["COLUMNS"] = WIDTH
    with redirect_stdout(io.StringIO()) as written, suppress(SystemExit):
        main([*name.split(), "--help"])
    return written.getvalue()
