"""What the README and the guide show works as it stands there, and the README stays short."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
BLOCK = re.compile(r"```python\n(.*?)```", re.DOTALL)
WORDS_IN_THREE_MINUTES = 900


@pytest.mark.parametrize("page", [README, ROOT / "docs" / "guide.md"], ids=lambda page: page.stem)
def test_the_recipes_run_one_after_the_other(page, tmp_path, monkeypatch):
    plt = pytest.importorskip("matplotlib.pyplot")
    for needed in ("torch", "anywidget", "igraph", "pandas"):
        pytest.importorskip(needed)
    monkeypatch.chdir(tmp_path)
    names = {}
    blocks = BLOCK.findall(page.read_text(encoding="utf-8"))
    assert len(blocks) >= 5
    try:
        for block in blocks:
            exec(compile(block, str(page), "exec"), names)  # noqa: S102 - our own text
    finally:
        plt.close("all")
        for widget in [names["w"], *names.get("views", [])] if "w" in names else []:
            widget.close()
    assert {path.suffix for path in tmp_path.iterdir()} >= {".html", ".png", ".svg", ".gexf"}
    assert len(names["pos"]) == len(names["G"])


def test_the_readme_is_read_in_three_minutes():
    text = re.sub(r"```.*?```|!\[.*?\]\(.*?\)", "", README.read_text(encoding="utf-8"), flags=re.DOTALL)
    words = [word for line in text.splitlines() if not line.startswith("|") for word in line.split()]
    assert 500 < len(words) <= WORDS_IN_THREE_MINUTES


def test_the_readme_shows_every_notebook_and_links_to_files_that_are_there():
    text = README.read_text(encoding="utf-8")
    linked = set(re.findall(r"\]\(([^)#:]+)\)", text))
    for notebook in (ROOT / "notebooks").glob("*.ipynb"):
        assert {f"notebooks/{notebook.name}", f"docs/images/{notebook.stem}.png"} <= linked
    assert [path for path in linked if not (ROOT / path).is_file()] == []
