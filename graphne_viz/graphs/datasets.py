"""Graphs that come with the package, without a download."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from graphne_viz.graphs.arrays import from_matrix
from graphne_viz.graphs.attributes import as_column
from graphne_viz.graphs.graph import Graph

_N_NEIGHBORS = 15


def digits() -> Graph:
    """Return scikit-learn's 1,797 handwritten digits as a graph of nearest neighbours.

    Two digits are joined if either is among the 15 nearest of the other; all edges count the same.

    Returns
    -------
    Graph
        Ids are 0 to 1796; the attribute "class" holds the digit as text, "0" to "9".
    """
    from sklearn.datasets import load_digits  # noqa: PLC0415 -- takes a second to import
    from sklearn.neighbors import kneighbors_graph  # noqa: PLC0415 -- the same

    images, classes = load_digits(return_X_y=True)
    nearest = sp.csr_array(kneighbors_graph(images, _N_NEIGHBORS, mode="connectivity", include_self=False))
    union = from_matrix(nearest.maximum(nearest.T), weight=None)
    return Graph(union.adjacency, union.ids, {"class": as_column([str(label) for label in np.asarray(classes)])})
