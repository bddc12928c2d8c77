"""Predict memory and time of layouts by many GPUs from what an iteration holds, sends and moves: nothing is measured.

python benchmarks/scaling_model.py

Held and sent bytes are those that `tests/layout/engine/test_distributed.py` holds the program to. Bytes moved within a
device are counted by hand from the steps of an iteration, and half of a device's bandwidth is taken as reached.
"""

from __future__ import annotations

from dataclasses import dataclass

REACHED = 0.5
"""Share of a bandwidth that is taken as reached."""

ITERATIONS = 300


@dataclass(frozen=True)
class Hardware:
    """A device and what joins several; bandwidths in bytes a second, of one device and one direction."""

    name: str
    memory: float
    bandwidth: float
    network: float


A100 = Hardware("A100 80 GB, NVLink", 80e9, 2.0e12, 300e9)
H100 = Hardware("H100 80 GB, NVLink", 80e9, 3.35e12, 450e9)
H100_FAR = Hardware("H100 80 GB, 400 Gb/s InfiniBand", 80e9, 3.35e12, 50e9)

HELD_EDGE = 12
"""Bytes of a directed edge: two ends and a weight."""

HELD_NODE, HELD_OWN = 8, 16
"""Bytes of a node in every process, and in its own: place; speed, gain and rate."""

WORKING_NODE = 40
"""Bytes of temporary arrays for a node in every process: places within cells, cells, what is gathered."""

MESH_POINT = 8 + 4 * 8 + 4 * 4
"""Bytes of a mesh point in every process: charges, a complex spectrum and the potential with its padding."""

POINTS = 1.0
"""Mesh points for each node; a layout has about one node a unit of area, a late mesh about one point."""

MOVED_EDGE, MOVED_OWN, MOVED_NODE, MOVED_POINT = 116, 1500, 40, 200
"""Bytes that an iteration moves within a device: for a directed edge, an own node, any node and a mesh point."""


def predict(n, edges, ranks, hardware):
    """Gigabytes of a process, and seconds of an iteration: within the device, and between devices."""
    directed, points = 2 * edges, POINTS * n
    memory = HELD_EDGE * directed / ranks + HELD_OWN * n / ranks + (HELD_NODE + WORKING_NODE) * n + MESH_POINT * points
    moved = MOVED_EDGE * directed / ranks + MOVED_OWN * n / ranks + MOVED_NODE * n + MOVED_POINT * points
    sent = 0.0 if ranks == 1 else 8 * n + 2 * 8 * points  # an all_reduce passes twice
    return memory / 1e9, moved / (REACHED * hardware.bandwidth), sent / (REACHED * hardware.network)


def main():
    """Print a line for each case."""
    print("| nodes | edges | devices | hardware | GB a device | ms within | ms between | 300 iterations, s |")
    print("|--:|--:|--:|---|--:|--:|--:|--:|")
    for n, ranks, hardware in (
        (10**7, 1, A100),
        (10**7, 8, A100),
        (10**8, 1, H100),
        (10**8, 8, H100),
        (10**8, 64, H100_FAR),
        (10**9, 64, H100_FAR),
        (10**9, 512, H100_FAR),
    ):
        memory, within, between = predict(n, 5 * n, ranks, hardware)
        fits = f"{memory:.0f}" if memory * 1e9 <= hardware.memory else f"{memory:.0f}, does not fit"
        total = f"{ITERATIONS * (within + between):.0f}" if "not" not in fits else ""
        print(
            f"| {n:,} | {5 * n:,} | {ranks} | {hardware.name} | {fits} | {1e3 * within:.1f} | {1e3 * between:.1f} "
            f"| {total} |"
        )


if __name__ == "__main__":
    main()
