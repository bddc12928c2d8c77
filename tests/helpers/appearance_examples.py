"""One graph in many colours and sizes, and how each of its nodes has to look, by whichever road it is drawn.

What is expected here is worked out from the rules, without the package. ``js/test/encoding/appearance.json`` holds it
and the bytes that travel to the browser; the tests of both languages read it. Run this file to write it anew.
"""

import base64
import json
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
from matplotlib import colormaps
from matplotlib.colors import to_hex

from graphne_viz.encoding.colors.palette import CLASS_COLORS, MISSING_COLOR
from graphne_viz.graphs.convert.api import as_graph
from graphne_viz.viewer.session.column_registry import ColumnRegistry

FILE = Path(__file__).parents[2] / "js" / "test" / "encoding" / "appearance.json"

N = 60
COLUMNS = 10  # nodes in a row of the layout
EPOCH, NEW_YEAR = date(1970, 1, 1), date(2020, 1, 1)
SIZES_OF_FIFTEEN = (8, 1, 5, 3, 6, 2, 4, 7, 1, 5, 3, 2, 6, 3, 4)


def example_graph():
    G = nx.cycle_graph(N)
    G.add_edges_from((0, node) for node in range(2, 30, 3))
    fifteen = [f"group {k}" for k, size in enumerate(SIZES_OF_FIFTEEN) for _ in range(size)]
    for k in G:
        G.nodes[k].update(
            letter="abc"[k % 3],
            fifteen=fifteen[k],
            constant=3.5,
            only="the same",
            number=None if k % 7 == 0 else k / 2 + 0.25,
            partial=None if k % 5 == 0 else "xy"[k % 2],
            day=None if k == 3 else NEW_YEAR + timedelta(days=k),
            tail=5000.0 if k == N - 1 else k + 0.5,
            paint=None if k % 4 == 0 else f"#{4 * k:02x}80ff",
            year=1990 + 2 * k,
            even=k % 2 == 0,
        )
    return G


