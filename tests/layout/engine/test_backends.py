"""Which backend puts which tensors together, and what its errors say."""

import os
import re
from dataclasses import replace
from pathlib import Path
from threading import Timer
from types import SimpleNamespace

import pytest

pytest.importorskip("torch")

import torch
from torch._subclasses.fake_tensor import FakeTensorMode

import graphne_viz
from graphne_viz.embedding.distributed.peers import Peers
from graphne_viz.layout.engine.torch_engine import backends, ranks, worker
from graphne_viz.layout.engine.torch_engine import device as devices
from graphne_viz.layout.engine.torch_engine import world as worlds
from graphne_viz.layout.engine.torch_engine.backends import Backends, is_about_others
from graphne_viz.layout.engine.torch_engine.device import find_device
from graphne_viz.layout.engine.torch_engine.ranks import Group, Shares
from graphne_viz.layout.engine.torch_engine.workers import Command
from graphne_viz.layout.engine.torch_engine.world import World


class Done:
    """A collective that is over."""

    def is_completed(self):
        return True

    def wait(self):
        return True


class Recorder:
    """A process group that notes what it is given, and leaves everything as it is."""

    def __init__(self, name, seen):
        self._name, self._seen = name, seen

    def _note(self, kind, tensors):
        self._seen.append((self._name, kind, {tensor.device.type for tensor in tensors}))
        return Done()

    def allreduce(self, tensor, _):
        return self._note("allreduce", [tensor])

    def broadcast(self, tensor, _):
        return self._note("broadcast", [tensor])

    def allgather(self, found, tensor):
        return self._note("allgather", [*found, tensor])

    def alltoall_base(self, found, rows, *_):
        return self._note("alltoall", [found, rows])


COLLECTIVES = ["allreduce", "broadcast", "allgather", "alltoall"]


def test_devices_and_their_backends():
    found = {name: devices.backend_of(torch.device(name)) for name in ("cpu", "cuda", "cuda:3", "mps", "xpu", "meta")}
    assert found == {"cpu": "gloo", "cuda": "nccl", "cuda:3": "nccl", "mps": None, "xpu": None, "meta": None}


@pytest.mark.parametrize(
    ("device", "like", "own", "expected"),
    [
        ("cpu", "cpu", True, ("gloo", "cpu")),
        ("cpu", "cpu", False, ("gloo", "cpu")),
        ("meta", "cuda", True, ("nccl", "meta")),
        ("meta", "cuda", False, ("gloo", "cpu")),  # processes share a device, which NCCL does not let them
        ("meta", "mps", True, ("gloo", "cpu")),
    ],
)
def test_the_device_of_a_tensor_decides(monkeypatch, device, like, own, expected):
    backend_of = devices.backend_of
    monkeypatch.setattr(backends, "backend_of", lambda at: backend_of(torch.device(like) if at.type == "meta" else at))
    seen = []
    both = Backends(Recorder("gloo", seen), Recorder("nccl", seen) if own else None)
    name, place = expected
    with FakeTensorMode():  # tensors without values, so that those of "meta" have something to copy
        tensor = torch.zeros(4, 3, device=device)
        results = [both.add(tensor), both.send(tensor), *both.gather(tensor, 2), both.exchange(tensor, [1, 3], [2, 4])]
        assert {result.device.type for result in results} == {device}
        assert [tuple(result.shape) for result in results] == [(4, 3)] * 4 + [(6, 3)]
    assert seen == [(name, kind, {place}) for kind in COLLECTIVES]


def test_what_was_copied_to_be_added_up_is_copied_back(monkeypatch):
    monkeypatch.setattr(backends, "backend_of", lambda _: None)

    class Twice(Recorder):
        def allreduce(self, tensor, operation):
            tensor *= 2
            return super().allreduce(tensor, operation)

        def allgather(self, found, tensor):
            for k, one in enumerate(found):
                one.copy_(tensor + k)
            return super().allgather(found, tensor)

    both = Backends(Twice("gloo", []))
    tensor = torch.ones(3)
    assert both.add(tensor) is tensor
    assert tensor.tolist() == [2, 2, 2]
    assert [one.tolist() for one in both.gather(tensor, 2)] == [[2, 2, 2], [3, 3, 3]]


