"""Try an installed wheel: a layout, a picture, files, a page, and what each extra promises.

Run by an environment's Python, with the extras that were installed as arguments; warnings are errors.
"""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import tempfile
from importlib.util import find_spec
from pathlib import Path

import networkx as nx
import numpy as np

import graphne_viz
from graphne_viz import graphne_layout, plot

_TORCH = {"cluster", "embed", "all"}
_SCRIPT = Path(sysconfig.get_path("scripts")) / "graphne"


def graphne(*arguments: str | Path) -> None:
    """Run the command that was installed."""
    # An environment within another has the other's packages, but not its scripts.
    command = [_SCRIPT] if _SCRIPT.exists() else [sys.executable, "-m", "graphne_viz"]
    done = subprocess.run([*command, *arguments], stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 0, done.stderr


def base(folder: Path) -> None:
    """Lay out, draw, write, read and run the command."""
    G = nx.les_miserables_graph()
    pos = graphne_layout(G)
    assert list(pos) == list(G)
    assert np.isfinite(list(pos.values())).all()
    plot(G, pos).figure.savefig(folder / "own.png")
    nx.write_graphml(G, folder / "g.graphml")
    written = [folder / name for name in ("g.png", "g.svg", "g.html", "g.gexf", "g.csv", "g.npz")]
    graphne("layout", folder / "g.graphml", *(part for path in written for part in ("-o", path)))
    assert all(path.stat().st_size for path in [folder / "own.png", *written])
    assert len(nx.read_gexf(folder / "g.gexf")) == len(G)
    # Whoever has no pandas needs none.
    assert find_spec("pandas") is None


def viewer() -> None:
    """Make a widget and let it run."""
    from graphne_viz import view

    widget = view(nx.les_miserables_graph())
    widget.run.wait()
    assert widget.run.state == "finished"
    widget.close()


def embed() -> None:
    """Train a few vectors."""
    from graphne_viz import embed

    vectors = embed(nx.karate_club_graph(), dim=8, epochs=2).vectors
    assert vectors.shape == (34, 8)
    assert np.isfinite(vectors).all()


def cluster(folder: Path) -> None:
    """Sort edges into shards and lay those out."""
    (folder / "edges.csv").write_text("source,target\n" + "".join(f"{i},{i + 1}\n" for i in range(50)))
    graphne("prepare", folder / "edges.csv", "-o", folder / "shards")
    assert any((folder / "shards").iterdir())


def others() -> None:
    """Take an igraph graph and look for neighbours by faiss."""
    import faiss
    import igraph as ig

    layout = graphne_layout(ig.Graph.Famous("Zachary"))
    assert isinstance(layout, ig.Layout)
    assert faiss.IndexFlatL2(2).d == 2


def missing(extras: set[str]) -> None:
    """Say in a sentence what to install for an extra that is not there."""
    G = nx.path_graph(3)
    for needed, call in (("viewer", graphne_viz.view), ("embed", graphne_viz.embed)):
        if extras & ({"viewer", "all"} if needed == "viewer" else _TORCH):
            continue
        try:
            call(G)
        except ImportError as error:
            said = str(error)
        else:
            said = "nothing"
        assert f"graphne-viz[{needed}]" in said, f"{needed} without its extra says {said}"


def main() -> None:
    """Try what was installed."""
    extras = set(sys.argv[1:])
    assert extras or _SCRIPT.exists(), "the wheel brings no command"
    assert Path(graphne_viz.__file__).is_relative_to(Path(sysconfig.get_path("purelib")).parents[2].parent)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        base(folder)
        if extras & {"viewer", "all"}:
            viewer()
        if extras & _TORCH:
            embed()
        if extras & {"cluster", "all"}:
            cluster(folder)
        if extras & {"data", "all"}:
            import pooch

            assert pooch.file_hash
        if "all" in extras:
            others()
        missing(extras)


if __name__ == "__main__":
    main()
