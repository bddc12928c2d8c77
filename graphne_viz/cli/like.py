"""`--like FILE`: the parameters of a layout, read back from what it was exported to."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from graphne_viz.cli.terminal import PAGE, PICTURES, ending_of

if TYPE_CHECKING:
    from argparse import Namespace
    from pathlib import Path

log = logging.getLogger(__name__)

REPEATED = (
    "seed",
    "weight",
    "normalization",
    "initialization",
    "exaggeration",
    "n_iter",
    "early_exaggeration",
    "early_exaggeration_iter",
    "dof",
    "engine",
    "scale",
)
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
        If the file does not say how it was laid out, or says what cannot be.
    """
    if options.like is None:
        if options.file is None:
            raise ValueError("there is no file to lay out; graphne layout FILE -o OUT, or --like FILE alone")
        return
    parameters = _read(options.like)
    if options.file is None:
        kinds = dict.fromkeys(PICTURES, "a picture without a graph") | {PAGE: "a page, whose graph is for looking at"}
        if (kind := kinds.get(ending_of(options.like))) is not None:
            raise ValueError(f"{options.like} is {kind}; graphne layout FILE --like {options.like}")
        options.file = options.like
        parameters.pop("weight", None)  # whatever they were called, exports call them "weight"
    for name, value in parameters.items():
        if name not in options:
            setattr(options, name, value)


def _read(path: Path) -> dict[str, Any]:
    """Return the parameters in a file, each of a kind that the command line could have given."""
    from graphne_viz.graphs.adjacency import check_weight_name  # noqa: PLC0415 -- slow to import
    from graphne_viz.graphs.metadata import read_metadata  # noqa: PLC0415 -- slow to import
    from graphne_viz.layout.options import STARTS, Options, one_of, positive, whole  # noqa: PLC0415 -- slow to import
    from graphne_viz.viewer.provenance import NAME  # noqa: PLC0415 -- slow to import
    from graphne_viz.viewer.values import as_text  # noqa: PLC0415 -- slow to import

    about = read_metadata(path, NAME)
    if about is not None and isinstance(about.get("views"), list):
        raise ValueError(f"{path} cannot be laid out again: it shows several views; export the one that is meant")
    if about is None or not str(about.get("generator", "")).startswith(NAME):
        raise ValueError(f"{path} does not say how it was laid out: it is no export of graphne_viz")
    made_by, found = about.get("made_by"), about.get("parameters")
    if made_by != "layout" or not isinstance(found, dict):
        why = {
            "given": "its positions were given, not computed",
            "comparison": "it compares several methods, which graphne compare does",
            "projection": "it shows an embedding, which project() lays out",
            "training": "it shows the training of an embedding, which view(G, embedding='train') does",
        }
        raise ValueError(
            f"{path} cannot be laid out again: {why.get(str(made_by), 'it has no parameters of a layout')}"
        )
    parameters = {name: found[name] for name in REPEATED if name in found}
    try:
        if parameters.get("seed") is None:
            parameters.pop("seed", None)
        else:
            whole("seed", parameters["seed"], least=0)
        if parameters.get("scale") is not None:
            positive("scale", parameters["scale"])
        one_of("initialization", parameters.get("initialization", STARTS[0]), STARTS)
        check_weight_name(parameters.get("weight"))
        apart = {"seed", "scale", "initialization", "weight"}
        Options(**{name: value for name, value in parameters.items() if name not in apart})
    except (TypeError, ValueError) as error:
        raise ValueError(f"{path}: {as_text(error, 200)}") from None
    beyond = about.get("beyond")
    for sentence in beyond[:_MOST_SENTENCES] if isinstance(beyond, list) else []:
        log.warning("%s will not come out the same: %s", path, as_text(sentence, 200))
    return parameters
