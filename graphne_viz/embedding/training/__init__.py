"""How vectors are learned: settings, start, batches, their loss and their steps."""
