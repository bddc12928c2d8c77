"""What the README shows works as it stands there."""

import re
from pathlib import Path

import pytest

README = Path(__file__).parents[1] / "README.md"
BLOCKS = re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL)


def test_the_recipes_run_one_after_the_other(tmp_path, monkeypatch):
    plt = pytest.importorskip("matplotlib.pyplot")
    for needed in ("torch", "anywidget", "igraph", "pandas"):
        pytest.importorskip(needed)
    monkeypatch.chdir(tmp_path)
    names = {}
    assert len(BLOCKS) > 5
    try:
        for block in BLOCKS:
            exec(compile(block, str(README), "exec"), names)  # noqa: S102 - our own text
    finally:
        plt.close("all")
        if "w" in names:
            names["w"].close()
    assert {path.suffix for path in tmp_path.iterdir()} >= {".html", ".png", ".svg", ".gexf"}
    assert len(names["pos"]) == len(names["G"])
