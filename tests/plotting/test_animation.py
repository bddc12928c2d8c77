import json
import shutil
import stat
import subprocess
import sys

import matplotlib.legend as mpl_legend
import networkx as nx
import numpy as np
import pytest
from PIL import Image

from graphne_viz import plot, view
from graphne_viz.plotting import animation
from graphne_viz.viewer.export.exports import visible_state

FFMPEG = """#!{python}
import json, pathlib, sys
pathlib.Path(sys.argv[-1]).write_text(json.dumps([sys.argv[1:-1], len(sys.stdin.buffer.read())]))
"""
BROKEN = """#!{python}
import sys
print("no such encoder", file=sys.stderr)
sys.exit(1)
"""


@pytest.fixture(scope="module")
def widget():
    w = view(nx.karate_club_graph(), color="club", size="degree", live=False, callback_every=50)
    yield w
    w.close()


def install(folder, monkeypatch, script):
    command = folder / "ffmpeg"
    command.write_text(script.format(python=sys.executable))
    command.chmod(command.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", str(folder))


def test_a_gif_shows_the_run_and_ends_with_the_layout(widget, tmp_path):
    widget.to_gif(tmp_path / "run.gif", seconds=2, width=300)
    with Image.open(tmp_path / "run.gif") as animated:
        assert animated.size == (300, 240)
        assert 10 <= animated.n_frames <= len(widget.run.shots())  # pictures that are the same are one
        assert json.loads(animated.info["comment"]) == json.loads(json.dumps(widget.provenance))
        pictures, durations = [], []
        for k in range(animated.n_frames):
            animated.seek(k)
            pictures.append(np.asarray(animated.convert("RGB")).astype(int))
            durations.append(animated.info["duration"])
    assert sum(durations) == pytest.approx(3500, abs=150)
    differ = [(np.abs(picture - pictures[-1]).max(axis=2) > 60).mean() for picture in pictures]
    assert differ[0] > 0.03
    assert differ[0] > 3 * differ[-2]
    # The legend's colours are those of the nodes, in every picture.
    blue = [(np.abs(picture - [0, 114, 178]).max(axis=2) < 25).sum() for picture in pictures]
    assert min(blue) > 30


def test_a_video_is_made_by_ffmpeg(widget, tmp_path, monkeypatch):
    install(tmp_path, monkeypatch, FFMPEG)
    widget.to_mp4(tmp_path / "run.mp4", seconds=2, width=201)
    arguments, size = json.loads((tmp_path / "run.mp4").read_text())
    assert arguments[arguments.index("-s") + 1] == "200x160"
    pictures = len(widget.run.shots())
    assert size == 200 * 160 * 3 * (pictures + round(1.5 * pictures / 2))
    comment = next(one for one in arguments if one.startswith("comment="))
    assert json.loads(comment.removeprefix("comment="))["parameters"]["seed"] == 0


def test_without_ffmpeg_or_where_it_fails_one_sentence_says_so(widget, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(RuntimeError, match="needs the command ffmpeg, which is not installed; to_gif works without it"):
        widget.to_mp4(tmp_path / "run.mp4")
    install(tmp_path, monkeypatch, BROKEN)
    with pytest.raises(RuntimeError, match="ffmpeg failed: no such encoder"):
        widget.to_mp4(tmp_path / "run.mp4", width=200)
    assert [path.name for path in tmp_path.iterdir()] == ["ffmpeg"]


def test_pictures_have_what_other_exports_have(widget):
    """Widths of edges, names of classes and labels: without one of them the picture is another one."""

    def picture():
        state = visible_state(widget.session)[0]
        return next(iter(animation.draw_moments(state, [state], 600)))

    widget.label, widget.edge_width = "club", "weight"
    before = picture()
    for name, without in (("class_names", False), ("edge_width", None), ("label", None)):
        had = getattr(widget, name)
        setattr(widget, name, without)
        assert (picture() != before).any(axis=2).mean() > 0.001, name
        setattr(widget, name, had)
    assert (picture() == before).all()


@pytest.mark.parametrize("width", [320, 640, 1600])
def test_a_long_legend_and_the_key_of_sizes_are_whole(width, monkeypatch):
    G = nx.star_graph(79)
    kinds = [f"a department with a name {k % 40}" for k in G]
    w = view(G, nx.circular_layout(G), color=kinds, size="degree")
    boxes = []
    draw = animation.draw_picture

    def draw_and_measure(ax, *arguments, **keywords):
        draw(ax, *arguments, **keywords)
        legends = [child for child in ax.get_children() if isinstance(child, mpl_legend.Legend)]
        boxes.extend(legend.get_window_extent().extents for legend in legends)
        boxes.append(ax.bbox.extents)

    monkeypatch.setattr(animation, "draw_picture", draw_and_measure)
    state = visible_state(w.session)[0]
    (image,) = animation.draw_moments(state, [state], width)
    assert image.shape == (round(0.8 * width), width, 3)
    assert len(boxes) == 3
    for left, bottom, right, top in boxes:
        assert left >= 0
        assert bottom >= 0
        assert right <= width
        assert top <= len(image)
    for k, (left, bottom, right, top) in enumerate(boxes):
        for other in boxes[:k]:
            assert left >= other[2] - 1 or right <= other[0] + 1 or bottom >= other[3] - 1 or top <= other[1] + 1
    w.close()


def test_the_key_of_sizes_is_whole_beside_a_colour_bar():
    G = nx.karate_club_graph()
    ax = plot(G, nx.circular_layout(G), color="degree", size="degree")
    ax.figure.draw_without_rendering()
    (key,) = [child for child in ax.get_children() if isinstance(child, mpl_legend.Legend)]
    left, bottom, right, top = key.get_window_extent().extents
    assert left > 0
    assert bottom > 0
    assert right < ax.figure.bbox.width
    assert top <= ax.bbox.y0


def test_what_cannot_be_shown_is_refused(widget, tmp_path):
    with pytest.raises(ValueError, match=r"path must end in \.gif, got"):
        widget.to_gif(tmp_path / "run.png")
    with pytest.raises(ValueError, match="seconds"):
        widget.to_gif(tmp_path / "run.gif", seconds=0)
    with pytest.raises(ValueError, match="width must be at most"):
        widget.to_gif(tmp_path / "run.gif", width=10**6)
    G = nx.path_graph(3)
    still = view(G, nx.circular_layout(G))
    with pytest.raises(ValueError, match="nothing to replay"):
        still.to_gif(tmp_path / "run.gif")
    still.close()
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="there is no ffmpeg here")
def test_a_video_is_one(widget, tmp_path):
    widget.to_mp4(tmp_path / "run.mp4", seconds=1, width=200)
    command = ["ffmpeg", "-v", "error", "-i", str(tmp_path / "run.mp4"), "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    raw = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    pictures = np.frombuffer(raw, dtype=np.uint8).reshape(-1, 160, 200, 3).astype(int)
    assert len(pictures) > 10
    assert (np.abs(pictures[0] - pictures[-1]).max(axis=2) > 60).mean() > 0.02
    assert (pictures[-1] < 250).any(axis=2).mean() > 0.02
