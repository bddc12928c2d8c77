"""Reading what a file says about itself, without reading the graph or the picture in it."""

from __future__ import annotations

import gzip
import json
import struct
import zipfile
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import ParseError

from graphne_viz.graphs.io.builder import FileProblem
from graphne_viz.graphs.io.size_limit import DAMAGED, limit_of, open_bounded
from graphne_viz.graphs.io.xml_text import guarded_parser

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping
    from typing import BinaryIO

MOST_METADATA = 1_000_000
"""Bytes that are read of a file's account of itself; a longer one is none of ours."""

PAGE_DATA = '<script type="application/vnd.graphne+json" id="graphne-data">'
"""What stands in an exported page before the JSON that describes it; people's words there are escaped, never this."""

_CHUNK = 1 << 16
_MOST_BEFORE = 4 * MOST_METADATA  # bytes of a page before it describes itself: style and captions
_PNG = b"\x89PNG\r\n\x1a\n"


class _Enough(Exception):  # noqa: N818 -- not an error: it ends the reading
    """Raised where the part of a file that tells about it ends."""


def read_metadata(path: str | os.PathLike[str], name: str) -> dict[str, object] | None:
    """Read what `write_layout` and pictures keep beside the graph.

    Parameters
    ----------
    path : path-like
        The ending decides: .gexf, .graphml, .json, .svg, .html, each also with .gz behind it, .npz or .png.
    name : str
        What a PNG calls it.

    Returns
    -------
    dict or None
        As from JSON, so anything may be in it; None if the file says nothing of the kind.

    Raises
    ------
    FileNotFoundError, IsADirectoryError
        If there is no such file.
    ValueError
        If the ending is unknown, or the file is broken.
    """
    path = Path(path)
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a folder, not a file")
    zipped = path.suffix.lower() == ".gz"
    ending = (path.with_suffix("") if zipped else path).suffix.lower()
    readers: dict[str, Callable[[BinaryIO], object]] = {
        ".gexf": _Gexf.read,
        ".graphml": _GraphML.read,
        ".svg": _Svg.read,
        ".html": _from_page,
        ".json": _from_json,
        ".npz": _from_npz,
        ".png": lambda stream: _from_png(stream, name.encode("latin-1")),
    }
    if ending not in readers or (zipped and ending in {".npz", ".png"}):
        raise ValueError(f"{path} does not end in one of {', '.join(readers)}, which record how they were made")
    path.stat()  # says why, where it cannot
    try:
        with open_bounded(path) as stream:
            found = readers[ending](stream)
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise ValueError(f"{path} is not a complete gzip file") from None
    except DefusedXmlException:
        raise ValueError(f"{path}: XML that declares entities or refers to other files is refused") from None
    except (ParseError, ValueError, KeyError, RecursionError, FileProblem) as error:
        raise ValueError(f"{path} cannot be read: {error}") from None
    return found if isinstance(found, dict) else None


def _from_json(stream: BinaryIO) -> object:
    content = stream.read()
    limit_of(stream).check_json(content)
    whole = json.loads(content)
    return whole.get("graph") if isinstance(whole, dict) else None


def _from_npz(stream: BinaryIO) -> object:
    try:
        with zipfile.ZipFile(stream) as archive:
            if "metadata.npy" not in archive.namelist():
                return None
            if archive.getinfo("metadata.npy").file_size > 4 * MOST_METADATA:
                return None
            with archive.open("metadata.npy") as entry:
                array = np.lib.format.read_array(entry, allow_pickle=False)
    except DAMAGED as error:
        raise ValueError(f"not a readable npz file: {error}") from None
    return _parsed(str(array)) if array.dtype.kind == "U" and array.ndim == 0 else None


def _from_png(stream: BinaryIO, name: bytes) -> object:
    """Read the tEXt chunk of that name before the pixels."""
    if stream.read(8) != _PNG:
        raise ValueError("it is no PNG")
    while len(head := stream.read(8)) == 8:
        length, kind = struct.unpack(">I4s", head)
        if kind == b"IDAT":
            return None
        if kind != b"tEXt" or length > MOST_METADATA:
            stream.seek(length + 4, 1)
            continue
        key, _, text = stream.read(length).partition(b"\0")
        stream.read(4)
        if key == name:
            return _parsed(text.decode("latin-1"))
    return None


def _from_page(stream: BinaryIO) -> object:
    """Read the JSON of an exported page, which is found as text: nothing of the page is interpreted."""
    opening, closing = PAGE_DATA.encode(), b"</script>"
    head = stream.read(_MOST_BEFORE)
    if not head.lstrip()[:9].lower() == b"<!doctype":
        raise ValueError("it is not an HTML page")
    at = head.find(opening)
    if at < 0:
        return None
    data = head[at + len(opening) :] + stream.read(MOST_METADATA)
    end = data.find(closing, 0, MOST_METADATA)
    if end < 0:
        raise ValueError("its metadata is cut short")
    whole = json.loads(data[:end].decode())
    return whole.get("about") if isinstance(whole, dict) else None


def _parsed(text: str) -> object:
    """Read JSON; None if it is something else, such as what people write into a description."""
    try:
        return json.loads(text)
    except ValueError:
        return None


class _Head:
    """Reads an XML file up to where its content begins; what it says about itself is in `found`."""

    content: frozenset[str] = frozenset()

    def __init__(self) -> None:
        self.found: object = None
        self._text: list[str] | None = None
        self._size = 0

    @classmethod
    def read(cls, stream: BinaryIO) -> object:
        head = cls()
        parser = guarded_parser(head)
        try:
            while chunk := stream.read(_CHUNK):
                parser.feed(chunk)
        except _Enough:
            pass
        return head.found

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        local = tag.rpartition("}")[2]
        if local in self.content:
            raise _Enough
        self.begin(local, attributes)

    def data(self, text: str) -> None:
        if self._text is None:
            return
        self._size += len(text)
        if self._size > MOST_METADATA:
            raise _Enough
        self._text.append(text)

    def end(self, tag: str) -> None:
        if self._text is not None:
            text, self._text = "".join(self._text), None
            self.take(tag.rpartition("}")[2], text)

    def close(self) -> None:
        """Do nothing: `found` holds the result."""

    def begin(self, local: str, attributes: Mapping[str, str]) -> None:
        """Begin an element that is not content: a description is kept."""
        del attributes
        if local == "description":
            self._text = []

    def take(self, local: str, text: str) -> None:
        """Take the text of an element."""
        del local
        self.found = _parsed(text)


class _Gexf(_Head):
    content = frozenset({"graph"})


class _Svg(_Head):
    content = frozenset({"g", "path", "defs"})


class _GraphML(_Head):
    content = frozenset({"node", "edge"})

    def __init__(self) -> None:
        super().__init__()
        self._names: dict[str, str] = {}
        self._key = ""
        self.found: dict[str, object] = {}

    def begin(self, local: str, attributes: Mapping[str, str]) -> None:
        if local == "key" and attributes.get("for") == "graph":
            self._names[attributes.get("id", "")] = attributes.get("attr.name", "")
        elif local == "data" and attributes.get("key") in self._names:
            self._key, self._text = self._names[attributes["key"]], []

    def take(self, local: str, text: str) -> None:
        del local
        # Text is written as it is, anything else as JSON.
        value = _parsed(text)
        self.found[self._key] = text if value is None or isinstance(value, (int, float)) else value
