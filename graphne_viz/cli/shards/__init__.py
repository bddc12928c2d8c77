"""The commands that make a folder of shards and compute with one, alone or in processes that torchrun starts."""
