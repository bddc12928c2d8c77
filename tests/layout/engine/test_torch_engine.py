"""The engine on torch: its forces against slow sums, its layouts beside the mesh engine's, its devices."""

import os
import sys
from dataclasses import replace
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
from forces import cloud, relative, slow

torch = pytest.importorskip("torch")

from torch.utils._python_dispatch import TorchDispatchMode  # noqa: E402 -- needs torch
from two_ranks import in_two_threads  # noqa: E402 -- needs torch

from graphne_viz import datasets, graphne_layout, neighbor_recall  # noqa: E402 -- needs torch
from graphne_viz.graphs.convert.api import as_graph  # noqa: E402 -- needs torch
from graphne_viz.layout.affinity import affinities  # noqa: E402 -- needs torch
from graphne_viz.layout.engine import run  # noqa: E402 -- needs torch
from graphne_viz.layout.engine.parts import few_free, problems  # noqa: E402
from graphne_viz.layout.engine.torch_engine import device as devices  # noqa: E402 -- needs torch
from graphne_viz.layout.engine.torch_engine.mesh import TorchMesh  # noqa: E402 -- needs torch
from graphne_viz.layout.engine.torch_engine.part import TorchPart  # noqa: E402 -- needs torch
from graphne_viz.layout.engine.torch_engine.ranks import Alone, Shares  # noqa: E402 -- needs torch
from graphne_viz.layout.options import Options  # noqa: E402 -- needs torch
from graphne_viz.layout.task import Task  # noqa: E402 -- needs torch

QUICK = {"n_iter": 40, "early_exaggeration_iter": 20}
CPU = devices.find_device("cpu")
SPLIT = replace(CPU, at_once=500, costs=replace(CPU.costs, whole_widths=()))
"""A device for which close pairs are always summed, few at a time."""


def repel(points, dof=1, device=CPU, mesh=None):
    mesh = mesh or TorchMesh(len(points), dof, device, Alone())
    push, z = mesh.repel(torch.from_numpy(np.ascontiguousarray(points.T, dtype=np.float32)))
    return push.numpy().T.astype(np.float64), float(z)


@pytest.fixture(scope="module")
def graph():
    G = nx.connected_watts_strogatz_graph(600, 6, 0.05, seed=0)
    return sp.csr_array(nx.to_scipy_sparse_array(G, dtype=float))


@pytest.fixture
def by_torch(monkeypatch):
    """Count the connected parts that torch is given."""
    given = []
    begin = TorchPart.__init__
    monkeypatch.setattr(TorchPart, "__init__", lambda self, *rest: (given.append(len(rest[0])), begin(self, *rest))[1])
    return given


# forces


@pytest.mark.parametrize("dof", [1, 0.6, 2])
@pytest.mark.parametrize("shape", ["dense", "medium", "sparse", "clusters", "tiny", "long", "outlier"])
def test_forces_are_close_to_the_true_ones(shape, dof):
    points = cloud(shape)
    push, z = slow(points, dof)
    for device in (CPU, SPLIT):
        found, found_z = repel(points, dof, device)
        assert relative(found, push) < 0.03
        assert found_z == pytest.approx(z, rel=0.005)


def test_the_mesh_follows_a_layout_that_grows_and_shrinks():
    points = cloud("dense", n=1500)
    mesh = TorchMesh(1500, 1, CPU, Alone())
    for size in (1, 1.4, 3, 20, 4, 0.5, 0.01):
        for _ in range(11):  # it looks at the density now and then
            found, found_z = repel(points * size, mesh=mesh)
        push, z = slow((points * size).astype(np.float32).astype(np.float64), 1)
        assert relative(found, push) < 0.03
        assert found_z == pytest.approx(z, rel=0.005)


@pytest.mark.parametrize("device", [CPU, SPLIT], ids=["chosen", "split"])
@pytest.mark.parametrize("n", [2, 60])
def test_nodes_at_one_place(n, device):
    push, z = repel(np.zeros((n, 2)), device=device)
    assert np.abs(push).max() < 0.02 * n
    assert z == pytest.approx(n * (n - 1), rel=0.02)


@pytest.mark.parametrize("dof", [1, 0.7])
def test_the_gradient_and_the_divergence_are_those_of_all_pairs(graph, dof):
    P = affinities(graph, "node")
    P = sp.csr_array(P / P.sum())
    points = np.random.default_rng(1).normal(0, 12, (600, 2)).astype(np.float32).astype(np.float64)
    push, z = slow(points, dof)
    apart = points[:, None] - points
    base = 1 + (apart**2).sum(axis=2) / dof
    gradient = 2 * ((P.toarray() / base)[:, :, None] * apart).sum(axis=1) - push / z
    kl = (P.data * np.log(P.data)).sum() + dof * (P.toarray() * np.log(base)).sum() + np.log(z)
    part = TorchPart(points, P, dof, np.ones(600, np.float32), SPLIT, Alone(), 1)
    part.begin(2, 0.8)
    assert relative(part.gradient(), gradient) < 0.03
    assert part.divergence(points)() == pytest.approx(kl, rel=2e-3)


