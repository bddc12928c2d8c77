"""Downloads from a server on this machine: whole, broken off, changed, and not to be had."""

import hashlib
import socket
import sys

import numpy as np
import pytest
from local_web import serving

from graphne_viz.graphs.datasets import download as downloads
from graphne_viz.graphs.datasets.download import Source, fetch

DATA = np.random.default_rng(0).bytes(300_000)
CHECKSUM = f"sha256:{hashlib.sha256(DATA).hexdigest()}"


@pytest.fixture
def web(monkeypatch):
    monkeypatch.setattr(downloads, "_PAUSES", (0.0, 0.0))
    with serving() as web:
        web.files["/a/graph.zip"] = DATA
        yield web


def test_a_file_is_downloaded_once(web, tmp_path, capsys):
    folder = tmp_path / "new" / "cache"
    source = Source(f"{web.url}/a/graph.zip", CHECKSUM)
    path = fetch(source, folder)
    assert path == folder / "graph.zip"
    assert path.read_bytes() == DATA
    assert fetch(source, folder) == path
    assert web.asked == [("/a/graph.zip", None)]
    assert list(folder.iterdir()) == [path]
    assert capsys.readouterr() == ("", "")


def test_the_bar_shows_name_and_bytes(web, tmp_path, capsys):
    fetch(Source(f"{web.url}/a/graph.zip", CHECKSUM), tmp_path, progress=True)
    said = capsys.readouterr().err
    assert "graph.zip: 100%" in said
    assert "300k/300k" in said


def test_a_connection_that_breaks_off_goes_on_by_itself(web, tmp_path):
    web.breaks_after = 6 * 16_384
    path = fetch(Source(f"{web.url}/a/graph.zip", CHECKSUM), tmp_path)
    assert path.read_bytes() == DATA
    assert [asked for _, asked in web.asked][:3] == [None, "bytes=98304-", "bytes=196608-"]
    assert list(tmp_path.iterdir()) == [path]


def test_the_next_call_goes_on_where_the_last_one_was_killed(web, tmp_path, monkeypatch):
    def killed(self, answer, have, _):
        self._part.write_bytes(answer.raw.read(120_000 - have))
        raise KeyboardInterrupt

    source = Source(f"{web.url}/a/graph.zip", CHECKSUM)
    with monkeypatch.context() as patch:
        patch.setattr(downloads._Resuming, "_append", killed)
        with pytest.raises(KeyboardInterrupt):
            fetch(source, tmp_path)
    assert (tmp_path / "graph.zip.part").stat().st_size == 120_000
    assert fetch(source, tmp_path).read_bytes() == DATA
    assert [asked for _, asked in web.asked] == [None, "bytes=120000-"]


@pytest.mark.parametrize("change", ["tag", "ranges", "whole", "longer"])
def test_what_had_come_is_used_only_if_it_fits(web, tmp_path, change):
    have = {"whole": DATA, "longer": DATA + DATA}.get(change, b"of another version" * 1000)
    (tmp_path / "graph.zip.part").write_bytes(have)
    (tmp_path / "graph.zip.part.tag").write_text('"old"' if change == "tag" else '"one"')
    web.knows_ranges = change != "ranges"
    assert fetch(Source(f"{web.url}/a/graph.zip", CHECKSUM), tmp_path).read_bytes() == DATA
    assert [asked for _, asked in web.asked] == [f"bytes={len(have)}-", *[None] * (change == "longer")]
    assert [path.name for path in tmp_path.iterdir()] == ["graph.zip"]


def test_a_wrong_part_is_found_out_by_the_checksum_and_thrown_away(web, tmp_path):
    (tmp_path / "graph.zip.part").write_bytes(b"0" * 1000)
    (tmp_path / "graph.zip.part.tag").write_text('"one"')
    source = Source(f"{web.url}/a/graph.zip", CHECKSUM)
    with pytest.raises(ValueError, match=r"graph\.zip is not the file it should be: its checksum is not sha256:"):
        fetch(source, tmp_path)
    assert list(tmp_path.iterdir()) == []
    assert fetch(source, tmp_path).read_bytes() == DATA


def test_a_file_that_went_bad_on_disk_is_downloaded_again(web, tmp_path):
    (tmp_path / "graph.zip").write_bytes(DATA[:-1])
    assert fetch(Source(f"{web.url}/a/graph.zip", CHECKSUM), tmp_path).read_bytes() == DATA


def test_without_a_published_checksum_the_first_file_is_remembered(web, tmp_path):
    source = Source(f"{web.url}/a/graph.zip", None)
    path = fetch(source, tmp_path)
    assert (tmp_path / "graph.zip.sha256").read_text() == f"{CHECKSUM}\n"
    path.unlink()
    web.files["/a/graph.zip"] = DATA[::-1]
    record = tmp_path / "graph.zip.sha256"
    words = (
        f"is not the file that was downloaded the first time: its checksum is not {CHECKSUM}; "
        f"delete {record} to accept the new one"
    )
    with pytest.raises(ValueError, match=f"{words}$"):
        fetch(source, tmp_path)
    assert not path.exists()
    record.write_text("")  # it went bad on disk
    assert fetch(source, tmp_path).read_bytes() == DATA[::-1]


def test_what_cannot_be_had_is_told_in_one_sentence(web, tmp_path):
    with pytest.raises(ConnectionError, match=r"/b\.zip could not be downloaded: the server answered 404 Not Found$"):
        fetch(Source(f"{web.url}/b.zip", CHECKSUM), tmp_path)
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    with pytest.raises(ConnectionError, match=r"/b\.zip could not be downloaded: the connection failed or was lost$"):
        fetch(Source(f"http://127.0.0.1:{port}/b.zip", CHECKSUM), tmp_path)
    web.breaks_after = 0
    with pytest.raises(ConnectionError, match="the connection failed or was lost"):
        fetch(Source(f"{web.url}/a/graph.zip", CHECKSUM), tmp_path)


def test_without_pooch_the_command_that_installs_it_is_told(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pooch", None)
    with pytest.raises(ModuleNotFoundError, match="pip install pooch"):
        fetch(Source("http://127.0.0.1/b.zip", CHECKSUM), tmp_path)
