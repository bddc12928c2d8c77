"""The optimiser: its loop, the forces, and the compiled kernels."""