def small(monkeypatch, seen, nccl):
    """A group, a world and peers of two processes that are recorded."""
    made = Recorder("gloo", seen), Recorder("nccl", seen) if nccl else None
    monkeypatch.setattr(ranks, "_join", lambda *_, **__: made)
    group, world = Group(Path(), 0, 2, nccl=nccl), World(0, 2)
    world.backends = group.backends
    return group, world, Peers(0, 2, group.backends)


@pytest.mark.parametrize("device", ["cuda", "mps"])
def test_control_messages_and_sums_of_numbers_go_by_gloo(monkeypatch, device):
    seen = []
    group, world, peers = small(monkeypatch, seen, nccl=device == "cuda")
    backend_of = devices.backend_of
    monkeypatch.setattr(
        backends, "backend_of", lambda at: backend_of(torch.device(device) if at.type == "meta" else at)
    )
    with FakeTensorMode():
        shares = Shares(group, [0, 2, 4])
        assert shares.join(torch.zeros(2, 2, device="meta"), 4).device.type == "meta"
        world.add(torch.zeros(2, device="meta"))
    places = ("nccl", {"meta"}) if device == "cuda" else ("gloo", {"cpu"})
    assert [(name, where) for name, _, where in seen] == [places, places]
    seen.clear()

    with torch.device("meta"):  # where tensors go that no device was named for
        peers.list_of(3.0)
        peers.exchange_counts(torch.ones(2, 1, dtype=torch.int64, device="cpu"))
        world.total(torch.ones(2, device="cpu").numpy())
        world.most(torch.ones(2, device="cpu").numpy())
    assert {(name, *places) for name, _, places in seen} == {("gloo", "cpu")}


def test_a_worker_hears_its_messages_on_the_cpu():
    heard = []

    class Deaf:
        def send(self, tensor):
            heard.append(tensor.device.type)
            return torch.tensor([Command.END, 0, 0, 0], dtype=torch.float64, device="cpu")

    with torch.device("meta"):
        worker.serve(Deaf(), Path(), find_device("cpu"), 1)
    assert heard == ["cpu"]


@pytest.mark.parametrize("named", [None, "eth7"])
def test_nccl_listens_on_loopback_only_unless_the_user_has_named_an_interface(tmp_path, monkeypatch, named):
    monkeypatch.setenv("NCCL_SOCKET_IFNAME", named or "")
    seen = []

    def join(_, rank, size):
        seen.append((rank, size, os.environ["NCCL_SOCKET_IFNAME"]))
        return Recorder("nccl", [])

    monkeypatch.setattr(torch.distributed, "ProcessGroupNCCL", join, raising=False)
    Group(tmp_path, 0, 1, nccl=True).close()
    assert seen == [(0, 1, named or backends.loopback())]


@pytest.mark.parametrize(
    ("name", "rank", "size", "expected"),
    [("cuda", 1, 2, ("cuda:1", True)), ("cuda", 1, 4, ("cuda:1", False)), ("cuda", 3, 4, ("cuda:1", False)),
     ("cuda:0", 1, 2, ("cuda:0", False)), ("cuda:0", 0, 1, ("cuda:0", True)), ("cpu", 1, 2, ("cpu", False))],
)  # fmt: skip
def test_each_process_takes_another_device_and_nccl_needs_one_for_each(monkeypatch, name, rank, size, expected):
    zeros = torch.zeros
    monkeypatch.setattr(torch, "zeros", lambda count, device: zeros(count))  # noqa: ARG005 - there is no CUDA here
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    monkeypatch.setattr(torch.distributed, "is_nccl_available", lambda: True)
    found = devices.device_of_rank(name, rank, size)
    assert (str(found.place), found.nccl) == expected


