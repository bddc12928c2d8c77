"""The files about the project say what is so."""

import re
import tomllib
from pathlib import Path

import graphne_viz

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def test_the_version_is_the_same_everywhere():
    (cited,) = re.findall(r"^version: (.+)$", read("CITATION.cff"), re.MULTILINE)
    assert PROJECT["version"] == graphne_viz.__version__ == cited
    assert f"## {cited}" in read("CHANGELOG.md")


def test_the_license_is_the_same_everywhere():
    (cited,) = re.findall(r"^license: (.+)$", read("CITATION.cff"), re.MULTILINE)
    assert cited == PROJECT["license"]


def test_continuous_integration_runs_make_test_on_every_python_that_is_promised():
    workflow = read(".github/workflows/ci.yml")
    (listed,) = re.findall(r"python: \[(.+)\]", workflow)
    promised = [c.rpartition(" ")[2] for c in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", c)]
    assert re.findall(r"[\d.]+", listed) == promised
    assert re.findall(r"- run: (.+)", workflow) == ["make test"]


def test_hooks_run_what_make_lint_runs():
    hooks, makefile = read(".pre-commit-config.yaml"), read("Makefile")
    for command in ("ruff check", "ruff format --check", "mypy"):
        assert f".venv/bin/{command}" in hooks
        assert f"$(BIN)/{command}" in makefile
    assert "npm --prefix js run --silent check" in hooks
    assert "$(NPM) run check" in makefile


def test_every_line_of_the_threat_model_has_its_test():
    text = read("SECURITY.md")
    named = set(re.findall(r"`(test_[a-z_]+)`", text))
    tests = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    assert len(named) > 20
    assert named - set(re.findall(r"def (test_\w+)", tests)) == set()
    (table,) = re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)
    head, line, *rows = table.splitlines()
    assert [cell.strip() for cell in head.strip("|").split("|")] == ["who", "what", "held by"]
    assert set(line) == set("|-")
    assert len(rows) > 20
    test = r"`(?:test_[a-z_]+|js/test/[a-z/-]+\.test\.ts)`"
    assert [row for row in rows if not re.search(rf"\| {test}(?:, {test})* \|$", row)] == []
    assert [path for path in re.findall(r"`(js/test/[^`]+)`", text) if not (ROOT / path).is_file()] == []


def test_the_project_says_where_it_lives():
    assert {"Documentation", "Source", "Issues", "Changelog"} == set(PROJECT["urls"])
    assert len({url.split("/")[4] for url in PROJECT["urls"].values()}) == 1


def test_the_map_of_the_rooms_names_what_is_there():
    text = read("CONTRIBUTING.md")
    paths = set(re.findall(r"`((?:graphne_viz|js/src|tests|benchmarks|docs)/[\w./-]+)`", text))
    assert len(paths) > 15
    missing = [path for path in paths if not (ROOT / path).exists()]
    assert not missing
    for room in (path for path in (ROOT / "graphne_viz").iterdir() if (path / "__init__.py").exists()):
        assert f"| `{room.name}/` |" in text
