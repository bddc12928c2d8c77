"""For users of scanpy: ``graphne_viz.tl.graphne(adata)``, as ``sc.tl.umap(adata)``."""

from graphne_viz.embedding.exchange.annotated_data import graphne

__all__ = ["graphne"]