class Largest(TorchDispatchMode):
    """Notes the size of the largest tensor that is made."""

    numbers = 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        found = func(*args, **(kwargs or {}))
        if isinstance(found, torch.Tensor):
            self.numbers = max(self.numbers, found.numel())
        return found


@pytest.mark.parametrize("device", [CPU, SPLIT], ids=["chosen", "split"])
def test_no_tensor_grows_with_the_square_of_the_nodes(device):
    points = cloud("medium", n=6000)
    with Largest() as largest:
        repel(points, device=device)
    assert 6000 < largest.numbers < 40 * 6000


# layouts


@pytest.mark.parametrize("name", ["cora", "photo"])
def test_layouts_are_as_good_as_those_of_the_mesh_engine(name):
    folder = os.environ.get("GRAPHNE_DATA")
    if not folder or not (Path(folder) / f"{name}.npz").exists():
        pytest.skip(f"{name}.npz is not in the folder named by GRAPHNE_DATA")
    G = datasets.load(name)
    found = {}
    for engine in ("mesh", "torch"):
        outcome = Task(as_graph(G), engine=engine).run()
        found[engine] = outcome.kl, neighbor_recall(G, outcome.positions)
    assert found["torch"][0] == pytest.approx(found["mesh"][0], rel=0.005)
    assert found["torch"][1] == pytest.approx(found["mesh"][1], abs=0.005)


@pytest.mark.parametrize("keywords", [{}, {"exaggeration": 4}, {"dof": 0.6}, {"normalization": "graph"}], ids=str)
def test_callbacks_see_the_divergence_fall_to_that_of_the_mesh_engine(graph, keywords):
    seen = []
    graphne_layout(graph, engine="torch", callback=seen.append, callback_every=50, **keywords)
    mesh = []
    graphne_layout(graph, engine="mesh", callback=mesh.append, callback_every=50, **keywords)
    assert [(s.iteration, s.phase) for s in seen] == [(s.iteration, s.phase) for s in mesh]
    assert seen[-1].kl == pytest.approx(mesh[-1].kl, rel=0.03)
    assert seen[-1].kl < seen[0].kl


def test_watching_changes_nothing_and_a_truthy_answer_stops(graph):
    plain = graphne_layout(graph, engine="torch", **QUICK)
    seen = []
    watched = graphne_layout(graph, engine="torch", callback=lambda s: seen.append(s.kl), callback_every=7, **QUICK)
    assert plain.tobytes() == watched.tobytes()
    stopped = []
    result = graphne_layout(
        graph, engine="torch", scale=None, callback=lambda s: stopped.append(s) or s.iteration >= 30, **QUICK
    )
    assert [s.iteration for s in stopped] == [10, 20, 30]
    last = stopped[-1].positions.astype(np.float64)
    last -= (last.max(axis=0) + last.min(axis=0)) / 2
    assert last == pytest.approx(result, abs=1e-4 * np.ptp(result))


def test_the_dial_turns_and_a_run_is_resumed(graph):
    task = Task(as_graph(graph), engine="torch")
    first = task.run()
    apart = first.own.std()
    turned = task.run(steer=lambda: 8.0, resume=first)
    assert turned.iterations > first.iterations
    assert turned.exaggeration == 8
    assert turned.own.std() < apart / 2  # more attraction, a smaller picture
    assert task.run(resume=first).kl == pytest.approx(first.kl, rel=0.02)


def test_parts_are_packed_and_only_large_ones_go_to_torch(by_torch):
    G = nx.disjoint_union_all([nx.grid_2d_graph(20, 15), nx.cycle_graph(250), nx.cycle_graph(50), nx.empty_graph(3)])
    pos = graphne_layout(G, engine="torch", **QUICK)
    assert by_torch == [300, 250]
    assert len(np.unique(list(pos.values()), axis=0)) == 603


def test_fixed_nodes_stay_and_the_others_move(graph, by_torch, monkeypatch):
    monkeypatch.setattr(few_free, "PAIRS", 0)  # few free nodes would be computed without a mesh
    start = np.random.default_rng(0).normal(0, 3, (600, 2))
    held = np.arange(600) < 100
    found = run.solve(graph, Options(engine="torch", **QUICK), start=start, held=held).positions
    assert by_torch == [600]
    assert found[held] == pytest.approx(start[held], abs=1e-6)
    assert np.hypot(*(found - start)[~held].T).min() > 0


def test_the_same_bytes_again_and_whatever_the_number_of_threads(graph):
    first, again, three = (graphne_layout(graph, engine="torch", n_jobs=n, **QUICK).tobytes() for n in (1, 1, 3))
    assert first == again == three


# devices


