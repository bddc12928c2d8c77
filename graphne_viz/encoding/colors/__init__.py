"""From a column to the colours of nodes, and the palettes these come from."""
