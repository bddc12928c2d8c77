"""How the command refuses what it cannot do."""

from pathlib import Path

from graphne_viz.cli import main


def check_refused(arguments, message, capsys, folder="."):
    """Check that a command ends with code 2, says why in one sentence, and leaves a folder as it was."""
    before = sorted(Path(folder).rglob("*"))
    assert main(arguments) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("graphne: ")
    assert said.err.count("\n") == 1
    assert message in said.err
    assert "Traceback" not in said.err
    assert sorted(Path(folder).rglob("*")) == before
