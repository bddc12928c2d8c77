"""Graph files: one module a format."""
