"""`graphne layout SHARDS`, alone and in processes that torchrun starts."""

import contextlib
import os
import re
import shutil
import signal
import subprocess
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("pyarrow")

from processes import listening
from pyarrow import parquet
from shard_examples import write_shards
from torchrun import command, kill_second, on_linux, sentences, started

from graphne_viz.cli import main
from graphne_viz.evaluation.metrics.recall import neighbor_recall
from graphne_viz.graphs.shards.reader import open_shards

QUICK = ["--n-iter", "60", "--early-exaggeration-iter", "40", "--n-jobs", "1"]
MANY = ["--n-iter", "300", "--early-exaggeration-iter", "20", "--n-jobs", "1"]


@pytest.fixture(scope="module")
def shards(tmp_path_factory):
    return write_shards(tmp_path_factory.mktemp("graph") / "shards")


def read(path):
    table = parquet.read_table(path)
    return table["id"].to_pylist(), np.column_stack([table["x"].to_numpy(), table["y"].to_numpy()])


def kl_of(text):
    return float(re.search(r"KL ([\d.]+)", text)[1])


def test_two_processes_give_the_bytes_of_one_and_the_quality_of_the_mesh_engine(shards, tmp_path, capsys):
    one, two, mesh = (tmp_path / f"{name}.parquet" for name in ("one", "two", "mesh"))
    assert main(["layout", str(shards), "-o", str(one), "--engine", "torch", *QUICK]) == 0
    assert main(["layout", str(shards), "-o", str(mesh), *QUICK]) == 0
    alone, by_mesh = capsys.readouterr().out.splitlines()
    done = subprocess.run(command(2, "layout", shards, "-o", two, *QUICK), capture_output=True, text=True, check=True)
    assert ", 2 processes, " in done.stdout
    assert kl_of(done.stdout) == pytest.approx(kl_of(alone), rel=0.002)
    assert kl_of(alone) == pytest.approx(kl_of(by_mesh), rel=0.01)
    (ids, first), (names, second) = read(one), read(two)
    assert ids == names == [str(node) for node in range(1753)]
    assert np.abs(first).max() == pytest.approx(1)
    shared = 960 + 750  # the rest is laid out whole, by other processes together with others
    assert first[:shared].tobytes() == second[:shared].tobytes()


@on_linux
def test_a_killed_process_ends_all_with_one_sentence_and_another_number_goes_on(shards, tmp_path, capsys):
    kept, output = tmp_path / "kept", tmp_path / "out.parquet"
    arguments = [shards, "-o", output, "--checkpoint", kept, "--checkpoint-every", "0", *MANY]
    run, ranks = started("layout", arguments, kept)
    kill_second(run, ranks, kept)
    assert not output.exists()
    copy, by_three = shutil.copytree(kept, tmp_path / "copy"), tmp_path / "three.parquet"

    assert main(["layout", *map(str, arguments)]) == 0
    gone_on = capsys.readouterr().out
    assert int(re.search(r"resumed at iteration (\d+)", gone_on)[1]) >= 10
    assert list(kept.iterdir()) == []
    again = tmp_path / "again.parquet"
    assert main(["layout", str(shards), "-o", str(again), "--engine", "torch", *MANY]) == 0
    undisturbed = kl_of(capsys.readouterr().out)
    assert kl_of(gone_on) == pytest.approx(undisturbed, rel=0.01)

    arguments = [shards, "-o", by_three, "--checkpoint", copy, *MANY]
    three = subprocess.run(command(3, "layout", *arguments), capture_output=True, text=True, check=True).stdout
    assert re.search(r", 3 processes, resumed at iteration \d+, ", three)
    assert list(copy.iterdir()) == []
    assert kl_of(three) == pytest.approx(undisturbed, rel=0.002)
    graph = open_shards(shards).graph()
    recall = neighbor_recall(graph, read(again)[1])
    for resumed in (output, by_three):
        assert neighbor_recall(graph, read(resumed)[1]) == pytest.approx(recall, abs=0.005)


@on_linux
def test_nobody_but_this_machine_can_connect_and_an_interrupt_ends_all(shards, tmp_path):
    kept = tmp_path / "kept"
    endless = ["--n-iter", "1000000", "--n-jobs", "1"]
    run, ranks = started(
        "layout",
        [shards, "-o", tmp_path / "x.parquet", "--checkpoint", kept, "--checkpoint-every", "0", *endless],
        kept,
    )
    assert {address for pid in ranks.values() for address in listening(pid)} == {"0100007F"}
    os.killpg(run.pid, signal.SIGINT)  # as a terminal does
    errors = run.communicate()[1]
    assert run.returncode != 0
    assert not sentences(errors)
    assert not any(Path(f"/proc/{pid}").exists() for pid in ranks.values())


def test_a_checkpoint_of_another_layout_is_refused(shards, tmp_path, capsys):
    kept = tmp_path / "kept"
    (kept / "iteration-00000010").mkdir(parents=True)
    (kept / "iteration-00000010" / "about.json").write_text('{"format": 1, "iteration": 10}')
    assert main(["layout", str(shards), "-o", str(tmp_path / "x.parquet"), "--checkpoint", str(kept), *QUICK]) == 2
    assert re.search(r"iteration-00000010 is of another layout: its version is None, not '", capsys.readouterr().err)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-o", "x.gexf"], r"x.gexf does not end in one of .parquet"),
        (["-o", "x.parquet", "--color", "degree"], r"--color is for a graph in a file, not for a folder of shards"),
        (["-o", "x.parquet", "--checkpoint", "kept", "--engine", "mesh"], r"need engine='torch' or 'auto', got 'mesh'"),
        (["-o", "x.parquet", "--checkpoint", "kept", "--devices", "2"], r"devices starts processes by itself"),
        (
            ["-o", "x.parquet", "--engine", "torch", "--normalization", "sgtsne"],
            r"needs the whole graph in one process",
        ),
        (["-o", "x.parquet", "--engine", "torch", "--device", "nowhere"], r"device must be 'auto' or one that torch"),
    ],
)
def test_what_cannot_be_done_with_shards_is_refused(shards, tmp_path, capsys, arguments, message):
    with contextlib.chdir(tmp_path):
        assert main(["layout", str(shards), *arguments]) == 2
    assert re.search(message, capsys.readouterr().err)


def test_a_missing_shard_is_named(shards, tmp_path, capsys):
    copy = tmp_path / "copy"
    copy.mkdir()
    for file in shards.iterdir():
        (copy / file.name).write_bytes(file.read_bytes())
    (copy / "edges-00001.parquet").unlink()
    assert main(["layout", str(copy), "-o", str(tmp_path / "x.parquet"), "--engine", "torch", *QUICK]) == 2
    assert re.search(r"the shard .*edges-00001.parquet is missing", capsys.readouterr().err)


def test_several_machines_need_an_interface(shards, tmp_path, monkeypatch, capsys):
    for name, value in {"RANK": "0", "WORLD_SIZE": "4", "LOCAL_WORLD_SIZE": "2"}.items():
        monkeypatch.setenv(name, value)
    for name in ("GLOO_SOCKET_IFNAME", "NCCL_SOCKET_IFNAME"):
        monkeypatch.delenv(name, raising=False)
    arguments = ["layout", str(shards), "-o", str(tmp_path / "x.parquet")]
    assert main(arguments) == 2
    assert re.search(r"processes of several machines need a network interface", capsys.readouterr().err)
    assert main([*arguments, "--interface", "nowhere0"]) == 2
    assert re.search(r"interface must be one of .*, got 'nowhere0'", capsys.readouterr().err)
