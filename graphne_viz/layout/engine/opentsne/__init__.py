"""openTSNE: its optimiser as an engine, and a callback for anyone's own run of it."""
