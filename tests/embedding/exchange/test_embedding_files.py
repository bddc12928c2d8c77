import io
import json
import os
import stat
import tracemalloc
import zipfile

import numpy as np
import pytest
from embedding_examples import NASTY_IDS, an_embedding, assert_equal, curves

from graphne_viz.embedding.embedding import Embedding
from graphne_viz.embedding.exchange import npz_file

MEGABYTE = 10**6


@pytest.fixture
def path(tmp_path):
    return tmp_path / "embedding.npz"


@pytest.mark.parametrize(
    "ids",
    [
        range(5),
        [3, 1, -7, 2**62],
        [2**63, 2**64 + 1],
        ["b", "a", "ä"],
        NASTY_IDS,
        [1, "1", "True", "1.0"],
        [True, "x"],
        [1.0, "x"],
        [np.int64(3), np.float32(0.1), np.str_("s"), np.bool_(0)],
        [("a", 1)],
        [],
    ],
    ids=str,
)
@pytest.mark.parametrize("state", [True, False])
def test_round_trip(path, ids, state):
    E = an_embedding(ids=ids, origin="networkx")
    E.save(path, state=state)
    loaded = Embedding.load(path)
    assert list(loaded.ids) == list(ids)
    plain = [node.item() if isinstance(node, np.generic) else node for node in ids]
    expected = an_embedding(ids=plain, origin="networkx", state=state)
    assert_equal(loaded, expected)
    assert isinstance(loaded.ids, range if isinstance(ids, range) else tuple)
    assert list(path.parent.iterdir()) == [path]


def test_equal_ids_of_other_types_stay_what_they_are(path):
    for ids in ([1], [True], [1.0], ["1"], [(1,)], [(True,)], [(1.0,)]):
        an_embedding(ids=ids).save(path)
        (node,) = Embedding.load(path).ids
        assert repr(node) == repr(ids[0])


def test_nan_in_a_history_comes_back(path):
    history = curves([1.0, np.nan, 2.5]) | {"rate": [0.1, 0, 0]}
    E = an_embedding(history=history, settings={"epochs": 2, "list": [1, None, "ä"], "deep": {"a": 0.1}})
    E.save(path)
    assert_equal(Embedding.load(path), E)


def test_equal_embeddings_give_equal_bytes_and_no_waste(path, tmp_path):
    E = an_embedding(1000, 64)
    E.save(path)
    again = tmp_path / "again.npz"
    Embedding.load(path).save(again)
    assert path.read_bytes() == again.read_bytes()
    assert path.stat().st_size < 4 * E.vectors.nbytes + 10_000
    E.save(again, state=False)
    assert again.stat().st_size < E.vectors.nbytes + 10_000


def test_numpy_reads_it_without_us(path):
    E = an_embedding(ids=["a", "b"])
    E.save(path)
    with np.load(path, allow_pickle=False) as archive:
        assert np.array_equal(archive["vectors"], E.vectors)
        assert np.array_equal(archive["history_loss"], E.history["loss"])
        assert json.loads(archive["ids"].tobytes()) == ["a", "b"]


@pytest.mark.parametrize("rewrite", [np.savez, np.savez_compressed])
def test_what_numpy_wrote_again_is_read(path, rewrite):
    E = an_embedding(ids=["a", "b"])
    E.save(path)
    with np.load(path) as archive:
        arrays = dict(archive)
    arrays["vectors"] = arrays["vectors"].astype(">f4", order="F")
    rewrite(path, **arrays)
    assert_equal(Embedding.load(path), E)


class Node:
    def __repr__(self):
        return "Node()"


