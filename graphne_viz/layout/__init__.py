"""Layouts in the plane by graph t-SNE."""
