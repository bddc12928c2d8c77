"""`graphne embed SHARDS`, in processes that torchrun starts and alone, with checkpoints."""

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("pyarrow")

from processes import listening
from pyarrow import parquet
from shard_examples import write_shards
from torchrun import command, kill_second, on_linux, sentences, started

from graphne_viz import Embedding, embed
from graphne_viz.cli import main
from graphne_viz.embedding.distributed import kept_tables
from graphne_viz.embedding.distributed.trainer import ShardTrainer
from graphne_viz.evaluation.metrics.recall import neighbor_recall
from graphne_viz.graphs.shards.reader import open_shards

QUICK = ["--dim", "16", "--epochs", "6"]
KEPT = ["--checkpoint-every", "0"]


@pytest.fixture(scope="module")
def shards(tmp_path_factory):
    return write_shards(tmp_path_factory.mktemp("graph") / "shards")


def read(path):
    table = parquet.read_table(path)
    names = [f"x{axis}" for axis in range(16)]
    assert table.column_names == ["id", *names]
    return table["id"].to_pylist(), np.column_stack([table[name].to_numpy() for name in names])


def epoch_done(kept):
    """How far the latest checkpoint is; the one before it disappears meanwhile."""
    with contextlib.suppress(FileNotFoundError):
        return max((json.loads(path.read_text())["epoch_done"] for path in kept.glob("*-*/about.json")), default=0)
    return 0


def figures(text):
    """Loss and recall as they were said."""
    return [float(re.search(rf"{name} ([\d.]+)", text)[1]) for name in ("loss", "recall")]


def test_two_processes_are_as_good_as_one(shards, tmp_path):
    output = tmp_path / "two.parquet"
    done = subprocess.run(command(2, "embed", shards, "-o", output, *QUICK), capture_output=True, text=True, check=True)
    assert done.stdout.startswith("1,753 nodes, ")
    assert ", 2 processes, " in done.stdout
    graph = open_shards(shards).graph()
    ids, vectors = read(output)
    assert ids == list(graph.ids)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)
    one = embed(graph, dim=16, epochs=6)
    kept = neighbor_recall(graph, one.vectors)
    assert neighbor_recall(graph, vectors) == pytest.approx(kept, abs=0.03)
    loss, recall = figures(done.stdout)
    assert loss == pytest.approx(one.history["loss"][-1], abs=0.15)
    assert recall == pytest.approx(kept, abs=0.05)
    assert kept > 0.5


@on_linux
def test_a_killed_process_ends_all_with_one_sentence_and_another_number_goes_on(shards, tmp_path, capsys):
    kept, output = tmp_path / "kept", tmp_path / "out.parquet"
    arguments = [shards, "-o", output, "--checkpoint", kept, *KEPT, "--dim", "16", "--epochs", "40"]
    run, ranks = started("embed", arguments, kept)
    while epoch_done(kept) < 25:
        time.sleep(0.05)
    kill_second(run, ranks, kept)
    assert not output.exists()
    copy, by_three = shutil.copytree(kept, tmp_path / "copy"), tmp_path / "three.parquet"

    assert main(["embed", *map(str, arguments), "--checkpoint-every", "1000"]) == 0
    gone_on = capsys.readouterr().out
    assert re.search(r", resumed at epoch \d+\.\d, ", gone_on)
    assert list(kept.iterdir()) == []
    whole = tmp_path / "whole.npz"
    assert main(["embed", str(shards), "-o", str(whole), "--dim", "16", "--epochs", "40"]) == 0
    in_memory, _ = figures(capsys.readouterr().out)
    beside = ["--checkpoint", str(tmp_path / "beside"), "--checkpoint-every", "1000", "--dim", "16", "--epochs", "40"]
    assert main(["embed", str(shards), "-o", str(tmp_path / "beside.parquet"), *beside]) == 0
    undisturbed = figures(capsys.readouterr().out)
    assert figures(gone_on) == pytest.approx(undisturbed, abs=0.05)

    arguments = [shards, "-o", by_three, "--checkpoint", copy, "--dim", "16", "--epochs", "40"]
    three = subprocess.run(command(3, "embed", *arguments), capture_output=True, text=True, check=True).stdout
    assert re.search(r", 3 processes, resumed at epoch \d+\.\d, ", three)
    assert list(copy.iterdir()) == []
    loss, told = figures(three)
    assert loss == pytest.approx(in_memory, abs=0.05)
    graph, there = open_shards(shards).graph(), Embedding.load(whole)
    recall = neighbor_recall(graph, there.vectors)
    assert neighbor_recall(graph, read(output)[1]) == pytest.approx(recall, abs=0.03)
    assert neighbor_recall(graph, read(by_three)[1]) == pytest.approx(recall, abs=0.01)
    assert told == pytest.approx(recall, abs=0.06)  # of other nodes than one process looks at


