"""Classes of nodes: their names, their order and the colours they are given."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import numpy as np

from graphne_viz.encoding.colors.palette import CLASS_COLORS, FIRST_COLORS
from graphne_viz.encoding.columns.values import is_missing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from graphne_viz.encoding.columns.values import Palette


@dataclass(frozen=True, eq=False)
class Classes:
    """The class of every node.

    Attributes
    ----------
    codes : ndarray of int, shape (n,)
        Which of `labels` each node has; ``len(labels)`` where it has none.
    labels : tuple of str
        Those with a colour first, in the order of a legend.
    colors : tuple of str or None
        One for each label, None where no colour was left.
    counts : ndarray of int
        Number of nodes of each label.
    """

    codes: NDArray[np.intp]
    labels: tuple[str, ...]
    colors: tuple[str | None, ...]
    counts: NDArray[np.intp]


def class_texts(values: NDArray[np.generic]) -> list[str | None]:
    """Return the name of every node's class, None where it has no value."""
    if values.ndim != 1:
        raise ValueError(f"color has shape {values.shape}; classes need one value per node")
    if values.dtype.kind != "O":
        # Numbers repeat: each is spelled once.
        distinct, which = np.unique(values, return_inverse=True)
        texts = np.array([None if np.isnan(value) else str(value) for value in distinct], dtype=object)
        return cast("list[str | None]", texts[which].tolist())
    return [None if gone else str(value) for value, gone in zip(values, is_missing(values), strict=True)]


def as_classes(texts: Sequence[str | None], palette: Palette = CLASS_COLORS) -> Classes:
    """Give classes their order and their colours.

    Parameters
    ----------
    texts : sequence of str or None, length n
        The class of every node, as from `class_texts`.
    palette
        As in `graphne_viz.plotting.plot.plot`.

    Returns
    -------
    Classes
        In natural order; of more than twelve, the largest first. What is left when all 256 colours are given out has
        none.
    """
    count = Counter(texts)
    count.pop(None, None)
    ordered = sorted(cast("Counter[str]", count), key=_natural_key)
    if isinstance(palette, Mapping):
        given = {str(label): color for label, color in palette.items()}
        hues = {text: given[text] for text in ordered if text in given}
    else:
        if palette is CLASS_COLORS and len(ordered) > len(FIRST_COLORS):
            # The first colours are the most different ones.
            ordered = sorted(ordered, key=lambda text: -count[text])
        hues = dict(zip(ordered, palette, strict=False))
    labels = (*hues, *(text for text in ordered if text not in hues))
    code: dict[str | None, int] = {text: k for k, text in enumerate(labels)} | {None: len(labels)}
    return Classes(
        codes=np.fromiter(map(code.__getitem__, texts), dtype=np.intp, count=len(texts)),
        labels=labels,
        colors=(*hues.values(), *[None] * (len(labels) - len(hues))),
        counts=np.fromiter((count[text] for text in labels), dtype=np.intp, count=len(labels)),
    )


def _natural_key(text: str) -> list[tuple[bool, int, str]]:
    """Order text so that "class 10" comes after "class 9".

    Examples
    --------
    >>> sorted(["b10", "b9", "a"], key=_natural_key)
    ['a', 'b9', 'b10']
    """
    pieces = re.split(r"(\d{1,18})", text)
    return [(not piece.isdecimal(), int(piece) if piece.isdecimal() else 0, piece) for piece in pieces]
