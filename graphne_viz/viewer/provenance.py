"""What made a layout: parameters, seed and versions, one dict for every export, so that it can be made again."""

from __future__ import annotations

import math
import platform
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from graphne_viz.graphs.adjacency import DEFAULT_WEIGHT
from graphne_viz.graphs.laid_out import as_json
from graphne_viz.viewer.record import GIVEN

if TYPE_CHECKING:
    from graphne_viz.layout.task import Task
    from graphne_viz.viewer.run import Run

NAME = "graphne_viz"
"""What an export calls the dict, where it has to have a name; the generator of every one begins with it."""

_PACKAGES = ("numpy", "scipy", "numba", "openTSNE")
_DEFAULT_SCALE = 1  # not noted: formats have a scale of their own where nobody asked for one


def package_version(package: str = "graphne-viz") -> str:
    """Return the version of a package, by default of this one."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "(not installed)"


def provenance_of_run(run: Run, *, weight: str | None = DEFAULT_WEIGHT) -> dict[str, Any]:
    """Say what made the positions that a run shows now.

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
    if run.given:
        return describe(GIVEN, {}, ["the positions were given, not computed"])
    about = provenance(task, weight=weight)
    beyond: list[str] = about["beyond"]
    about["parameters"]["exaggeration"] = run.exaggeration
    if run.steered:
        beyond.append("the exaggeration was changed while it ran")
    planned = sum(n_iter for _, n_iter, _ in task.shown.phases)
    # A graph of one node, or without edges, is done after none.
    if run.iteration not in {0, planned} or run.state != "finished":
        beyond.append(f"it is a moment of a run: {run.iteration:,} iterations, where the parameters say {planned:,}")
    return about | {"iterations": run.iteration, "kl": run.kl if math.isfinite(run.kl) else None}


def provenance(task: Task, *, weight: str | None = DEFAULT_WEIGHT) -> dict[str, Any]:
    """Say what makes the layout that a task describes.

    Parameters
    ----------
    task : Task
    weight : str or None
        Edge attribute that held the weights.

    Returns
    -------
    dict
        Plain JSON values: "generator"; "made_by", which is "layout", "projection", "training" or "given"; "versions";
        "parameters", the keywords of `graphne_layout` that make it again; "beyond", what they do not say, one sentence
        each; "embedding", the settings of what was projected.

    Examples
    --------
    >>> import networkx as nx
    >>> from graphne_viz.graphs.convert import as_graph
    >>> from graphne_viz.layout.task import Task
    >>> about = provenance(Task(as_graph(nx.path_graph(3)), seed=7))
    >>> about["made_by"], about["parameters"]["seed"], about["beyond"]
    ('layout', 7, [])
    """
    parameters, beyond = task.account()
    if parameters["scale"] == _DEFAULT_SCALE:
        del parameters["scale"]
    about = describe(task.made_by, parameters | {"weight": weight}, beyond)
    embedding = getattr(task, "embedding", None)
    if embedding is not None:
        about["embedding"] = as_json(dict(embedding.settings))
        about["versions"]["torch"] = package_version("torch")
    return about


def describe(made_by: str, parameters: dict[str, object], beyond: list[str]) -> dict[str, Any]:
    """Put together what every account of how something was made holds; see `provenance`."""
    versions = {NAME: package_version(), "python": platform.python_version()}
    return {
        "generator": f"{NAME} {package_version()}",
        "made_by": made_by,
        "versions": versions | {package: package_version(package) for package in _PACKAGES},
        "parameters": {name: as_json(value) for name, value in parameters.items()},
        "beyond": beyond,
    }
