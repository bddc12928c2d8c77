"""Notebooks run from top to bottom, and are committed without what they print."""

from pathlib import Path

import nbformat
import pytest

FOLDER = Path(__file__).parents[2] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
SECONDS = 300  # for a cell, on a busy machine


def read(path):
    return nbformat.read(path, as_version=4)


def code_of(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def test_there_are_notebooks():
    assert NOTEBOOKS


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_no_outputs_are_committed(path):
    notebook = read(path)
    nbformat.validate(notebook)
    for cell in code_of(notebook):
        assert not cell.outputs
        assert cell.execution_count is None


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_the_notebook_runs_without_errors_or_warnings(path, tmp_path):
    from nbclient import NotebookClient

    notebook = read(path)
    resources = {"metadata": {"path": str(tmp_path)}}  # what a notebook writes does not stay
    NotebookClient(notebook, timeout=SECONDS, kernel_name="python3", resources=resources).execute()
    outputs = [output for cell in code_of(notebook) for output in cell.outputs]
    assert not [output.text for output in outputs if output.get("name") == "stderr"]
    assert any("image/png" in output.get("data", {}) for output in outputs)
