"""A column: what is known of every node under one name, in the form in which it travels to the browser."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

COLOR_KEY, SIZE_KEY, AREA_KEY, LABEL_KEY = "custom:color", "custom:size", "custom:area", "custom:label"
"""Keys of the caller's own data. The values of ``AREA_KEY`` are areas in square points, as `plot` has them."""


@dataclass(frozen=True, eq=False)
class Texts:
    """One text a node.

    Attributes
    ----------
    text : ndarray of uint8
        All of them in UTF-8, one after the other.
    ends : ndarray of uint32, shape (n,)
        Where each ends.
    """

    text: NDArray[np.uint8]
    ends: NDArray[np.uint32]

    def __len__(self) -> int:
        return len(self.ends)

    def __getitem__(self, node: int) -> str:
        start = int(self.ends[node - 1]) if node else 0
        return self.text[start : int(self.ends[node])].tobytes().decode()


@dataclass(frozen=True)
class Category:
    """One class of a column; `color` is None if none was left for it."""

    label: str
    color: str | None
    count: int


@dataclass(frozen=True, eq=False)
class ClassColumn:
    """A class a node. A code equal to the number of categories means that it has none; `note` tells how it came.

    With `numbers`, the classes are few numbers, such as years, which can be a range or a time as well.
    """

    key: str
    name: str
    codes: NDArray[np.uint8] | NDArray[np.uint16] | NDArray[np.uint32]
    categories: tuple[Category, ...]
    kind: Literal["classes"] = "classes"
    note: str = ""
    numbers: bool = False


@dataclass(frozen=True, eq=False)
class ValueColumn:
    """A number a node, NaN where there is none, from `low` to `high`; `note` tells how they came.

    Colours change between the two numbers of `scale`, and stay the same beyond: evenly, or at the ascending numbers
    `stops`. With `date`, they are days since 1970-01-01.
    """

    key: str
    name: str
    values: NDArray[np.float32] | NDArray[np.float64]
    low: float
    high: float
    scale: tuple[float, float]
    whole: bool
    kind: Literal["values"] = "values"
    note: str = ""
    date: bool = False
    stops: NDArray[np.float64] | None = None


@dataclass(frozen=True, eq=False)
class ColorColumn:
    """A colour a node: `rgba` has shape (n, 4)."""

    key: str
    name: str
    rgba: NDArray[np.uint8]
    kind: Literal["colors"] = "colors"


@dataclass(frozen=True, eq=False)
class TextColumn:
    """A text a node, empty where there is none; `texts` is None if they are too large to be sent."""

    key: str
    name: str
    texts: Texts | None
    kind: Literal["text"] = "text"


Column: TypeAlias = ClassColumn | ValueColumn | ColorColumn | TextColumn
