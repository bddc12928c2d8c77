"""What make soak says of curves: which of them grow."""

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1] / "scripts" / "soak"))

from curves import Curves, curve


def curves_of(name, values):
    curves = Curves()
    for value in values:
        curves.add({name: value})
    return curves


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("RSS MB", [200 + 2 * k for k in range(30)]),
        ("JS heap MB", [30 + 0.3 * k for k in range(30)]),
        ("threads", [9] * 20 + [10] * 10),
        ("open files", [90 + k for k in range(30)]),
        ("WebGL contexts", [1] * 20 + [2] * 10),
        ("elements", [800 + 5 * k for k in range(30)]),
        ("listeners", [100 + 4 * k for k in range(30)]),
    ],
)
def test_what_is_left_of_every_round_grows(name, values):
    curves = curves_of(name, values)
    assert curves.growing() == [name]
    assert curves.rows("story")[0].endswith("| GROWS |")


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("RSS MB", [170, 220, 260, 290, 300, *[310 + k % 3 for k in range(25)]]),
        ("JS heap MB", [30, 33, 35, *[36 + k % 2 for k in range(27)]]),
        ("threads", [9, 12, *[9] * 28]),
        ("open files", [90, 110, *[118 + k % 5 for k in range(28)]]),
        ("elements", [800 + 2 * k for k in range(60)]),
    ],
)
def test_what_fills_once_or_varies_is_flat(name, values):
    curves = curves_of(name, values)
    assert curves.growing() == []
    assert curves.rows("story")[0].endswith("| flat |")


def test_a_curve_has_a_bar_for_each_of_few_values_and_thirty_of_many():
    assert curve([5, 5, 5]) == "▁▁▁"
    assert len(curve(list(range(500)))) == 30
