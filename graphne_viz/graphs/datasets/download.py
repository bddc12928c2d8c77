"""Downloads that resume where they were interrupted, checked by pooch against a checksum."""

from __future__ import annotations

import logging
import re
import time
from contextlib import contextmanager
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlparse

from graphne_viz._lazy import lazy_import

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import pooch
    import requests
    from tqdm import auto as tqdm_auto

    from graphne_viz._types import Foreign
else:
    pooch = lazy_import("pooch", needs="a download needs pooch: pip install pooch")
    requests = lazy_import("requests")
    tqdm_auto = lazy_import("tqdm.auto")

_CHUNK = 1 << 14  # what is lost, at most, when a connection breaks
_PATIENCE = (10, 60)  # seconds to connect, and between two pieces
_PAUSES = (0.5, 2.0)  # seconds before trying again, once something has come at all


class Source(NamedTuple):
    """A file on the web.

    Attributes
    ----------
    url : str
    checksum : str or None
        As pooch writes it, ``"sha256:..."`` or ``"md5:..."``. None where nobody has published one: then the file that
        comes first is remembered, and another one refused later.
    """

    url: str
    checksum: str | None

    @property
    def name(self) -> str:
        """What the file is called."""
        return PurePosixPath(urlparse(self.url).path).name


def fetch(source: Source, folder: Path, *, progress: bool = False) -> Path:
    """Return the path of a file from the web, which is downloaded unless it is there.

    Parameters
    ----------
    source : Source
    folder : Path
        Where it is kept. What has come of a file stays there with ``.part`` behind its name until all has.
    progress : bool, default False
        Show a progress bar.

    Raises
    ------
    ModuleNotFoundError
        If pooch is not installed, with the command that installs it.
    ConnectionError
        If the file cannot be downloaded.
    ValueError
        If the download has a different checksum; it is deleted.
    """
    retrieve = pooch.retrieve  # where pooch is missing, this says so
    folder.mkdir(parents=True, exist_ok=True)
    path, record = folder / source.name, folder / f"{source.name}.sha256"
    remembered = record.read_text(errors="replace").strip() if record.is_file() else ""
    expected = source.checksum or remembered or None
    with _without_chatter(pooch):
        try:
            retrieve(
                source.url,
                known_hash=expected,
                fname=source.name,
                path=folder,
                downloader=_Resuming(folder / f"{source.name}.part", progress=progress),
            )
        except ValueError as error:
            should = "it should be" if source.checksum else "that was downloaded the first time"
            remedy = "" if source.checksum else f"; delete {record} to accept the new one"
            raise ValueError(
                f"{source.url} is not the file {should}: its checksum is not {expected}{remedy}"
            ) from error
        if expected is None:
            record.write_text(f"sha256:{pooch.file_hash(str(path))}\n")
    return path


def forget(source: Source, folder: Path) -> None:
    """Throw away a file that `fetch` has downloaded, and what is remembered of it."""
    (folder / source.name).unlink(missing_ok=True)
    (folder / f"{source.name}.sha256").unlink(missing_ok=True)


class _Resuming:
    """A downloader for pooch that keeps what has come, and asks for the rest only.

    Parameters
    ----------
    part : Path
        The file to collect in. Beside it stands, with ``.tag`` behind its name, by what the server tells whether its
        file is still the same.
    progress : bool
        Show a progress bar.
    """

    def __init__(self, part: Path, *, progress: bool) -> None:
        self._part = part
        self._tag = part.with_name(f"{part.name}.tag")
        self._progress = progress

    def __call__(self, url: str, output_file: str, _: object) -> None:
        """Download, and move the complete file to `output_file`."""
        pauses: Iterator[float] = iter(())
        while True:
            before = self._size()
            try:
                self._go_on(url)
                break
            except requests.RequestException as error:
                if self._size() > before:
                    pauses = iter(_PAUSES)
                pause = next(pauses, None)
                if pause is None or isinstance(error, requests.HTTPError):
                    raise ConnectionError(f"{url} could not be downloaded: {_reason(error)}") from error
                time.sleep(pause)
        self._part.replace(output_file)
        self._tag.unlink(missing_ok=True)

    def _size(self) -> int:
        return self._part.stat().st_size if self._part.is_file() else 0

    def _go_on(self, url: str) -> None:
        """Ask for what is missing, and append it."""
        have = self._size() if self._tag.is_file() else 0  # of an unknown version nothing can be used
        headers = {"Accept-Encoding": "identity"}
        if have:
            headers |= {"Range": f"bytes={have}-", "If-Range": self._tag.read_text()}
        with requests.get(url, stream=True, headers=headers, timeout=_PATIENCE) as answer:
            if answer.status_code == requests.codes.requested_range_not_satisfiable:
                if answer.headers.get("Content-Range") == f"bytes */{have}":
                    return
                self._tag.unlink()  # what had come does not fit the file
                self._go_on(url)
                return
            answer.raise_for_status()
            fits = re.match(rf"bytes {have}-", answer.headers.get("Content-Range", ""))
            if answer.status_code != requests.codes.partial_content or not fits:
                have = 0
                self._remember(answer)
            length = answer.headers.get("Content-Length")
            self._append(answer, have, None if length is None else have + int(length))

    def _remember(self, answer: Foreign) -> None:
        """Write down how to recognise this version of the file; a weak ETag does not tell bytes apart."""
        tag = answer.headers.get("ETag", "")
        tag = answer.headers.get("Last-Modified") if not tag or tag.startswith("W/") else tag
        self._tag.unlink(missing_ok=True)
        if tag:
            self._tag.write_text(tag)

    def _append(self, answer: Foreign, have: int, total: int | None) -> None:
        bar = tqdm_auto.tqdm(
            desc=self._part.stem, initial=have, total=total, unit="B", unit_scale=True, disable=not self._progress
        )
        with self._part.open("ab" if have else "wb") as stream, bar:
            for piece in answer.iter_content(_CHUNK):
                stream.write(piece)
                stream.flush()  # so that as much as possible is there after a crash
                bar.update(len(piece))
        if total is not None and self._size() != total:
            raise requests.ConnectionError("the connection was closed too early")


def _reason(error: Foreign) -> str:
    """Say in a few words what went wrong; what requests says is long, and of its own making."""
    if isinstance(error, requests.HTTPError) and error.response is not None:
        return f"the server answered {error.response.status_code} {error.response.reason}".rstrip()
    if isinstance(error, requests.Timeout):
        return f"no answer within {_PATIENCE[1]} seconds"
    return "the connection failed or was lost"


@contextmanager
def _without_chatter(pooch: Any) -> Iterator[None]:  # noqa: ANN401 -- a module
    """Leave it to the progress bar to tell of a download."""
    log = pooch.get_logger()
    level = log.level
    log.setLevel(logging.WARNING)
    try:
        yield
    finally:
        log.setLevel(level)
