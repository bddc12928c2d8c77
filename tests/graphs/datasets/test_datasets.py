"""The digits are what their docstring says, and the paper's graphs come from the files that their authors published."""

import gzip
import io
import struct
import subprocess
import sys
import tarfile
import zipfile

import networkx as nx
import numpy as np
import pytest
from local_web import serving

import graphne_viz
from graphne_viz.graphs.datasets import api as datasets
from graphne_viz.graphs.datasets import catalogue
from graphne_viz.graphs.datasets.api import NAMES, digits, load
from graphne_viz.graphs.datasets.catalogue import CATALOGUE
from graphne_viz.graphs.datasets.download import Source
from graphne_viz.graphs.datasets.published_files import nearest_neighbors, read_mnist, tidy

TABLE_1 = {
    "citeseer": (2120, 7358),
    "cora": (2485, 10138),
    "pubmed": (19717, 88648),
    "photo": (7487, 238086),
    "computer": (13381, 491556),
    "mnist": (70000, 1501392),
    "arxiv": (169343, 2315598),
    "mag": (726664, 10778888),
}
# A part of four nodes with a self-loop and an edge in both directions, beside a part of two.
PAIRS = [("a", "b"), ("b", "a"), ("b", "c"), ("c", "c"), ("d", "c"), ("e", "f")]
CLASSES = dict(zip("abcef", "xyxxy", strict=True))  # none of d


def test_digits_are_a_nearest_neighbour_graph_by_class():
    graph = digits()
    assert graph.n_nodes == 1797
    assert graph.degrees.min() >= 15
    assert set(graph.pair_weights.tolist()) == {1.0}
    classes = graph.attributes["class"]
    assert sorted(set(classes.tolist())) == list("0123456789")
    source, target = graph.pairs.T
    assert np.mean(classes[source] == classes[target]) > 0.9  # neighbours are mostly the same digit


def test_digits_are_always_the_same():
    one, two = digits(), digits()
    np.testing.assert_array_equal(one.adjacency.indices, two.adjacency.indices)
    assert one.attributes["class"].tolist() == two.attributes["class"].tolist()


def test_datasets_are_at_the_front_door():
    assert graphne_viz.datasets.load is datasets.load
    loaded = "import sys, graphne_viz; print('graphne_viz.graphs.datasets.catalogue' in sys.modules)"
    assert (
        subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True).stdout == "False\n"
    )


def test_the_catalogue_is_the_papers_first_table():
    assert {name: (entry.nodes, entry.edges) for name, entry in CATALOGUE.items()} == TABLE_1
    assert tuple(TABLE_1) == NAMES
    assert all(source.url.startswith("https://") for entry in CATALOGUE.values() for source in entry.sources)


@pytest.fixture
def places(monkeypatch, tmp_path):
    """Have empty folders for data and cache, and a web; return all three."""
    data, cache = tmp_path / "data", tmp_path / "cache"
    data.mkdir()
    monkeypatch.setenv("GRAPHNE_DATA", str(data))
    monkeypatch.setenv("GRAPHNE_CACHE", str(cache))
    with serving() as web:
        yield data, cache, web


def test_what_is_here_needs_no_download(places):
    data, cache, _web = places
    assert not datasets.is_here("mnist")
    cache.mkdir()
    (cache / "mnist_knn.npz").touch()
    assert datasets.is_here("mnist")
    assert not datasets.is_here("mine")
    (data / "mine.npz").touch()
    assert datasets.is_here("mine")
    with pytest.raises(ValueError, match=r"name must be one of citeseer, .*, got '\.\./mine'"):
        datasets.is_here("../mine")


def publish(monkeypatch, web, name, content, *, nodes=4, edges=6):
    """Let a graph of the catalogue be a small one that the local web has, with other sizes in the table."""
    (source, *_), entry = CATALOGUE[name].sources, CATALOGUE[name]
    web.files[f"/{source.name}"] = content
    small = entry._replace(nodes=nodes, edges=edges, sources=(Source(f"{web.url}/{source.name}", None),))
    monkeypatch.setattr(datasets, "CATALOGUE", {**catalogue.CATALOGUE, name: small})


def tgz(**texts):
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as archive:
        for name, text in texts.items():
            info = tarfile.TarInfo(name)
            info.size = len(text.encode())
            archive.addfile(info, io.BytesIO(text.encode()))
    return stream.getvalue()


def cites():
    content = "".join(f"{paper}\t0\t1\t{label}\n" for paper, label in CLASSES.items())
    lines = "".join(f"{source}\t{target}\n" for source, target in PAIRS)
    return tgz(**{"cora/README": "x", "cora/._cora.cites": "x", "cora/cora.content": content, "cora/cora.cites": lines})


