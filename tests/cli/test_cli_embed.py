import csv
import gzip
import re
import signal
import subprocess
import sys
import time

import networkx as nx
import numpy as np
import pytest
from pyarrow import parquet
from refusals import check_refused

import graphne_viz.graphs.io.files as graph_files
from graphne_viz.cli import main
from graphne_viz.embedding import api
from graphne_viz.embedding.embedding import Embedding

pytest.importorskip("torch")

FIGURES = r"34 nodes, 78 edges, 1 part, \d+\.\d s, loss \d\.\d\d, recall [01]\.\d\d: "
SMALL = ["--dim", "8", "--epochs", "3"]


@pytest.fixture
def karate(tmp_path):
    path = tmp_path / "karate.csv"
    nx.write_edgelist(nx.karate_club_graph(), path, delimiter=",", data=["weight"])
    return path


@pytest.fixture
def asked(monkeypatch):
    """Have the training replaced; return the keywords it is called with."""
    calls = []

    def stand_in(graph, **keywords):
        calls.append(keywords)
        n = graph.n_nodes
        history = {"epoch": [1.0, 1.5], "loss": [2, 1], "temperature": [0.1, 0.1], "recall": [0.1, 0.567]}
        return Embedding(np.eye(n, 4), graph.ids, history, {"epochs": 9}, np.zeros(n))

    monkeypatch.setattr(api, "embed", stand_in)
    return calls


