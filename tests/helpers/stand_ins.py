"""Stand-ins for objects of torch, PyTorch Geometric and DGL, none of which is installed for the tests."""

import numpy as np


class StandInForTensor:
    """Behaves as a torch tensor where we look; torch itself is not installed."""

    def __init__(self, values, *, on_gpu=False):
        self._values, self._on_gpu = np.asarray(values), on_gpu
        self.shape = self._values.shape

    def detach(self):
        return self

    def cpu(self):
        return StandInForTensor(self._values)

    def __array__(self, dtype=None, copy=None):
        if self._on_gpu:
            raise TypeError("can't convert cuda tensor to numpy")
        return np.asarray(self._values, dtype=dtype)


class StandInForPyG:
    """Has the attributes of torch_geometric.data.Data that we read."""

    def __init__(self, edge_index, num_nodes=None, **others):
        self.edge_index = edge_index
        if num_nodes is not None:
            self.num_nodes = num_nodes
        self.__dict__.update(others)


class StandInForDGL:
    """Has the methods of dgl.DGLGraph that we call."""

    def __init__(self, source, target, n, edata=None, ndata=None):
        self._ends, self._n = (source, target), n
        self.edata, self.ndata = edata or {}, ndata or {}

    def edges(self):
        return self._ends

    def num_nodes(self):
        return self._n