def tabs():
    papers = "NODE\tpaper\ncat=1,2,3:label\n" + "".join(
        f"{paper}\tlabel={label}\tw-a=0.1\tsummary=w-a\n" for paper, label in (CLASSES | {"d": "x"}).items()
    )
    lines = "DIRECTED\tcites\nNO_FEATURES\n" + "".join(f"1\tpaper:{a}\t|\tpaper:{b}\n" for a, b in PAIRS)
    return tgz(**{"P/data/P.NODE.paper.tab": papers, "P/data/P.DIRECTED.cites.tab": lines})


def benchmark_npz():
    matrix = nx.to_scipy_sparse_array(nx.DiGraph(PAIRS), nodelist="abcdef", format="csr")
    arrays = {"adj_data": matrix.data, "adj_indices": matrix.indices, "adj_indptr": matrix.indptr}
    stream = io.BytesIO()
    np.savez(stream, **arrays, labels=np.array([0, 1, 0, 0, 0, 1]), class_names=np.array(["x", "y"], dtype=object))
    return stream.getvalue()


def ogb(*, of_many):
    numbers = "".join(f"{'abcdef'.index(a)},{'abcdef'.index(b)}\n" for a, b in PAIRS)
    files = {"raw/edge.csv.gz": numbers, "raw/node-label.csv.gz": "0\n1\n0\n0\n0\n1\n"}
    if of_many:
        files = {
            "raw/relations/author___writes___paper/edge.csv.gz": "0,1\n",
            "raw/relations/paper___cites___paper/edge.csv.gz": numbers,
            "raw/node-label/paper/node-label.csv.gz": files["raw/node-label.csv.gz"],
        }
    else:
        files["raw/node_year.csv.gz"] = "2001\n2002\n2003\n2004\n2005\n2006\n"
        files["mapping/labelidx2arxivcategeory.csv.gz"] = "label idx,arxiv category\n0,arxiv cs x\n1,arxiv cs y\n"
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, text in files.items():
            archive.writestr(f"graph/{name}", gzip.compress(text.encode()))
    return stream.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "classes"),
    [
        ("cora", cites(), ["x", "y", "x", None]),
        ("pubmed", tabs(), ["x", "y", "x", "x"]),
        ("photo", benchmark_npz(), ["0", "1", "0", "0"]),  # names that are pickled are not read
        ("arxiv", ogb(of_many=False), ["cs x", "cs y", "cs x", "cs x"]),
        ("mag", ogb(of_many=True), ["0", "1", "0", "0"]),
    ],
    ids=["cora", "pubmed", "photo", "arxiv", "mag"],  # the content has the time in it, which differs among processes
)
def test_every_published_form_becomes_the_same_graph(places, monkeypatch, name, content, classes):
    _, cache, web = places
    publish(monkeypatch, web, name, content)
    graph = load(name, progress=False)
    assert graph.pairs.tolist() == [[0, 1], [1, 2], [2, 3]]
    assert set(graph.pair_weights.tolist()) == {1.0}
    assert graph.attributes["class"].tolist() == classes
    if name == "arxiv":
        assert graph.attributes["year"].tolist() == [2001, 2002, 2003, 2004]

    web.files.clear()  # the second time it comes from the cache
    again = load(name, progress=False)
    assert again.pairs.tolist() == graph.pairs.tolist()
    assert again.attributes["class"].tolist() == classes
    assert (cache / f"{name}.npz").is_file()


def test_the_folder_comes_before_the_cache_and_needs_no_pooch(places, monkeypatch):
    data, cache, web = places
    publish(monkeypatch, web, "cora", cites())
    monkeypatch.setitem(sys.modules, "pooch", None)
    np.savez(data / "cora.npz", edges=np.array([[0, 1], [1, 2], [1, 3]]), labels=np.array([1, 0, 1, -1]),
             label_names=np.array(["x", "y"]))  # fmt: skip
    graph = load("cora")
    assert graph.pairs.tolist() == [[0, 1], [1, 2], [1, 3]]
    assert graph.attributes["class"].tolist() == ["y", "x", "y", None]
    assert web.asked == []
    assert not cache.exists()

    np.savez(data / "mine.npz", edges=np.array([[0, 1]]))
    assert load("mine").n_nodes == 2


def test_a_graph_of_another_size_is_refused_with_both(places, monkeypatch):
    data, cache, web = places
    publish(monkeypatch, web, "cora", cites(), nodes=5)
    with pytest.raises(ValueError, match=r"cora\.tgz gives 4 nodes and 3 edges, but the paper's Cora has 5 and 3\)"):
        load("cora", progress=False)
    assert not (cache / "cora.npz").exists()
    np.savez(data / "cora.npz", edges=np.array([[0, 1]]))
    with pytest.raises(
        ValueError, match=r"data.cora\.npz gives 2 nodes and 1 edges, but the paper's Cora has 5 and 3$"
    ):
        load("cora")


