"""Text of any origin, made fit to be shown and sent: one printable line of limited length."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from graphne_viz.encoding.columns.column import Texts

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from graphne_viz.graphs.graph import Graph

MOST_TEXT = 32_000_000
"""Bytes of names and text attributes that are sent in all."""

NAME_LIKE = ("label", "name", "title")
"""Attributes that hold names of nodes, in the order in which they are preferred."""

_FOREMOST, _LONGEST_FOREMOST = 2, 22

LONGEST_TEXT = 500
"""Characters of a text that are sent."""

# Not printable by themselves, but without them words of Persian and faces of several people fall apart.
_JOINERS = "\u200c\u200d"


def as_text(value: object, longest: int = 48, keep: str = "") -> str:
    r"""Return a value as one line of printable text; the characters of `keep` may stay though they are not.

    Examples
    --------
    >>> as_text("two\nlines")
    'two lines'
    """
    text = str(value)
    if len(text) > longest:
        text = text[: longest - 1] + "…"
    if text.isprintable():
        return text
    return "".join(character if character.isprintable() or character in keep else " " for character in text)


def clean_text(value: object, longest: int = LONGEST_TEXT) -> str:
    """Return a value as one line that every browser can show, cut where it is long."""
    return as_text(value, longest, keep=_JOINERS)


def encode_texts(texts: Iterable[str], most: int = MOST_TEXT) -> Texts | None:
    """Bring one text a node into the form in which they travel; None if that has more than `most` bytes."""
    pieces, lengths, size = [], [], 0
    for text in texts:
        piece = text.encode("utf-8", "replace")
        size += len(piece)
        if size > most:
            return None
        pieces.append(piece)
        lengths.append(len(piece))
    ends = np.cumsum(np.array(lengths, dtype=np.uint32), dtype=np.uint32)
    return Texts(np.frombuffer(b"".join(pieces), dtype=np.uint8), ends)


def encode_names(names: Sequence[Hashable], most: int = MOST_TEXT) -> Texts | None:
    """Do the same with what nodes are called, be that any object; one that cannot tell goes by its number."""
    try:
        texts = list(map(str, names))
        joined = "".join(texts)
    except Exception:  # noqa: BLE001 -- a node may be any object, and its __str__ may raise anything
        return encode_texts(_clean_names(names), most)
    # Nearly all names are plain, and one look at all of them together is much faster than one at each.
    plain = joined.isascii() and joined.isprintable() and max(map(len, texts), default=0) <= LONGEST_TEXT
    if not plain or len(joined) > most:
        return encode_texts(_clean_names(names), most)
    lengths = np.fromiter(map(len, texts), dtype=np.uint32, count=len(texts))
    return Texts(np.frombuffer(joined.encode(), dtype=np.uint8), np.cumsum(lengths, dtype=np.uint32))


def _clean_names(names: Sequence[Hashable]) -> Iterator[str]:
    for i, node in enumerate(names):
        try:
            yield clean_text(node)
        except Exception:  # noqa: BLE001 -- as above
            yield f"node {i}"


def node_names(graph: Graph) -> Sequence[Hashable]:
    """Return what people call the nodes: igraph has numbers for them and keeps their names in an attribute."""
    given = graph.attributes.get("name") if graph.origin == "igraph" else None
    if given is None:
        return graph.ids
    return [node if name is None else name for node, name in zip(graph.ids, given.tolist(), strict=True)]


def name_attribute(graph: Graph) -> str | None:
    """Return the attribute that holds what people call the nodes: a text of its own for most of them."""
    spelled = {name.casefold(): name for name in reversed(list(graph.attributes))}
    for wanted in NAME_LIKE:
        values = graph.attributes[spelled[wanted]] if wanted in spelled else None
        if values is None or values.dtype.kind != "O":
            continue
        texts = [value for value in values.tolist() if isinstance(value, str)]
        if len(set(texts)) > graph.n_nodes / 2:
            return spelled[wanted]
    return None


def are_names(ids: Sequence[Hashable]) -> bool:
    """Tell whether nodes are called by words, not by numbers."""
    return bool(len(ids)) and all(isinstance(node, str) for node in ids) and not all(str(i).isdecimal() for i in ids)


def group_names(graph: Graph, groups: NDArray[np.integer], weight: NDArray[np.number]) -> dict[int, str]:
    """Name groups of nodes by those of their nodes that weigh most.

    Parameters
    ----------
    graph : Graph
    groups : ndarray, shape (n,)
    weight : ndarray, shape (n,)

    Returns
    -------
    dict from group to name
        "Valjean, Fantine"; where nodes are numbers, "around 33, 32".
    """
    attribute = name_attribute(graph)
    names: Sequence[Hashable] = node_names(graph) if attribute is None else graph.attributes[attribute].tolist()
    prefix = "" if attribute is not None or are_names(names) else "around "
    foremost: dict[int, list[str]] = {}
    for node in np.lexsort((np.arange(len(groups)), -weight)).tolist():
        found = foremost.setdefault(int(groups[node]), [])
        if len(found) < _FOREMOST:
            found.append(clean_text(names[node], _LONGEST_FOREMOST))
    named: dict[int, str] = {}
    for group, found in foremost.items():
        name = prefix + ", ".join(found)
        named[group] = f"{name} ({group})" if name in named.values() else name
    return named
