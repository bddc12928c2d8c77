"""How well each class keeps together: in the graph, in a layout and in an embedding; and who is among others."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Generic, TypeVar, overload

import numpy as np

from graphne_viz._checks import check_integer
from graphne_viz._lazy import lazy_import
from graphne_viz.evaluation.metrics.class_codes import class_codes
from graphne_viz.evaluation.metrics.points import as_points, in_space
from graphne_viz.evaluation.metrics.recall import neighbor_recall
from graphne_viz.evaluation.metrics.samples import some_nodes
from graphne_viz.evaluation.metrics.scores import TITLES
from graphne_viz.graphs.convert.api import as_graph
from graphne_viz.graphs.convert.frames import as_frame

if TYPE_CHECKING:
    from collections.abc import Hashable

    from numpy.typing import NDArray
    from sklearn import neighbors as sklearn_neighbors

    from graphne_viz._seeds import Seed
    from graphne_viz._types import Foreign
    from graphne_viz.evaluation.metrics.points import Metric
else:
    sklearn_neighbors = lazy_import("sklearn.neighbors")

VOTERS = 15
"""Nearest nodes that vote, unless the caller says otherwise."""


@dataclass(frozen=True)
class ClassFigures:
    """The figures of one class; NaN where there is nothing to measure.

    Attributes
    ----------
    class_name : hashable
        The class; None stands for all of them.
    nodes : int
    neighbor_recall : float
        Mean of its nodes' `neighbor_recall` in the layout.
    knn_accuracy : float
        Share of its nodes whose nearest nodes vote for this class: each is asked in turn while all others vote. The
        function of this name, as in `compare`, asks a tenth of the nodes, which do not vote.
    embedding_accuracy : float
        The same in the embedding, NaN without one.
    edge_homophily : float
        Share of its nodes' neighbours that are of this class, of those that have one; for all, of the edges.
    """

    class_name: Hashable
    nodes: int
    neighbor_recall: float
    knn_accuracy: float
    embedding_accuracy: float
    edge_homophily: float


@dataclass(frozen=True)
class Misplaced:
    """A node among others.

    Attributes
    ----------
    node, class_name : hashable
        The node and its class.
    around : hashable
        The class that most of the nearest nodes have.
    share : float
        How many of them, more than half.
    """

    node: Hashable
    class_name: Hashable
    around: Hashable
    share: float


Line = TypeVar("Line", bound=ClassFigures | Misplaced)


class Table(Sequence[Line], Generic[Line]):
    """Lines that are read as a table: a sequence, printed in columns, with ``to_frame()``."""

    def __init__(self, lines: Sequence[Line], kind: type[Line]) -> None:
        self._lines = tuple(lines)
        self._names = [field.name for field in fields(kind)]

    @overload
    def __getitem__(self, at: int) -> Line: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Line]: ...
    def __getitem__(self, at: int | slice) -> Line | Sequence[Line]:
        return self._lines[at]

    def __len__(self) -> int:
        return len(self._lines)

    def __repr__(self) -> str:
        rows = [[TITLES.get(name, name.replace("_", " ")) for name in self._names]]
        rows += [[_written(value) for value in asdict(line).values()] for line in self._lines]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        # Text stands to the left, figures to the right.
        left = [any(isinstance(asdict(line)[name], str) for line in self._lines) for name in self._names]
        sides = ["<" if first else ">" for first in left]
        return "\n".join(
            "  ".join(f"{text:{side}{width}}" for text, side, width in zip(row, sides, widths, strict=True)).rstrip()
            for row in rows
        )

    def to_frame(self) -> Foreign:
        """Return a pandas table with a row for each line."""
        return as_frame([asdict(line) for line in self._lines]).reindex(columns=self._names)


def class_report(
    G: Foreign,
    Y: Foreign,
    classes: Foreign,
    *,
    embedding: Foreign = None,
    k: int = VOTERS,
    metric: Metric = "auto",
    sample: int | None = None,
    seed: Seed = 0,
) -> Table[ClassFigures]:
    """Measure every class by itself.

    Parameters
    ----------
    G : graph
        With n nodes.
    Y : array of shape (n, d), dict, igraph.Layout or Embedding
        Where the nodes are.
    classes : array of shape (n,), dict of node to class, or str
        Class of each node, or the name of a node attribute. Nodes without one (None or NaN) neither vote nor count.
    embedding : Embedding or array of shape (n, d), optional
        Where the accuracy is measured, too.
    k : int, default 15
        Nearest nodes that vote.
    metric : {"auto", "euclidean", "cosine"}, default "auto"
        What near means; see `neighbor_recall`.
    sample : int, optional
        Most nodes to measure recall and accuracies on, chosen at random; neighbours are searched among all.
    seed : int, RandomState, Generator or None, default 0
        For the sample.

    Returns
    -------
    Table of ClassFigures
        One for each class in their order, and one for all of them, whose `class_name` is None. ``to_frame()`` makes a
        pandas table.

    Notes
    -----
    Every node is asked in turn while all others vote, so that the accuracy differs a little from that of
    `knn_accuracy`, which asks a tenth of the nodes and lets the rest vote. Of classes with equal votes that of the
    nearest node wins.

    Examples
    --------
    >>> import networkx as nx
    >>> from graphne_viz import graphne_layout
    >>> G = nx.karate_club_graph()
    >>> report = class_report(G, graphne_layout(G), "club", k=5)
    >>> [(line.class_name, line.nodes, round(line.edge_homophily, 2)) for line in report]
    [('Mr. Hi', 17, 0.86), ('Officer', 17, 0.85), (None, 34, 0.86)]
    """
    graph = as_graph(G)
    points = as_points(graph, Y)
    codes, names = class_codes(graph, classes)
    asked = some_nodes(np.flatnonzero(codes >= 0), sample, seed)
    recall = np.full(graph.n_nodes, np.nan)
    if graph.n_pairs:
        recall[asked] = neighbor_recall(graph, points, metric=metric, per_node=True)[asked]
    right = _right(points, codes, asked, k, metric)
    far = np.full(graph.n_nodes, np.nan)
    if embedding is not None:
        far = _right(as_points(graph, embedding), codes, asked, k, metric)
    source, target = graph.pairs[(codes[graph.pairs] >= 0).all(axis=1)].T
    same = codes[source] == codes[target]
    ends = np.bincount(codes[source], minlength=len(names)) + np.bincount(codes[target], minlength=len(names))
    at_home = 2 * np.bincount(codes[source[same]], minlength=len(names))
    lines = []
    for code, name in [*enumerate(names), (-1, None)]:
        own = codes >= 0 if code < 0 else codes == code
        inner, outer = (same.sum(), len(same)) if code < 0 else (at_home[code], ends[code])
        lines.append(
            ClassFigures(
                class_name=name,
                nodes=int(own.sum()),
                neighbor_recall=_mean(recall[own]),
                knn_accuracy=_mean(right[own]),
                embedding_accuracy=_mean(far[own]),
                edge_homophily=float(inner / outer) if outer else math.nan,
            )
        )
    return Table(lines, ClassFigures)


def misplaced(
    G: Foreign,
    Y: Foreign,
    classes: Foreign,
    *,
    k: int = VOTERS,
    metric: Metric = "auto",
) -> Table[Misplaced]:
    """List the nodes that are surrounded by another class.

    Parameters
    ----------
    G : graph
        With n nodes.
    Y : array of shape (n, d), dict, igraph.Layout or Embedding
        Where the nodes are.
    classes : array of shape (n,), dict of node to class, or str
        Class of each node, or the name of a node attribute. Nodes without one are passed over.
    k : int, default 15
        Nearest nodes that are looked at.
    metric : {"auto", "euclidean", "cosine"}, default "auto"
        What near means; see `neighbor_recall`.

    Returns
    -------
    Table of Misplaced
        Those of which more than half of the nearest nodes have one other class, the clearest cases first.

    Examples
    --------
    The last of six nodes on a line is of another class than those beside it:

    >>> line = np.column_stack([np.arange(6.0), np.zeros(6)])
    >>> edges = np.array([[0, 1], [1, 2], [2, 3], [3, 4], [4, 5]])
    >>> misplaced(edges, line, ["a", "b", "b", "b", "b", "a"], k=3)
    node  class name  around  share
       0  a           b       1.000
       5  a           b       1.000
    """
    graph = as_graph(G)
    codes, names = class_codes(graph, classes)
    asked = np.flatnonzero(codes >= 0)
    winners, votes = _votes(in_space(as_points(graph, Y), metric).points, codes, asked, k)
    share = votes / k
    among = np.flatnonzero((winners != codes[asked]) & (share > 0.5))
    among = among[np.argsort(-share[among], kind="stable")]
    lines = [
        Misplaced(graph.ids[int(asked[i])], names[codes[asked[i]]], names[winners[i]], float(share[i])) for i in among
    ]
    return Table(lines, Misplaced)


def class_accuracy(
    G: Foreign,
    Y: Foreign,
    classes: Foreign,
    *,
    k: int = VOTERS,
    metric: Metric = "auto",
    sample: int | None = None,
    seed: Seed = 0,
) -> dict[Hashable, float]:
    """Measure the accuracy of every class alone; see `class_report`, which takes longer.

    Returns
    -------
    dict of class to float
        None stands for all classes.
    """
    graph = as_graph(G)
    codes, names = class_codes(graph, classes)
    asked = some_nodes(np.flatnonzero(codes >= 0), sample, seed)
    right = _right(as_points(graph, Y), codes, asked, k, metric)
    found: dict[Hashable, float] = {name: _mean(right[codes == code]) for code, name in enumerate(names)}
    return found | {None: _mean(right)}


def _right(
    points: NDArray[np.float64], codes: NDArray[np.int64], asked: NDArray[np.int64], k: int, metric: Metric
) -> NDArray[np.float64]:
    """Tell whose nearest nodes vote for its class, as 0 or 1; shape (n,), NaN for nodes that were not asked."""
    right = np.full(len(codes), np.nan)
    right[asked] = _votes(in_space(points, metric).points, codes, asked, k)[0] == codes[asked]
    return right


def _votes(
    points: NDArray[np.float64], codes: NDArray[np.int64], asked: NDArray[np.int64], k: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Let the k nearest nodes of known class vote.

    Parameters
    ----------
    points : ndarray, shape (n, d)
    codes : ndarray, shape (n,)
        -1 where there is no class.
    asked : ndarray, shape (m,)
        Nodes of known class.
    k : int

    Returns
    -------
    winners, votes : ndarray, shape (m,)
        The class that most of them have, of equal ones that of the nearest, and how many.
    """
    known = np.flatnonzero(codes >= 0)
    check_integer("k", k, least=1)
    if k >= len(known):
        raise ValueError(f"k must be below {len(known)}, the number of nodes with a class, got {k!r}")

    search = sklearn_neighbors.NearestNeighbors(n_neighbors=int(k) + 1).fit(points[known])
    near = known[search.kneighbors(points[asked], return_distance=False)]
    # A node is its own nearest, unless others are on the same point: then any of them may stand where it would.
    own = near == asked[:, None]
    own[~own.any(axis=1), -1] = True
    classes = codes[near[~own].reshape(len(asked), int(k))]
    alike = np.zeros(classes.shape, dtype=np.int64)
    for column in classes.T:
        alike += classes == column[:, None]
    first = alike.argmax(axis=1)[:, None]
    return np.take_along_axis(classes, first, axis=1)[:, 0], np.take_along_axis(alike, first, axis=1)[:, 0]


def _mean(values: NDArray[np.float64]) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if known.size else math.nan


def _written(value: object) -> str:
    if value is None:
        return "all"
    if isinstance(value, float):
        return "-" if math.isnan(value) else f"{value:.3f}"
    return f"{value:,}" if type(value) is int else str(value)
