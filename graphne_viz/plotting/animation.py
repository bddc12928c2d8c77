"""A replay as a file that plays anywhere: GIF by Pillow, MP4 by ffmpeg where that is installed."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import TYPE_CHECKING, Any, Protocol, cast

import numpy as np

from graphne_viz._atomic import replace_when_complete
from graphne_viz._checks import check_integer, check_positive
from graphne_viz._lazy import lazy_import
from graphne_viz.plotting.figures import figure_of_pixels
from graphne_viz.plotting.picture import draw_picture

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from os import PathLike

    from numpy.typing import NDArray
    from PIL import Image

    from graphne_viz.encoding.visible_state import VisibleState
else:
    Image = lazy_import("PIL.Image")

MOST_PICTURES = 72
"""Pictures in one file; of more moments an even selection."""

LONGEST = 60.0
_MOST_EDGES = 5_000  # of more a sample, for every picture takes its time
_HOLD = 1.5  # seconds that the end stays
_SHAPE = 0.8  # height for each pixel of width
_SQUARE = np.array([[-1.0, -1.0], [1.0, 1.0]])
_PALETTE = 200
LEAST_WIDTH, MOST_WIDTH = 120, 4_000


class Moment(Protocol):
    """Where the nodes were at one moment of a run."""

    @property
    def positions(self) -> NDArray[np.float64]:
        """Shape (n, 2)."""


def write_gif(
    path: str | PathLike[str],
    state: VisibleState,
    moments: Sequence[Moment],
    about: Mapping[str, Any],
    *,
    seconds: float,
    width: int,
) -> None:
    """Write a replay as an animated GIF that loops.

    Parameters
    ----------
    path : path-like
    state : VisibleState
        What the view shows; the positions are those of the moments.
    moments : sequence of Moment
    about : mapping
        What made it, ready for JSON: the file's comment.
    seconds : float
        How long it plays, beside a short rest at the end.
    width : int
        In pixels.
    """
    chosen = _chosen(moments, seconds, width)
    pictures = [Image.fromarray(picture) for picture in draw_moments(state, chosen, width)]
    # One palette for all, of the end, where the classes are apart: with one of its own each picture would flicker.
    palette = pictures[-1].quantize(_PALETTE, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    first, *others = (picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture in pictures)
    step = 1000 * seconds / len(pictures)
    durations = [round(step)] * len(others) + [round(step + 1000 * _HOLD)]
    with replace_when_complete(path) as unfinished:
        first.save(
            unfinished,
            format="GIF",
            save_all=True,
            append_images=others,
            duration=durations,
            loop=0,
            comment=json.dumps(about).encode(),
        )


def write_mp4(
    path: str | PathLike[str],
    state: VisibleState,
    moments: Sequence[Moment],
    about: Mapping[str, Any],
    *,
    seconds: float,
    width: int,
) -> None:
    """Write a replay as MP4; see `write_gif`.

    Raises
    ------
    RuntimeError
        If there is no ffmpeg, or it fails.
    """
    ffmpeg = shutil.which("ffmpeg")
    if ffmpeg is None:
        raise RuntimeError("to_mp4 needs the command ffmpeg, which is not installed; to_gif works without it")
    chosen = _chosen(moments, seconds, width)
    rate = len(chosen) / seconds
    with replace_when_complete(path) as unfinished:
        pictures = draw_moments(state, chosen, width)
        first = next(pictures)
        height, columns = first.shape[:2]
        arguments = ["-y", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{columns}x{height}"]
        arguments += ["-r", f"{rate:.4f}", "-i", "-", "-r", "25", "-pix_fmt", "yuv420p", "-movflags", "+faststart"]
        arguments += ["-metadata", f"comment={json.dumps(about)}", "-f", "mp4", str(unfinished)]
        last = first

        def data() -> Iterator[bytes]:
            nonlocal last
            yield first.tobytes()
            for picture in pictures:
                last = picture
                yield picture.tobytes()
            yield last.tobytes() * round(rate * _HOLD)

        done = _piped([ffmpeg, *arguments], data())
        if done:
            raise RuntimeError(f"ffmpeg failed: {done}")


def draw_moments(state: VisibleState, moments: Sequence[Moment], width: int) -> Iterator[NDArray[np.uint8]]:
    """Draw moments one by one, each as large as the picture; the legend stands beside them.

    Yields
    ------
    ndarray of uint8, shape (height, width, 3)
        With even sides.
    """
    # Even numbers, as video needs them.
    figure, ax = figure_of_pixels(state, _SQUARE, (width // 2 * 2, round(_SHAPE * width / 2) * 2))
    canvas = cast("Any", figure.canvas)  # whose methods have no types
    canvas.draw()
    # A long legend takes longer than all else, so it is drawn once for all pictures.
    background, beside = canvas.copy_from_bbox(figure.bbox), set(ax.get_children())
    for moment in moments:
        canvas.restore_region(background)
        placed = state.moved(_fitted(moment.positions, state.visible_nodes))
        draw_picture(ax, placed, legend=False, sample=False, most_edges=_MOST_EDGES, around=_SQUARE)
        ax.apply_aspect()
        layers = [layer for layer in ax.get_children() if layer not in beside]
        for layer in sorted(layers, key=lambda layer: layer.get_zorder()):
            ax.draw_artist(layer)
            layer.remove()
        yield np.asarray(canvas.buffer_rgba())[..., :3].copy()


def _fitted(positions: NDArray[np.float64], visible: NDArray[np.intp]) -> NDArray[np.float64]:
    """Bring visible nodes into the square from -1 to 1: a layout grows while it forms, and the camera goes with it."""
    if not len(visible):
        return positions
    low, high = positions[visible].min(axis=0), positions[visible].max(axis=0)
    reach = float((high - low).max()) / 2
    fitted: NDArray[np.float64] = (positions - (low + high) / 2) / (reach if reach > 0 else 1.0)
    return fitted


def _chosen(moments: Sequence[Moment], seconds: float, width: int) -> list[Moment]:
    """Check what was asked for, and choose the moments to draw."""
    check_positive("seconds", seconds, most=LONGEST)
    check_integer("width", width, least=LEAST_WIDTH)
    if width > MOST_WIDTH:
        raise ValueError(f"width must be at most {MOST_WIDTH}, got {width}")
    if len(moments) < 2:
        raise ValueError(
            "there is nothing to replay: the positions were not computed by a run, or it has only just begun"
        )
    places = np.linspace(0, len(moments) - 1, min(len(moments), MOST_PICTURES)).round().astype(int)
    return [moments[k] for k in places]


def _piped(command: list[str], data: Iterator[bytes]) -> str:
    """Give a command its input; returns what it complains about, "" if it succeeds."""
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:  # noqa: S603 -- no shell
        if process.stdin is None or process.stderr is None:
            raise RuntimeError("a process has no pipes")
        try:
            for piece in data:
                process.stdin.write(piece)
            process.stdin.close()
        except BrokenPipeError:
            pass  # it has ended, and says why
        errors = process.stderr.read().decode(errors="replace").strip()
        process.wait()
    return "" if process.returncode == 0 else errors.splitlines()[-1] if errors else f"exit code {process.returncode}"
