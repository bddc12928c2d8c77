"""What training returns: a vector for each node, and how it came about."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, fields
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from graphne_viz._checks import check_integer
from graphne_viz._keywords import keywords_of
from graphne_viz._lazy import lazy_import
from graphne_viz.embedding.keywords import EmbedKeywords
from graphne_viz.embedding.training.state import frozen
from graphne_viz.graphs.adjacency import DEFAULT_WEIGHT
from graphne_viz.graphs.graph import Origin

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping, Sequence
    from os import PathLike

    import torch
    from numpy.typing import DTypeLike, NDArray

    from graphne_viz._types import Foreign
    from graphne_viz.embedding.exchange import npz_file
    from graphne_viz.embedding.neighbors import links
    from graphne_viz.embedding.training import transform
    from graphne_viz.embedding.training.state import State
    from graphne_viz.graphs.convert import vectors as vector_files
else:
    torch = lazy_import("torch", needs="to_torch needs torch: pip install 'graphne-viz[embed]'")
    links = lazy_import("graphne_viz.embedding.neighbors.links")
    npz_file = lazy_import("graphne_viz.embedding.exchange.npz_file")
    transform = lazy_import("graphne_viz.embedding.training.transform")
    vector_files = lazy_import("graphne_viz.graphs.convert.vectors")

CURVES = ("epoch", "loss", "temperature", "recall")
"""What every history has."""


_DEVICE: str = keywords_of(EmbedKeywords)["device"].default

_SLICE: type = slice  # so that the checker does not say that no node is one


@dataclass(frozen=True, eq=False)
class Embedding:
    """A unit vector for each node of a graph, read-only.

    It is a mapping from nodes to vectors: ``E[node]``, ``node in E``, ``len(E)``, and iterating gives the nodes.
    To numpy it is the array of its vectors.

    Attributes
    ----------
    vectors : ndarray of float32, shape (n, d)
        Rows of length 1, in the graph's order.
    ids : sequence of hashable, length n
        What the caller calls the nodes.
    history : mapping of str to ndarray of float64, shape (h,)
        ``epoch``, ``loss``, ``temperature`` and ``recall``, one entry for every epoch done; the last ``epoch`` is a
        fraction if training was interrupted within it.
    settings : mapping
        How it was trained, in values JSON can hold.
    isolated : ndarray of bool, shape (n,)
        Nodes without neighbours. They have a vector, but nothing was learned about them.
    origin : str
        The family of libraries the graph came from.
    state : State or None
        What training resumes from.

    Examples
    --------
    >>> history = {"epoch": [1], "loss": [0.9], "temperature": [0.05], "recall": [1.0]}
    >>> E = Embedding(np.eye(3)[[0, 0, 1]], ("a", "b", "c"), history, {"epochs": 1}, [False, False, True])
    >>> E
    Embedding(3 nodes, 3 dimensions, 1 of 1 epochs, recall 1.00)
    >>> E.most_similar("b", 1)
    [('a', 1.0)]
    """

    vectors: NDArray[np.float32]
    ids: Sequence[Hashable]
    history: Mapping[str, NDArray[np.float64]]
    settings: Mapping[str, Any]
    isolated: NDArray[np.bool_]
    origin: Origin = "array"
    state: State | None = None

    def __post_init__(self) -> None:
        """Check that everything fits together and freeze it."""
        ids = self.ids if isinstance(self.ids, range) else tuple(self.ids)
        n = len(ids)
        vectors, isolated = frozen(self.vectors, np.float32), frozen(self.isolated, np.bool_)
        if vectors.ndim != 2 or len(vectors) != n:
            raise ValueError(f"vectors has shape {vectors.shape}; it must be ({n}, d) for {n} ids")
        finite = np.isfinite(vectors).all(axis=1)
        if not finite.all():
            raise ValueError(f"the vector of node {ids[int((~finite).argmax())]!r} is not finite")
        if isolated.shape != (n,):
            raise ValueError(f"isolated has shape {isolated.shape}; it must be ({n},)")
        if self.origin not in get_args(Origin):
            raise ValueError(f"origin={self.origin!r} is not one of {', '.join(map(repr, get_args(Origin)))}")
        if self.state is not None and self.state.parameters.shape != vectors.shape:
            raise ValueError(f"the state is of shape {self.state.parameters.shape}, the vectors of {vectors.shape}")
        parts = {
            "ids": ids,
            "vectors": vectors,
            "isolated": isolated,
            "history": _checked_history(self.history),
            "settings": _checked_settings(self.settings),
        }
        for name, part in parts.items():
            object.__setattr__(self, name, part)

    def __repr__(self) -> str:
        total = self.settings.get("epochs", self.epochs)
        size = f"{len(self):,} node{'' if len(self) == 1 else 's'}, {self.dim} dimensions"
        return f"Embedding({size}, {self.epochs:,} of {total:,} epochs, recall {self.recall:.2f})"

    def __reduce__(self) -> tuple[type[Embedding], tuple[Any, ...]]:
        """Rebuild from the fields: a read-only mapping cannot be pickled as such."""
        plain = {name: dict(getattr(self, name)) for name in ("history", "settings")}
        return type(self), tuple(plain.get(field.name, getattr(self, field.name)) for field in fields(self))

    def __len__(self) -> int:
        return len(self.ids)

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self.ids)

    def __contains__(self, node: object) -> bool:
        return node in self._places

    def __getitem__(self, node: Hashable) -> NDArray[np.float32]:
        """Return the vector of a node, shape (d,)."""
        vector: NDArray[np.float32] = self.vectors[self._place(node)]
        return vector

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:  # noqa: FBT001 -- numpy's
        return np.array(self.vectors, dtype=dtype, copy=copy)

    @property
    def dim(self) -> int:
        """Number of dimensions."""
        return int(self.vectors.shape[1])

    @property
    def temperature(self) -> float:
        """The last temperature; NaN if nothing was trained."""
        return self._last("temperature")

    @property
    def recall(self) -> float:
        """The last neighbour recall; NaN if nothing was trained."""
        return self._last("recall")

    @property
    def epochs(self) -> int:
        """Number of epochs done."""
        if self.state is not None:
            return self.state.epoch
        done = self._last("epoch")
        return 0 if math.isnan(done) else int(done)

    @property
    def complete(self) -> bool:
        """Whether all epochs are done that were asked for."""
        return self.epochs >= int(self.settings.get("epochs", 0))

    def _last(self, curve: str) -> float:
        values = self.history[curve]
        return float(values[-1]) if len(values) else math.nan

    @cached_property
    def _places(self) -> dict[Hashable, int]:
        # Backwards, so that of equal ids the first one counts.
        return {node: place for place, node in zip(range(len(self) - 1, -1, -1), reversed(self.ids), strict=True)}

    def _place(self, node: Hashable) -> int:
        if isinstance(node, _SLICE):  # which newer Pythons can hash
            raise TypeError(f"{node!r} cannot be a node; all vectors are in .vectors")
        try:
            return self._places[node]
        except KeyError:
            some = ", ".join(repr(other) for other in self.ids[:3])
            raise KeyError(f"there is no node {node!r}; the first nodes are {some}") from None
        except TypeError:
            raise TypeError(f"{node!r} cannot be a node; all vectors are in .vectors") from None

    def most_similar(self, node: Hashable, k: int = 10) -> list[tuple[Hashable, float]]:
        """Return the nodes whose vectors point in the most similar direction.

        Parameters
        ----------
        node : hashable
        k : int, default 10
            How many; fewer are returned where there are no more.

        Returns
        -------
        list of (node, float)
            With their cosine similarity, the most similar first, without the node itself. Of equally similar
            ones those come first that come first in the graph.

        Raises
        ------
        KeyError
            If there is no such node.
        """
        check_integer("k", k, least=1)
        place = self._place(node)
        # Row by row, unlike a matrix product, so that equal vectors are equally similar.
        similarity = np.clip(np.einsum("ij,j->i", self.vectors, self.vectors[place]), -1, 1)
        similarity[place] = -np.inf
        k = min(k, len(self) - 1)
        if not k:
            return []
        least = np.partition(similarity, -k)[-k]
        candidates = np.flatnonzero(similarity >= least)
        best = candidates[np.argsort(-similarity[candidates], kind="stable")][:k]
        return [(self.ids[i], float(similarity[i])) for i in best.tolist()]

    def predict_links(self, G: Foreign, k: int = 10) -> list[tuple[Hashable, Hashable, float]]:
        """Return the most similar pairs of nodes that no edge joins: the links most likely missing, or to come.

        Parameters
        ----------
        G : graph
            The graph that was embedded, or a later one of the same nodes: an embedding has no edges.
        k : int, default 10
            How many; fewer are returned where there are no more. The whole graph is looked through, in time quadratic
            in its size, and in memory that is not.

        Returns
        -------
        list of (node, node, float)
            With their cosine similarity, the most similar first. Nodes without neighbours are in none.
        """
        return links.predict_links(self, G, k)

    def transform(self, G: Foreign, *, weight: str | None = DEFAULT_WEIGHT, seed: int = 0) -> Embedding:
        """Return an embedding of a graph that new nodes have come to; the vectors of the old ones stay as they are.

        Each new vector is turned until the node's neighbours are its nearest nodes. The cost is in proportion to the
        number of new nodes; `update` trains all of them.

        Parameters
        ----------
        G : graph
            With all nodes of this embedding, and new ones.
        weight : str or None, default "weight"
            As for `embed`; give what was given there.
        seed : int, default 0

        Returns
        -------
        Embedding
            Of all nodes of `G`, in its order. New nodes without neighbours have random directions.
        """
        return transform.transform(self, G, weight=weight, seed=seed)

    def update(
        self,
        G: Foreign,
        *,
        weight: str | None = DEFAULT_WEIGHT,
        epochs: int | None = None,
        seed: int = 0,
        device: str = _DEVICE,
    ) -> Embedding:
        """Train on with a graph that has changed, from where training was.

        Parameters
        ----------
        G : graph
            With all nodes of this embedding, and perhaps new ones; its edges may be others.
        weight : str or None, default "weight"
            As for `embed`; give what was given there.
        epochs : int, optional
            By default a quarter of those the embedding had, at least 5, with a lower learning rate.
        seed : int, default 0
        device : str, default "auto"
            As for `embed`.

        Returns
        -------
        Embedding
            Of all nodes of `G`, in its order.
        """
        return transform.update(self, G, weight=weight, epochs=epochs, seed=seed, device=device)

    def save(self, path: str | PathLike[str], *, state: bool = True) -> None:
        """Write everything to an npz file, which is replaced only when the new one is complete.

        Parameters
        ----------
        path : path-like
            Must end in .npz.
        state : bool, default True
            Whether to write what training resumes from, which takes three times the space of the vectors.

        Raises
        ------
        ValueError
            If a node is not a number, text or a tuple of these; nothing is written then.
        """
        npz_file.write_embedding(path, self, state=state)

    @classmethod
    def load(cls, path: str | PathLike[str], *, max_size: int | str | None = None) -> Embedding:
        """Read what `save` wrote.

        Parameters
        ----------
        path : path-like
        max_size : int or str, optional
            Bytes that the file may unpack to, or text such as "4GB". By default 32 times its size and at least 33 MB;
            what `save` wrote is not compressed.

        Raises
        ------
        ValueError
            If the file is anything else, broken, or larger within than `max_size`. Nothing in a file is ever run.
        """
        return npz_file.read_embedding(path, max_size)

    def to_frame(self) -> Foreign:
        """Return a pandas table with a row for each node, indexed by the nodes, and columns x0, x1, ..."""
        return vector_files.vectors_as_frame(self.ids, self.vectors)

    def to_anndata(self, positions: Foreign = None) -> Foreign:
        """Return AnnData: the vectors in ``obsm["X_graphne_vectors"]``, settings and history in ``uns["graphne"]``.

        ``obs`` is indexed by the nodes as text and holds ``isolated``.

        Parameters
        ----------
        positions : dict, igraph.Layout or array of shape (n, 2), optional
            What `project` returned. Goes to ``obsm["X_graphne"]``, which scanpy draws.
        """
        about = {"settings": self.settings, "history": self.history}
        return vector_files.vectors_as_anndata(
            self.ids, self.vectors, positions=positions, obs={"isolated": self.isolated}, about=about
        )

    def to_torch(self) -> torch.Tensor:
        """Return a float tensor of its own, shape (n, dim); needs torch."""
        return torch.tensor(self.vectors)

    def to_csv(self, path: str | PathLike[str]) -> None:
        """Write a row for each node: id, x0, x1, ... With .gz at the end of the name it is compressed."""
        vector_files.write_csv(path, self.ids, self.vectors)

    def to_parquet(self, path: str | PathLike[str]) -> None:
        """Write a Parquet table with columns id, x0, x1, ...; needs pyarrow."""
        vector_files.write_parquet(path, self.ids, self.vectors)

    def save_word2vec(self, path: str | PathLike[str]) -> None:
        """Write the text format of word2vec, which gensim's ``KeyedVectors.load_word2vec_format`` reads.

        White space in names becomes ``_``, and names that become equal get a number.
        """
        vector_files.write_word2vec(path, self.ids, self.vectors)


def _checked_history(history: Mapping[str, Any]) -> Mapping[str, NDArray[np.float64]]:
    missing = [name for name in CURVES if name not in history]
    if missing:
        raise ValueError(f"history lacks {', '.join(map(repr, missing))}")
    curves = {name: frozen(values, np.float64) for name, values in history.items()}
    for name, values in curves.items():
        if not isinstance(name, str) or not name.isidentifier():
            raise ValueError(f"{name!r} in history is not a plain name")
        if values.ndim != 1 or values.shape != curves["epoch"].shape:
            raise ValueError(f"{name!r} in history has shape {values.shape}, 'epoch' {curves['epoch'].shape}")
    return MappingProxyType(curves)


def _checked_settings(settings: Mapping[str, Any]) -> Mapping[str, Any]:
    """Copy settings through JSON, so that they are after saving and loading what they were before."""
    try:
        plain = json.loads(json.dumps(dict(settings), allow_nan=False))
    except (TypeError, ValueError) as error:
        raise ValueError(f"settings must hold plain numbers, text and lists: {error}") from None
    if "epochs" in plain:
        check_integer("the setting epochs", plain["epochs"], least=0)
    return MappingProxyType(plain)
