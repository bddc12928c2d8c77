"""How much a file may unpack to: in proportion to its size, so that no small one fills the memory.

A kilobyte can claim a billion nodes, and a megabyte of gzip hold a gigabyte of nothing. `RATIO` leaves room above what
graphs that people exchange unpack to, `FLOOR` lets small files be as repetitive as they like, and who has a larger one
says so by ``max_size``.
"""

from __future__ import annotations

import gzip
import io
import os
import re
import stat
import tokenize
import zipfile
import zlib
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO, cast

from graphne_viz._checks import is_integer
from graphne_viz.graphs.io.builder import FileProblem

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from _typeshed import WriteableBuffer

FLOOR = 1 << 25
"""Bytes that any file may unpack to: text of about a million edges."""

RATIO = 32
"""How many times its own size a larger file may unpack to."""

CELL = 8
"""Bytes of one value in a column, where nothing is known about it."""

COLUMN = 128
"""Bytes of a column without values."""

_SPARSE_COLUMN, _SPARSE_VALUE = 256, 100
"""Bytes of a column that is kept by its values, and of one of these; more by those that are long text."""

_PART = 32
"""Bytes that an object or a list of JSON takes at least, which is three bytes of text."""

DAMAGED = (
    zipfile.BadZipFile, zlib.error, EOFError, KeyError, OSError, RuntimeError, TypeError, AttributeError, OverflowError,
    SyntaxError, MemoryError, tokenize.TokenError,
)  # fmt: skip
"""What numpy, scipy and zipfile raise at headers that are no headers; NotImplementedError is a RuntimeError."""

_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
_SIZE = re.compile(r"(\d+(?:\.\d+)?) ?([kmgt]?)b?", re.ASCII | re.IGNORECASE)
_CHUNK = 1 << 18


class SizeLimit:
    """The most memory that a file's content may take.

    Parameters
    ----------
    packed : int
        Bytes of the file.
    max_size : int, optional
        The most, if the caller says it.

    Examples
    --------
    >>> SizeLimit(20).check(10**9, "10,000,000 vertices")
    Traceback (most recent call last):
    ...
    graphne_viz.graphs.io.builder.FileProblem: 10,000,000 vertices would take 1 GB; a file of 20 bytes may take \
33.6 MB, unless max_size (--max-size) allows more
    """

    def __init__(self, packed: int = 0, max_size: int | None = None) -> None:
        self._packed = packed
        self.most = max(FLOOR, RATIO * packed) if max_size is None else max_size

    def check(self, size: int, what: str, line: int | None = None) -> None:
        """Refuse what would take more bytes than there may be; `what`, in the plural, begins the sentence."""
        if size > self.most:
            raise FileProblem(f"{what} would take {in_words(size)}; {self._allowed}", line)

    def has_room_for_columns(self, n: int, columns: int) -> bool:
        """Tell whether so many columns of n values may be kept place by place, the missing values too."""
        return columns * (COLUMN + CELL * n) <= self.most

    def check_sparse_columns(self, columns: int, values: int, what: str) -> None:
        """Refuse more columns, of so many values together, than may be kept by the values that there are."""
        size = columns * _SPARSE_COLUMN + values * _SPARSE_VALUE
        self.check(size, f"{columns:,} attributes with {values:,} values of {what}")

    def check_json(self, content: bytes) -> None:
        """Refuse JSON with more objects and lists than there may be, before it is parsed."""
        parts = content.count(b"{") + content.count(b"[")
        self.check(_PART * parts, f"{parts:,} objects and lists")

    def unpacked(self) -> FileProblem:
        """Return the problem of a compressed file with more in it than there may be."""
        return FileProblem(f"its content would take more than {in_words(self.most)}; {self._allowed}")

    @property
    def _allowed(self) -> str:
        return (
            f"a file of {in_words(self._packed)} may take {in_words(self.most)}, "
            "unless max_size (--max-size) allows more"
        )


class BoundedStream(io.BufferedReader):
    """A file that is read up to its limit, which its reader may ask for what it is going to make of it."""

    def __init__(self, raw: io.RawIOBase, limit: SizeLimit) -> None:
        super().__init__(raw, _CHUNK)
        self.limit = limit