@pytest.mark.parametrize("device", [CPU, SPLIT], ids=["chosen", "split"])
def test_every_tensor_is_on_the_device_that_was_asked_for(graph, device, monkeypatch):
    monkeypatch.setattr(devices, "_treat", lambda _: device)
    plain = Task(as_graph(graph), engine="torch", device="cpu", **QUICK).run()
    with torch.device("meta"):  # where tensors go that no device was named for; they have no values to go on with
        elsewhere = Task(as_graph(graph), engine="torch", device="cpu", **QUICK).run()
        assert elsewhere.kl == plain.kl
    assert elsewhere.positions.tobytes() == plain.positions.tobytes()


@pytest.mark.parametrize("device", [CPU, SPLIT], ids=["chosen", "split"])
def test_several_parts_a_resumed_run_and_fixed_nodes_stay_on_the_device(graph, device, monkeypatch, by_torch):
    monkeypatch.setattr(devices, "_treat", lambda _: device)
    monkeypatch.setattr(few_free, "PAIRS", 0)  # few free nodes would be computed without a mesh
    parts = as_graph(nx.disjoint_union_all([nx.grid_2d_graph(20, 12), nx.cycle_graph(250), nx.empty_graph(2)]))
    start = np.random.default_rng(0).normal(0, 3, (600, 2))

    def lay_out():
        task = Task(parts, engine="torch", **QUICK)
        first = task.run()
        turned = task.run(steer=lambda: 8.0, resume=first)
        fixed = run.solve(graph, Options(engine="torch", **QUICK), start=start, held=np.arange(600) < 100)
        assert first.kl != turned.kl
        return [found.positions.tobytes() for found in (first, turned, fixed)]

    plain = lay_out()
    with torch.device("meta"):
        assert lay_out() == plain
    assert by_torch == 2 * [250, 240, 250, 240, 600]


def test_two_shares_that_are_held_shaken_and_gone_on_with_stay_on_the_device(graph, tmp_path):
    P = affinities(graph, "node")
    P = sp.csr_array(P / P.sum())
    start = np.random.default_rng(1).normal(0, 12, (600, 2))
    held = np.array([3, 599])

    def lay_out(ranks):
        part = TorchPart(start, P[ranks.share(600)], 1, np.full(600, 600, np.float32), SPLIT, ranks, 1)
        part.begin(2, 0.8)
        part.iterate(4)
        part.hold(held, np.ones((2, 2)))
        part.begin(1, 0.8)
        part.shake(np.random.default_rng(0))
        part.iterate(2)
        part.restore(part.state(), 6)
        part.shrink(1.01)
        part.iterate(1)
        positions = np.empty((600, 2))
        part.write(positions)
        return positions, part.divergence(positions)()

    positions, kl = lay_out(Alone())
    assert positions[held] == pytest.approx(np.ones((2, 2)) / 1.01, abs=1e-6)

    def share(group):
        with torch.device("meta"):
            return lay_out(Shares(group, [0, 250, 600]))

    for found, its_kl in in_two_threads(tmp_path, share):
        assert found.tobytes() == positions.tobytes()
        assert its_kl == pytest.approx(kl)


def test_naming_a_device_is_asking_for_torch(graph, by_torch):
    graphne_layout(graph, device="cpu", **QUICK)
    assert by_torch == [600]
    with pytest.raises(ValueError, match=r"device='cpu' needs engine='torch' or 'auto', got engine='mesh'"):
        graphne_layout(graph, engine="mesh", device="cpu")


@pytest.mark.parametrize(("cuda", "enough", "taken"), [(True, 600, [600]), (True, 601, []), (False, 600, [])])
def test_torch_is_chosen_for_many_nodes_where_there_is_cuda(graph, by_torch, monkeypatch, cuda, enough, taken):  # noqa: PLR0917
    monkeypatch.setattr(devices, "cuda_found", lambda: cuda)
    monkeypatch.setattr(devices, "CUDA_FROM", enough)
    monkeypatch.setattr(problems, "EXACT_UP_TO", 500)
    graphne_layout(graph, **QUICK)
    assert by_torch == taken


def test_a_machine_without_a_driver_does_not_ask_torch(monkeypatch):
    monkeypatch.setattr(devices.shutil, "which", lambda _: None)
    monkeypatch.setitem(sys.modules, "torch", None)
    assert not devices.cuda_found()


@pytest.mark.parametrize("device", ["cuda:99", "gpu", "meta"])
def test_a_device_that_is_not_there_is_named(device):
    with pytest.raises(ValueError, match=rf"device must be 'auto' or one that torch finds here, got '{device}'"):
        graphne_layout(nx.path_graph(3), engine="torch", device=device)


def test_without_torch_it_says_what_to_install(graph, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ModuleNotFoundError, match=r"engine='torch' needs torch: pip install 'graphne-viz\[embed\]'"):
        graphne_layout(graph, engine="torch")
