"""Figures as a table of pandas."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from graphne_viz.graphs.arrays import Foreign


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
    try:
        import pandas as pd  # type: ignore[import-untyped, unused-ignore] # noqa: PLC0415 -- optional, without types
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError("a table needs pandas: pip install pandas", name=error.name) from error
    return pd.DataFrame([dict(row) for row in rows], index=None if index is None else list(index))
