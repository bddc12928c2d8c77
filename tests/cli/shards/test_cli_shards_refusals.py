"""What processes that torchrun started are told of shards, versions and devices that do not fit: by one of them, once.

All cases are tried in one launch: its processes meet anew for each command.
"""

import json
import re
import shutil
import subprocess
import sys

import pytest

pytest.importorskip("torch")
pytest.importorskip("pyarrow")

from shard_examples import write_shards
from torchrun import sentences

PROGRAM = """
import contextlib
import io
import json
import os
import sys
from pathlib import Path

from torch import distributed

from graphne_viz.cli import main
from graphne_viz.cli.shards import processes

meet = distributed.rendezvous
found = []
for number, (arguments, version) in enumerate(json.loads(Path(sys.argv[1]).read_text())[int(os.environ["RANK"])]):

    def meet_anew(*given, **named):
        for store, *rest in meet(*given, **named):
            yield distributed.PrefixStore(f"command {number}", store), *rest

    distributed.rendezvous = meet_anew
    processes.package_version = lambda: version
    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        code = main(arguments)
    found.append([code, said.getvalue()])
Path(sys.argv[2]).with_suffix("." + os.environ["RANK"]).write_text(json.dumps(found))
sys.exit(max(code for code, _ in found))
"""

EXPECTED = {
    "missing": r"^the shard .*/missing/edges-00001\.parquet is missing; copy the whole folder, or prepare it again$",
    "missing on one machine": r"^process 1 of 2: the shard .*/missing/edges-00001\.parquet is missing; ",
    "of another run": r"^the shard .*/mixed/edges-00001\.parquet is of another run than ",
    "another graph": r"^process 1 of 2: the run that prepared .* is '\w+', but '\w+' in process 0$",
    "another version": r"^process 1 of 2: the version of graphne_viz is '2\.0', but '1\.0' in process 0$",
    "no device for a layout": r"^device must be 'auto' or one that torch finds here, got 'cuda:7' ",
    "no device for a training": r"^device must be 'auto' or one that torch finds here, got 'cuda:7' ",
    "no scale": r"^scale must be positive and finite, got nan$",
}


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """Exit code and words of both processes, by case."""
    folder = tmp_path_factory.mktemp("refusals")
    whole, other = write_shards(folder / "whole"), write_shards(folder / "other")
    missing, mixed = (shutil.copytree(whole, folder / name) for name in ("missing", "mixed"))
    (missing / "edges-00001.parquet").unlink()
    shutil.copy(other / "edges-00001.parquet", mixed)

    def both(command, *shards, versions=("1.0", "1.0"), options=()):
        given = [command, "-o", str(folder / "out.parquet"), "--quiet", *options]
        return [[[*given, str(path)], version] for path, version in zip(shards, versions, strict=True)]

    nowhere = ["--device", "cuda:7"]
    cases = {
        "missing": both("layout", missing, missing),
        "missing on one machine": both("embed", whole, missing),
        "of another run": both("embed", mixed, mixed),
        "another graph": both("layout", whole, other),
        "another version": both("embed", whole, whole, versions=("1.0", "2.0")),
        "no device for a layout": both("layout", whole, whole, options=nowhere),
        "no device for a training": both("embed", whole, whole, options=[*nowhere, "--dim", "8", "--epochs", "1"]),
        "no scale": both("layout", whole, whole, options=["--scale", "nan"]),
    }
    assert list(cases) == list(EXPECTED)
    program, plan, results = (folder / name for name in ("program.py", "plan.json", "results.json"))
    program.write_text(PROGRAM)
    plan.write_text(json.dumps(list(zip(*cases.values(), strict=True))))
    launcher = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    done = subprocess.run([*launcher, program, plan, results], capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert not (folder / "out.parquet").exists()
    ranks = [results.with_suffix(f".{rank}") for rank in (0, 1)]
    assert all(rank.exists() for rank in ranks), done.stderr
    return dict(zip(cases, zip(*(json.loads(rank.read_text()) for rank in ranks), strict=True), strict=True))


@pytest.mark.parametrize("case", EXPECTED)
def test_one_sentence_is_said_and_all_processes_end(found, case):
    (first, words), (second, others) = found[case]
    assert (first, second) == (2, 2)
    (sentence,) = sentences(words + others)
    assert re.search(EXPECTED[case], sentence.removeprefix("graphne: "))
    assert "Traceback" not in words + others
