"""A layout by processes each of which has the rows of its own nodes, and no process has the whole graph."""
