"""Provenance: the parameters, seed and versions that made a layout, one dict for every export."""

from __future__ import annotations

import math
import platform
from typing import TYPE_CHECKING, Any

from graphne_viz._keywords import keywords_of
from graphne_viz._version import package_version
from graphne_viz.graphs.adjacency import DEFAULT_WEIGHT
from graphne_viz.graphs.io.laid_out import NAME, as_json
from graphne_viz.layout.keywords import TaskKeywords
from graphne_viz.viewer.run.history import GIVEN

if TYPE_CHECKING:
    from graphne_viz.layout.task import Task
    from graphne_viz.viewer.run.run import Run

_PACKAGES = ("numpy", "scipy", "numba", "openTSNE")


def provenance_of_run(run: Run, *, weight: str | None = DEFAULT_WEIGHT) -> dict[str, Any]:
    """Return what made the positions that a run shows now.

    Parameters
    ----------
    run : Run
    weight : str or None
        Edge attribute that held the weights.

    Returns
    -------
    dict
        As from `provenance`; also "iterations" and "kl".
    """
    task = run.task
    by_hand = _by_hand(run)
    if run.given:
        return describe(GIVEN, {}, ["the positions were given, not computed", *by_hand])
    reached = {"iterations": run.iteration, "kl": run.kl if math.isfinite(run.kl) else None}
    if not task.steerable:
        parameters, unknown = task.provenance()
        return describe(task.made_by, parameters, [*unknown, *by_hand]) | reached
    about = provenance(task, weight=weight)
    caveats: list[str] = about["caveats"]
    about["parameters"]["exaggeration"] = run.exaggeration
    if run.steered:
        caveats.append("the exaggeration was changed while it ran")
    caveats += by_hand
    planned = sum(n_iter for _, n_iter, _ in task.visible_options.phases)
    # A graph of one node, or without edges, is done after none.
    if run.iteration not in {0, planned} or run.state != "finished":
        caveats.append(f"the run was unfinished: {run.iteration:,} iterations, where the parameters give {planned:,}")
    return about | reached


def _by_hand(run: Run) -> list[str]:
    """Say what somebody's hand has done to the positions."""
    if run.placement.nodes.size:
        return [f"{run.placement.nodes.size:,} of the nodes were put in place by hand"]
    return ["nodes were held by hand while it ran"] if run.pulled else []


def provenance(task: Task, *, weight: str | None = DEFAULT_WEIGHT) -> dict[str, Any]:
    """Return what makes the layout that a task describes.

    Parameters
    ----------
    task : Task
    weight : str or None
        Edge attribute that held the weights.

    Returns
    -------
    dict
        Plain JSON values: "generator"; "made_by", which is "layout", "projection", "training", "callback" or
        "given"; "versions"; "parameters", the keywords of `graphne_layout` that make it again; "caveats", what they do
        not tell, one sentence each; "embedding", the settings of what was projected.

    Examples
    --------
    >>> import networkx as nx
    >>> from graphne_viz.graphs.convert.api import as_graph
    >>> from graphne_viz.layout.task import Task
    >>> about = provenance(Task(as_graph(nx.path_graph(3)), seed=7))
    >>> about["made_by"], about["parameters"]["seed"], about["caveats"]
    ('layout', 7, [])
    """
    parameters, caveats = task.provenance()
    if parameters["scale"] == keywords_of(TaskKeywords)["scale"].default:  # formats have a scale of their own
        del parameters["scale"]
    about = describe(task.made_by, parameters | {"weight": weight}, caveats)
    embedding = getattr(task, "embedding", None)
    if embedding is not None:
        about["embedding"] = as_json(dict(embedding.settings))
        about["versions"]["torch"] = package_version("torch")
    return about


def describe(made_by: str, parameters: dict[str, object], caveats: list[str]) -> dict[str, Any]:
    """Put together what the provenance of anything holds; see `provenance`."""
    versions = {NAME: package_version(), "python": platform.python_version()}
    return {
        "generator": f"{NAME} {package_version()}",
        "made_by": made_by,
        "versions": versions | {package: package_version(package) for package in _PACKAGES},
        "parameters": {name: as_json(value) for name, value in parameters.items()},
        "caveats": caveats,
    }
