"""Graphs of other libraries become our `Graph`, and go back."""
