"""The formulas by which docs/scaling.md predicts, held to what the program counts on small graphs.

tests/layout/engine/test_distributed.py does so for what a layout holds and sends.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("pyarrow")

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"

PROGRAM = """
import json
import sys
from pathlib import Path

folder = Path(sys.argv[2])
sys.path.insert(0, sys.argv[1])

import counted
import embedding_counted
import scaling_model
from scaling import stochastic_blocks

from graphne_viz.graphs.convert.api import as_graph
from graphne_viz.layout.engine.torch_engine.world import World

world = World.join()
found = {}
embedding_counted.warm_up(world, folder)
counted.count_reading(world, folder / "small")
embedding_counted.write_blocks(world, folder / "graph", 6000, 8)
sizes, peak = counted.count_reading(world, folder / "graph")
found["reading"] = [peak, scaling_model.reading(**sizes, processes=world.size)]
found |= embedding_counted.count_training(world, folder / "graph", 128)[1]
if world.size == 1:
    P, places = counted.laid_out(as_graph(stochastic_blocks(6000, 48000)))
    for processes in (1, 2):
        sizes, counts = counted.count_iteration(P, places, processes)
        assert not counts["close"]  # a mesh without close pairs, as in a finished layout
        found[f"temporary {processes}"] = [counts["temporary"], scaling_model.working(**sizes)]
        found[f"moved {processes}"] = [counts["moved"], scaling_model.moved_by_iteration(**sizes)]
everything = world.all_of(found)
if world.first:
    (folder / f"{world.size}.json").write_text(json.dumps(everything))
world.leave()
"""


def count(folder, launcher):
    """Pairs of what a process counted and what the formula says, by name, for each process."""
    (folder / "program.py").write_text(PROGRAM)
    done = subprocess.run(
        [*launcher, folder / "program.py", BENCHMARKS, folder], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    (result,) = folder.glob("*.json")
    return json.loads(result.read_text())


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    return count(tmp_path_factory.mktemp("alone"), [sys.executable])


@pytest.fixture(scope="module")
def two(tmp_path_factory):
    launcher = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    return count(tmp_path_factory.mktemp("two"), launcher)


def check(found, name, tolerance):
    for rank in found:
        counted, formula = rank[name]
        assert counted == pytest.approx(formula, rel=tolerance), name


@pytest.mark.parametrize("name", ["temporary 1", "temporary 2", "moved 1", "moved 2"])
def test_an_iteration_takes_and_moves_what_the_model_says(alone, name):
    check(alone, name, 0.1)


@pytest.mark.parametrize(
    ("name", "tolerance"),
    [
        ("held", 0.01),  # edges between two processes are not shared out quite evenly
        ("host at start", 0.15),
        ("host in training", 0.25),  # of a small graph the nodes whose recall is measured are many
        ("host in the end", 0.2),
        ("rows of an epoch", 0.15),
        ("words of an epoch", 0.25),  # regions grow by more words where nodes have few neighbours
        ("operations of a step", 0.1),
    ],
)
def test_processes_take_and_send_what_the_model_says(alone, two, name, tolerance):
    assert (len(alone), len(two)) == (1, 2)
    check([*alone, *two], name, tolerance)


def test_until_the_first_iteration_a_process_takes_at_most_what_the_model_says(alone, two):
    for found in (alone, two):
        counted, formula = max(rank["reading"] for rank in found)
        assert counted == pytest.approx(formula, rel=0.25)


def test_what_the_model_bounds_is_not_exceeded(alone, two):
    for rank in [*alone, *two]:
        counted, most = rank["rows of a mean"]
        assert 0 < counted <= most
        assert rank["rows of the finish"][0] == 8 * counted
    counted, most = alone[0]["device when measured"]
    assert most / 2 < counted <= most
