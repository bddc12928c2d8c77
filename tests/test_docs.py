"""The documentation names everything that can be imported and run, and shows what is there."""

import io
import re
from pathlib import Path

from PIL import Image

import graphne_viz

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"


def documented(page):
    return set(
        re.findall(r"^::: graphne_viz\.(?:\w+\.)*(\w+)$", (DOCS / page).read_text(encoding="utf-8"), re.MULTILINE)
    )


def test_every_public_name_is_in_the_reference_and_no_other():
    assert documented("api.md") == set(graphne_viz.__all__) - {"__version__"}


def test_every_subcommand_has_its_help_on_the_page():
    from graphne_viz.cli.command import _parser

    subcommands = _parser()._subparsers._group_actions[0].choices
    shown = re.findall(r"^\{\{ help (\w+) \}\}$", (DOCS / "command.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(shown) == sorted(subcommands)


def test_a_layout_forms_at_the_top_of_the_readme():
    before = (ROOT / "README.md").read_text(encoding="utf-8").partition("**Graph layouts")[0]
    assert "](docs/images/forming.gif)" in before
    animation = (DOCS / "images" / "forming.gif").read_bytes()
    assert len(animation) < 1_500_000
    with Image.open(io.BytesIO(animation)) as image:
        assert image.n_frames > 20
        assert image.width >= 500


def test_every_notebook_is_in_the_gallery_with_a_light_picture():
    gallery = (DOCS / "gallery.md").read_text(encoding="utf-8")
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        assert f"`{path.name}`" in gallery
        assert f"(images/{path.stem}.png)" in gallery
        picture = (DOCS / "images" / f"{path.stem}.png").read_bytes()
        assert picture.startswith(b"\x89PNG")
        assert len(picture) <= 60_000
