"""How nodes, edges and names of classes are drawn on a map, for the tests of both languages.

``js/test/encoding/dots.json`` and ``js/test/encoding/names.json`` hold it. Run this file to write them anew.
"""

import json
from pathlib import Path

import numpy as np

from graphne_viz.encoding.dots import diameter_in, dot_style, letter_scale, line_style
from graphne_viz.encoding.labels import class_names
from graphne_viz.encoding.labels.class_names import LED, find_hearts, name_lines, name_opacity, place_names

FOLDER = Path(__file__).parents[2] / "js" / "test" / "encoding"


def dots():
    pictures = [(900, 600), (400, 300), (2400, 1600)]
    nodes = [
        {"nodes": n, "area": w * h} | dot_style(n, w * h)._asdict()
        for n in (0, 1, 34, 77, 1_000, 2_485, 20_000, 169_343, 683_000)
        for w, h in pictures
    ]
    edges = [
        {"edges": m, "meanLength": length, "width": w, "height": h, "style": line_style(m, length, w, h)._asdict()}
        for m, length in ((0, 0.0), (1, 50.0), (254, 90.0), (5_000, 40.0), (67_000, 25.0), (1_157_799, 60.0))
        for w, h in pictures
    ]
    ranges = [
        {"range": [low, high], "share": share, "diameter": diameter_in((low, high), share)}
        for low, high in ((2, 10), (0, 4))
        for share in (0, 0.25, 1)
    ]
    letters = [
        {"diameter": diameter, "usual": usual, "scale": letter_scale(diameter, usual)}
        for diameter, usual in ((8, 8), (0, 8), (5, 8), (12, 8), (22.6, 8), (80, 8), (2, 1.6))
    ]
    return {"nodes": nodes, "edges": edges, "ranges": ranges, "letters": letters}


def width_of(text, size):
    """Stand in for a measured width, so that no font is needed."""
    return 0.55 * size * len(text)


def clusters(sizes, seed):
    """Return positions and codes: `sizes` are (class, nodes, x, y, spread)."""
    random = np.random.default_rng(seed)
    positions = [random.normal((x, y), spread, (count, 2)) for _, count, x, y, spread in sizes]
    codes = [np.full(count, code) for code, count, *_ in sizes]
    return np.vstack(positions).astype(np.float32).round(3), np.concatenate(codes)


def name_case(name, sizes, labels, *, picture, rings=LED - 1, seed=0, radius=None):
    positions, codes = clusters(sizes, seed)
    hearts = find_hearts(positions, codes, len(labels))
    low, span = positions.min(axis=0), np.ptp(positions, axis=0)
    unit = min(picture[0] / span[0], picture[1] / span[1])
    centers = [(float((heart.x - low[0]) * unit), float(picture[1] - (heart.y - low[1]) * unit)) for heart in hearts]
    x, y = ((positions - low) * unit).T.astype(float)
    discs = [] if radius is None else [(float(a), float(picture[1] - b), radius) for a, b in zip(x, y, strict=True)]
    placed = place_names(hearts, centers, labels, size=picture, measure=width_of, rings=rings, discs=discs)
    return {
        "name": name,
        "positions": [[float(x), float(y)] for x, y in positions],
        "codes": codes.tolist(),
        "labels": labels,
        "size": picture,
        "rings": rings,
        "discs": discs,
        "hearts": [heart._asdict() for heart in hearts],
        "centers": centers,
        "placed": [each._asdict() for each in placed],
    }


def names():
    apart = [(0, 60, -10, 0, 1), (1, 40, 10, 0, 1), (2, 25, 0, 12, 1.5), (3, 2, 0, -12, 0.2)]
    twice = [(0, 50, -10, 0, 1), (0, 45, 10, 3, 1), (1, 70, 0, 10, 1.2), (2, 30, 0, 10, 1.2), (0, 4, 0, -9, 0.3)]
    crowd = [(k, 12 + k, 3 * (k % 5), 3 * (k // 5), 0.6) for k in range(20)]
    many = [f"Department of subject {k}" for k in range(20)]
    return {
        "text": {"pixelsPerLetter": 0.55, "led": LED},
        "constants": {name: getattr(class_names, name) for name in ("SMALLEST_SHARE", "SMALLEST_TEXT", "LARGEST_TEXT")},
        "cases": [
            name_case("three clusters apart", apart, ["Physics", "Law", "Art and music", "few"], picture=(600, 400)),
            name_case("a class in two places", twice, ["Left and right", "Above", ""], picture=(500, 500), seed=1),
            name_case("crowded, in the viewer", crowd, many, picture=(420, 360), seed=2),
            name_case("crowded, with lines", crowd, many, picture=(420, 360), rings=12, seed=2),
            name_case(
                "beside large nodes",
                [(0, 12, -8, 0, 2), (1, 9, 8, 0, 2)],
                ["The left ones", "Right"],
                picture=(600, 400),
                seed=4,
                radius=9.0,
            ),
            name_case("few nodes", [(0, 1, 0, 0, 0.1), (0, 4, 5, 5, 0)], ["Same"], picture=(300, 200), seed=3),
        ],
        "lines": {text: list(name_lines(text)) for text in (*many[:2], "Physics", "", "a" * 50, "two  words here now")},
        "opacity": {str(zoom): name_opacity(zoom) for zoom in (0.5, 1, 1.5, 2.75, 4, 10)},
    }


def examples():
    return {"dots.json": written(dots()), "names.json": written(names())}


def written(value):
    """Write JSON, one entry of a list a line."""
    parts = []
    for key, entries in value.items():
        if isinstance(entries, list):
            lines = ",\n".join(json.dumps(entry) for entry in entries)
            parts.append(f"{json.dumps(key)}: [\n{lines}\n]")
        else:
            parts.append(f"{json.dumps(key)}: {json.dumps(entries)}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


if __name__ == "__main__":
    for file, text in examples().items():
        (FOLDER / file).write_text(text, encoding="utf-8")
