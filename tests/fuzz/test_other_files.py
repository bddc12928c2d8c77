"""What is read beside graphs: embeddings, tables of nodes, shards, exports to repeat and edge files to prepare."""

import argparse
import gzip
import io
import json
import shutil
import struct
import zlib
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from damage import changes, cuts, damaged, repeats
from fuzzing import bounded, check_sentence, fuzzed, fuzzed_seldom
from hypothesis import given
from hypothesis import strategies as st

from graphne_viz import embed
from graphne_viz.cli.repeat_export import REPEATED, apply_like
from graphne_viz.embedding.embedding import Embedding
from graphne_viz.graphs.io.files import read_graph
from graphne_viz.graphs.io.metadata import PAGE_DATA
from graphne_viz.graphs.shards.prepare import prepare
from graphne_viz.graphs.shards.reader import open_shards
from graphne_viz.graphs.shards.sample import has_results, read_sample

TABLES = {
    "a.csv": b"id,label,size\na,one,1\nb,two,2.5\nc,,\n",
    "a.tsv": b"name\tx\na\t1\nb\t2\nd\t3\n",
    "a.txt": b"node group\na 1\nb 2\n",
}
ABOUT = {
    "generator": "graphne_viz 0.1.0",
    "made_by": "layout",
    "parameters": {"seed": 1, "n_iter": 20, "scale": 1.0, "dof": 1.0, "normalization": "node", "exaggeration": 1},
    "caveats": ["some nodes were held fixed"],
}
EDGES = b"source,target,weight\n" + b"".join(b"%d,%d,1.5\n" % (k, (k * 7) % 20) for k in range(20))


def parquet_of(**columns):
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    stream = io.BytesIO()
    parquet.write_table(pa.table(columns), stream)
    return stream.getvalue()


def png_of(text):
    chunk = b"tEXt" + b"graphne_viz\0" + text
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", zlib.crc32(chunk))


def exports():
    text = json.dumps(ABOUT).encode()
    quoted = text.replace(b'"', b"&quot;")
    stream = io.BytesIO()
    np.savez(stream, metadata=np.array(text.decode()), edges=np.array([[0, 1]]))
    return {
        "a.svg": b'<svg xmlns="http://www.w3.org/2000/svg"><metadata><description>%s</description></metadata></svg>'
        % quoted,
        "a.html": b"<!doctype html><title>a</title>%s%s</script>"
        % (PAGE_DATA.encode(), json.dumps({"about": ABOUT}).encode()),
        "a.png": png_of(text),
        "a.npz": stream.getvalue(),
        "a.json": json.dumps({"graph": ABOUT, "nodes": [], "links": []}).encode(),
        "a.json.gz": gzip.compress(json.dumps({"graph": ABOUT, "nodes": [], "links": []}).encode()),
        "a.gexf": b"<gexf><meta><description>%s</description></meta><graph/></gexf>" % quoted,
        "a.graphml": b'<graphml><key id="g" for="graph" attr.name="parameters"/><key id="h" for="graph" '
        b'attr.name="generator"/><key id="i" for="graph" attr.name="made_by"/><graph><data key="g">%s</data>'
        b'<data key="h">graphne_viz</data><data key="i">layout</data></graph></graphml>'
        % json.dumps(ABOUT["parameters"]).encode().replace(b'"', b"&quot;"),
    }


EXPORTS = exports()


@pytest.fixture(scope="module")
def embedding(tmp_path_factory):
    """Return what a small embedding is saved as."""
    path = tmp_path_factory.mktemp("whole") / "a.npz"
    pytest.importorskip("torch")
    embed(nx.path_graph(8), dim=3, epochs=1).save(path)
    return path.read_bytes()


def test_damaged_embeddings_are_embeddings_or_sentences(tmp_path, embedding, tally):
    path = tmp_path / "a.npz"
    path.write_bytes(embedding)
    assert len(Embedding.load(path)) == 8

    @fuzzed
    @given(changes=changes, repeats=repeats, cut=cuts)
    def read(changes, repeats, cut):
        content = damaged(embedding, changes, repeats, cut)
        path.write_bytes(content)
        try:
            with bounded(len(content)):
                found = Embedding.load(path)
        except ValueError as error:
            check_sentence(error, str(path))
            tally["refused"] += 1
        else:
            assert np.isfinite(found.vectors).all()
            assert len(set(found.ids)) == len(found.vectors)
            tally["read"] += 1

    read()


@pytest.mark.parametrize("name", [*TABLES, "a.parquet"])
def test_damaged_tables_of_nodes_are_graphs_or_sentences(tmp_path, name, tally):
    whole = TABLES.get(name) or parquet_of(id=["a", "b", "c"], label=["x", None, "z"])
    (tmp_path / "g.csv").write_bytes(b"source,target\na,b\nb,c\n")
    path = tmp_path / name
    path.write_bytes(whole)
    assert read_graph(tmp_path / "g.csv", nodes=path).attributes

    @fuzzed
    @given(changes=changes, repeats=repeats, cut=cuts)
    def read(changes, repeats, cut):
        content = damaged(whole, changes, repeats, cut)
        path.write_bytes(content)
        try:
            with bounded(len(content)):
                graph = read_graph(tmp_path / "g.csv", nodes=path)
        except ValueError as error:
            check_sentence(error, str(path), str(tmp_path / "g.csv"))
            tally["refused"] += 1
        else:
            assert {"a", "b", "c"} <= set(graph.ids)
            assert all(len(column) == graph.n_nodes for column in graph.attributes.values())
            tally["read"] += 1

    read()


