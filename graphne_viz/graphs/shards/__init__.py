"""Edges that do not fit into one process: a folder of Parquet files, each process reads its own nodes' rows."""