@pytest.mark.parametrize("elsewhere", [True, False])
def test_nccl_joins_what_torchrun_started_where_all_have_a_device_of_their_own(monkeypatch, elsewhere):
    seen, joined = [], []
    for name, value in {"RANK": "0", "WORLD_SIZE": "2", "LOCAL_WORLD_SIZE": "2", "LOCAL_RANK": "0"}.items():
        monkeypatch.setenv(name, value)
    for name in ("GLOO_SOCKET_IFNAME", "NCCL_SOCKET_IFNAME"):
        monkeypatch.setenv(name, "")
    store = torch.distributed.HashStore()
    monkeypatch.setattr(torch.distributed, "rendezvous", lambda *_, **__: iter([(store, 0, 2)]))
    monkeypatch.setattr(torch.distributed, "init_process_group", lambda backend, **_: joined.append(backend))
    monkeypatch.setattr(torch.distributed, "group", SimpleNamespace(WORLD=Recorder("torch's", seen)))
    monkeypatch.setattr(World, "all_of", lambda _, value: [value, elsewhere if value is not None else None])
    monkeypatch.setattr(worlds, "device_of_rank", lambda *_: replace(find_device("cpu"), nccl=True))
    monkeypatch.setattr(backends, "backend_of", lambda at: "nccl" if at.type == "meta" else "gloo")
    world = World.join(cuda=True)
    assert joined == ["cpu:gloo,cuda:nccl"]
    assert [os.environ[name] for name in ("GLOO_SOCKET_IFNAME", "NCCL_SOCKET_IFNAME")] == 2 * [backends.loopback()]
    world.device("cuda")
    with FakeTensorMode():
        world.add(torch.zeros(2, device="meta"))
        world.add(torch.zeros(2))
    assert seen == [("torch's", "allreduce", {"meta" if elsewhere else "cpu"}), ("torch's", "allreduce", {"cpu"})]


# errors


@pytest.mark.parametrize(
    ("said", "about_others"),
    [
        ("[/pytorch/third_party/gloo/gloo/transport/tcp/pair.cc:534] Connection closed by peer [127.0.0.1]:4711", True),
        ("[third_party/gloo/gloo/transport/tcp/pair.cc:547] Read error [127.0.0.1]: Connection reset by peer", True),
        ("[third_party/gloo/gloo/transport/tcp/pair.cc:285] writev [127.0.0.1]:4711: Broken pipe", True),
        ("[gloo/transport/tcp/unbound_buffer.cc:81] Timed out waiting 1800000ms for recv operation", True),
        ("Gloo connectFullMesh failed with [gloo/transport/tcp/pair.cc:144] no error", True),
        ("gloo: another process has ended", True),
        ("NCCL error: ncclRemoteError: A call failed possibly due to a remote process exiting prematurely.", True),
        ("NCCL communicator was aborted on rank 1.", True),
        ("Watchdog caught collective operation timeout: WorkNCCL(SeqNum=3, OpType=ALLREDUCE)", True),
        ("No backend type associated with device type cpu; the group has NCCL", False),
        ("ProcessGroupNCCL only supports CUDA tensors: Tensors must be CUDA and dense", False),
        ("NCCL error, ncclInvalidUsage: Duplicate GPU detected : rank 1 and rank 0 both on CUDA device 1000", False),
        ("NCCL Error 1: unhandled cuda error (run with NCCL_DEBUG=INFO for details)", False),
        ("ProcessGroupGloo::allreduce: unsupported layout", False),
        ("CUDA out of memory", False),
        ("the connection was closed by somebody", False),
    ],
)
def test_only_what_is_said_of_others_counts_as_a_lost_process(said, about_others):
    assert is_about_others(RuntimeError(said)) is about_others


class Collective:
    """One that ends when its future does."""

    def __init__(self):
        self.future = torch.futures.Future()
        self.waited = False

    def get_future(self):
        return self.future

    def is_completed(self):
        return self.future.done()

    def wait(self):
        self.waited = True


@pytest.mark.parametrize("name", ["gloo", "nccl"])
@pytest.mark.parametrize("killed", [False, True])
def test_a_collective_that_never_ends_is_given_up_once_another_process_is_gone(monkeypatch, killed, name):
    monkeypatch.setattr(backends, "_LOOK_EVERY", 0.02)
    aborted = []

    class Stuck:
        def abort(self):
            aborted.append(name)

    both, work = Backends(Stuck(), Stuck(), complete=lambda: not killed), Collective()
    if killed:
        with pytest.raises(RuntimeError, match=rf"^{name}: another process has ended$") as caught:
            both._finish(work, name)
        assert is_about_others(caught.value)
        assert aborted == (["nccl"] if name == "nccl" else [])
    else:
        Timer(0.1, work.future.set_result, [None]).start()
        both._finish(work, name)
    assert work.waited is not killed


# one place


def test_only_one_file_asks_for_the_type_of_a_device():
    package = Path(graphne_viz.__file__).parent
    asks = re.compile(r"\.type\s*(==|!=|in\b|not in\b)|\.is_(cuda|mps|cpu|meta)\b")
    found = {path.relative_to(package).as_posix() for path in package.rglob("*.py") if asks.search(path.read_text())}
    assert found == {"layout/engine/torch_engine/device.py"}
