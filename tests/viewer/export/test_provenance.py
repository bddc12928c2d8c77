import json

import networkx as nx
import numpy as np
import pytest

from graphne_viz import graphne_layout, view

KARATE = nx.karate_club_graph()


@pytest.fixture
def shown():
    """Return a function that views a graph, computed at once; the widgets are closed in the end."""
    made = []

    def show(G=KARATE, *args, **keywords):
        made.append(view(G, *args, **{"live": False, "n_iter": 20, "early_exaggeration_iter": 10} | keywords))
        return made[-1]

    yield show
    for widget in made:
        widget.close()


def test_the_parameters_make_the_same_layout_again(shown):
    widget = shown(seed=np.int64(7), exaggeration=np.float32(2), scale=3, normalization="graph")
    about = json.loads(json.dumps(widget.provenance, allow_nan=False))
    assert about["made_by"] == "layout"
    assert about["caveats"] == []
    assert about["generator"].startswith("graphne_viz ")
    assert set(about["versions"]) >= {"graphne_viz", "python", "numpy", "numba", "openTSNE"}
    assert about["iterations"] == 30
    assert about["kl"] == pytest.approx(widget.run.kl)
    again = graphne_layout(KARATE, **about["parameters"])
    assert all(np.array_equal(again[node], widget.pos[node]) for node in KARATE)


def test_what_parameters_cannot_say_is_said_in_sentences(shown):
    start = np.random.default_rng(0).normal(size=(34, 2))
    widget = shown(seed=np.random.default_rng(1), initialization=start, center=(1, 2))
    about = widget.provenance
    assert about["parameters"]["seed"] is None
    assert about["caveats"] == [
        "the seed was not a number, so it cannot be repeated",
        "it started from an array of positions",
        "its centre is at 1, 2",
    ]
    json.dumps(about)
    fixed = shown(pos=dict(zip(KARATE, start, strict=True)), fixed=[0]).provenance
    assert fixed["caveats"] == ["it started from positions that were given", "some nodes were held fixed"]


def test_positions_that_were_given_have_no_parameters(shown):
    about = shown(KARATE, nx.circular_layout(KARATE), live=None).provenance
    assert (about["made_by"], about["parameters"]) == ("given", {})


def test_a_run_that_was_steered_or_went_on_says_so(shown):
    widget = shown()
    widget.exaggeration = 4
    widget.run.wait()
    about = widget.provenance
    assert about["parameters"]["exaggeration"] == 4
    assert about["caveats"][0] == "the exaggeration was changed while it ran"
    assert "iterations, where the parameters give 30" in about["caveats"][1]
    # From the start with the same exaggeration, nothing was changed on the way.
    widget.run.restart()
    widget.run.wait()
    assert widget.provenance["caveats"] == []


def test_a_stopped_run_is_a_moment(shown):
    widget = shown(n_iter=400, callback=lambda snapshot: snapshot.iteration >= 50)
    assert widget.provenance["caveats"] == ["the run was unfinished: 50 iterations, where the parameters give 410"]


@pytest.mark.parametrize("G", [nx.empty_graph(1), nx.empty_graph(5), nx.path_graph(2)])
def test_graphs_without_much_to_lay_out_are_whole(shown, G):
    assert shown(G).provenance["caveats"] == []


def test_the_edge_attribute_of_the_weights_is_noted(shown):
    G = nx.path_graph(3)
    nx.set_edge_attributes(G, 2.0, "cost")
    assert shown(G, weight="cost").provenance["parameters"]["weight"] == "cost"
    assert shown(G, weight=None).provenance["parameters"]["weight"] is None


def test_a_projection_names_the_settings_of_its_embedding(shown):
    pytest.importorskip("torch")
    from graphne_viz import embed

    embedding = embed(KARATE, dim=4, epochs=2, seed=3)
    about = shown(embedding=embedding).provenance
    assert about["made_by"] == "projection"
    assert about["embedding"]["seed"] == 3
    assert "torch" in about["versions"]
    json.dumps(about, allow_nan=False)


def test_a_training_names_only_the_early_exaggeration_that_was_asked_for(shown):
    pytest.importorskip("torch")
    asked = {"embedding": "train", "training": {"dim": 4, "epochs": 3}}
    about = shown(early_exaggeration_iter=250, **asked).provenance
    assert about["made_by"] == "training"
    assert about["parameters"]["early_exaggeration_iter"] == 250
    assert shown(early_exaggeration_iter=7, **asked).provenance["parameters"]["early_exaggeration_iter"] == 7
    automatic = shown(early_exaggeration_iter=None, n_iter=None, **asked).provenance["parameters"]
    assert automatic["early_exaggeration_iter"] is None, "nobody asked for it"
