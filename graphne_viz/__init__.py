"""Graph layouts by neighbour embedding: graph t-SNE for networkx and igraph."""