def test_offline_is_told_in_one_sentence(places, monkeypatch):
    *_, web = places
    publish(monkeypatch, web, "cora", cites())
    web.files.clear()
    with pytest.raises(
        ConnectionError, match=r"^Cora is neither in the folder GRAPHNE_DATA nor in the cache, and http.* 404"
    ):
        load("cora", progress=False)


@pytest.mark.parametrize("damage", ["cut", "other", "empty"])
def test_what_is_damaged_in_the_cache_is_made_anew(places, monkeypatch, caplog, damage):
    _, cache, web = places
    publish(monkeypatch, web, "cora", cites())
    edges = load("cora", progress=False).pairs.tolist()
    path = cache / "cora.npz"
    whole = path.read_bytes()

    def spoil():
        if damage == "other":
            np.savez(path, edges=np.array([[0, 1]]))
        else:
            path.write_bytes(whole[: {"cut": 200, "empty": 0}[damage]])

    spoil()
    web.files.clear()  # the published file is still there
    assert load("cora", progress=False).pairs.tolist() == edges
    assert path.read_bytes()[:200] == whole[:200]
    assert [record.getMessage() for record in caplog.records] == [caplog.records[0].getMessage()]
    assert caplog.records[0].getMessage().startswith(f"the cached copy of Cora is damaged ({path}")

    spoil()
    (cache / "raw" / "cora.tgz").unlink()
    with pytest.raises(ConnectionError, match=r"^the cached copy of Cora is damaged \(.*\), and http.* 404"):
        load("cora", progress=False)


def test_what_came_and_is_no_graph_is_not_kept(places, monkeypatch):
    _, cache, web = places
    publish(monkeypatch, web, "cora", b"<html>try again later</html>")
    words = r"^Cora cannot be read from the download of http.*/cora\.tgz \(.*\); it was deleted, and the next call"
    with pytest.raises(ValueError, match=words):
        load("cora", progress=False)
    assert list((cache / "raw").iterdir()) == []
    web.files["/cora.tgz"] = cites()
    assert load("cora", progress=False).n_nodes == 4


def test_a_cache_that_cannot_be_names_the_variable(places, monkeypatch, tmp_path):
    *_, web = places
    publish(monkeypatch, web, "cora", cites())
    (tmp_path / "file").touch()
    for folder in (str(tmp_path / "file"), "/proc/nope", "/dev/null/deeper"):
        monkeypatch.setenv("GRAPHNE_CACHE", folder)
        with pytest.raises(ValueError, match=rf"^GRAPHNE_CACHE must name a writable folder, got '{folder}' \("):
            load("cora", progress=False)
    monkeypatch.delenv("GRAPHNE_CACHE")
    monkeypatch.setattr("pooch.os_cache", lambda _: tmp_path / "file")
    with pytest.raises(
        ValueError, match=r"^the cache .*file cannot be written to \(.*\); set GRAPHNE_CACHE to a writable folder"
    ):
        load("cora", progress=False)
    assert web.asked == []


@pytest.mark.parametrize("name", ["no_such", "../cora", "", 3])
@pytest.mark.usefixtures("places")
def test_other_names_are_refused(name):
    with pytest.raises(ValueError, match="citeseer, cora, pubmed, photo, computer, mnist, arxiv, mag"):
        load(name)


def idx(array, magic):
    return gzip.compress(struct.pack(f">{1 + array.ndim}I", magic, *array.shape) + array.astype(np.uint8).tobytes())


def test_mnist_is_read_and_joined(tmp_path):
    rng = np.random.default_rng(1)
    classes = rng.integers(0, 3, 90)
    images = np.clip(rng.normal(60 + 60 * classes[:, None, None], 20, (90, 8, 8)), 0, 255).astype(np.uint8)
    contents = [idx(images[:60], 2051), idx(classes[:60], 2049), idx(images[60:], 2051), idx(classes[60:], 2049)]
    paths = [tmp_path / f"{number}.gz" for number in range(4)]
    for path, content in zip(paths, contents, strict=True):
        path.write_bytes(content)
    raw = read_mnist(paths)
    assert raw.classes == [str(label) for label in classes]
    assert raw.ends.shape == (90 * 15, 2)
    assert np.mean(classes[raw.ends[:, 0]] == classes[raw.ends[:, 1]]) > 0.95
    assert tidy(raw)["edges"].shape[0] < 90 * 15
    with pytest.raises(ValueError, match="begins with 2049; it should be 2051"):
        read_mnist(paths[1:] + paths[:1])


def test_neighbours_are_searched_among_the_first_components():
    rng = np.random.default_rng(0)
    large = rng.permutation(40)
    vectors = np.column_stack([rng.normal(size=(40, 3)), 100.0 * large])  # all but one direction are noise
    for source, target in nearest_neighbors(vectors, k=2, components=1):
        assert abs(int(large[source]) - int(large[target])) <= 2
