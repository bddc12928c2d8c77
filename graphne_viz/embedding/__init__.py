"""128-dimensional vectors of nodes, learned by InfoNCE."""