def positions():
    return np.column_stack([np.arange(N) % COLUMNS, np.arange(N) // COLUMNS]).astype(float)


@dataclass
class Case:
    """What is asked for, and what has to come out.

    `colors` are "#rrggbbaa", `areas` relative to that of a node without a size unless `absolute`. An entry of the
    legend is label, colour and count; `scale` is its two ends, and whether values lie below and above them.
    """

    name: str
    color: Any
    size: Any
    colors: list[str]
    grey: list[bool]
    title: str
    entries: list[tuple[str, str, int]]
    scale: tuple[float, float, bool, bool] | None
    areas: list[float]
    absolute: bool = False

    @property
    def order(self):
        """From the lowest to the topmost: grey first, large before small, otherwise as in the graph."""
        return sorted(range(N), key=lambda k: (not self.grey[k], -self.areas[k]))


def by_class(values, colors):
    """Colour by classes: `colors` in the order of the legend."""
    color_of = dict(colors)
    hexes = [MISSING_COLOR if value is None else color_of[value] for value in values]
    entries = [(label, color, values.count(label)) for label, color in colors]
    if None in values:
        entries.append(("no value", MISSING_COLOR, values.count(None)))
    return hexes, [color == MISSING_COLOR for color in hexes], entries, None


def by_number(values, low, high, *, below=False, above=False):
    """Colour by numbers on a scale between two of them; a single one is in its middle."""
    missing = values.count(None)
    shares = [None if v is None else min(1, max(0, (v - low) / (high - low))) if high > low else 0.5 for v in values]
    hexes = [MISSING_COLOR if share is None else to_hex(colormaps["viridis"](float(share))) for share in shares]
    entries = [("no value", MISSING_COLOR, missing)] if missing else []
    scale = None if missing == len(values) else (low, high, below, above)
    return hexes, [value is None for value in values], entries, scale


def by_own(hexes):
    shown = [color or MISSING_COLOR for color in hexes]
    return shown, [color is None for color in hexes], [], None


def sized(values, low, high):
    shares = [0 if value is None else (value - low) / (high - low) for value in values]
    # 8 times the usual area at most, and 2.5 times on average.
    widest = min(7.6, (2.5 - 0.4) / np.mean(shares))
    return [float(0.4 + widest * share) for share in shares]


def examples():
    G = example_graph()
    had = {name: [G.nodes[k][name] for k in G] for name in G.nodes[0]}
    degrees = [d for _, d in G.degree]
    days = [None if day is None else (day - EPOCH).days for day in had["day"]]
    rows = np.column_stack([np.linspace(0, 1, N), np.full(N, 0.5), np.zeros(N), np.linspace(1, 0.2, N)])
    largest = sorted(range(15), key=lambda k: -SIZES_OF_FIFTEEN[k])
    alike = [1.0] * N

    def case(name, color, colored, title="", *, size=None, areas=alike, absolute=False):
        hexes, grey, entries, scale = colored
        hexes = [color.lower() if len(color) == 9 else f"{color.lower()}ff" for color in hexes]
        entries = [(label, color.lower(), count) for label, color, count in entries]
        return Case(name, color, size, hexes, grey, title, entries, scale, list(areas), absolute)

    letters = by_class(had["letter"], [("a", CLASS_COLORS[0]), ("b", CLASS_COLORS[1]), ("c", CLASS_COLORS[2])])
    partial = by_class(had["partial"], [("x", CLASS_COLORS[0]), ("y", CLASS_COLORS[1])])
    number = by_number(had["number"], 0.75, 29.75)
    nobody = [None] * N
    return [
        case("no colour", None, by_own([CLASS_COLORS[0]] * N)),
        case("one colour", "#ff0080", by_own(["#ff0080"] * N)),
        case("classes", "letter", letters, "letter"),
        case(
            "fifteen classes",
            "fifteen",
            by_class(
                had["fifteen"],
                [(f"group {k}", color) for k, color in zip(largest, CLASS_COLORS, strict=False)],
            ),
            "fifteen",
        ),
        case("constant number", "constant", by_number(had["constant"], 3.5, 3.5), "constant"),
        case("constant class", "only", by_class(had["only"], [("the same", CLASS_COLORS[0])]), "only"),
        case("some numbers missing", "number", number, "number"),
        case("some classes missing", "partial", partial, "partial"),
        case("all numbers missing", [float("nan")] * N, by_number(nobody, 0, 0), "color"),
        case("all classes missing", nobody, by_class(nobody, []), "color"),
        case("dates", "day", by_number(days, days[0], days[-1]), "day"),
        case("long tail", "tail", by_number(had["tail"], 0.5, 58.5, above=True), "tail"),
        case("own colours", "paint", by_own(had["paint"])),
        case("own colours as rows", rows, by_own([to_hex(row, keep_alpha=True) for row in rows])),
        case("whole numbers", "year", by_number(had["year"], 1990, 2108), "year"),
        case("a statistic", "degree", by_number(degrees, 2, 3, above=True), "degree"),
        case(
            "booleans",
            "even",
            by_class([str(even) for even in had["even"]], [("False", CLASS_COLORS[0]), ("True", CLASS_COLORS[1])]),
            "even",
        ),
        case("an array", [float(k) for k in range(N)], by_number(list(range(N)), 0, 59), "color"),
        case("size by degree", "partial", partial, "partial", size="degree", areas=sized(degrees, 2, 12)),
        case("size with missing", "letter", letters, "letter", size="number", areas=sized(had["number"], 0.75, 29.75)),
        case(
            "size by a long tail", None, by_own([CLASS_COLORS[0]] * N), size="tail", areas=sized(had["tail"], 0.5, 5000)
        ),
        case("constant size", "letter", letters, "letter", size="constant"),
        case("one area for all", "number", number, "number", size=30, areas=[30.0] * N, absolute=True),
    ]


def as_sent():
    """Return what the browser gets, and what it has to make of it."""
    graph = as_graph(example_graph())
    cases = []
    for each in examples():
        registry = ColumnRegistry(graph)
        looks = {"color": each.color, "size": each.size}
        kept = {role: registry.take(role, choice)[0] for role, choice in looks.items()}
        cases.append(
            {
                "name": each.name,
                "extra": base64.b64encode(registry.extra_bytes()).decode(),
                "color": registry.key("color", kept["color"]),
                "size": registry.key("size", kept["size"]),
                "colors": each.colors,
                "areas": [round(area, 9) for area in each.areas],
                "absolute": each.absolute,
                "order": each.order,
                "title": each.title,
                "entries": [list(entry) for entry in each.entries],
                "scale": None if each.scale is None else list(each.scale),
            }
        )
    return {"graph": base64.b64encode(ColumnRegistry(graph).graph_bytes()).decode(), "cases": cases}


def written():
    cases = as_sent()
    lines = ",\n".join(json.dumps(case) for case in cases.pop("cases"))
    return f'{json.dumps(cases)[:-1]}, "cases": [\n{lines}\n]}}\n'


if __name__ == "__main__":
    FILE.write_text(written())
