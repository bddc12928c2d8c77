"""Predict memory and time of embeddings by many GPUs, from bytes and operations that are counted here: not measured.

python benchmarks/embedding_model.py

`embedding_counted.py` prints each formula beside what the program counts, and `tests/test_scaling_model.py` holds it to
them. Bandwidths are those of `scaling_model.py`, of which half is taken as reached between devices; what an operation
and an exchange take at least is assumed.
"""

from __future__ import annotations

from dataclasses import dataclass

from scaling_model import H100, H100_FAR, REACHED_BETWEEN

from graphne_viz.embedding.training.recall import NODES
from graphne_viz.embedding.training.settings import (
    EPOCH_POWER,
    FEWEST_EPOCHS,
    LARGE,
    LEAST_EPOCHS,
    MOST_EPOCHS,
    STEP,
    VISITS,
)

DIM = 128

TABLES, DRAWN_FROM = 12, 12
"""Bytes of a number of an own vector with its two moments, and of a directed edge that is drawn from: what
`ShardTrainer.bytes` counts."""

HOST_EDGE = 92
"""Most bytes of a directed edge on the host in an epoch: rows of the matrix (12), what is drawn from (12), means over
neighbours (16), and drawing itself."""

START_NUMBER, START_NODE = 70, 700
"""Most bytes on the host of a number of an own vector, and of an own node, while the start is computed by diffusion
maps, in 64 bits. A random start takes less than the training."""

FINISH_NUMBER, FINISH_BLOCK = 40, 65_536
"""Most bytes on the host of a number of an own vector in the end, beside the vectors, and most nodes whose vectors
come in a block."""

WITH_TABLES = 16
"""Bytes of a number of an own vector on the device while vectors are made of the tables, to measure recall."""

ROWS, WORDS = 3.8, 51
"""Rows that come to a process for an edge of its share of the batches: both ends are fetched, and gradients for as many
come back, some of them for several edges at once. Bytes that tell which rows, and which edges."""

MEANS, STEPS_OF_WALK = 1.0, 8
"""Rows that come for a directed edge in a mean over neighbours, at most; such means are one after an epoch and eight
in the end."""

BATCH = 128
"""Edges of a batch."""

OPERATIONS_STEP, OPERATIONS_BATCH = 28, 73
"""Operations of torch on a device at each step, and for each batch."""

LAUNCH, LATENCY = 10e-6, {"NVLink": 30e-6, "InfiniBand": 100e-6}
"""Seconds that an operation and an exchange take at least, however little they do: assumed."""

EXCHANGES = 2.2
"""Exchanges of a step; those that tell what is needed come once for up to 32 steps."""


@dataclass(frozen=True)
class Share:
    """What a process has of a graph: its number of all nodes, and of its own nodes and directed edges."""

    n: float
    own: float
    directed: float
    processes: int = 1
    dim: int = DIM

    def held(self) -> float:
        """Bytes of tables and of edges that are drawn from, as the program counts them."""
        return TABLES * self.dim * self.own + DRAWN_FROM * self.directed

    def host_in_training(self) -> float:
        """Most bytes of arrays on the host in an epoch, without the tables, which are on the device."""
        return HOST_EDGE * self.directed

    def host_at_start(self) -> float:
        """Most bytes of arrays on the host until a start by diffusion maps is there."""
        return (START_NUMBER * self.dim + START_NODE) * self.own

    def host_in_the_end(self) -> float:
        """Most bytes of arrays on the host in the end, beside vectors and edges."""
        return FINISH_NUMBER * self.dim * self.own + 4 * self.dim * min(FINISH_BLOCK, self.n)

    def device_when_measured(self) -> float:
        """Most bytes on the device, beside the tables, while vectors are made and their recall is measured."""
        looked_at = NODES / self.processes
        neighbors = 8 * self.dim * looked_at * self.directed / self.own
        return WITH_TABLES * self.dim * self.own + 4 * self.own * looked_at + neighbors

    def device(self) -> float:
        """Most bytes on the device."""
        return TABLES * self.dim * self.own + self.device_when_measured()

    def rows_of_epoch(self) -> float:
        """Bytes of rows that come to a process in an epoch, of which its own share comes from itself."""
        return ROWS * 4 * self.dim * self.directed / 2

    def words_of_epoch(self) -> float:
        """Bytes that tell in an epoch which rows and which edges."""
        return WORDS * self.directed / 2

    def rows_of_mean(self) -> float:
        """Bytes of rows that come for a mean over all neighbours, at most."""
        return MEANS * 4 * self.dim * self.directed

    def rows_of_finish(self) -> float:
        """Bytes of rows that come for random walks in the end, at most."""
        return STEPS_OF_WALK * self.rows_of_mean()

    def steps(self) -> float:
        """Return the number of steps of an epoch."""
        return self.directed / 2 * self.processes / (BATCH * self.batches() * self.processes)

    def operations(self) -> float:
        """Operations of torch in a step."""
        return OPERATIONS_STEP + OPERATIONS_BATCH * self.batches()

    def batches(self) -> int:
        """Batches of a process in a step."""
        return max(round(max(min(STEP, self.n // 8) // BATCH, 1) / self.processes), 1)


def epochs(n, edges):
    """How many epochs a large graph has by default."""
    count = min(max(VISITS * n / (2 * edges), FEWEST_EPOCHS), MOST_EPOCHS)
    return max(round(count * min(LARGE / n, 1) ** EPOCH_POWER), LEAST_EPOCHS)


def seconds_of_epoch(share, hardware):
    """Seconds of an epoch: of operations, of waiting for an exchange, and of sending."""
    operations = share.steps() * share.operations() * LAUNCH
    if share.processes == 1:
        return operations, 0.0, 0.0
    kind = "InfiniBand" if "InfiniBand" in hardware.name else "NVLink"
    sent = share.rows_of_epoch() + share.words_of_epoch() + share.rows_of_mean()
    sent *= (share.processes - 1) / share.processes
    return operations, share.steps() * EXCHANGES * LATENCY[kind], sent / (REACHED_BETWEEN * hardware.network)


def main():
    """Print a line for each case."""
    print(
        "| nodes | edges | devices | hardware | GB a device | GB of its host, start | epochs | s an epoch | s in all |"
    )
    print("|--:|--:|--:|---|--:|--:|--:|--:|--:|")
    for n, processes, hardware in ((10**7, 8, H100), (10**8, 8, H100), (10**8, 64, H100_FAR), (10**9, 512, H100_FAR)):
        edges = 5 * n
        share = Share(n, n / processes, 2 * edges / processes, processes)
        count = epochs(n, edges)
        parts = seconds_of_epoch(share, hardware)
        finish = share.rows_of_finish() * (1 - 1 / processes) / (REACHED_BETWEEN * hardware.network)
        memory = share.device()
        fits = f"{memory / 1e9:.0f}" + ("" if memory <= hardware.memory else ", does not fit")
        host = max(share.host_in_training(), share.host_in_the_end()) / 1e9
        print(
            f"| {n:,} | {edges:,} | {processes} | {hardware.name} | {fits} "
            f"| {host:.0f}, {share.host_at_start() / 1e9:.0f} | {count} "
            f"| {parts[0]:.0f} + {parts[1]:.0f} + {parts[2]:.1f} | {count * sum(parts) + finish:.0f} |"
        )


if __name__ == "__main__":
    main()
