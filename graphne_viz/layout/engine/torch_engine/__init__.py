"""The engine on torch: the same steps as those of the mesh engine, on any device."""
