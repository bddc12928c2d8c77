"""`--like FILE`: the parameters of a layout, read back from what it was exported to."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from graphne_viz._checks import check_choice, check_integer
from graphne_viz._keywords import keywords_of, select
from graphne_viz._lazy import lazy_import
from graphne_viz.cli.terminal import PAGE, PICTURES, ending_of
from graphne_viz.layout.keywords import EngineKeywords, TaskKeywords

if TYPE_CHECKING:
    from argparse import Namespace
    from pathlib import Path

    from graphne_viz.encoding.labels import text as encoded_text
    from graphne_viz.graphs import adjacency
    from graphne_viz.graphs.io import laid_out, metadata
    from graphne_viz.layout import options as layout_options
else:
    encoded_text = lazy_import("graphne_viz.encoding.labels.text")
    adjacency = lazy_import("graphne_viz.graphs.adjacency")
    laid_out = lazy_import("graphne_viz.graphs.io.laid_out")
    metadata = lazy_import("graphne_viz.graphs.io.metadata")
    layout_options = lazy_import("graphne_viz.layout.options")

log = logging.getLogger(__name__)

_NOT_REPEATED = {"fixed", "center", "dim", "device", "devices", "n_jobs"}
REPEATED = ("weight", *(name for name in keywords_of(TaskKeywords) if name not in _NOT_REPEATED))
"""Keywords of `graphne_layout` that a layout depends on, and so the only ones that are taken from a file."""

_MOST_SENTENCES = 8


def apply_like(options: Namespace) -> None:
    """Fill in, from the file that ``--like`` names, what the command line leaves open.

    Parameters
    ----------
    options : Namespace
        Of ``graphne layout``; changed in place. Without a graph's file, the graph of that file is laid out.

    Raises
    ------
    ValueError
        If the file does not say how it was laid out, or has invalid parameters.
    """
    if options.like is None:
        if options.file is None:
            raise ValueError("no file to lay out: use graphne layout FILE -o OUT, or --like FILE alone")
        return
    parameters = _read(options.like)
    if options.file is None:
        kinds = dict.fromkeys(PICTURES, "a picture without a graph") | {PAGE: "a page, from which no graph can be read"}
        if (kind := kinds.get(ending_of(options.like))) is not None:
            raise ValueError(f"{options.like} is {kind}; use graphne layout FILE --like {options.like}")
        options.file = options.like
        parameters.pop("weight", None)  # whatever they were called, exports call them "weight"
    for name, value in parameters.items():
        if name not in options:
            setattr(options, name, value)


def _read(path: Path) -> dict[str, Any]:
    """Return the parameters in a file, each of a kind that the command line could have given."""
    about = metadata.read_metadata(path, laid_out.NAME)
    if about is not None and isinstance(about.get("views"), list):
        raise ValueError(f"{path} cannot be laid out again: it shows several views; export a single one")
    if about is None or not str(about.get("generator", "")).startswith(laid_out.NAME):
        raise ValueError(f"{path} does not say how it was laid out: it is not an export of graphne_viz")
    made_by, found = about.get("made_by"), about.get("parameters")
    if made_by != "layout" or not isinstance(found, dict):
        why = {
            "given": "its positions were given, not computed",
            "comparison": "it compares several methods; use graphne compare",
            "projection": "it shows an embedding; use project()",
            "training": "it shows the training of an embedding; use view(G, embedding='train')",
        }
        raise ValueError(
            f"{path} cannot be laid out again: {why.get(str(made_by), 'it has no parameters of a layout')}"
        )
    parameters = {name: found[name] for name in REPEATED if name in found}
    try:
        if parameters.get("seed") is None:
            parameters.pop("seed", None)
        else:
            check_integer("seed", parameters["seed"], least=0)
        layout_options.check_scale(parameters.get("scale"))
        check_choice(
            "initialization", parameters.get("initialization", layout_options.STARTS[0]), layout_options.STARTS
        )
        adjacency.check_weight_name(parameters.get("weight"))
        layout_options.Options.of(1, select(EngineKeywords, parameters))
    except (TypeError, ValueError) as error:
        raise ValueError(f"{path}: {encoded_text.as_text(error, 200)}") from None
    caveats = about.get("caveats")
    for sentence in caveats[:_MOST_SENTENCES] if isinstance(caveats, list) else []:
        log.warning("the layout will differ from that of %s: %s", path, encoded_text.as_text(sentence, 200))
    return parameters
