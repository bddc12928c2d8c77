"""Node embeddings for scikit-learn: the same as `embed`, as an estimator."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import check_array
from sklearn.utils.validation import check_non_negative

from graphne_viz.embedding.api import embed
from graphne_viz.embedding.settings import DIM, TEMPERATURE
from graphne_viz.graphs.adjacency import DEFAULT_WEIGHT
from graphne_viz.graphs.convert import as_graph

if TYPE_CHECKING:
    from typing import Literal, Self

    from numpy.typing import ArrayLike, NDArray

    from graphne_viz.embedding.settings import Negatives, Preset
    from graphne_viz.graphs.arrays import Foreign
    from graphne_viz.graphs.graph import Graph
    from graphne_viz.layout.initialization import Seed


class GraphNE(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc] # has no types
    """Give every node of a graph a vector on the sphere, so that neighbours point the same way.

    Contrastive neighbour embedding, as `embed` does it. Like scikit-learn's `TSNE` it has no ``transform``: vectors
    are learned for the nodes of one graph, and there are none for others.

    Parameters
    ----------
    dim : int, default 128
        Length of the vectors, from 2 to the number of nodes.
    temperature : float or "learn", default 0.05
    epochs : int, optional
    batch_size : int or "auto", default "auto"
    negatives : {"batch", "copies"}, optional
    learning_rate : float, optional
    initialization : {"spectral", "random"} or array of shape (n, dim), default "spectral"
    preset : {"default", "paper"}, default "default"
    weight : str or None, default "weight"
    device : str, default "auto"
        As for `embed`.
    random_state : int, RandomState, Generator or None, default 0
        What `embed` calls ``seed``.

    Attributes
    ----------
    embedding_ : ndarray of float32, shape (n, dim)
        Unit vectors, in the graph's order of the nodes.
    result_ : Embedding
        The same with all that belongs to it, such as the nodes' own names; `project` and `view` take it.
    temperature_ : float
        The last temperature; of interest where it was learned.
    history_ : dict of str to ndarray
        ``epoch``, ``loss``, ``temperature`` and ``recall``, one entry for every epoch.
    n_features_in_ : int
        Number of nodes.
    feature_names_in_ : ndarray of str, shape (n,)
        Names of the columns, where the adjacency matrix was a table with such.

    Examples
    --------
    >>> import networkx as nx
    >>> A = nx.to_scipy_sparse_array(nx.karate_club_graph())
    >>> GraphNE(dim=16).fit_transform(A).shape
    (34, 16)
    """

    def __init__(
        self,
        dim: int = DIM,
        *,
        temperature: float | Literal["learn"] = TEMPERATURE,
        epochs: int | None = None,
        batch_size: int | Literal["auto"] = "auto",
        negatives: Negatives | None = None,
        learning_rate: float | None = None,
        initialization: str | ArrayLike = "spectral",
        preset: Preset = "default",
        weight: str | None = DEFAULT_WEIGHT,
        random_state: Seed = 0,
        device: str = "auto",
    ) -> None:
        self.dim = dim
        self.temperature = temperature
        self.epochs = epochs
        self.batch_size = batch_size
        self.negatives = negatives
        self.learning_rate = learning_rate
        self.initialization = initialization
        self.preset = preset
        self.weight = weight
        self.random_state = random_state
        self.device = device

    def fit(self, X: Foreign, y: object = None) -> Self:
        """Learn a vector for each node.

        Parameters
        ----------
        X : sparse or dense array of shape (n, n), or any graph that `embed` takes
            Adjacency matrix: where there is an edge, its weight, which is positive.
        y : ignored

        Returns
        -------
        GraphNE
            Itself.
        """
        del y
        keywords = self.get_params(deep=False)
        keywords["seed"] = keywords.pop("random_state")
        graph = self._graph_of(X)
        self.result_ = embed(graph, **keywords)
        self.embedding_: NDArray[np.float32] = np.array(self.result_.vectors)
        self.temperature_ = self.result_.temperature
        self.history_ = dict(self.result_.history)
        self.n_features_in_ = graph.n_nodes
        self._n_features_out = self.result_.dim
        return self

    def fit_transform(self, X: Foreign, y: object = None) -> NDArray[np.float32]:
        """Learn a vector for each node and return them.

        Parameters
        ----------
        X, y
            As for `fit`.

        Returns
        -------
        ndarray of float32, shape (n, dim)
        """
        return self.fit(X, y).embedding_

    def _graph_of(self, X: Foreign) -> Graph:
        """Read a matrix as scikit-learn does, and any other graph as `embed` does."""
        if hasattr(self, "feature_names_in_"):  # of an earlier fit
            delattr(self, "feature_names_in_")
        if not _is_matrix(X):
            return as_graph(X, weight=self.weight)
        matrix = check_array(X, accept_sparse=["csr", "csc", "coo"], ensure_min_samples=2, estimator=self)
        check_non_negative(matrix, type(self).__name__)
        names = list(getattr(X, "columns", ()))
        if names and all(isinstance(name, str) for name in names):
            self.feature_names_in_ = np.array(names, dtype=object)
        return as_graph(matrix, weight=self.weight)

    def __sklearn_tags__(self) -> Any:  # noqa: ANN401 - scikit-learn's own
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = True
        tags.input_tags.positive_only = True
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = ["float32"]
        return tags


def _is_matrix(X: Foreign) -> bool:
    """Whether scikit-learn knows how to check it; tensors, masked arrays and tables of edges are read by us."""
    if hasattr(X, "detach") or np.ma.isMaskedArray(X) or {"source", "target"} <= set(getattr(X, "columns", ())):
        return False
    return sp.issparse(X) or hasattr(X, "__array__") or isinstance(X, list | tuple)
