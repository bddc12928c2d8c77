"""What cannot be trained is refused in one clear sentence, before anything is started."""

import subprocess
import sys

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
from training_examples import lattice

from graphne_viz.embedding.api import embed

RING = lattice(20)


@pytest.mark.parametrize(
    ("G", "words"),
    [
        (nx.empty_graph(10), "an embedding needs edges, but this graph has none"),
        (sp.csr_array((10, 10)), "an embedding needs edges, but this graph has none"),
        (np.array([[0, 1, np.nan], [1, 2, 1.0], [2, 3, 1.0]]), "weight nan; weights must be finite"),
        (nx.Graph([(0, 1, {"weight": float("nan")}), (1, 2, {"weight": 1})]), "weight nan; weights must be finite"),
        (nx.Graph([(0, 1, {"weight": float("inf")}), (1, 2, {"weight": 1})]), "weight inf; weights must be finite"),
        (nx.Graph([(0, 1, {"weight": -1}), (1, 2, {"weight": 1})]), "weight -1.*not negative"),
    ],
)
def test_graphs(G, words):
    with pytest.raises(ValueError, match=words):
        embed(G, 2)


def test_a_graph_without_nodes():
    with pytest.raises(ValueError, match=r"at most the number of nodes, 0|needs edges"):
        embed(nx.Graph(), 2)


@pytest.mark.parametrize(
    ("keywords", "error", "words"),
    [
        ({"dim": 1}, ValueError, "dim must be at least 2, got 1"),
        ({"dim": 0}, ValueError, "dim must be at least 2, got 0"),
        ({"dim": 21}, ValueError, "dim must be at most the number of nodes, 20, got 21"),
        ({"dim": 128}, ValueError, "dim must be at most the number of nodes, 20, got 128"),
        ({"dim": 2.5}, TypeError, r"dim must be an integer, got 2\.5"),
        ({"dim": "8"}, TypeError, "dim must be an integer, got '8'"),
        ({"focus": -0.1}, ValueError, r"focus must be from 0 \(neighbours\) to 1 \(classes\), got -0\.1"),
        ({"focus": 1.5}, ValueError, r"focus must be from 0 \(neighbours\) to 1 \(classes\), got 1\.5"),
        ({"focus": float("nan")}, ValueError, r"focus must be from 0 \(neighbours\) to 1 \(classes\), got nan"),
        ({"focus": "classes"}, TypeError, r"focus must be a number from 0 \(neighbours\) to 1 \(classes\), got"),
        ({"focus": True}, TypeError, r"focus must be a number from 0 \(neighbours\) to 1 \(classes\), got True"),
        ({"temperature": 0}, ValueError, "temperature must be positive and finite, got 0"),
        ({"temperature": -0.05}, ValueError, r"temperature must be positive and finite, got -0\.05"),
        ({"temperature": np.nan}, ValueError, "temperature must be positive and finite, got nan"),
        ({"temperature": np.inf}, ValueError, "temperature must be positive and finite, got inf"),
        ({"temperature": 1e-30}, ValueError, "temperature must be at least 1e-06, got 1e-30"),
        ({"temperature": "learned"}, ValueError, r"^temperature.* 'learn', got 'learned'$"),
        ({"temperature": [0.1]}, TypeError, r"temperature must be a number, got \[0\.1\]"),
        ({"epochs": 0}, ValueError, "epochs must be at least 1, got 0"),
        ({"epochs": 1.5}, TypeError, r"epochs must be an integer, got 1\.5"),
        ({"batch_size": 0}, ValueError, "batch_size must be at least 1, got 0"),
        ({"batch_size": "big"}, ValueError, r"^batch_size.* 'auto'.* got 'big'$"),
        ({"batch_size": 10.0}, TypeError, r"batch_size must be an integer, got 10\.0"),
        ({"negatives": "all"}, ValueError, "negatives must be one of 'batch', 'copies', got 'all'"),
        ({"preset": "fast"}, ValueError, "preset must be one of 'default', 'paper', got 'fast'"),
        ({"preset": None}, ValueError, "preset must be one of 'default', 'paper', got None"),
        ({"learning_rate": 0}, ValueError, "learning_rate must be positive and finite, got 0"),
        ({"learning_rate": 1e300}, ValueError, r"learning_rate must be at most 1e\+06, got 1e\+300"),
        ({"learning_rate": np.nan}, ValueError, "learning_rate must be positive and finite, got nan"),
        ({"initialization": "pca"}, ValueError, "initialization must be one of 'spectral', 'random' or an array"),
        ({"initialization": np.ones((20, 9))}, ValueError, r"the shape \(20, 8\), got \(20, 9\)"),
        ({"initialization": np.ones((19, 8))}, ValueError, r"the shape \(20, 8\), got \(19, 8\)"),
        ({"initialization": np.full((20, 8), np.nan)}, ValueError, "initialization must be finite"),
        ({"seed": -1}, ValueError, "seed must not be negative, got -1"),
        ({"seed": "zero"}, TypeError, "seed must be an int"),
        ({"device": "quantum"}, ValueError, "device must be 'auto' or one that torch finds here, got 'quantum'"),
        ({"device": "cuda:99"}, ValueError, "device must be 'auto' or one that torch finds here, got 'cuda:99'"),
        ({"device": "meta"}, ValueError, "device must be 'auto' or one that torch finds here, got 'meta'"),
        ({"device": None}, ValueError, "device must be 'auto' or one that torch finds here, got None"),
        ({"callback": 3}, TypeError, "callback must be callable, got 3"),
        ({"weight": "missing"}, (KeyError, ValueError, TypeError), "missing"),
    ],
)
def test_arguments(keywords, error, words):
    pytest.importorskip("torch")
    G = nx.Graph(RING.tolist())
    with pytest.raises(error, match=words) as caught:
        embed(G, **({"dim": 8} | keywords))
    assert "\n" not in str(caught.value)


