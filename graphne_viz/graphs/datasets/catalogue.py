"""The eight graphs of the paper: how large they are, and who publishes them.

The checksums are those that other projects have published for the same files. Of Photo and Computer nobody has; their
content is compared with the paper's table as that of all others is.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from graphne_viz.graphs.datasets.download import Source
from graphne_viz.graphs.datasets.published_files import read_benchmark, read_cites, read_mnist, read_ogb, read_tabs

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from graphne_viz.graphs.datasets.published_files import Raw


class Entry(NamedTuple):
    """A graph of the paper.

    Attributes
    ----------
    title : str
        What the paper calls it.
    nodes, edges : int
        How many it has by the paper's Table 1, where each edge counts twice.
    sources : tuple of Source
    read : callable
        Makes a graph of the files.
    file : str
        What it is called as a file, without .npz.
    slack : float
        Share by which the number of edges may differ.
    """

    title: str
    nodes: int
    edges: int
    sources: tuple[Source, ...]
    read: Callable[[Sequence[Path]], Raw]
    file: str
    slack: float = 0


_LINQS = "https://linqs-data.soe.ucsc.edu/public"
_SHCHUR = "https://github.com/shchur/gnn-benchmark/raw/master/data/npz"
_OGB = "https://snap.stanford.edu/ogb/data/nodeproppred"
_MNIST = "https://ossci-datasets.s3.amazonaws.com/mnist"

CATALOGUE: Mapping[str, Entry] = MappingProxyType(
    {
        "citeseer": Entry(
            "Citeseer",
            2_120,
            7_358,
            (
                Source(
                    f"{_LINQS}/lbc/citeseer.tgz",
                    "sha256:b02ee7b5d83130f8fd45b59017a76fdae3e998629a1904c2c5e07343a9664685",
                ),
            ),
            read_cites,
            "citeseer",
        ),
        "cora": Entry(
            "Cora",
            2_485,
            10_138,
            (
                Source(
                    f"{_LINQS}/lbc/cora.tgz",
                    "sha256:0d4ed463d1627bb7f3e8420effe8f5545fd492ae8f88dab44ce86cee7b26d7e8",
                ),
            ),
            read_cites,
            "cora",
        ),
        "pubmed": Entry(
            "PubMed",
            19_717,
            88_648,
            (Source(f"{_LINQS}/Pubmed-Diabetes.tgz", "md5:9fa24b917990c47e264a94079b9599fe"),),
            read_tabs,
            "pubmed",
        ),
        "photo": Entry(
            "Photo",
            7_487,
            238_086,
            (Source(f"{_SHCHUR}/amazon_electronics_photo.npz", None),),
            read_benchmark,
            "photo",
        ),
        "computer": Entry(
            "Computer",
            13_381,
            491_556,
            (Source(f"{_SHCHUR}/amazon_electronics_computers.npz", None),),
            read_benchmark,
            "computer",
        ),
        "mnist": Entry(
            "MNIST kNN",
            70_000,
            1_501_392,
            tuple(
                Source(f"{_MNIST}/{name}-ubyte.gz", f"sha256:{checksum}")
                for name, checksum in (
                    ("train-images-idx3", "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609"),
                    ("train-labels-idx1", "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c"),
                    ("t10k-images-idx3", "8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6"),
                    ("t10k-labels-idx1", "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6"),
                )
            ),
            read_mnist,
            "mnist_knn",
            slack=0.002,  # the paper searched for neighbours approximately
        ),
        "arxiv": Entry(
            "arXiv",
            169_343,
            2_315_598,
            (
                Source(
                    f"{_OGB}/arxiv.zip",
                    "sha256:49f85c801589ecdcc52cfaca99693aaea7b8af16a9ac3f41dd85a5f3193fe276",
                ),
            ),
            read_ogb,
            "arxiv",
        ),
        "mag": Entry(
            "MAG",
            726_664,
            10_778_888,
            (
                Source(
                    f"{_OGB}/mag.zip",
                    "sha256:2afe62ead87f2c301a7398796991d347db85b2d01c5442c95169372bf5a9fca4",
                ),
            ),
            read_ogb,
            "mag",
        ),
    }
)
"""By the name that `load` knows, from the fewest edges to the most but for PubMed, as in the paper."""
