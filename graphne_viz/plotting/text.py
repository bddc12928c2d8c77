"""Text in pictures: shown as it is, in whatever script it is written."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

from graphne_viz._lazy import lazy_import

if TYPE_CHECKING:
    import matplotlib.patheffects as mpl_patheffects
    import matplotlib.textpath as mpl_textpath
    from matplotlib import font_manager
    from matplotlib.font_manager import FontProperties
    from matplotlib.text import Text
else:
    mpl_patheffects = lazy_import("matplotlib.patheffects")
    mpl_textpath = lazy_import("matplotlib.textpath")
    font_manager = lazy_import("matplotlib.font_manager")

_MEASURED = 100.0  # points, so that hinting does not matter

MORE_FONTS = (
    "Noto Sans CJK JP",
    "Noto Sans CJK SC",
    "WenQuanYi Zen Hei",
    "Microsoft YaHei",
    "Yu Gothic",
    "Malgun Gothic",
    "Hiragino Sans",
    "Arial Unicode MS",
    "Noto Sans Devanagari",
    "Noto Sans Thai",
    "Noto Emoji",
    "Segoe UI Emoji",
    "Segoe UI Symbol",
)
"""Fonts that are asked in this order, where the system has them, for letters that the first one lacks."""


def verbatim(text: Text) -> Text:
    """Have names shown as they are: without this, dollar signs and TeX in them would be interpreted.

    Scripts that matplotlib's own font lacks are taken from fonts of the system, where it has them.
    """
    text.set_parse_math(False)
    text.set_usetex(False)
    text.set_fontfamily([*text.get_fontfamily(), *_more_fonts()])
    return text


@cache
def _more_fonts() -> tuple[str, ...]:

    installed = set(font_manager.fontManager.get_font_names())
    return tuple(name for name in MORE_FONTS if name in installed)


HALO = "graphne-halo"
"""How the ids of texts begin that have a rim of paper; in SVG it is a style, so that text stays text."""


def haloed(text: Text, width: float, name: str) -> Text:
    """Set text apart from what lies below by a rim of paper, which hides less than a box would.

    Parameters
    ----------
    text : Text
    width : float
        In points.
    name : str
        Tells it from others of its figure.
    """
    text.set_path_effects([mpl_patheffects.withStroke(linewidth=width, foreground="white", alpha=0.85)])
    text.set_gid(f"{HALO}-{name}")
    return text


@lru_cache(maxsize=4096)
def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """Return the width of a text, in the units of its size."""
    measured, _, _ = mpl_textpath.text_to_path.get_text_width_height_descent(text, _font(bold=bold), ismath=False)
    return float(measured) * size / _MEASURED


@cache
def _font(*, bold: bool) -> FontProperties:
    return font_manager.FontProperties(size=_MEASURED, weight="bold" if bold else "normal")
