"""A process that has a share of a training; `graphne_viz.embedding.distributed.workers` starts it."""

from __future__ import annotations

import sys

from graphne_viz.embedding.distributed.workers import serve
from graphne_viz.layout.engine.torch_engine.processes import run_worker

if __name__ == "__main__":
    run_worker(sys.argv[1:], serve)
