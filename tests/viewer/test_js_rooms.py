"""The linter's rules of who may import whom in the browser's code: every room has one, and nobody breaks it."""

import re
from pathlib import Path

import pytest

JS = Path(__file__).parents[2] / "js"
ROOMS = sorted(folder.name for folder in (JS / "src").iterdir() if folder.is_dir() and folder.name != "styles")
RULE = re.compile(r'"includes": \["src/(\w+)/\*\*"\].*?"group": \["\*\*/\{?([\w,]+)\}?/\*\*"\]', re.DOTALL)
FORBIDDEN = {room: set(others.split(",")) for room, others in RULE.findall((JS / "biome.jsonc").read_text())}
IMPORT = re.compile(r'from "(\.[^"]+)"')


def imported(room):
    """Return the other rooms that files of a room import, from whatever folder."""
    for path in sorted((JS / "src" / room).rglob("*.ts")):
        for found in IMPORT.findall(path.read_text()):
            other = (path.parent / found).resolve().relative_to(JS / "src").parts[0]
            if other != room:
                yield other


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_knows_none_of_those_that_are_made_of_it(room):
    if room == "hosts":  # who may know everybody
        assert room not in FORBIDDEN
        assert all(room in others for others in FORBIDDEN.values())
        return
    assert FORBIDDEN[room] <= set(ROOMS) - {room}
    assert not FORBIDDEN[room] & set(imported(room))


def test_no_two_rooms_know_each_other():
    known = {room: set(imported(room)) for room in ROOMS}
    assert {(one, other) for one in ROOMS for other in known[one] if one in known[other]} == set()
    assert known["data"] == set()
