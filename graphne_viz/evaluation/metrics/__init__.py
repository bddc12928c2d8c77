"""Metrics of layouts and embeddings."""
