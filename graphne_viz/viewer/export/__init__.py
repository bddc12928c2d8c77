"""Files that a view is saved to."""
