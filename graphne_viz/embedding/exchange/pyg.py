"""A transform for PyTorch Geometric: vectors of nodes as features of a model."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, Any

from graphne_viz._lazy import lazy_import
from graphne_viz.embedding.api import embed

if TYPE_CHECKING:
    import torch

    from graphne_viz._types import Foreign
else:
    torch = lazy_import("torch", needs="AddGraphNE needs torch: pip install 'graphne-viz[embed]'")


class AddGraphNE:
    """Add a vector for each node to a ``torch_geometric.data.Data``, as ``AddLaplacianEigenvectorPE`` does.

    It is called with a `Data` and returns a shallow copy, as the transforms of PyTorch Geometric do, which need not be
    installed for it: ``Compose([AddGraphNE(64), ToUndirected()])``.

    Parameters
    ----------
    dim : int, optional
        As for `embed`.
    attr_name : str or None, default "graphne"
        Attribute that gets the vectors, a float tensor of shape (n, dim). None appends them to ``x``,
        which becomes a float tensor where it is none.
    **keywords
        As for `embed`.
    """

    def __init__(self, dim: int | None = None, attr_name: str | None = "graphne", **keywords: Any) -> None:  # noqa: ANN401 - embed checks them
        if attr_name is not None and (not isinstance(attr_name, str) or not attr_name.isidentifier()):
            raise TypeError(f"attr_name must be the name of an attribute, or None, got {attr_name!r}")
        self.dim, self.attr_name, self.keywords = dim, attr_name, keywords

    def __call__(self, data: Foreign) -> Foreign:
        """Return a copy of the data with the vectors."""
        added = copy(data)
        vectors = embed(data, self.dim, **self.keywords).to_torch()
        if self.attr_name is not None:
            setattr(added, self.attr_name, vectors)
            return added
        x = getattr(data, "x", None)
        if x is not None:
            x = x.view(-1, 1) if x.dim() == 1 else x
            x = x if x.is_floating_point() else x.to(vectors.dtype)  # vectors as whole numbers would be zeros
            vectors = torch.cat([x, vectors.to(x.device, x.dtype)], dim=1)
        added.x = vectors
        return added

    def __repr__(self) -> str:
        told = [f"dim={self.dim}", f"attr_name={self.attr_name!r}", *(f"{k}={v!r}" for k, v in self.keywords.items())]
        return f"AddGraphNE({', '.join(told)})"
