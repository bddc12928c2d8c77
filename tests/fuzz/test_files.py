"""Files of every format, damaged in every way: a graph comes back, or one sentence."""

import gzip
import io
import json
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp
from damage import changes, cuts, damaged, repeats
from fuzzing import bounded, check_sentence, fuzzed
from hypothesis import given
from hypothesis import strategies as st

from graphne_viz.graphs.io.files import read_graph
from graphne_viz.graphs.io.metadata import read_metadata

SAMPLES = Path(__file__).parents[1] / "graphs" / "io" / "samples"


def npz_of_arrays():
    stream = io.BytesIO()
    np.savez_compressed(stream, edges=np.array([[0, 1], [1, 2]]), labels=np.array([0, 1, 0]), ids=np.array(list("abc")))
    return stream.getvalue()


def npz_of_matrix():
    stream = io.BytesIO()
    sp.save_npz(stream, sp.csr_array(np.array([[0, 1.0], [2.0, 0]])))
    return stream.getvalue()


def parquet_of_edges():
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    stream = io.BytesIO()
    parquet.write_table(pa.table({"source": ["a", "b"], "target": ["b", "c"], "weight": [1.0, 2.0]}), stream)
    return stream.getvalue()


NODE_LINK = {
    "nodes": [{"id": 1, "x": 0.5}, {"id": "a"}],
    "links": [{"source": 1, "target": "a", "weight": 2, "k": None}],
}
WHOLE = {
    "a.gexf": (SAMPLES / "gephi.gexf").read_bytes(),
    "a.graphml": (SAMPLES / "yed.graphml").read_bytes(),
    "a.gml": (SAMPLES / "small.gml").read_bytes(),
    "a.net": (SAMPLES / "small.net").read_bytes(),
    "a.json": json.dumps(NODE_LINK).encode(),
    "a.csv": b'source,target,weight,note\na,b,1,x\nb,c,2.5,\n"c ",d,0,"y\nz"\n',
    "a.edgelist": b"1 2 {'weight': 3}\n2 3 {}\n# note\n3 1 {'a': [1]}\n",
    "a.csv.gz": gzip.compress(b"1,2\n2,3\n" * 20),
    "arrays.npz": npz_of_arrays(),
    "matrix.npz": npz_of_matrix(),
    "a.parquet": parquet_of_edges(),
}


@pytest.mark.parametrize("name", WHOLE)
def test_the_whole_files_are_read(tmp_path, name):
    (tmp_path / name).write_bytes(WHOLE[name])
    assert read_graph(tmp_path / name).n_nodes > 1


@pytest.mark.parametrize("name", WHOLE)
def test_damaged_files_are_graphs_or_sentences(tmp_path, name, tally):
    path = tmp_path / name

    @fuzzed
    @given(changes=changes, repeats=repeats, cut=cuts, max_size=st.sampled_from([None, "1MB"]))
    def read(changes, repeats, cut, max_size):
        content = damaged(WHOLE[name], changes, repeats, cut)
        path.write_bytes(content)
        try:
            with bounded(len(content), megabytes=40 if max_size else 400):
                graph = read_graph(path, max_size=max_size)
        except ValueError as error:
            check_sentence(error, str(path))
            tally["refused"] += 1
        else:
            assert np.isfinite(graph.adjacency.data).all()
            assert graph.adjacency.shape == (len(set(graph.ids)),) * 2
            tally["graphs"] += 1
        if path.suffix in {".gexf", ".graphml", ".json", ".npz"}:
            try:
                read_metadata(path, "graphne")
            except ValueError as error:
                check_sentence(error, str(path))

    read()
