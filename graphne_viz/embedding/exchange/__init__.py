"""Embeddings in files and in the objects of other libraries."""
