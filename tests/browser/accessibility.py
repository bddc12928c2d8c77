"""What axe-core finds wrong with a view for who does not see it, or uses no pointer."""

from __future__ import annotations

from pathlib import Path

_AXE = Path(__file__).parents[2] / "js" / "node_modules" / "axe-core" / "axe.min.js"
_GRAVE = ("serious", "critical")


def violations(place):
    """Return what is grave about an element and all in it, a line each: the rule, the element, and why."""
    place.page.evaluate(_AXE.read_text(encoding="utf-8"))
    found = place.evaluate("(element) => axe.run(element, { resultTypes: ['violations'] })")["violations"]
    return [
        f"{one['id']}: {node['html'][:120]}: {node['failureSummary']}"
        for one in found
        if one["impact"] in _GRAVE
        for node in one["nodes"]
    ]