class _Unpacked(io.RawIOBase):
    """What a gzip file holds, up to a limit."""

    def __init__(self, stream: BinaryIO, limit: SizeLimit) -> None:
        super().__init__()
        self._stream = stream
        self._limit = limit
        self._left = limit.most

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        view = memoryview(buffer).cast("B")
        part = self._stream.read(min(len(view), self._left + 1))
        self._left -= len(part)
        if self._left < 0:
            raise self._limit.unpacked()
        view[: len(part)] = part
        return len(part)

    def readall(self) -> bytes:
        content = self._stream.read(self._left + 1)
        self._left -= len(content)
        if self._left < 0:
            raise self._limit.unpacked()
        return content


@contextmanager
def open_bounded(path: Path, max_size: int | None = None) -> Iterator[BoundedStream]:
    """Open a file, unpacked where its name ends in .gz.

    Raises
    ------
    FileNotFoundError, IsADirectoryError
        If there is no such file.
    ValueError
        If it is none that has an end, such as a pipe or a device.
    FileProblem
        While it is read, if it unpacks to more than it may.
    """
    check_file(path)
    limit = SizeLimit(path.stat().st_size, max_size)
    if path.suffix.lower() != ".gz":
        with BoundedStream(cast("io.RawIOBase", path.open("rb", buffering=0)), limit) as stream:
            yield stream
        return
    with cast("BinaryIO", gzip.open(path)) as packed, BoundedStream(_Unpacked(packed, limit), limit) as stream:
        yield stream


def unpacked_size(path: Path, most: int) -> int:
    """Return how many bytes a gzip file unpacks to; where they are more than `most`, some number above it."""
    size = 0
    with gzip.open(path) as stream:
        while size <= most and (part := stream.read(_CHUNK)):
            size += len(part)
    return size


def check_file(path: Path) -> None:
    """Refuse what is not a file with an end: a folder, a pipe, a device, nothing at all."""
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116 -- the same, and says what it is in one call
    except (FileNotFoundError, NotADirectoryError):
        raise FileNotFoundError(f"{path} does not exist") from None
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(f"{path} is a folder, not a file")
    if not stat.S_ISREG(mode):
        raise ValueError(f"{path} is a pipe, socket or device, not a file: save what it gives to a file first")


def check_archive(stream: BinaryIO, limit: SizeLimit) -> None:
    """Refuse a zip archive that says it unpacks to more than there may be; zipfile never gives more than it says."""
    with zipfile.ZipFile(stream) as archive:
        limit.check(sum(entry.file_size for entry in archive.infolist()), "its arrays")
    stream.seek(0)


def limit_of(stream: BinaryIO) -> SizeLimit:
    """Return the limit of a stream; that of a small file, if it has none of its own."""
    found = getattr(stream, "limit", None)
    return found if isinstance(found, SizeLimit) else SizeLimit()


def as_size(value: object) -> int | None:
    """Return a number of bytes as an int.

    Parameters
    ----------
    value : int, str or None
        Text has a unit, which counts in thousands.

    Examples
    --------
    >>> as_size("4GB"), as_size("1.5 MB"), as_size(100)
    (4000000000, 1500000, 100)
    """
    if value is None:
        return None
    if is_integer(value) and value > 0:  # type: ignore[operator] # an integer, as was just checked
        return int(value)  # type: ignore[call-overload, no-any-return] # the same
    found = _SIZE.fullmatch(value.strip()) if isinstance(value, str) else None
    size = round(float(found[1]) * _UNITS[found[2].lower()]) if found else 0
    if not size:
        raise ValueError(f"max_size must be a number of bytes, or text such as '4GB', got {value!r}")
    return size


def in_words(size: int) -> str:
    """Return a number of bytes in words.

    Examples
    --------
    >>> in_words(20), in_words(4200), in_words(33554432)
    ('20 bytes', '4.2 kB', '33.6 MB')
    """
    if size < 1000:
        return f"{size} bytes"
    value, unit = float(size), ""
    for unit in ("kB", "MB", "GB", "TB"):  # noqa: B007 -- the last one is used
        value /= 1000
        if value < 999.95:
            break
    return f"{value:,.3g} {unit}" if value < 1000 else f"{value:,.0f} {unit}"
