"""Node embeddings for scikit-learn: the same as `embed`, as an estimator."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import check_array
from sklearn.utils.validation import check_is_fitted, check_non_negative

from graphne_viz._keywords import documents, with_keywords
from graphne_viz.embedding.api import embed
from graphne_viz.embedding.keywords import EstimatorKeywords
from graphne_viz.graphs.convert.api import as_graph
from graphne_viz.graphs.convert.arrays import column_names, is_matrix

if TYPE_CHECKING:
    from typing import Self, Unpack

    from numpy.typing import NDArray

    from graphne_viz._types import Foreign
    from graphne_viz.graphs.graph import Graph


@documents(EstimatorKeywords)
class GraphNE(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc] # has no types
    """Give every node of a graph a vector on the sphere, so that neighbours point the same way.

    Contrastive neighbour embedding, as `embed` does it. `transform` gives nodes vectors that have come to the graph
    since.

    Parameters
    ----------
    dim : int, optional
        Length of the vectors, from 2 to the number of nodes. By default 128, or as many as there are nodes.
    **keywords
        See `EstimatorKeywords`.

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

    @with_keywords(EstimatorKeywords)
    def __init__(self, dim: int | None = None, **keywords: Unpack[EstimatorKeywords]) -> None:
        self.dim = dim
        for name, value in keywords.items():  # scikit-learn finds parameters as attributes of the same names
            setattr(self, name, value)

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

    def transform(self, X: Foreign) -> NDArray[np.float32]:
        """Return vectors for the graph that was fitted, and for nodes that have come to it since.

        Parameters
        ----------
        X : sparse or dense array of shape (n, n) or (m, n_features_in_), or any graph that `embed` takes
            The nodes that were fitted, in a square matrix the first ones, and new ones. A matrix with a column for
            each node that was fitted has rows for new nodes only, with their edges to those.

        Returns
        -------
        ndarray of float32, shape (n, dim) or (m, dim)
            Those of nodes that were fitted are `embedding_`.
        """
        check_is_fitted(self)
        if not is_matrix(X):
            return np.array(self.result_.transform(as_graph(X, weight=self.weight)).vectors)
        matrix = self._larger(X)
        known = self.n_features_in_
        if matrix.shape[0] == matrix.shape[1]:
            return np.array(self.result_.transform(as_graph(matrix, weight=self.weight)).vectors)
        joined = sp.block_array([[sp.csr_array((known, known)), matrix.T], [matrix, None]], format="csr")
        return np.array(self.result_.transform(as_graph(joined, weight=self.weight)).vectors[known:])

    def _larger(self, X: Foreign) -> sp.csr_array:
        """Read the matrix of a larger graph, or the rows of its new nodes."""
        matrix = check_array(X, accept_sparse=["csr", "csc", "coo"], estimator=self)
        rows, columns = matrix.shape
        if columns < self.n_features_in_ or (columns > self.n_features_in_ and columns != rows):
            raise ValueError(
                f"X has {columns} features, but {type(self).__name__} is expecting {self.n_features_in_} features as "
                "input, or a larger square matrix"
            )
        check_non_negative(matrix, type(self).__name__)
        return sp.csr_array(matrix)

    def _graph_of(self, X: Foreign) -> Graph:
        """Read a matrix as scikit-learn does, and any other graph as `embed` does."""
        if hasattr(self, "feature_names_in_"):  # of an earlier fit
            delattr(self, "feature_names_in_")
        if not is_matrix(X):
            return as_graph(X, weight=self.weight)
        matrix = check_array(X, accept_sparse=["csr", "csc", "coo"], ensure_min_samples=2, estimator=self)
        check_non_negative(matrix, type(self).__name__)
        if (names := column_names(X)) is not None:
            self.feature_names_in_ = np.array(names, dtype=object)
        return as_graph(matrix, weight=self.weight)

    def __sklearn_tags__(self) -> Any:  # noqa: ANN401 - scikit-learn's own
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = True
        tags.input_tags.positive_only = True
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = ["float32"]
        return tags
