"""How good a layout or an embedding is, in figures."""
