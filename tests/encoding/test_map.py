"""Dots by their number, and names of classes on the map."""

import map_examples
import numpy as np
import pytest

from graphne_viz.encoding.dots import dot_style, line_style
from graphne_viz.encoding.labels.class_names import find_hearts, name_opacity, place_names


def test_the_examples_of_the_browser_are_what_is_computed_today():
    for file, text in map_examples.examples().items():
        assert (map_examples.FOLDER / file).read_text(encoding="utf-8") == text, file


def test_many_nodes_are_smaller_and_more_translucent():
    styles = [dot_style(n, 540_000) for n in (30, 300, 3_000, 30_000, 300_000, 3_000_000)]
    assert [style.radius for style in styles] == sorted((style.radius for style in styles), reverse=True)
    assert [style.opacity for style in styles] == sorted((style.opacity for style in styles), reverse=True)
    assert styles[0].opacity == 1
    for n in (169_343, 683_000):
        radius, opacity = dot_style(n, 540_000)
        ink = n * np.pi * radius**2 * opacity / 540_000
        assert 0.1 < ink < 0.5, "a tint in which denser places show, not a carpet"


def test_edges_stay_a_tint_however_many_they_are():
    few, many = line_style(200, 60, 900, 600), line_style(2_000_000, 60, 900, 600)
    assert (few.alpha > 0.5, many.alpha < 0.02) == (True, True)
    assert few.width > many.width == 1
    assert many.depth == pytest.approx(0.4, abs=0.05)


def test_a_class_has_a_name_in_each_of_its_clusters_and_small_ones_have_none():
    sizes = [(0, 50, -10, 0, 1), (0, 45, 10, 3, 1), (1, 70, 0, 10, 1), (0, 4, 0, -9, 0.3), (2, 2, 5, -5, 0.1)]
    hearts = find_hearts(*map_examples.clusters(sizes, 1), 3)
    assert [heart.code for heart in hearts] == [1, 0, 0]
    found = [(heart.x, heart.y) for heart in hearts]
    np.testing.assert_allclose(found, [(0, 10), (-10, 0), (10, 3)], atol=0.6)
    assert sum(heart.nodes for heart in hearts) >= 0.95 * 165


def test_names_never_overlap_and_stay_within_the_picture():
    for case in map_examples.names()["cases"]:
        boxes = []
        for _, lines, x, y, size, _ in (each.values() for each in case["placed"]):
            half = max(map_examples.width_of(line, size) for line in lines) / 2, 1.15 * len(lines) * size / 2
            boxes.append((x - half[0], y - half[1], x + half[0], y + half[1]))
        for k, (left, top, right, bottom) in enumerate(boxes):
            assert 0 <= left < right <= case["size"][0]
            assert 0 <= top < bottom <= case["size"][1]
            assert not any(left < r and right > a and top < b and bottom > t for a, t, r, b in boxes[:k]), case["name"]


def test_with_lines_that_lead_more_names_find_a_place():
    near, led = (case["placed"] for case in map_examples.names()["cases"][2:4])
    assert len(near) < len(led)
    assert not any(each["led"] for each in near)
    assert any(each["led"] for each in led)


def test_names_of_larger_clusters_are_larger_and_fade_as_one_zooms_in():
    placed = place_names(*hearts_in_a_row(), size=(900, 300), measure=map_examples.width_of)
    sizes = [each.size for each in placed]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > 1.2 * sizes[-1]
    assert [name_opacity(zoom) for zoom in (1, 1.5, 2.75, 4, 9)] == [1, 1, 0.5, 0, 0]


def hearts_in_a_row():
    hearts = find_hearts(*map_examples.clusters([(k, 10 + 40 * k, 10 * k, 0, 1) for k in range(4)], 0), 4)
    return hearts, [(100 + 20 * heart.x, 150) for heart in hearts], list("abcd")


def test_nothing_has_no_names():
    assert find_hearts(np.zeros((0, 2)), np.zeros(0, dtype=int), 0) == []
    alone = find_hearts(np.ones((5, 2)), np.zeros(5, dtype=int), 1)
    assert alone == [(0, 1, 1, 5)]
    assert place_names([], [], [], size=(100, 100), measure=map_examples.width_of) == []
