"""Which edges come when, and in which batches."""
