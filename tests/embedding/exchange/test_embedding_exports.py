import csv
import gzip
import sys

import anndata
import networkx as nx
import numpy as np
import pandas as pd
import pytest
from embedding_examples import NASTY_IDS, an_embedding
from pyarrow import parquet

from graphne_viz.graphs.convert.api import as_graph


@pytest.mark.parametrize("ids", [range(4), [4, -3, 2**40], ["b", "a"], NASTY_IDS, [("a", 1), ("b", 2)]], ids=str)
def test_frame(ids):
    E = an_embedding(ids=ids)
    frame = E.to_frame()
    assert frame.index.nlevels == 1
    assert [repr(node) for node in frame.index.tolist()] == [repr(node) for node in ids]
    assert frame.index.name == "id"
    assert list(frame.columns) == ["x0", "x1", "x2", "x3"]
    assert (frame.dtypes == np.float32).all()
    assert np.array_equal(frame.to_numpy(), E.vectors)
    frame["x0"] *= 2
    frame.iloc[0, 1] = 7
    assert np.array_equal(E.vectors, an_embedding(ids=ids).vectors)


def test_numbers_stay_numbers_in_a_frame():
    assert an_embedding(ids=[5, 3]).to_frame().index.dtype == np.int64
    assert isinstance(an_embedding(3).to_frame().index, pd.RangeIndex)


def test_anndata_and_its_file(tmp_path):
    E = an_embedding(ids=[1, "1", ("a", 2), "ä"])
    for adata in (E.to_anndata(), _written(E.to_anndata(), tmp_path)):
        assert adata.obs_names.tolist() == ["1", "1 (2)", "('a', 2)", "ä"]
        assert adata.obs["isolated"].tolist() == [False, False, False, True]
        assert np.array_equal(adata.obsm["X_graphne_vectors"], E.vectors)
        assert adata.obsm["X_graphne_vectors"].dtype == np.float32
        assert "X_graphne" not in adata.obsm  # what scanpy draws has two columns
        assert adata.uns["graphne"]["settings"]["epochs"] == 3
        assert "device" not in adata.uns["graphne"]["settings"]  # None, which h5ad cannot hold
        assert np.array_equal(adata.uns["graphne"]["history"]["recall"], E.history["recall"])
        adata.obsm["X_graphne_vectors"][0] = 0
    assert E.vectors[0].any()


def _written(adata, folder):
    adata.write_h5ad(folder / "out.h5ad")
    return anndata.read_h5ad(folder / "out.h5ad")


def test_settings_of_every_kind_can_be_written(tmp_path):
    settings = {"epochs": 3, "temperature": "learn", "seed": 0, "list": [1, 2], "flag": True, "none": None}
    adata = _written(an_embedding(settings=settings).to_anndata(), tmp_path)
    assert adata.uns["graphne"]["settings"]["list"].tolist() == [1, 2]
    assert adata.uns["graphne"]["settings"]["temperature"] == "learn"


def test_vectors_fit_the_anndata_that_the_graph_came_from():
    adata = anndata.AnnData(obs=pd.DataFrame(index=["c", "a", "b"]))
    adata.obsp["connectivities"] = nx.to_scipy_sparse_array(nx.path_graph(3), dtype=float)
    E = an_embedding(ids=as_graph(adata).ids)
    assert E.to_anndata().obs_names.equals(adata.obs_names)


@pytest.mark.parametrize(
    ("missing", "method", "message"),
    [
        ("pandas", "to_frame", "pip install pandas"),
        ("anndata", "to_anndata", "pip install anndata"),
        ("pyarrow", "to_parquet", "pip install pyarrow"),
    ],
)
def test_a_missing_library_is_named(monkeypatch, tmp_path, missing, method, message):
    monkeypatch.setitem(sys.modules, missing, None)
    arguments = [tmp_path / "out.parquet"] if method == "to_parquet" else []
    with pytest.raises(ImportError, match=message):
        getattr(an_embedding(), method)(*arguments)
    assert list(tmp_path.iterdir()) == []


