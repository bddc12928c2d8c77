"""Where a view looks, what it leaves out and which panels are open, as the browser's store holds them.

The same small JSON object is saved with the notebook, written to an exported page and shared by linked views::

    {"version": 1,
     "camera": null | {"center": [x, y], "span": s},
     "tool": "pan" | "rectangle" | "lasso",
     "lens": false | true,
     "filters": {column key: {"low": number | null, "high": number | null} | {"without": [class | null, ...]}},
     "legend": {"column": column key, "isolated": [entry, ...], "hidden": [entry, ...]},
     "table": null | "nodes" | "edges",
     "timeline": null | {"column": column key, "window": share, "speed": number}}

A camera is in the coordinates of the frames, which `graphne_viz.viewer.session.view_state.camera` translates; null fits
the layout and follows it. Null in `without` are the nodes without a class. What a timeline shows at the moment is the
filter of its column. Missing keys mean their defaults, unknown ones are ignored.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from numbers import Real
from typing import Any, TypeAlias

import numpy as np

from graphne_viz._checks import check_choice, check_flag, check_positive

VERSION = 1
TOOLS = ("pan", "rectangle", "lasso")
TABLES = ("nodes", "edges")

ViewSettings: TypeAlias = dict[str, Any]
"""Such an object, with all its keys."""


def check_view(value: object) -> ViewSettings:
    """Return settings with all their keys; invalid ones are refused in one sentence."""
    if not isinstance(value, Mapping):
        raise TypeError(f"view settings must be a mapping, got {type(value).__name__}")
    if value.get("version", VERSION) != VERSION:
        raise ValueError(f"view settings of version {value['version']!r} cannot be read, only version {VERSION}")
    camera = check_camera(value.get("camera"))
    return {
        "version": VERSION,
        "camera": None if camera is None else camera | {"center": list(camera["center"])},
        "tool": check_tool(value.get("tool", TOOLS[0])),
        "lens": check_lens(value.get("lens", False)),
        "filters": _check_filters(value.get("filters", {})),
        "legend": _check_legend(value.get("legend", {})),
        "table": check_table(value.get("table")),
        "timeline": check_timeline(value.get("timeline")),
    }


def check_camera(value: object) -> dict[str, Any] | None:
    """Return None, or the centre as a tuple of two numbers and the span as a number."""
    if value is None:
        return None
    fields: Mapping[str, Any] = value if isinstance(value, Mapping) else {}
    center, span = fields.get("center"), fields.get("span")
    if isinstance(center, np.ndarray):
        center = center.tolist()
    numbers = [*center, span] if isinstance(center, (list, tuple)) else []
    if len(numbers) != 3 or not all(map(_is_finite, numbers)) or numbers[2] <= 0:
        raise ValueError(f'camera must be None or {{"center": (x, y), "span": positive number}}, got {value!r}')
    x, y, span = map(float, numbers)
    return {"center": (x, y), "span": span}


def check_tool(value: object) -> str:
    """Return one of `TOOLS`."""
    check_choice("tool", value, TOOLS)
    return str(value)


def check_lens(value: object) -> bool:
    """Return whether the distortion lens is on."""
    check_flag("lens", value)
    return bool(value)


def check_table(value: object) -> str | None:
    """Return which table is open: one of `TABLES`, or None."""
    if value is None:
        return None
    check_choice("table", value, TABLES)
    return str(value)


def check_timeline(value: object) -> dict[str, Any] | None:
    """Return None, or a timeline with all its keys; a text is the column."""
    if value is None:
        return None
    given: Mapping[str, Any] = value if isinstance(value, Mapping) else {"column": value}
    fields = {"window": 0.0, "speed": 1.0, **given}
    if fields.keys() != {"column", "window", "speed"} or not isinstance(fields["column"], str):
        raise ValueError(
            f'timeline must be None, a column or {{"column": ..., "window": ..., "speed": ...}}, got {value!r}'
        )
    if not _is_finite(fields["window"]) or not 0 <= fields["window"] < 1:
        raise ValueError(f"the window of a timeline must be a share from 0 to below 1, got {fields['window']!r}")
    check_positive("the speed of a timeline", fields["speed"])
    return {"column": fields["column"], "window": float(fields["window"]), "speed": float(fields["speed"])}


def _check_filters(value: object) -> dict[str, dict[str, Any]]:
    if not isinstance(value, Mapping):
        raise TypeError(f"filters must be a mapping from columns, got {type(value).__name__}")
    found: dict[str, dict[str, Any]] = {}
    for key, limits in value.items():
        if not isinstance(key, str) or not isinstance(limits, Mapping):
            raise TypeError(f"filters must map the keys of columns to limits, got {key!r}: {limits!r}")
        if "without" in limits:
            without = limits["without"]
            if not isinstance(without, list) or not all(label is None or isinstance(label, str) for label in without):
                raise ValueError(f"the filter by {key!r} must name classes, got {without!r}")
            found[key] = {"without": list(without)}
        else:
            low, high = limits.get("low"), limits.get("high")
            if not all(limit is None or _is_finite(limit) for limit in (low, high)):
                raise ValueError(f"the filter by {key!r} must have finite limits or None, got {low!r} and {high!r}")
            found[key] = {"low": low, "high": high}
    return found


def _check_legend(value: object) -> dict[str, Any]:
    fields: Mapping[str, Any] = value if isinstance(value, Mapping) else {"column": value}
    column = fields.get("column", "")
    entries = {name: fields.get(name, []) for name in ("isolated", "hidden")}
    right = [isinstance(found, list) and all(isinstance(one, str) for one in found) for found in entries.values()]
    if not isinstance(column, str) or not all(right):
        raise ValueError(f"legend must name a column and lists of its entries, got {value!r}")
    return {"column": column} | {name: list(found) for name, found in entries.items()}


def _is_finite(value: object) -> bool:
    return not isinstance(value, bool) and isinstance(value, Real) and math.isfinite(value)
