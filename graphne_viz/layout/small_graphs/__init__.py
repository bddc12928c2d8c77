"""The last touch on graphs of a few hundred nodes, in which people follow single edges."""
