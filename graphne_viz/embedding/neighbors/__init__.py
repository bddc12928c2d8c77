"""Which nodes are near each other by their vectors, and which of them have no edge."""
