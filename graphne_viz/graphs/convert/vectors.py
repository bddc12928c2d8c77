"""Vectors of nodes on their way to other libraries: pandas, AnnData, csv, Parquet and word2vec's text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from graphne_viz._atomic import replace_text_when_complete, replace_when_complete
from graphne_viz._lazy import lazy_import
from graphne_viz.graphs.io.laid_out import as_cell, unique_names

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping, Sequence
    from os import PathLike

    import anndata  # type: ignore[import-untyped, unused-ignore] # without types
    import pandas as pd  # type: ignore[import-untyped, unused-ignore] # without types
    import pyarrow as pa
    from numpy.typing import NDArray
    from pyarrow import parquet

    from graphne_viz._types import Foreign
else:
    anndata = lazy_import("anndata", needs="AnnData needs anndata: pip install anndata")
    pd = lazy_import("pandas", needs="a table needs pandas: pip install pandas")
    pa = lazy_import("pyarrow", needs="writing Parquet needs pyarrow: pip install pyarrow")
    parquet = lazy_import("pyarrow.parquet", needs="writing Parquet needs pyarrow: pip install pyarrow")

_WHITE_SPACE = re.compile(r"\s")
_SPECIAL = re.compile(r'[",\r\n]')
_ROWS_AT_ONCE = 1024
_WIDEST_INTEGER = 2**63


def vectors_as_frame(ids: Sequence[Hashable], vectors: NDArray[np.float32]) -> Foreign:
    """Put vectors into a pandas table.

    Parameters
    ----------
    ids : sequence of hashable, length n
    vectors : ndarray, shape (n, d)

    Returns
    -------
    pandas.DataFrame
        Its index is named "id" and holds the ids as they are; its columns are x0, x1, ...

    Raises
    ------
    ModuleNotFoundError
        If pandas is not installed, with the command that installs it.
    """
    if isinstance(ids, range):
        index = pd.RangeIndex(ids.start, ids.stop, ids.step, name="id")
    elif _are_integers(ids):
        index = pd.Index(np.array(ids, dtype=np.int64), name="id")
    else:  # as objects: pandas would make several levels of tuples, and numbers of bools
        index = pd.Index(_objects(ids), dtype=object, name="id", tupleize_cols=False)
    return pd.DataFrame(vectors, index=index, columns=_columns(vectors), copy=True)


def vectors_as_anndata(
    ids: Sequence[Hashable],
    vectors: NDArray[np.float32],
    *,
    positions: Foreign = None,
    obs: Mapping[str, NDArray[Any]],
    about: Mapping[str, Mapping[str, Any]],
) -> Foreign:
    """Put vectors into AnnData, such that it can be written to disk.

    Parameters
    ----------
    ids : sequence of hashable, length n
        Their texts, made different where they are equal, become the names of the observations.
    vectors : ndarray, shape (n, d)
        Become ``obsm["X_graphne_vectors"]``.
    positions : mapping of id to coordinates, or array of shape (n, 2), optional
        Become ``obsm["X_graphne"]``, which scanpy draws.
    obs : mapping of str to ndarray, shape (n,)
    about : mapping of str to mapping
        Becomes ``uns["graphne"]``. What is None is left out: files have no place for it.

    Returns
    -------
    anndata.AnnData

    Raises
    ------
    ModuleNotFoundError
        If anndata is not installed, with the command that installs it.
    """
    make = anndata.AnnData  # where it is missing, this says so before anything is copied
    table = pd.DataFrame({name: column.copy() for name, column in obs.items()}, index=_texts(ids))
    kept = {
        part: {name: _storable(value) for name, value in values.items() if value is not None}
        for part, values in about.items()
    }
    obsm = {"X_graphne_vectors": vectors.copy()}
    if positions is not None:
        listed = [positions[node] for node in ids] if hasattr(positions, "keys") else positions
        obsm["X_graphne"] = np.array(listed, dtype=np.float64)
    return make(obs=table, obsm=obsm, uns={"graphne": kept})


def write_csv(path: str | PathLike[str], ids: Sequence[Hashable], vectors: NDArray[np.float32]) -> None:
    """Write a row for each node: id, x0, x1, ...

    Parameters
    ----------
    path : path-like
        Compressed if it ends in .gz; replaced only when the new file is complete.
    ids : sequence of hashable, length n
        Written as text; where two become equal, a number is appended. One that a spreadsheet would take for a formula
        has an apostrophe before it.
    vectors : ndarray, shape (n, d)
        Written with as many digits as tell float32 numbers apart.
    """
    with replace_text_when_complete(path) as stream:
        stream.write(f"id,{','.join(_columns(vectors))}\n")
        # Only names can need quotes; the csv module would look for a need in every number.
        names = map(_quoted, unique_names([as_cell(_text(node)) for node in ids]))
        stream.writelines(f"{name},{','.join(row)}\n" for name, row in zip(names, _cells(vectors), strict=True))


def write_word2vec(path: str | PathLike[str], ids: Sequence[Hashable], vectors: NDArray[np.float32]) -> None:
    """Write word2vec's text format: a line with n and d, then a line for each node.

    Parameters
    ----------
    path : path-like
        Compressed if it ends in .gz; replaced only when the new file is complete.
    ids : sequence of hashable, length n
        Written as text with ``_`` for white space, which ends a name there; where two become equal, a number
        is appended.
    vectors : ndarray, shape (n, d)
        Written with as many digits as tell float32 numbers apart.
    """
    names = unique_names([_WHITE_SPACE.sub("_", _text(node)) or "_" for node in ids], "_{}")
    with replace_text_when_complete(path) as stream:
        stream.write(f"{vectors.shape[0]} {vectors.shape[1]}\n")
        stream.writelines(f"{name} {' '.join(row)}\n" for name, row in zip(names, _cells(vectors), strict=True))


def write_parquet(path: str | PathLike[str], ids: Sequence[Hashable], vectors: NDArray[np.float32]) -> None:
    """Write a Parquet table with columns id, x0, x1, ...

    Parameters
    ----------
    path : path-like
        Replaced only when the new file is complete.
    ids : sequence of hashable, length n
        Written as 64-bit integers if all are, otherwise as text as `write_csv` does.
    vectors : ndarray, shape (n, d)

    Raises
    ------
    ImportError
        If pyarrow is not installed, with the command that installs it.
    """
    names = pa.array(np.array(ids, dtype=np.int64) if _are_integers(ids) else _texts(ids))
    columns = [names, *(pa.array(np.ascontiguousarray(column)) for column in vectors.T)]
    table = pa.Table.from_arrays(columns, names=["id", *_columns(vectors)])
    with replace_when_complete(path) as unfinished:
        # Hardly a number occurs twice, so a dictionary of them would only be written and given up.
        parquet.write_table(table, unfinished, use_dictionary=False, compression="zstd")


def check_parquet() -> None:
    """Refuse to go on where Parquet cannot be written, and say what to install."""
    _ = pa.Table, parquet.ParquetWriter


def _are_integers(ids: Sequence[Hashable]) -> bool:
    if isinstance(ids, range):
        return True
    return all(type(node) is int and -_WIDEST_INTEGER <= node < _WIDEST_INTEGER for node in ids)


def _objects(ids: Sequence[Hashable]) -> NDArray[np.object_]:
    array = np.empty(len(ids), dtype=object)  # filled one by one: numpy would make a matrix of equal tuples
    for place, node in enumerate(ids):
        array[place] = node
    return array


def _columns(vectors: NDArray[np.float32]) -> list[str]:
    return [f"x{axis}" for axis in range(vectors.shape[1])]


def _text(node: Hashable) -> str:
    """Return a node's name as text that has a UTF-8; lone surrogates, which have none, are spelled out."""
    return str(node).encode("utf-8", "backslashreplace").decode("utf-8")


def _texts(ids: Sequence[Hashable]) -> list[str]:
    return unique_names([_text(node) for node in ids])


def _quoted(name: str) -> str:
    """Quote a name where csv needs it."""
    return '"' + name.replace('"', '""') + '"' if _SPECIAL.search(name) else name


def _cells(vectors: NDArray[np.float32]) -> Iterator[list[str]]:
    """Write numbers in as few digits as tell float32 ones apart, row by row."""
    for start in range(0, len(vectors), _ROWS_AT_ONCE):
        yield from vectors[start : start + _ROWS_AT_ONCE].astype(np.str_).tolist()


def _storable(value: Any) -> Any:  # noqa: ANN401 -- whatever JSON holds
    if isinstance(value, np.ndarray):
        return value.copy()
    return np.array(value) if isinstance(value, list) else value