def read_word2vec(text):
    """Read as gensim does: lines end at line feeds, and a name at the first space."""
    (n, d), *lines = (line.split(" ") for line in text.removesuffix("\n").split("\n"))
    assert len(lines) == int(n)
    assert all(len(line) == int(d) + 1 for line in lines)
    return {name: np.array(cells, dtype=np.float32) for name, *cells in lines}


def test_word2vec(tmp_path):
    ids = ["plain", "two words", "two_words", "two\twords", "two_words_2", "", "</script>", ("a", 1), 1, "1", "\u2028"]
    E = an_embedding(ids=ids)
    E.save_word2vec(tmp_path / "out.txt")
    text = (tmp_path / "out.txt").read_bytes().decode()
    assert text.startswith("11 4\nplain ")
    found = read_word2vec(text)
    names = ["plain", "two_words", "two_words_3", "two_words_4", "two_words_2", "_", "</script>", "('a',_1)", "1"]
    assert list(found) == [*names, "1_2", "__2"]
    assert np.array_equal(np.stack(list(found.values())), E.vectors)


def test_word2vec_with_every_nasty_name(tmp_path):
    E = an_embedding(30, 16, ids=NASTY_IDS)
    E.save_word2vec(tmp_path / "out.txt.gz")
    found = read_word2vec(gzip.decompress((tmp_path / "out.txt.gz").read_bytes()).decode())
    assert len(found) == len(NASTY_IDS)
    assert not any(name.split() != [name] for name in found)
    assert np.array_equal(np.stack(list(found.values())), E.vectors)


def test_numbers_are_written_as_short_as_can_be(tmp_path):
    E = an_embedding(ids=["a"], vectors=np.array([[0.1, -1, 0, 1e-20]], dtype=np.float32))
    E.save_word2vec(tmp_path / "out.txt")
    assert (tmp_path / "out.txt").read_text() == "1 4\na 0.1 -1.0 0.0 1e-20\n"


@pytest.mark.parametrize("name", ["out.csv", "out.csv.gz"])
def test_csv(tmp_path, name):
    E = an_embedding(ids=NASTY_IDS)
    E.to_csv(tmp_path / name)
    opened = gzip.open if name.endswith("gz") else open
    with opened(tmp_path / name, "rt", newline="", encoding="utf-8") as stream:
        header, *rows = csv.reader(stream)
    assert header == ["id", "x0", "x1", "x2", "x3"]
    assert len({row[0] for row in rows}) == len(NASTY_IDS)
    assert [row[0] for row in rows[:6]] == ["-5", str(2**70), str(-(2**63)), "0", "", "1"]
    assert np.array_equal(np.array([row[1:] for row in rows], dtype=np.float32), E.vectors)
    before = (tmp_path / name).read_bytes()
    E.to_csv(tmp_path / name)
    assert (tmp_path / name).read_bytes() == before


@pytest.mark.parametrize(
    ("ids", "expected"),
    [
        (range(3), [0, 1, 2]),
        ([7, -1], [7, -1]),
        (["b", "\ud800"], ["b", "\\ud800"]),
        ([1, "1", (2,)], ["1", "1 (2)", "(2,)"]),
        ([2**64, 1], [str(2**64), "1"]),
    ],
)
def test_parquet(tmp_path, ids, expected):
    E = an_embedding(ids=ids)
    E.to_parquet(tmp_path / "out.parquet")
    table = parquet.read_table(tmp_path / "out.parquet")
    assert table.column_names == ["id", "x0", "x1", "x2", "x3"]
    assert table.column("id").to_pylist() == expected
    assert np.array_equal(np.stack([table.column(f"x{axis}").to_numpy() for axis in range(4)], axis=1), E.vectors)
    before = (tmp_path / "out.parquet").read_bytes()
    E.to_parquet(tmp_path / "out.parquet")
    assert (tmp_path / "out.parquet").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["out.parquet"]