@pytest.mark.parametrize("node", [Node(), b"bytes", frozenset({1}), ("a", Node()), 1j, 10**4200])
def test_nodes_that_cannot_come_back_are_refused_before_anything_is_written(path, node, monkeypatch):
    path.write_text("precious")
    monkeypatch.setattr(npz_file, "replace_when_complete", lambda _: pytest.fail("began to write"))
    with pytest.raises(ValueError, match="cannot be written: nodes may be numbers, text, and tuples of these, not"):
        an_embedding(ids=[1, node]).save(path)
    assert path.read_text() == "precious"


def test_the_ending_decides(tmp_path):
    with pytest.raises(ValueError, match=r"out\.csv does not end in \.npz"):
        an_embedding().save(tmp_path / "out.csv")
    an_embedding().save(tmp_path / "OUT.NPZ")
    with pytest.raises(FileNotFoundError, match=r"the folder of .* does not exist"):
        an_embedding().save(tmp_path / "missing" / "out.npz")


def test_an_existing_file_survives_a_failure(path, monkeypatch):
    path.write_text("precious")

    def fail(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np.lib.format, "write_array", fail)
    with pytest.raises(OSError, match="No space left"):
        an_embedding().save(path)
    assert path.read_text() == "precious"
    assert list(path.parent.iterdir()) == [path]


