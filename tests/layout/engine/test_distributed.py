"""What processes that torchrun starts do together, piece by piece, in one launch of four."""

import importlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch")

PROGRAM = """
import json
import sys
from pathlib import Path

import networkx as nx
import numpy as np
import scipy.sparse as sp

from graphne_viz.layout.affinity import affinities, blocks_that_sum_to_one
from graphne_viz.layout.components import split
from graphne_viz.layout.engine.torch_engine.device import find_device
from graphne_viz.layout.engine.torch_engine.distributed import affinity, components, eigenvectors
from graphne_viz.layout.engine.torch_engine.distributed.sums import exact_inner
from graphne_viz.layout.engine.torch_engine.part import TorchPart
from graphne_viz.layout.engine.torch_engine.ranks import Shares
from graphne_viz.layout.engine.torch_engine.world import RankFailedError, World
from graphne_viz.layout.initialization import eigenvectors as whole_eigenvectors

world = World.join()
found = {}
import torch.distributed.nn.functional  # as checkpoints do; its functions keep the group that there is by then

# A path along which every node belongs to another process than its neighbours needs the most rounds.
order = np.argsort(np.arange(400) % 4, kind="stable")
path = nx.relabel_nodes(nx.path_graph(400), dict(enumerate(order.tolist())))
graph = nx.disjoint_union_all([path, nx.cycle_graph(50), nx.star_graph(20), nx.empty_graph(7)])
A = sp.csr_array(nx.to_scipy_sparse_array(graph, nodelist=range(graph.number_of_nodes()), dtype=float))
n = A.shape[0]
cuts = [0, 100, 200, 300, n]
low, high = cuts[world.rank : world.rank + 2]
shares = Shares(world, cuts)
parts, expected = components.split(world, sp.csr_array(A[low:high]), low), split(A)
found["parts"] = bool((parts.order == expected.order).all() and (parts.offsets == expected.offsets).all())

rng = np.random.default_rng(0)
A.data[:] = 1
weights = sp.csr_array(sp.triu(A) * 1.0)
weights.data = rng.lognormal(0, 2, weights.nnz)
A = sp.csr_array(weights + weights.T)
P = affinity.affinities(shares, sp.csr_array(A[low:high]), "node")
P = affinity.sum_to_one(world, P, parts.labels[low:high], parts)
whole = blocks_that_sum_to_one(affinities(A, "node"), expected)
placed = whole[expected.position[low:high][expected.position[low:high] < whole.shape[0]]]
found["affinities"] = float(abs(np.sort(P.data) - np.sort(placed.data)).max() / whole.data.max())

X = rng.normal(size=(1000, 3)) * [1e-9, 1, 1e7]
own = slice(250 * world.rank, 250 * (world.rank + 1))
inner = exact_inner(world, X[own], X[own], 1000, symmetric=True)
found["inner"] = float(abs(inner / (X.T @ X) - 1).max())
found["inner_alone"] = bool((exact_inner(World(), X, X, 1000, symmetric=True) == inner).all())

blocks = nx.random_partition_graph([150] * 6, 0.1, 0.004, seed=0)
B = sp.csr_array(nx.to_scipy_sparse_array(blocks, dtype=float))
m = B.shape[0]
cuts = [0, 100, 350, 600, m]
rows = sp.csr_array(B[cuts[world.rank] : cuts[world.rank + 1]])
values, vectors = eigenvectors.leading(world, cuts, rows, 2, np.random.default_rng(0))
joined = np.column_stack([affinity.join_column(Shares(world, cuts), column, m) for column in vectors.T])
others, stock = whole_eigenvectors.leading(B, 2, np.random.default_rng(0), 1)
alone = eigenvectors.leading(World(), [0, m], B, 2, np.random.default_rng(0))
found["values"] = float(abs(values - others).max())
found["vectors_alone"] = bool((alone[1] == joined).all())

device = find_device("cpu")
scaled = sp.csr_array(rows / B.sum())
part = TorchPart(
    rng.normal(size=(m, 2)) * 5, scaled, 1, np.full(m, m, np.float32), device, Shares(world, cuts), 1
)
part.begin(1, 0.8)
part.iterate(1)
before = dict(world.sent)
part.iterate(1)
sent = {kind: count - before[kind] for kind, count in world.sent.items() if count > before[kind]}
found["sent"], found["plan"] = sent, [part._mesh.plan.width, part._mesh.plan.height]
found["memory"], found["edges"], found["own"] = part.memory(), rows.nnz, rows.shape[0]

found["failed"] = []
for action in (
    lambda: world.agree("the version", "1.0" if world.rank != 2 else "2.0"),
    lambda: world.together(lambda: open("/nowhere/shard") if world.rank == 1 else None),
    lambda: world.together(lambda: int("x")),
):
    try:
        action()
    except RankFailedError as error:
        found["failed"].append(str(error))
everything = world.all_of(found)
if world.first:
    with open(sys.argv[1], "w") as file:
        json.dump(everything, file)
world.leave()
tasks = Path("/proc/self/task")
left = [name for task in tasks.glob("*/comm") if "gloo" in (name := task.read_text())]
assert not left, f"threads that may abort the interpreter at its end: {left}"
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ranks")
    program, result = folder / "program.py", folder / "result.json"
    program.write_text(PROGRAM)
    launcher = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "4"]
    done = subprocess.run([*launcher, program, result], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(result.read_text())


def test_parts_affinities_and_eigenvectors_are_those_of_one_process(found):
    for rank in found:
        assert rank["parts"]
        assert rank["affinities"] < 1e-12
        assert rank["values"] < 1e-9
        assert rank["inner"] < 1e-12
        assert rank["inner_alone"]
        assert rank["vectors_alone"]  # to the last bit


def test_traffic_and_memory_are_what_the_model_for_larger_graphs_says(found, monkeypatch):
    monkeypatch.syspath_prepend(Path(__file__).parents[3] / "benchmarks")
    model = importlib.import_module("scaling_model")
    longest = max(rank["own"] for rank in found)
    for rank in found:
        width, height = rank["plan"]
        assert rank["sent"] == model.sent_by_iteration(longest, width * height, 4)
        assert rank["memory"] == model.held(900, rank["own"], rank["edges"])


def test_what_one_process_does_not_accept_ends_all_with_its_sentence(found):
    for rank in found:
        assert rank["failed"][0] == "process 2 of 4: the version is '2.0', but '1.0' in process 0"
        assert rank["failed"][1].startswith("process 1 of 4: [Errno 2] No such file or directory: '/nowhere/shard'")
        assert rank["failed"][2] == "invalid literal for int() with base 10: 'x'"