@on_linux
def test_nobody_but_this_machine_can_connect_and_an_interrupt_ends_all(shards, tmp_path):
    kept = tmp_path / "kept"
    run, ranks = started(
        "embed",
        [shards, "-o", tmp_path / "x.parquet", "--checkpoint", kept, *KEPT, "--dim", "16", "--epochs", "100000"],
        kept,
    )
    assert {address for pid in ranks.values() for address in listening(pid)} == {"0100007F"}
    os.killpg(run.pid, signal.SIGINT)  # as a terminal does
    errors = run.communicate()[1]
    assert run.returncode != 0
    assert not sentences(errors)
    assert not any(Path(f"/proc/{pid}").exists() for pid in ranks.values())


def test_a_checkpoint_goes_on_exactly_where_it_was(shards, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(kept_tables, "PIECE", 500)  # rows, so that there are several
    train = ShardTrainer.train_chunk

    def fail(self):
        if self.epoch == 4:
            raise OSError("the power went out")
        train(self)

    def run(name, *options):
        output = tmp_path / f"{name}.parquet"
        code = main(["embed", str(shards), "-o", str(output), "--temperature", "learn", *QUICK, *options])
        return code, output

    kept = ["--checkpoint", str(tmp_path / "kept"), *KEPT]
    with monkeypatch.context() as context:
        context.setattr(ShardTrainer, "train_chunk", fail)
        assert run("broken", *kept)[0] == 2
    assert capsys.readouterr().err == "graphne: the power went out\n"
    (checkpoint,) = (tmp_path / "kept").iterdir()
    shutil.copytree(tmp_path / "kept", tmp_path / "other")
    code, resumed = run("resumed", *kept)
    assert code == 0
    assert ", resumed at epoch 4.0, " in capsys.readouterr().out
    code, whole = run("whole", "--checkpoint", str(tmp_path / "new"))
    assert code == 0
    assert read(resumed)[1].tobytes() == read(whole)[1].tobytes()

    other = ["--checkpoint", str(tmp_path / "other")]
    capsys.readouterr()
    assert run("wrong", *other, "--focus", "0.1")[0] == 2
    assert re.search(rf"{checkpoint.name} is of another training: its focus is 0.5, not 0.1", capsys.readouterr().err)
    next((tmp_path / "other" / checkpoint.name).glob("*.distcp")).write_bytes(b"")
    assert run("damaged", *other)[0] == 2
    assert re.search(rf"{checkpoint.name} cannot be read; remove it to begin anew", capsys.readouterr().err)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-o", "x.npz"], r"x.npz does not end in one of .parquet"),
        (["-o", "x.parquet", "--start", "E.npz"], r"--start is for a graph in a file, not for a folder of shards"),
        (["-o", "x.parquet", "--weight", "w"], r"--weight is for a graph in a file, not for a folder of shards"),
        (["-o", "x.parquet", "--devices", "2"], r"devices starts processes by itself"),
        (["-o", "x.parquet", "--dim", "2000"], r"dim must be at most the number of nodes, 1,753, got 2000"),
        (["-o", "x.parquet", "--initialization", "pca"], r"initialization must be one of 'spectral', 'random'"),
        (["-o", "x.parquet", "--device", "nowhere"], r"device must be 'auto' or one that torch finds here"),
    ],
)
def test_what_cannot_be_done_with_shards_is_refused(shards, tmp_path, capsys, arguments, message):
    with contextlib.chdir(tmp_path):
        assert main(["embed", str(shards), *arguments, "--checkpoint", "kept"]) == 2
    assert re.search(message, capsys.readouterr().err)


def test_a_checkpoint_needs_shards_and_shards_need_no_words_about_files(shards, tmp_path, capsys):
    table = tmp_path / "edges.csv"
    table.write_text("source,target\na,b\n")
    output = ["-o", str(tmp_path / "x.parquet")]
    assert main(["embed", str(table), *output, "--checkpoint", str(tmp_path / "kept")]) == 2
    assert re.search(r"--checkpoint needs a folder of shards, .*; got .*edges.csv", capsys.readouterr().err)
    assert main(["embed", str(shards), *output, "--source", "a"]) == 2
    assert re.search(r"--source is for a graph in a file", capsys.readouterr().err)
