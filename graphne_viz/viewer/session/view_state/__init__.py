"""What a view looks like and leaves out: settings, camera, filters, sets of nodes, colours of classes."""
