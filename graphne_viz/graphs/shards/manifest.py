"""What stands in a folder of shards: the manifest, and the check that the files beside it are those it speaks of.

A folder of shards holds

    manifest.json        what this file reads and writes
    edges-00000.parquet  ``source``, ``target`` (integers), ``weight`` (float64): sorted by source, then target
    nodes-00000.parquet  ``index``, ``id`` (as the caller had it), ``degree``: of the same nodes

Every pair of neighbours stands in both directions, so that the rows of a node are all it needs, and in one file.
"""

from __future__ import annotations

import json
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphne_viz._lazy import lazy_import
from graphne_viz._version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa
    from pyarrow import parquet

    from graphne_viz._types import PathLike
else:
    pa = lazy_import("pyarrow", needs="shards need pyarrow: pip install 'graphne-viz[cluster]'")
    parquet = lazy_import("pyarrow.parquet", needs="shards need pyarrow: pip install 'graphne-viz[cluster]'")

FORMAT = 1
"""Of the folder; one that is newer is refused."""

MANIFEST = "manifest.json"

RUN = b"graphne_run"
"""Name under which every file has the run that wrote it."""


@dataclass(frozen=True)
class Shard:
    """One file.

    Attributes
    ----------
    file : str
        Its name within the folder.
    rows : int
        Number of rows.
    first_node, last_node : int
        Nodes whose rows it has, the last one included. Files follow each other without gaps.
    """

    file: str
    rows: int
    first_node: int
    last_node: int

    @property
    def stop(self) -> int:
        """One past the last node."""
        return self.last_node + 1


@dataclass(frozen=True)
class Manifest:
    """What a folder of shards says about itself.

    Attributes
    ----------
    run : str
        Different for every folder that was ever written, and noted in each of its files.
    nodes, edges : int
        Of the graph; a pair of neighbours is one edge.
    weighted : bool
        Whether any weight differs from 1; otherwise the weights need not be read.
    shards, node_shards : tuple of Shard
        Files of the edges and of the nodes, in order.
    versions : dict
        Of the programs that wrote it.
    """

    run: str
    nodes: int
    edges: int
    weighted: bool
    shards: tuple[Shard, ...]
    node_shards: tuple[Shard, ...]
    versions: dict[str, str] = field(default_factory=dict)

    def write(self, folder: Path) -> None:
        """Write it; as the last file of a folder, which without it is none."""
        text = json.dumps({"format": FORMAT, **asdict(self)}, indent=1)
        (folder / MANIFEST).write_text(f"{text}\n", encoding="utf-8")


def present_versions(**others: str) -> dict[str, str]:
    """Return the versions of what writes a folder here and now."""
    return {"graphne_viz": __version__, "pyarrow": pa.__version__, **others}


def read_manifest(folder: PathLike) -> Manifest:
    """Read what a folder says about itself, and refuse one that is not whole.

    Raises
    ------
    FileNotFoundError
        If there is no folder, or a file of it is missing.
    ValueError
        If the folder is of another kind or a file of another run.
    """
    folder = Path(folder)
    path = folder / MANIFEST
    if not path.is_file():
        raise FileNotFoundError(f"{folder} is not a folder of shards: it has no {MANIFEST}; graphne prepare makes one")
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        manifest = _parse(found) if found["format"] == FORMAT else None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise ValueError(f"{path} is damaged; prepare the folder again") from None
    if manifest is None:
        raise ValueError(f"{path} has format {found['format']!r}; this version reads format {FORMAT}")
    for shard in (*manifest.shards, *manifest.node_shards):
        _check(folder / shard.file, shard, manifest.run)
    return manifest


def _parse(found: dict[str, Any]) -> Manifest:
    """Make a manifest of what JSON had."""
    edges, nodes = (tuple(Shard(**one) for one in found[name]) for name in ("shards", "node_shards"))
    for shards in (edges, nodes):
        ends = [0, *(shard.stop for shard in shards)]
        starts = [*(shard.first_node for shard in shards), found["nodes"]]
        if ends != starts or any(Path(shard.file).name != shard.file for shard in shards):
            raise ValueError("gaps between the files, or one elsewhere")
    return Manifest(
        run=str(found["run"]),
        nodes=int(found["nodes"]),
        edges=int(found["edges"]),
        weighted=bool(found["weighted"]),
        shards=edges,
        node_shards=nodes,
        versions=dict(found["versions"]),
    )


def _check(path: Path, shard: Shard, run: str) -> None:
    """Refuse a file that is missing, broken or not of this run."""
    if not path.is_file():
        raise FileNotFoundError(f"the shard {path} is missing; copy the whole folder, or prepare it again")
    with in_one_sentence(path):
        metadata = parquet.read_metadata(path)
    if (metadata.metadata or {}).get(RUN) != run.encode() or metadata.num_rows != shard.rows:
        raise ValueError(f"the shard {path} is of another run than {MANIFEST} beside it; prepare the folder again")


@contextmanager
def in_one_sentence(path: Path) -> Iterator[None]:
    """Say that a shard is damaged where pyarrow raises any of its many errors, or a column is missing.

    Errors of the system, which have a number, stay what they are.
    """
    try:
        yield
    except (pa.ArrowException, OSError, KeyError, ValueError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise ValueError(f"the shard {path} is not a readable Parquet file; prepare the folder again") from None