def test_an_unknown_keyword():
    with pytest.raises(TypeError, match="unexpected keyword argument 'tau'"):
        embed(RING, 8, tau=0.1)


def test_without_torch_the_extra_is_named():
    code = (
        "import sys; sys.modules['torch'] = None\n"
        "from graphne_viz.embedding.api import embed\n"
        "from graphne_viz.embedding.embedding import Embedding\n"
        "from graphne_viz.embedding.projection import project\n"
        "import networkx as nx\n"
        "try:\n"
        "    embed(nx.cycle_graph(9), 4)\n"
        "except ImportError as error:\n"
        "    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "embed needs torch: pip install 'graphne-viz[embed]'\n"


def test_a_torch_that_is_broken_is_not_called_missing(monkeypatch):
    class Broken:
        @staticmethod
        def find_spec(name, *_):
            if name == "torch":
                raise ModuleNotFoundError("No module named 'sympy'", name="sympy")

    monkeypatch.delitem(sys.modules, "torch", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Broken, *sys.meta_path])
    with pytest.raises(ModuleNotFoundError, match="sympy"):
        embed(RING, 8)


class FullError(RuntimeError):
    """As torch.OutOfMemoryError, which is a RuntimeError."""


@pytest.mark.parametrize(
    "error",
    [
        RuntimeError("CUDA out of memory. Tried to allocate 20.00 GiB"),
        RuntimeError("MPS backend out of memory (MPS allocated: 9 GB)"),
        RuntimeError("[enforce fail at alloc_cpu.cpp:114] DefaultCPUAllocator: can't allocate memory"),
        FullError("out of memory"),
        MemoryError(),
    ],
)
def test_out_of_memory_says_what_to_lower(monkeypatch, error):
    pytest.importorskip("torch")
    from graphne_viz.embedding.training.trainer import CompiledStep

    def full(*_, **__):
        raise error

    monkeypatch.setattr(CompiledStep, "learn", full)
    words = (
        r"^not enough memory on device 'cpu' for 20 nodes in 8 dimensions with batches of 5 edges; "
        r"lower dim or batch_size$"
    )
    with pytest.raises(MemoryError, match=words) as caught:
        embed(RING, 8, batch_size=5, device="cpu")
    assert caught.value.__cause__ is error


def test_out_of_memory_when_the_tables_are_made(monkeypatch):
    pytest.importorskip("torch")
    from graphne_viz.embedding.training import trainer

    def full(*_, **__):
        raise RuntimeError("CUDA out of memory")

    monkeypatch.setattr(trainer, "RowAdam", full)
    with pytest.raises(MemoryError, match="lower dim or batch_size"):
        embed(RING, 8)


def test_other_errors_stay_what_they_are(monkeypatch):
    pytest.importorskip("torch")
    from graphne_viz.embedding.training.trainer import CompiledStep

    def wrong(*_, **__):
        raise RuntimeError("sizes do not match")

    monkeypatch.setattr(CompiledStep, "learn", wrong)
    with pytest.raises(RuntimeError, match="sizes do not match"):
        embed(RING, 8)


@pytest.mark.parametrize("preset", ["default", "paper"])
def test_the_largest_learning_rate_gives_vectors(preset):
    E = embed(nx.path_graph(20), 4, preset=preset, epochs=30, learning_rate=1e6)
    assert np.isfinite(E.vectors).all()
    assert np.linalg.norm(E.vectors, axis=1) == pytest.approx(1, abs=1e-5)