def test_no_such_file(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"nothing\.npz does not exist"):
        Embedding.load(tmp_path / "nothing.npz")
    with pytest.raises(IsADirectoryError, match="is a folder"):
        Embedding.load(tmp_path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission(path):
    an_embedding().save(path)
    path.chmod(stat.S_IWUSR)
    with pytest.raises(PermissionError, match="Permission denied"):
        Embedding.load(path)


def test_every_broken_file_is_refused_in_one_sentence(path):
    an_embedding(3, 2, ids=["a", 1, ("t",)]).save(path)
    whole = path.read_bytes()
    E = Embedding.load(path)
    rng = np.random.default_rng(0)
    versions = [whole[:length] for length in range(0, len(whole), 7)]
    for _ in range(2000):
        broken = bytearray(whole)
        for place in rng.integers(len(whole), size=rng.integers(1, 4)):
            broken[place] = rng.integers(256)
        versions.append(bytes(broken))
    said = []
    for version in versions:
        path.write_bytes(version)
        try:
            assert_equal(Embedding.load(path), E)  # dates and other figures that nobody reads may change
        except ValueError as error:
            said.append(str(error))
    assert len(said) > 0.8 * len(versions)
    assert all(str(path) in text and "\n" not in text for text in said)


def rewritten(path, **replaced):
    """Write an embedding of 3 nodes in 2 dimensions with some arrays replaced, or left out if None."""
    an_embedding(3, 2, ids=["a", 1, ("t",)]).save(path)
    with np.load(path) as archive:
        arrays = dict(archive) | replaced
    with zipfile.ZipFile(path, "w") as archive:
        for name, array in arrays.items():
            if isinstance(array, bytes):
                archive.writestr(f"{name}.npy", array)
            elif array is not None:
                entry = io.BytesIO()
                np.lib.format.write_array(entry, np.asarray(array))
                archive.writestr(f"{name}.npy", entry.getvalue())


def as_bytes(text):
    return np.frombuffer(text.encode(), dtype=np.uint8)


def metadata(**replaced):
    state = {"edges": 7, "step": 1, "epoch": 1, "batch": 0, "log_temperature": -3.0}
    usual = {"format": npz_file.FORMAT, "version": 1, "origin": "array", "settings": {"epochs": 3}, "state": state}
    usual |= {"history": ["epoch", "loss", "temperature", "recall"], "numbered": False}
    return as_bytes(json.dumps({name: value for name, value in (usual | replaced).items() if value is not None}))


def header(shape, dtype="<f4"):
    """Return a file of numpy's that claims a shape and holds 24 bytes."""
    entry = io.BytesIO()
    np.lib.format.write_array_header_1_0(entry, {"descr": dtype, "fortran_order": False, "shape": shape})
    return entry.getvalue() + bytes(24)


HOSTILE = {
    "no vectors": ({"vectors": None}, "not an embedding; it holds"),
    "no metadata": ({"metadata": None}, "not an embedding; it holds"),
    "no isolated": ({"isolated": None}, "no array 'isolated'"),
    "no table of the state": ({"state_first": None}, "no array 'state_first'"),
    "no recall": ({"history_recall": None}, "no array 'history_recall'"),
    "no word of recall": ({"metadata": metadata(history=["epoch", "loss"])}, "history lacks 'temperature', 'recall'"),
    "no ids": ({"ids": None}, "no array 'ids'"),
    "foreign": ({"metadata": as_bytes('{"a": 1}')}, "not a graphne_viz embedding"),
    "a list": ({"metadata": as_bytes("[]")}, "not a graphne_viz embedding"),
    "no JSON": ({"metadata": as_bytes("{")}, "not a readable embedding"),
    "no UTF-8": ({"metadata": np.array([255, 254], dtype=np.uint8)}, "not a readable embedding"),
    "deep JSON": ({"metadata": as_bytes("[" * 100_000)}, "not a readable embedding"),
    "newer": ({"metadata": metadata(version=2)}, "version 2, which this version of graphne_viz cannot read"),
    "no settings": ({"metadata": metadata(settings=None)}, "metadata lacks settings"),
    "no list": ({"metadata": metadata(history="loss")}, "metadata lacks history"),
    "odd epochs": ({"metadata": metadata(settings={"epochs": "x"})}, "epochs must be an integer"),
    "unknown origin": ({"metadata": metadata(origin="matlab")}, "origin='matlab' is not one of"),
    "odd origin": ({"metadata": metadata(origin=["array"])}, "metadata lacks origin"),
    "half a state": ({"metadata": metadata(state={"step": 1})}, "state is not complete"),
    "odd step": (
        {"metadata": metadata(state={"edges": 7, "step": "1", "epoch": 1, "batch": 0, "log_temperature": 0})},
        "step must be an integer",
    ),
    "odd temperature": (
        {"metadata": metadata(state={"edges": 7, "step": 1, "epoch": 1, "batch": 0, "log_temperature": "0"})},
        "log_temperature is '0'",
    ),
    "NaN": ({"vectors": np.full((3, 2), np.nan, dtype=np.float32)}, "vector of node 'a' is not finite"),
    "float64": ({"vectors": np.ones((3, 2))}, "'vectors' is of type float64, not float32"),
    "one axis": ({"vectors": np.ones(3, dtype=np.float32)}, r"'vectors' has shape \(3,\), not \(any, any\)"),
    "too few vectors": ({"vectors": np.ones((2, 2), dtype=np.float32)}, r"has shape \(3,\), not \(2\)|3 ids for 2"),
    "pickled": ({"vectors": np.array([["x", Node]], dtype=object)}, "'vectors' holds pickled objects"),
    "pickled history": ({"history_loss": np.array([Node()])}, "'history_loss' holds pickled objects"),
    "huge": ({"vectors": header((10**12, 10**12))}, "claims shape .* but holds 24 bytes"),
    "overflow": ({"vectors": header((2**62, 2**62))}, "claims shape .* but holds 24 bytes"),
    "negative": ({"vectors": header((-3, -2))}, r"claims shape \(-3, -2\)"),
    "too small": ({"vectors": header((3, 1))}, "but holds 24 bytes"),
    "no numpy file": ({"vectors": b"hello"}, "not a readable embedding"),
    "code in a header": ({"vectors": header((3, 2)).replace(b"<f4", b"+()")}, "not a readable embedding"),
    "too few ids": ({"ids": as_bytes('["a"]')}, "1 ids for 3 vectors"),
    "ids of objects": ({"ids": as_bytes('[1, 2, {"a": 1}]')}, "ids contain an object"),
    "ids in an object": ({"ids": as_bytes('{"a": 1}')}, "ids are not a list"),
    "ids of floats": ({"ids": np.ones(3)}, "ids are of type float64"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_files_are_refused(path, case):
    replaced, message = HOSTILE[case]
    rewritten(path, **replaced)
    with pytest.raises(ValueError, match=message) as caught:
        Embedding.load(path)
    assert str(path) in str(caught.value)


def test_the_files_above_are_read_if_nothing_is_replaced(path):
    rewritten(path, vectors=header((3, 2)), metadata=metadata())
    assert Embedding.load(path).ids == ("a", 1, ("t",))


def zeros(path):
    """An array of 400 MB that is 400 kB when packed."""
    rewritten(path, isolated=None)
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive, archive.open("isolated.npy", "w") as entry:
        entry.write(header((3,)))
        for _ in range(400):
            entry.write(bytes(MEGABYTE))


def empty_lists(path):
    """Ids of 30 MB that would be ten million lists."""
    rewritten(path, ids=None)
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive, archive.open("ids.npy", "w") as entry:
        text = b"[" + b"[]," * 10**7
        np.lib.format.write_array_header_1_0(entry, {"descr": "|u1", "fortran_order": False, "shape": (len(text),)})
        entry.write(text)


def many_settings(path):
    """Metadata of 6 MB that would be two million objects."""
    rewritten(path, metadata=as_bytes("[" + "{}," * 2_000_000))


@pytest.mark.parametrize(
    ("attack", "message"),
    [
        (zeros, r"its arrays would take 400 MB; a file of 39\d kB may take 33.6 MB"),
        (empty_lists, r"10,000,001 objects and lists would take 320 MB"),
        (many_settings, r"2,000,001 objects and lists would take 64 MB"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_small_embedding_cannot_fill_the_memory(path, attack, message):
    attack(path)
    most = {"max_size": "40MB"} if attack is many_settings else {}  # as JSON it is not packed
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match=f"{message}.*unless max_size .--max-size. allows more$"):
            Embedding.load(path, **most)
        assert tracemalloc.get_traced_memory()[1] < 200 * MEGABYTE
    finally:
        tracemalloc.stop()


def test_who_says_so_loads_more(path):
    rewritten(path)
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("note.npy", bytes(40 * MEGABYTE))
    with pytest.raises(ValueError, match=r"its arrays would take 40 MB; a file of 4\d.\d kB may take 33.6 MB"):
        Embedding.load(path)
    assert len(Embedding.load(path, max_size="50MB")) == len(Embedding.load(path, max_size=50 * MEGABYTE)) == 3
    with pytest.raises(ValueError, match="max_size must be a number of bytes, or text such as '4GB', got -1"):
        Embedding.load(path, max_size=-1)


def test_a_name_that_is_listed_often_is_read_once(path, monkeypatch):
    names = ["epoch", "loss", "temperature", "recall"]
    rewritten(path, metadata=metadata(history=[*names, *["loss"] * 100_000]))
    reads = []
    read_array = np.lib.format.read_array
    monkeypatch.setattr(np.lib.format, "read_array", lambda *a, **k: reads.append(1) or read_array(*a, **k))
    assert list(Embedding.load(path).history) == names
    assert len(reads) < 20


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_not_waited_for(path):
    os.mkfifo(path)
    with pytest.raises(ValueError, match=r"embedding\.npz is a pipe, socket or device, not a file"):
        Embedding.load(path)


@pytest.mark.parametrize("content", [b"", b"PK", b"not a zip", b"\x93NUMPY"])
def test_files_of_other_kinds(path, content):
    path.write_bytes(content)
    with pytest.raises(ValueError, match="is not a readable embedding: File is not a zip file"):
        Embedding.load(path)


def test_a_layout_is_no_embedding(path):
    np.savez(path, positions=np.ones((3, 2)))
    with pytest.raises(ValueError, match="not an embedding; it holds 'positions'"):
        Embedding.load(path)
