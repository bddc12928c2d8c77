"""Predict memory and time of layouts by many GPUs from what an iteration holds, sends and moves: not measured.

python benchmarks/scaling_model.py

`counted.py` prints each formula beside what the program counts, and `tests/test_scaling_model.py` holds it to them. The
share of a device's bandwidth that is reached is that of this machine's processor; between devices it is assumed.
"""

from __future__ import annotations

from dataclasses import dataclass

REACHED = 0.47
"""Share of a device's bandwidth that is taken as reached. ``python benchmarks/scaling.py --engine torch --jobs 1 10000
100000`` printed 25.8 ms of CPU time for an iteration of 100,000 nodes, and 40.2 GB a second for a copy, while the mesh
was transformed as a whole and 486 MB were moved: 18.8 GB a second. Transformed by columns, which stay in a CPU's
caches, it takes 18.8 ms; that a GPU gains as much is not assumed."""

REACHED_BETWEEN = 0.5
"""Share of the bandwidth between devices that is taken as reached: assumed."""

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
"""Bytes of a directed edge, from one iteration to the next: two ends and a weight."""

HELD_NODE, HELD_OWN, HELD_POINT = 8, 16, 8
"""Bytes of a node in every process, of one of its own, and of a mesh point in every process: place; speed, gain and
rate; the kernel's spectrum."""

WORKING = ((20, 12, 28), (20, 40, 20))
"""Bytes of temporary arrays for any node, an own node and a mesh point within an iteration: while the mesh is
transformed, and while nodes move, of which the larger counts. A node has its place within a cell, and the cell."""

WORKING_PIECE = 32 * 2**23
"""Bytes of temporary arrays of what is computed piece by piece: 2^23 numbers on a device with its own memory."""

READING_ALONE = (76, 310, 0)
READING_TOGETHER = (105, 200, 25)
"""Most bytes of a directed edge, an own node and any node until the first iteration, on the host: of one process and
of each of several. The peak is in the spectral start."""

POINTS = 2.0
"""Mesh points for each node of a finished layout, at most, of the large ones that `counted.py` prints."""

MOVED_EDGE, MOVED_OWN, MOVED_NODE, MOVED_POINT = 171, 2784, 127, 168
"""Bytes that an iteration moves within a device: for a directed edge, an own node, any node and a mesh point."""


def held(n, own, directed):
    """Bytes that a process holds from one iteration to the next, without the mesh."""
    return {"edges": HELD_EDGE * directed, "nodes": HELD_NODE * n, "own nodes": HELD_OWN * own}


def working(n, own, points, directed=0):  # noqa: ARG001 - edges are looked at in pieces
    """Bytes of temporary arrays within an iteration, without what is computed piece by piece."""
    return max(any_ * n + own_ * own + point * points for any_, own_, point in WORKING)


def reading(n, own, directed, processes):
    """Most bytes of arrays on the host until the first iteration."""
    edge, own_node, node = READING_ALONE if processes == 1 else READING_TOGETHER
    return edge * directed + own_node * own + node * n


def sent_by_iteration(longest, points, processes):
    """Bytes of the results of an iteration's collectives: places of all, the mesh, and the sum over all pairs."""
    return {"all_gather": 8 * longest * processes, "all_reduce": 8 * points + 8}


def moved_by_iteration(n, own, directed, points):
    """Bytes that an iteration moves within a device."""
    return MOVED_EDGE * directed + MOVED_OWN * own + MOVED_NODE * n + MOVED_POINT * points


def predict(n, edges, ranks, hardware):
    """Bytes of a process on its device and its host, and seconds of an iteration: within the device, and between."""
    sizes = {"n": n, "own": n / ranks, "directed": 2 * edges / ranks}
    points = POINTS * n
    memory = sum(held(**sizes).values()) + HELD_POINT * points + working(**sizes, points=points) + WORKING_PIECE
    sent = sent_by_iteration(n / ranks, points, ranks)
    # An all_reduce passes twice.
    network = 0.0 if ranks == 1 else sent["all_gather"] + 2 * sent["all_reduce"]
    within = moved_by_iteration(**sizes, points=points) / (REACHED * hardware.bandwidth)
    return memory, reading(**sizes, processes=ranks), within, network / (REACHED_BETWEEN * hardware.network)


def main():
    """Print a line for each case."""
    print("| nodes | edges | devices | hardware | GB a device | GB of its host | ms within | ms between | 300 it., s |")
    print("|--:|--:|--:|---|--:|--:|--:|--:|--:|")
    for n, ranks, hardware in (
        (10**7, 1, A100),
        (10**7, 8, A100),
        (10**8, 1, H100),
        (10**8, 8, H100),
        (10**8, 64, H100_FAR),
        (10**9, 64, H100_FAR),
        (10**9, 512, H100_FAR),
    ):
        memory, host, within, between = predict(n, 5 * n, ranks, hardware)
        fits = f"{memory / 1e9:.0f}" + ("" if memory <= hardware.memory else ", does not fit")
        total = f"{ITERATIONS * (within + between):.0f}" if memory <= hardware.memory else ""
        print(
            f"| {n:,} | {5 * n:,} | {ranks} | {hardware.name} | {fits} | {host / 1e9:.0f} | {1e3 * within:.1f} "
            f"| {1e3 * between:.1f} | {total} |"
        )


if __name__ == "__main__":
    main()
