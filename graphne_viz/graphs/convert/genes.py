"""The genes of AnnData, read one by one when they are asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from graphne_viz._types import Foreign


class Genes(Mapping[str, "NDArray[np.float64]"]):
    """How much each cell has of each gene, by the names in ``var_names``; those of ``raw`` where it is there.

    Parameters
    ----------
    adata : AnnData
        Is not copied, because genes by the thousand take gigabytes.
    """

    def __init__(self, adata: Foreign) -> None:
        raw = getattr(adata, "raw", None)
        self._table = adata if raw is None else raw  # as scanpy does

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        """Return one gene, shape (n,)."""
        if name not in self:
            raise KeyError(name)
        places = np.flatnonzero(np.asarray(self._table.var_names == name))
        if len(places) > 1:
            raise ValueError(
                f"var_names has {name!r} {len(places)} times; adata.var_names_make_unique() tells them apart"
            )
        column = self._table.X[:, places[0]]
        dense = column.toarray() if hasattr(column, "toarray") else np.asarray(column)
        return np.asarray(dense, dtype=np.float64).reshape(-1)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._table.X is not None and name in self._table.var_names

    def __iter__(self) -> Iterator[str]:
        return iter(map(str, self._table.var_names if self._table.X is not None else ()))

    def __len__(self) -> int:
        return len(self._table.var_names) if self._table.X is not None else 0
