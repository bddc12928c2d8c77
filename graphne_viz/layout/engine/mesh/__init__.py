"""The particle mesh of repulsion: which one is used, and its compiled loops."""
