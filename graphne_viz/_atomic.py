"""Files and folders that appear only when they are complete: nobody ever finds half of one."""

from __future__ import annotations

import ctypes
import gzip
import hashlib
import io
import os
import platform
import re
import secrets
import shutil
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO, TextIO

    from graphne_viz._types import PathLike

_ABANDONED = 60.0  # seconds since the last change

# Of Windows: what is asked of a process, and its answers.
_SYNCHRONIZE = 0x100000
_NO_SUCH_PROCESS = 87  # ERROR_INVALID_PARAMETER
_HAS_ENDED = 0  # WAIT_OBJECT_0


def split_ending(path: PathLike) -> tuple[str, bool]:
    """Return the ending that names a file's format, in lower case, and whether .gz follows it.

    Examples
    --------
    >>> split_ending("graph.GEXF.gz")
    ('.gexf', True)
    """
    path = Path(path)
    zipped = path.suffix.lower() == ".gz"
    return (path.with_suffix("") if zipped else path).suffix.lower(), zipped


@contextmanager
def replace_text_when_complete(path: PathLike) -> Iterator[TextIO]:
    """Give a text file to write to, compressed if the name ends in .gz; see `replace_when_complete`.

    Parameters
    ----------
    path : path-like

    Yields
    ------
    TextIO
        Writes UTF-8. A lone surrogate, which has none, is spelled out.
    """
    zipped = split_ending(path)[1]
    with (
        replace_when_complete(path) as unfinished,
        unfinished.open("wb") as raw,
        _compressed(raw, zipped) as binary,
    ):
        text = io.TextIOWrapper(binary, encoding="utf-8", errors="backslashreplace", newline="")
        yield text
        text.flush()
        text.detach()


@contextmanager
def _compressed(raw: BinaryIO, zipped: bool) -> Iterator[BinaryIO]:  # noqa: FBT001 -- private
    if not zipped:
        yield raw
        return
    # Without name and time in the header the same layout gives the same bytes.
    with gzip.GzipFile(filename="", mode="wb", fileobj=raw, compresslevel=6, mtime=0) as packed:
        yield cast("BinaryIO", packed)


def _mark(process: int) -> str:
    """Return how unfinished files of a process of this machine begin."""
    machine = hashlib.sha256(platform.node().encode()).hexdigest()[:8]
    return f".graphne-{machine}-{process}-"


def unfinished_path(folder: PathLike, suffix: str = "") -> Path:
    """Return a new name in a folder for what is not complete, and remove what killed processes left there.

    If this process is killed as well, the next one that asks for a name in the same folder cleans up after it.
    """
    folder = Path(folder)
    _remove_abandoned(folder)
    return folder / f"{_mark(os.getpid())}{secrets.token_hex(8)}{suffix}"


def _remove_abandoned(folder: Path) -> None:
    """Remove what processes left that were killed while they wrote, which nothing else can clean up after."""
    pattern = re.compile(re.escape(_mark(0).removesuffix("0-")) + r"([0-9]{1,9})-[0-9a-f]{16}(?:\.[^.]*){0,2}")
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            found = pattern.fullmatch(entry.name)
            if found is not None and not _lives(int(found[1])):
                with suppress(OSError):  # another user's, or gone by now
                    _remove_old(entry)


def _remove_old(entry: os.DirEntry[str]) -> None:
    """Remove a file or folder, but no young one.

    Two containers may share a folder and a name, and see each other's processes as dead. Times of files are told by the
    same clock as that of the day: where it is set back, what was left stays for longer, and nothing else happens.
    """
    if time.time() - entry.stat(follow_symlinks=False).st_mtime <= _ABANDONED:
        return
    if entry.is_dir(follow_symlinks=False):
        shutil.rmtree(entry.path)
    else:
        os.unlink(entry.path)  # noqa: PTH108 -- not worth a Path


def _lives(process: int) -> bool:
    if sys.platform == "win32":  # where signal 0 is Ctrl-C
        return _lives_on_windows(process)
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # somebody else's
        return True
    return True


def _lives_on_windows(process: int) -> bool:
    """Ask Windows for the process; whatever is not known of it, it may live."""
    kernel = getattr(ctypes, "WinDLL")("kernel32", use_last_error=True)  # noqa: B009 -- only Windows has it
    handle = kernel.OpenProcess(_SYNCHRONIZE, False, process)  # noqa: FBT003 -- not to be inherited
    if not handle:
        return bool(getattr(ctypes, "get_last_error")() != _NO_SUCH_PROCESS)  # noqa: B009
    try:
        return bool(kernel.WaitForSingleObject(handle, 0) != _HAS_ENDED)
    finally:
        kernel.CloseHandle(handle)


@contextmanager
def replace_when_complete(path: PathLike) -> Iterator[Path]:
    """Give a temporary path to write to, and move it to `path` if all went well.

    Whatever goes wrong, Ctrl-C included, a file that was at `path` stays as it was and nothing else is left.

    Parameters
    ----------
    path : path-like
        What to write. A symbolic link is followed; permissions of an existing file are kept.

    Yields
    ------
    pathlib.Path
        An empty file in the same folder with the same ending.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with replace_when_complete(Path(folder) / "picture.svg") as unfinished:
    ...         _ = unfinished.write_text("<svg/>")
    ...     (Path(folder) / "picture.svg").read_text()
    '<svg/>'
    """
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise IsADirectoryError(f"{path} is a folder, not a file")
    if target.exists() and not target.is_file():
        raise ValueError(f"{path} is a device or a pipe; only files can be written")
    if not target.parent.is_dir():
        raise FileNotFoundError(f"the folder of {path} does not exist")
    ending, zipped = split_ending(target)
    suffix = ending + (".gz" if zipped else "")
    unfinished = unfinished_path(target.parent, suffix)
    try:  # created with 0o666 the file gets the permissions that the umask leaves
        os.close(os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
    except OSError as error:
        raise type(error)(error.errno, error.strerror, str(path)) from None
    try:
        yield unfinished
        if target.exists():
            shutil.copymode(target, unfinished)
        unfinished.replace(target)
    except OSError as error:
        if error.errno is None or error.filename not in {None, str(unfinished)}:
            raise
        raise type(error)(error.errno, error.strerror, str(path)) from error  # a full disk does not say for which file
    finally:
        unfinished.unlink(missing_ok=True)