def test_damaged_shards_are_graphs_or_sentences(tmp_path, tally):
    pytest.importorskip("duckdb")
    (tmp_path / "g.csv").write_bytes(EDGES)
    prepare(tmp_path / "g.csv", tmp_path / "whole")
    whole = {path.name: path.read_bytes() for path in (tmp_path / "whole").iterdir()}
    folder = tmp_path / "shards"
    n = open_shards(tmp_path / "whole").n_nodes

    @fuzzed
    @given(name=st.sampled_from(sorted(whole)), changes=changes, repeats=repeats, cut=cuts)
    def read(name, changes, repeats, cut):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for file, content in whole.items():
            (folder / file).write_bytes(content)
        content = damaged(whole[name], changes, repeats, cut)
        (folder / name).write_bytes(content)
        try:
            with bounded(len(content), megabytes=200):
                graph = open_shards(folder).graph()
        except (ValueError, FileNotFoundError) as error:
            check_sentence(error, str(folder))
            tally["refused"] += 1
        else:
            assert graph.n_nodes == n
            assert np.isfinite(graph.adjacency.data).all()
            tally["read"] += 1

    read()


def test_damaged_results_are_shown_or_refused_in_a_sentence(tmp_path, tally):
    whole = parquet_of(id=["a", "b", "c"], x=[0.0, 1.0, 2.0], y=[1.0, 0.0, 0.5])
    path = tmp_path / "a.parquet"
    path.write_bytes(whole)
    assert has_results(path)

    @fuzzed
    @given(changes=changes, repeats=repeats, cut=cuts)
    def read(changes, repeats, cut):
        content = damaged(whole, changes, repeats, cut)
        path.write_bytes(content)
        if not has_results(path):
            tally["no results"] += 1
            return
        try:
            with bounded(len(content)):
                graph, total = read_sample(path)
        except ValueError as error:
            check_sentence(error, str(path))
            tally["refused"] += 1
        else:
            assert graph.n_nodes == total == len(graph.attributes["x"])
            tally["read"] += 1

    read()


@pytest.mark.parametrize("name", EXPORTS)
def test_damaged_exports_are_repeated_or_refused_in_a_sentence(tmp_path, name, tally):
    path = tmp_path / name
    path.write_bytes(EXPORTS[name])
    options = argparse.Namespace(like=path, file=Path("g.csv"))
    apply_like(options)
    assert (options.seed, options.n_iter) == (1, 20)

    @fuzzed
    @given(changes=changes, repeats=repeats, cut=cuts)
    def read(changes, repeats, cut):
        content = damaged(EXPORTS[name], changes, repeats, cut)
        path.write_bytes(content)
        options = argparse.Namespace(like=path, file=Path("g.csv"))
        try:
            with bounded(len(content)):
                apply_like(options)
        except ValueError as error:
            check_sentence(error, str(path))
            tally["refused"] += 1
        else:
            assert vars(options).keys() <= {"like", "file", *REPEATED}
            tally["repeated"] += 1

    read()


@pytest.mark.parametrize("name", ["a.csv", "a.csv.gz", "a.parquet"])
def test_damaged_edge_files_are_prepared_or_refused_in_a_sentence(tmp_path, name, tally):
    pytest.importorskip("duckdb")
    whole = {"a.csv": EDGES, "a.csv.gz": gzip.compress(EDGES)}.get(name) or parquet_of(
        source=["a", "b"], target=["b", "c"]
    )
    path, folder = tmp_path / name, tmp_path / "shards"

    @fuzzed_seldom
    @given(changes=changes, repeats=repeats, cut=cuts)
    def read(changes, repeats, cut):
        content = damaged(whole, changes, repeats, cut)
        path.write_bytes(content)
        shutil.rmtree(folder, ignore_errors=True)
        try:
            with bounded(len(content), megabytes=200):
                shards = prepare(path, folder)
        except ValueError as error:
            check_sentence(error, str(path))
            assert sorted(tmp_path.iterdir()) == [path]
            tally["refused"] += 1
        else:
            assert np.isfinite(shards.graph().adjacency.data).all()
            assert sorted(tmp_path.iterdir()) == [path, folder]
            tally["prepared"] += 1

    read()


pairs = st.tuples(st.integers(), st.text(max_size=2))
odd_ids = st.lists(
    st.one_of(st.text(max_size=5), st.integers(), st.floats(allow_nan=False), pairs, st.binary(max_size=3)),
    min_size=2,
    max_size=6,
    unique=True,  # 0 and 0.0 are one node
)


def test_vectors_of_nodes_with_any_ids_are_written_whole_or_refused(tmp_path, tally):
    pytest.importorskip("torch")
    path = tmp_path / "a.npz"

    @fuzzed
    @given(ids=odd_ids)
    def write(ids):
        G = nx.path_graph(ids)
        found = embed(G, dim=2, epochs=1)
        assert list(found.ids) == list(G)
        for save, name in ((found.to_csv, "a.csv"), (found.save_word2vec, "a.txt"), (found.to_parquet, "a.parquet")):
            try:
                save(tmp_path / name)
            except (ValueError, TypeError) as error:
                check_sentence(error)
                tally["refused"] += 1
            else:
                tally["written"] += 1
        try:
            found.save(path)
        except (ValueError, TypeError) as error:
            check_sentence(error)
            tally["refused"] += 1
        else:
            again = Embedding.load(path)
            assert (again.ids, again.vectors.tobytes()) == (found.ids, found.vectors.tobytes())
            tally["written"] += 1

    write()
