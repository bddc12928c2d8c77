"""Other ways to place the nodes of a graph, one file a family."""