def test_every_format_at_once(karate, tmp_path, capsys):
    outputs = [tmp_path / f"out.{ending}" for ending in ("npz", "parquet", "csv", "txt", "csv.gz", "txt.gz")]
    arguments = [part for output in outputs for part in ("-o", str(output))]
    assert main(["embed", str(karate), *arguments, *SMALL, "--temperature", "0.1"]) == 0
    said = capsys.readouterr()
    assert re.fullmatch(FIGURES + re.escape(", ".join(map(str, outputs))) + "\n", said.out)
    assert said.err == ""
    assert sorted(tmp_path.iterdir()) == sorted([karate, *outputs])

    E = Embedding.load(tmp_path / "out.npz")
    assert sorted(E.ids) == list(range(34))
    assert (E.dim, E.epochs, E.complete, E.temperature) == (8, 3, True, pytest.approx(0.1))
    assert np.linalg.norm(E, axis=1) == pytest.approx(1, abs=1e-5)

    table = parquet.read_table(tmp_path / "out.parquet")
    assert table.column("id").to_pylist() == list(E.ids)
    assert np.array_equal(np.stack([table.column(f"x{axis}").to_numpy() for axis in range(8)], axis=1), E.vectors)
    with (tmp_path / "out.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [int(row["id"]) for row in rows] == list(E.ids)
    assert np.float32(rows[5]["x7"]) == E.vectors[5, 7]
    lines = (tmp_path / "out.txt").read_text().splitlines()
    assert lines[0] == "34 8"
    assert np.array_equal(np.array(lines[6].split()[1:], dtype=np.float32), E.vectors[5])
    for name in ("csv", "txt"):
        assert gzip.decompress((tmp_path / f"out.{name}.gz").read_bytes()) == (tmp_path / f"out.{name}").read_bytes()


def test_neighbours_end_up_close_together(karate, tmp_path):
    assert (
        main(["embed", str(karate), "-o", str(tmp_path / "out.npz"), "--dim", "16", "--epochs", "40", "--quiet"]) == 0
    )
    E = Embedding.load(tmp_path / "out.npz")
    G = nx.karate_club_graph()
    kept = [len({other for other, _ in E.most_similar(node, len(G[node]))} & set(G[node])) for node in G]
    assert sum(kept) / sum(dict(G.degree).values()) > 0.6
    assert E.recall > 0.6


def test_options_reach_the_training(karate, tmp_path, asked, capsys):
    out = ["-o", str(tmp_path / "out.csv")]
    main(["embed", str(karate), *out])
    main(["embed", str(karate), *out, "--temperature", "learn", "--batch-size", "auto", "--progress"])
    more = "--dim 3 --epochs 4 --temperature .5 --learning-rate .1 --batch-size 7 --preset paper --seed 5 --device cpu"
    main(["embed", str(karate), *out, *more.split(), "--initialization", "random", "--negatives", "batch"])
    assert asked == [
        {"progress": False},
        {"temperature": "learn", "batch_size": "auto", "progress": True},
        {
            "dim": 3,
            "epochs": 4,
            "temperature": 0.5,
            "learning_rate": 0.1,
            "batch_size": 7,
            "negatives": "batch",
            "preset": "paper",
            "seed": 5,
            "device": "cpu",
            "initialization": "random",
            "progress": False,
        },
    ]
    capsys.readouterr()


def test_weights_are_chosen_where_the_file_is_read(karate, tmp_path, asked, monkeypatch):
    seen = []
    read = graph_files.read_graph
    monkeypatch.setattr(graph_files, "read_graph", lambda *a, **k: seen.append(k) or read(*a, **k))
    for options in ([], ["--unweighted"], ["--weight", "weight"]):
        main(["embed", str(karate), "-o", str(tmp_path / "out.csv"), "--quiet", *options])
    assert seen == [{}, {"weight": None}, {"weight": "weight"}]
    assert len(asked) == 3


@pytest.mark.usefixtures("asked")
def test_a_stopped_training_is_written_and_said(karate, tmp_path, capsys):
    output = tmp_path / "out.npz"
    assert main(["embed", str(karate), "-o", str(output)]) == 130
    said = capsys.readouterr()
    expected = r"34 nodes, 78 edges, 1 part, \d\.\d s, stopped after 1 of 9 epochs, loss 1\.00, recall 0\.57: "
    assert re.fullmatch(expected + re.escape(f"{output}\n"), said.out)
    assert not Embedding.load(output).complete


def test_going_on_from_a_file(karate, tmp_path):
    once, twice = tmp_path / "once.npz", tmp_path / "twice.npz"
    assert main(["embed", str(karate), "-o", str(once), "--dim", "8", "--epochs", "4", "--quiet"]) == 0
    command = ["embed", str(karate), "-o", str(twice), "--quiet"]
    assert main([*command, *SMALL]) == 0
    assert main([*command, "--start", str(twice), "--epochs", "4"]) == 0
    E = Embedding.load(twice)
    assert (E.epochs, E.complete) == (4, True)
    assert E.history["epoch"].tolist() == [1, 2, 3, 4]


def test_the_bar_shows_epochs_loss_and_recall(karate, tmp_path, capsys):
    assert main(["embed", str(karate), "-o", str(tmp_path / "out.npz"), *SMALL, "--progress"]) == 0
    assert re.search(r"100%.*epoch 3\.0/3.*loss=\d\.\d+, recall=[01]\.\d+", capsys.readouterr().err)


def test_fewer_nodes_than_dimensions_simply_work_and_are_said(tmp_path, capsys):
    path = tmp_path / "les.gexf"
    nx.write_gexf(nx.les_miserables_graph(), path)
    assert main(["embed", str(path), "-o", str(tmp_path / "out.npz"), "--epochs", "3"]) == 0
    assert ", 77 dimensions, as many as there are nodes, loss " in capsys.readouterr().out
    assert Embedding.load(tmp_path / "out.npz").vectors.shape == (77, 77)
    assert main(["embed", str(path), "-o", str(tmp_path / "other.npz"), "--dim", "128"]) == 2
    assert "dim must be at most the number of nodes, 77, got 128" in capsys.readouterr().err


def test_quiet_says_nothing(karate, tmp_path, capsys):
    assert main(["embed", str(karate), "-o", str(tmp_path / "out.npz"), *SMALL, "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")


BAD_INPUT = {
    "no input": (["nothing.csv", "-o", "out.npz"], "nothing.csv does not exist"),
    "unknown ending": (["karate.csv", "-o", "out.doc"], "out.doc does not end in one of .npz, .parquet, .csv, .txt"),
    "zipped npz": (["karate.csv", "-o", "out.npz.gz"], "out.npz.gz does not end in one of"),
    "no folder": (["karate.csv", "-o", "missing/out.csv"], "folder of missing/out.csv does not exist"),
    "output twice": (["karate.csv", "-o", "a.csv", "-o", "./a.csv"], "is the same file as another output"),
    "output is input": (["karate.csv", "-o", "./karate.csv"], "karate.csv is the same file as the input"),
    "no start": (["karate.csv", "-o", "out.npz", "--start", "nothing.npz"], "nothing.npz does not exist"),
    "no embedding": (
        ["karate.csv", "-o", "out.npz", "--start", "karate.csv"],
        "karate.csv is not a readable embedding",
    ),
    "another graph": (["karate.csv", "-o", "out.npz", "--start", "other.npz"], "start"),
    "no edges": (["nodes.gml", "-o", "out.npz", "--dim", "2"], "this graph has none"),
    "one dimension": (["karate.csv", "-o", "out.npz", "--dim", "1"], "dim must be at least 2, got 1"),
    "too many": (
        ["karate.csv", "-o", "out.npz", "--dim", "128"],
        "dim must be at most the number of nodes, 34, got 128",
    ),
    "cold": (["karate.csv", "-o", "out.npz", "--dim", "8", "--temperature", "0"], "temperature must be positive"),
    "no temperature": (["karate.csv", "-o", "out.npz", "--dim", "8", "--temperature", "hot"], "got 'hot'"),
    "no batch": (["karate.csv", "-o", "out.npz", "--dim", "8", "--batch-size", "big"], "got 'big'"),
    "no device": (["karate.csv", "-o", "out.npz", "--dim", "8", "--device", "abacus"], "abacus"),
    "unknown preset": (["karate.csv", "-o", "out.npz", "--dim", "8", "--preset", "best"], "preset"),
    "unknown negatives": (["karate.csv", "-o", "out.npz", "--dim", "8", "--negatives", "x"], "negatives"),
    "unknown start": (["karate.csv", "-o", "out.npz", "--dim", "8", "--initialization", "x"], "initialization"),
}


@pytest.mark.parametrize("case", BAD_INPUT)
def test_bad_input_is_one_sentence_and_exit_code_2(case, karate, monkeypatch, capsys):
    folder = karate.parent
    monkeypatch.chdir(folder)
    (folder / "nodes.gml").write_text("graph [ node [ id 1 ] node [ id 2 ] node [ id 3 ] ]")
    history = {name: [1] for name in ("epoch", "loss", "temperature", "recall")}
    Embedding(np.eye(2), ["a", "b"], history, {"epochs": 3}, [False, False]).save(folder / "other.npz")
    arguments, message = BAD_INPUT[case]
    check_refused(["embed", *arguments], message, capsys, folder)


@pytest.mark.parametrize(("missing", "extra"), [("torch", "'graphne-viz[embed]'"), ("pyarrow", "pyarrow")])
def test_a_missing_library_is_named(karate, monkeypatch, capsys, missing, extra):
    monkeypatch.setitem(sys.modules, missing, None)
    if missing == "pyarrow":
        monkeypatch.setattr(graph_files, "read_graph", lambda *_, **__: pytest.fail("was read"))
    output = karate.with_name("out.npz" if missing == "torch" else "out.parquet")
    assert main(["embed", str(karate), "-o", str(output), "--dim", "8"]) == 2
    said = capsys.readouterr().err
    assert said.endswith(f": pip install {extra}\n")
    assert said.count("\n") == 1
    assert list(karate.parent.iterdir()) == [karate]


def test_outputs_are_checked_before_the_input_is_read(karate, monkeypatch, capsys):
    monkeypatch.setattr(graph_files, "read_graph", lambda *_, **__: pytest.fail("was read"))
    assert main(["embed", str(karate), "-o", str(karate.with_name("bad.doc"))]) == 2
    assert "bad.doc" in capsys.readouterr().err


@pytest.mark.parametrize("option", [["--dim", "many"], ["--epochs", "1.5"], ["--weight", "w", "--unweighted"]])
def test_wrong_usage(karate, option, capsys):
    with pytest.raises(SystemExit, match=r"^2$"):
        main(["embed", str(karate), "-o", "out.npz", *option])
    assert capsys.readouterr().err.startswith("usage: graphne embed")


def test_ctrl_c_in_a_real_process(tmp_path):
    nx.write_edgelist(nx.gnm_random_graph(3000, 9000, seed=0), tmp_path / "g.edges", data=False)
    arguments = ["embed", "g.edges", "-o", "out.npz", "--dim", "16", "--epochs", "100000", "--progress"]
    process = subprocess.Popen(
        [sys.executable, "-m", "graphne_viz.cli", *arguments],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        shown = b""
        while b"recall" not in shown:  # an epoch is done
            byte = process.stderr.read(1)
            assert byte, shown
            shown += byte
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    finally:
        process.kill()
    assert process.returncode == 130
    assert re.search(rb"stopped after \d+ of 100,000 epochs, loss \d\.\d\d, recall \d\.\d\d: out\.npz\n$", out)
    assert b"Traceback" not in err
    assert b"start=E" not in err
    E = Embedding.load(tmp_path / "out.npz")
    assert not E.complete
    assert E.epochs >= 1
    assert E.state is not None
