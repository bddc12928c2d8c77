"""Figures as a table of pandas."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphne_viz._lazy import lazy_import

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    import pandas as pd  # type: ignore[import-untyped, unused-ignore] # without types

    from graphne_viz._types import Foreign
else:
    pd = lazy_import("pandas", needs="a table needs pandas: pip install pandas")


def as_frame(rows: Sequence[Mapping[str, object]], index: Sequence[Hashable] | None = None) -> Foreign:
    """Put rows of named values into a pandas table.

    Parameters
    ----------
    rows : sequence of mappings
        Their keys become the columns.
    index : sequence, optional
        A name for each row.

    Returns
    -------
    pandas.DataFrame

    Raises
    ------
    ModuleNotFoundError
        If pandas is not installed, with the command that installs it.
    """
    return pd.DataFrame([dict(row) for row in rows], index=None if index is None else list(index))
