"""Classes of nodes, and their split into those to learn from and those to be tested on."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from graphne_viz._checks import check_integer
from graphne_viz._lazy import lazy_import
from graphne_viz._seeds import as_generator
from graphne_viz.evaluation.metrics.samples import check_share
from graphne_viz.graphs.attributes import is_absent
from graphne_viz.graphs.convert.arrays import as_numpy

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from numpy.typing import NDArray
    from sklearn import model_selection

    from graphne_viz._seeds import Seed
    from graphne_viz._types import Foreign
    from graphne_viz.graphs.graph import Graph
else:
    model_selection = lazy_import("sklearn.model_selection")

log = logging.getLogger(__name__)

_FEWEST = 17
"""Nodes with a class: the 15 that vote in `knn_accuracy`, and the tenth that is tested."""


@dataclass(frozen=True, eq=False)
class Split:
    """Nodes to learn from and nodes to be tested on.

    Attributes
    ----------
    train, test : ndarray of int64
        Nodes with a class, each in one of the two.
    state : int
        Seed for what is random in the learning.
    """

    train: NDArray[np.int64]
    test: NDArray[np.int64]
    state: int


def as_class_codes(graph: Graph, classes: Foreign) -> NDArray[np.int64]:
    """Turn the classes of the nodes into numbers from 0.

    Parameters
    ----------
    graph : Graph
        The graph with n nodes.
    classes : array of shape (n,), dict of node to class, or str
        Classes in the order of the nodes, by node, or the name of a node attribute. Nodes that a dict leaves out, and
        those with None, NaN or pandas.NA, have none.

    Returns
    -------
    ndarray of int64, shape (n,)
        -1 for nodes without a class.

    Raises
    ------
    TypeError
        If `classes` is nothing of the above, or a class cannot be compared.
    ValueError
        If their number does not fit, the attribute is unknown, or there are not at least two classes.

    Examples
    --------
    >>> from graphne_viz.graphs.convert.api import as_graph
    >>> as_class_codes(as_graph(np.ones((4, 4))), ["b", None, "a", "b"])
    array([ 1, -1,  0,  1])
    """
    return class_codes(graph, classes)[0]


def enough_classes(graph: Graph, classes: Foreign) -> Foreign:
    """Return the classes, or None and a warning where they are too few for accuracies; refuse what is none.

    Parameters
    ----------
    graph : Graph
    classes : array of shape (n,), dict of node to class, str or None
        As for `as_class_codes`. None is returned as it is.
    """
    if classes is None:
        return None
    known = int(np.count_nonzero(as_class_codes(graph, classes) >= 0))
    if known >= _FEWEST:
        return classes
    log.warning("accuracies are skipped: they need at least %d nodes with a class, and there are %d", _FEWEST, known)
    return None


def class_codes(graph: Graph, classes: Foreign) -> tuple[NDArray[np.int64], list[Hashable]]:
    """Return what `as_class_codes` does, and the classes that its numbers stand for."""
    values = _values(graph, classes)
    classes = _classes(graph, values)
    code = {value: number for number, value in enumerate(classes)}
    return np.array([-1 if is_absent(value) else code[value] for value in values], dtype=np.int64), classes


def _classes(graph: Graph, values: list[Any]) -> list[Hashable]:
    """List the classes of the nodes in order."""
    if len(values) != graph.n_nodes:
        raise ValueError(f"classes has {len(values)} values, but the graph has {graph.n_nodes} nodes")
    try:
        known = {value for value in values if not is_absent(value)}
    except TypeError as error:
        raise TypeError(f"classes must be hashable, one for each node ({error})") from None
    if len(known) < 2:
        found = f"only {next(iter(known))!r}" if known else "none"
        raise ValueError(f"classes must name at least two classes, got {found}")
    try:
        return sorted(known)
    except TypeError:  # of several types: any order that does not change from run to run
        return sorted(known, key=lambda value: (type(value).__name__, repr(value)))


def splits(
    codes: NDArray[np.int64], *, test_size: float, repeats: int, sample: int | None, seed: Seed
) -> Iterator[Split]:
    """Split the nodes with a class at random, `repeats` times.

    Parameters
    ----------
    codes : ndarray of int64, shape (n,)
        -1 where there is no class.
    test_size : float
        Share of the nodes to be tested on, between 0 and 1.
    repeats : int
        Number of splits.
    sample : int or None
        Most nodes to be tested on; the others of the test set are left out.
    seed : int, Generator, RandomState or None
        With an int, the first split is that of scikit-learn's `train_test_split` with this ``random_state``.
    """
    check_share("test_size", test_size)
    check_integer("repeats", repeats, least=1)
    if sample is not None:
        check_integer("sample", sample, least=1)
    generator = as_generator(seed)

    known = np.flatnonzero(codes >= 0)
    for repeat in range(repeats):
        state = int(seed) + repeat if isinstance(seed, int | np.integer) else int(generator.integers(2**31))
        train, test = model_selection.train_test_split(known, test_size=float(test_size), random_state=state % 2**32)
        yield Split(train, test[:sample], state % 2**32)


def _values(graph: Graph, classes: Foreign) -> list[Any]:
    """List the class of each node, missing ones included."""
    if isinstance(classes, str):
        if classes not in graph.attributes:
            known = ", ".join(map(repr, graph.attributes)) or "none"
            raise ValueError(f"classes={classes!r} is not a node attribute of the graph; it has {known}")
        return list(graph.attributes[classes].tolist())
    if isinstance(classes, Mapping):
        if not any(node in classes for node in graph.ids):
            raise ValueError("classes is a dict with none of the graph's nodes among its keys")
        return [classes.get(node) for node in graph.ids]
    if not hasattr(classes, "__array__") and not isinstance(classes, Iterable):
        raise TypeError(
            f"classes must be an array with a class for each node, a dict of node to class or the name of a node "
            f"attribute, got {classes!r}"
        )
    if not hasattr(classes, "__array__"):
        return list(classes)
    array = as_numpy(classes)
    if array.ndim != 1:
        raise ValueError(f"classes has shape {array.shape}; it must be ({graph.n_nodes},)")
    return list(array.tolist())
