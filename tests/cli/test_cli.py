import csv
import gzip
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import networkx as nx
import numpy as np
import pytest
from refusals import check_refused

import graphne_viz.graphs.io.files as graph_files
from graphne_viz.cli import main
from graphne_viz.encoding.colors.palette import CLASS_COLORS
from graphne_viz.graphs.io.registry import FORMATS

GEXF = "{http://www.gexf.net/1.2draft}"
VIZ = GEXF.replace("}", "/viz}")
FIGURES = r"34 nodes, 78 edges, 1 part, \d+\.\d\d s, KL \d+\.\d{4}: "


@pytest.fixture
def karate(tmp_path):
    path = tmp_path / "karate.graphml"
    nx.write_graphml(nx.karate_club_graph(), path)
    return path


def command(*arguments, **options):
    return subprocess.run(
        [sys.executable, "-m", "graphne_viz.cli", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        **options,
    )


def test_every_format_at_once(karate, tmp_path, capsys):
    endings = ("gexf", "graphml", "json", "csv", "npz", "png", "svg", "pdf", "json.gz")
    outputs = [tmp_path / f"out.{ending}" for ending in endings]
    arguments = [part for output in outputs for part in ("-o", str(output))]
    assert main(["layout", str(karate), *arguments, "--color", "club", "--size", "degree"]) == 0
    said = capsys.readouterr()
    assert re.fullmatch(FIGURES + re.escape(", ".join(map(str, outputs))) + "\n", said.out)
    assert said.err == ""
    assert sorted(tmp_path.iterdir()) == sorted([karate, *outputs])

    with (tmp_path / "out.csv").open(newline="") as stream:
        rows = {row["id"]: row for row in csv.DictReader(stream)}
    places = {node: (float(row["x"]), float(row["y"])) for node, row in rows.items()}
    assert list(places) == [str(node) for node in range(34)]
    assert np.abs(list(places.values())).max() == pytest.approx(1)
    assert {(row["club"], row["color"].upper()) for row in rows.values()} == {
        ("Mr. Hi", CLASS_COLORS[0]),
        ("Officer", CLASS_COLORS[1]),
    }
    largest = max(rows, key=lambda node: float(rows[node]["size"]))
    assert largest == "33"

    for text in (
        (tmp_path / "out.json").read_text(),
        gzip.decompress((tmp_path / "out.json.gz").read_bytes()),
    ):
        content = json.loads(text)
        assert {str(node["id"]): (node["x"], node["y"]) for node in content["nodes"]} == places
        assert len(content["edges"]) == 78

    root = ET.parse(tmp_path / "out.gexf").getroot()  # noqa: S314 -- written by us
    for node in root.iter(f"{GEXF}node"):
        place = node.find(f"{VIZ}position")
        x, y = places[node.get("id")]
        assert float(place.get("x")) == pytest.approx(1000 * x)
        assert float(place.get("y")) == pytest.approx(1000 * y)
        assert node.find(f"{VIZ}color") is not None
        assert float(node.find(f"{VIZ}size").get("value")) > 10

    G = nx.read_graphml(tmp_path / "out.graphml")
    assert nx.is_isomorphic(G, nx.karate_club_graph())
    assert {node: (data["x"], data["y"]) for node, data in G.nodes(data=True)} == places
    with np.load(tmp_path / "out.npz") as arrays:
        assert len(arrays["edges"]) == 78
    assert (tmp_path / "out.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "out.pdf").read_bytes().startswith(b"%PDF")
    assert "Mr. Hi (17)" in (tmp_path / "out.svg").read_text()


def test_a_layout_can_be_read_again(karate, tmp_path):
    assert main(["layout", str(karate), "-o", str(tmp_path / "a.gexf"), "--quiet"]) == 0
    assert main(["layout", str(tmp_path / "a.gexf"), "-o", str(tmp_path / "b.json"), "--quiet"]) == 0
    assert len(json.loads((tmp_path / "b.json").read_text())["nodes"]) == 34


def test_the_seed_and_the_options_reach_the_layout(karate, tmp_path):
    def places(*options):
        assert main(["layout", str(karate), "-o", str(tmp_path / "out.csv"), "--quiet", *options]) == 0
        return (tmp_path / "out.csv").read_text()

    usual = places()
    assert places() == usual == places("--seed", "0")
    for options in (
        ["--seed", "1", "--initialization", "random"],
        ["--exaggeration", "4"],
        ["--n-iter", "50"],
        ["--early-exaggeration", "4"],
        ["--early-exaggeration-iter", "20"],
        ["--normalization", "graph"],
        ["--unweighted"],
        ["--scale", "10"],
        ["--dof", "0.8"],
        ["--engine", "opentsne", "--n-jobs", "1"],
    ):
        assert places(*options) != usual, options


def test_gexf_keeps_a_scale_that_is_asked_for(karate, tmp_path):
    output = tmp_path / "out.gexf"
    assert main(["layout", str(karate), "-o", str(output), "--scale", "5", "--quiet"]) == 0
    places = [
        float(place.get(axis))
        for place in ET.parse(output).getroot().iter(f"{VIZ}position")  # noqa: S314 -- written by us
        for axis in "xy"
    ]
    assert max(map(abs, places)) == pytest.approx(5)


def test_picture_options(karate, tmp_path):
    def picture(*options):
        assert main(["layout", str(karate), "-o", str(tmp_path / "out.svg"), "--quiet", *options]) == 0
        return (tmp_path / "out.svg").read_text()

    assert "LineCollection" in picture()
    assert "LineCollection" not in picture("--no-edges")
    assert ">33<" in picture("--label").replace("\n", "")
    assert "Officer<" in picture("--label", "club").replace("\n", "")
    assert "#ff0000" in picture("--color", "red", "--size", "40")


def test_a_picture_is_a_map_by_default_and_data_get_nothing_that_nobody_asked_for(tmp_path):
    G = nx.les_miserables_graph()
    nx.write_graphml(G, tmp_path / "g.graphml")

    def lay_out(*options):
        outputs = [tmp_path / f"out.{ending}" for ending in ("svg", "gexf", "csv", "json", "html")]
        arguments = [part for output in outputs for part in ("-o", str(output))]
        assert main(["layout", str(tmp_path / "g.graphml"), "--quiet", *arguments, *options]) == 0
        nodes = list(ET.parse(outputs[1]).getroot().iter(f"{GEXF}node"))  # noqa: S314 -- written by us
        colors = {tuple(node.find(f"{VIZ}color").attrib.values()) for node in nodes}
        sizes = {node.get("id"): float(node.find(f"{VIZ}size").get("value")) for node in nodes}
        svg, _, *data = (output.read_text() for output in outputs)
        return svg, colors, sizes, data

    svg, colors, sizes, (table, text, page) = lay_out()
    assert "Valjean" in svg
    assert "communities" in svg
    assert "degree" in svg
    assert len(colors) > 3
    assert max(sizes, key=sizes.get) == "Valjean"
    assert table.startswith("id,x,y,color\n")
    assert len({line.rpartition(",")[2] for line in table.split()[1:]}) == 1
    assert set(json.loads(text)["nodes"][0]) == {"id", "x", "y", "color"}
    assert '"color":"s:communities"' in page

    svg, colors, sizes, (*_, page) = lay_out("--color", "none", "--size", "none", "--label", "none")
    assert "Valjean" not in svg
    assert "communities" not in svg
    assert len(colors) == len(set(sizes.values())) == 1
    assert '"color":""' in page


def test_quiet_says_nothing(karate, tmp_path, capsys):
    assert main(["layout", str(karate), "-o", str(tmp_path / "out.csv"), "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")


def test_progress_is_shown_on_demand(karate, tmp_path, capsys):
    assert main(["layout", str(karate), "-o", str(tmp_path / "out.csv"), "--progress"]) == 0
    said = capsys.readouterr()
    assert "100%" in said.err
    assert re.match(FIGURES, said.out)


def test_graphs_in_parts_are_counted(tmp_path, capsys):
    source = tmp_path / "parts.csv"
    source.write_text("source,target\na,b\nc,d\nd,e\n")
    assert main(["layout", str(source), "-o", str(tmp_path / "out.csv")]) == 0
    assert capsys.readouterr().out.startswith("5 nodes, 3 edges, 2 parts, ")
    source = tmp_path / "isolated.gml"
    source.write_text("graph [ node [ id 1 ] node [ id 2 ] node [ id 3 ] edge [ source 1 target 2 ] ]")
    assert main(["layout", str(source), "-o", str(tmp_path / "out.csv")]) == 0
    assert capsys.readouterr().out.startswith("3 nodes, 1 edge, 1 part, 1 isolated node, ")


def test_a_graph_without_edges_has_no_kl(tmp_path, capsys):
    source = tmp_path / "nodes.gml"
    source.write_text("graph [ node [ id 1 ] node [ id 2 ] node [ id 3 ] ]")
    assert main(["layout", str(source), "-o", str(tmp_path / "OUT.GEXF"), "-o", str(tmp_path / "out.png")]) == 0
    assert re.match(r"3 nodes, 0 edges, \d+\.\d\d s: ", capsys.readouterr().out)
    places = re.findall(r'[xy]="([^"]+)"', (tmp_path / "OUT.GEXF").read_text())
    assert max(abs(float(place)) for place in places) == pytest.approx(1000)


def test_demo(tmp_path, capsys):
    folder = tmp_path / "deep" / "out"
    assert main(["demo", "--out", str(folder)]) == 0
    said = capsys.readouterr().out
    assert said.startswith("1,797 nodes, ")
    assert said.endswith(f": {folder / 'digits.png'}, {folder / 'digits.gexf'}, {folder / 'digits.html'}\n")
    assert {path.name for path in folder.iterdir()} == {"digits.png", "digits.gexf", "digits.html"}
    text = (folder / "digits.html").read_text()
    assert "<h1>digits</h1>" in text
    assert '"parameters":{' in text
    assert 300_000 < len(text) < 1_000_000
    assert (folder / "digits.png").stat().st_size > 50_000
    colors = {
        (color.get("r"), color.get("g"), color.get("b"))
        for color in ET.parse(folder / "digits.gexf").getroot().iter(f"{VIZ}color")  # noqa: S314 -- ours
    }
    assert len(colors) == 10


def test_without_the_viewer_the_demo_does_the_rest_and_a_page_is_refused(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("graphne_viz.viewer.transport.bundle.STATIC", tmp_path)
    assert main(["demo", "--out", str(tmp_path / "out")]) == 0
    assert "no page is written:" in capsys.readouterr().err
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"digits.png", "digits.gexf"}
    source = tmp_path / "g.csv"
    source.write_text("source,target\na,b\n")
    assert main(["layout", str(source), "-o", str(tmp_path / "g.html")]) == 2
    assert "the viewer has not been built" in capsys.readouterr().err
    assert not (tmp_path / "g.html").exists()


def test_version_and_help(capsys):
    for option, expected in (("--version", r"graphne \d+\.\d+"), ("--help", "usage: graphne")):
        with pytest.raises(SystemExit, match=r"^0$"):
            main([option])
        assert re.match(expected, capsys.readouterr().out)


@pytest.mark.parametrize(
    "arguments",
    [
        ["draw"],
        ["layout"],
        ["layout", "a.csv"],
        ["layout", "a.csv", "-o", "b.csv", "--seed", "x"],
        ["demo", "x"],
    ],
)
def test_wrong_usage(arguments, capsys):
    with pytest.raises(SystemExit, match=r"^2$"):
        main(arguments)
    assert capsys.readouterr().err.startswith("usage: graphne")


BAD_INPUT = {
    "no input": (["nothing.csv", "-o", "out.csv"], "nothing.csv does not exist"),
    "a folder as input": (["folder", "-o", "out.csv"], "folder is a folder"),
    "unknown input": (["strange.xyz", "-o", "out.csv"], "strange.xyz does not end in one of .gexf"),
    "empty input": (["empty.csv", "-o", "out.csv"], "empty.csv is empty"),
    "broken XML": (["broken.graphml", "-o", "out.csv"], "broken.graphml, line 2"),
    "XML bomb": (["bomb.graphml", "-o", "out.csv"], "bomb.graphml"),
    "binary as csv": (["binary.csv", "-o", "out.csv"], "binary.csv"),
    "negative weight": (["negative.csv", "-o", "out.csv"], "negative.csv, line 3"),
    "unknown weight": (["karate.graphml", "-o", "out.csv", "--weight", "mass"], "mass"),
    "unknown ending": (["karate.graphml", "-o", "out.doc"], "out.doc does not end in one of .gexf, .graphml"),
    "no ending": (["karate.graphml", "-o", "out"], "out does not end in one of"),
    "zipped picture": (["karate.graphml", "-o", "out.png.gz"], "out.png.gz does not end in one of"),
    "zipped npz": (["karate.graphml", "-o", "out.npz.gz"], "out.npz.gz does not end in one of"),
    "no folder": (["karate.graphml", "-o", "missing/out.csv"], "folder of missing/out.csv does not exist"),
    "folder as output": (["karate.graphml", "-o", "folder.csv"], "folder.csv is a folder"),
    "output twice": (["karate.graphml", "-o", "a.csv", "-o", "folder/../a.csv"], "is the same file as another output"),
    "output is input": (["karate.graphml", "-o", "./karate.graphml"], "karate.graphml is the same file as the input"),
    "unknown color": (["karate.graphml", "-o", "out.csv", "--color", "clubb"], "there are: 'club'"),
    "unknown size": (["karate.graphml", "-o", "out.csv", "--size", "clubb"], "there are: 'club'"),
    "size of text": (["karate.graphml", "-o", "out.csv", "--size", "club"], "size must hold numbers"),
    "unknown labels": (["karate.graphml", "-o", "out.png", "--label", "clubb"], "there are: 'club'"),
    "unknown engine": (["karate.graphml", "-o", "out.csv", "--engine", "steam"], "engine"),
}


@pytest.fixture
def messy_folder(karate, monkeypatch):
    monkeypatch.chdir(karate.parent)
    for name in ("folder", "folder.csv"):
        Path(name).mkdir()
    Path("strange.xyz").write_text("a b")
    Path("empty.csv").touch()
    Path("broken.graphml").write_text("<graphml>\n<graph></graph")
    Path("bomb.graphml").write_text('<!DOCTYPE x [<!ENTITY a "b">]>\n<graphml>&a;</graphml>')
    Path("binary.csv").write_bytes(bytes(range(256)))
    Path("negative.csv").write_text("source,target,weight\na,b,1\nb,c,-1\n")


@pytest.mark.parametrize("case", BAD_INPUT)
@pytest.mark.usefixtures("messy_folder")
def test_bad_input_is_one_sentence_and_exit_code_2(case, capsys):
    arguments, message = BAD_INPUT[case]
    check_refused(["layout", *arguments], message, capsys)


@pytest.mark.usefixtures("messy_folder")
def test_verbose_shows_where_an_error_arose(capsys):
    assert main(["layout", "nothing.csv", "-o", "out.csv", "--verbose"]) == 2
    said = capsys.readouterr().err
    assert "Traceback" in said
    assert said.splitlines()[-1] == "graphne: nothing.csv does not exist"


@pytest.mark.usefixtures("messy_folder")
def test_outputs_are_checked_before_the_input_is_read(monkeypatch, capsys):
    monkeypatch.setattr(graph_files, "read_graph", lambda *_, **__: pytest.fail("was read"))
    assert main(["layout", "karate.graphml", "-o", "good.csv", "-o", "bad.doc"]) == 2
    assert "bad.doc" in capsys.readouterr().err


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission(karate, tmp_path, capsys):
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o500)
    assert main(["layout", str(karate), "-o", str(closed / "out.csv")]) == 2
    assert f"{closed / 'out.csv'}: Permission denied" in capsys.readouterr().err


@pytest.mark.parametrize("ending", ["csv", "gexf", "png"])
def test_an_existing_file_survives_a_failure(karate, tmp_path, monkeypatch, capsys, ending):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path.parent))
    output = tmp_path / f"out.{ending}"
    output.write_text("precious")

    def fail(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("matplotlib.figure.Figure.savefig", fail)
    for known in (".csv", ".gexf"):
        monkeypatch.setitem(FORMATS, known, replace(FORMATS[known], write=fail))
    assert main(["layout", str(karate), "-o", str(output)]) == 2
    told = f"graphne: {output} could not be written: No space left on device; the result was put into "
    assert capsys.readouterr().err.startswith(told)
    assert output.read_text() == "precious"
    assert sorted(tmp_path.iterdir()) == sorted([karate, output])


def test_ctrl_c_is_quiet(karate, tmp_path, monkeypatch, capsys):
    from graphne_viz.layout import api

    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(api, "graphne_layout", interrupt)
    assert main(["layout", str(karate), "-o", str(tmp_path / "out.csv")]) == 130
    assert capsys.readouterr() == ("", "")
    assert list(tmp_path.iterdir()) == [karate]


def test_ctrl_c_in_a_real_process(tmp_path):
    nx.write_edgelist(nx.gnm_random_graph(3000, 9000, seed=0), tmp_path / "g.edges", data=False)
    options = ["--n-iter", "1000000", "--progress"]
    process = subprocess.Popen(
        [sys.executable, "-m", "graphne_viz.cli", "layout", "g.edges", "-o", "out.csv", *options],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        assert process.stderr.read(1)  # the bar: the computation has begun
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
    finally:
        process.kill()
        process.communicate()
    assert process.returncode == 130
    assert out == b""
    assert b"Traceback" not in err
    assert [path.name for path in tmp_path.iterdir()] == ["g.edges"]


def test_a_real_process(karate, tmp_path):
    done = command("layout", karate.name, "-o", "out.png", cwd=tmp_path)
    assert done.returncode == 0
    assert re.fullmatch(FIGURES + r"out\.png\n", done.stdout)
    assert done.stderr == ""
    done = command("layout", "nothing.csv", "-o", "out.png", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "graphne: nothing.csv does not exist\n"


def test_names_that_the_terminal_cannot_show(karate, tmp_path):
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = command("layout", karate, "-o", "größe.csv", cwd=tmp_path, env=environment)
    assert done.returncode == 0
    assert done.stdout.endswith(": gr\\xf6\\xdfe.csv\n")


def test_without_a_command_the_help_is_shown(capsys):
    assert main([]) == 2
    said = capsys.readouterr().err
    assert "lay out a graph from a file" in said
    assert "look at a graph from a file in a browser" in said
