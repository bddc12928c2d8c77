"""Training by several processes, each of which has the vectors, the moments and the edges of its own nodes."""
