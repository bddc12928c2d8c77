"""Where the nodes stand before the optimiser moves them."""
