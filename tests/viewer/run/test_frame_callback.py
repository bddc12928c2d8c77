"""Views that wait for the frames of someone else's optimisation."""

import threading
import time

import networkx as nx
import numpy as np
import pytest
import scipy.sparse as sp
from openTSNE import TSNE
from openTSNE.affinity import PrecomputedAffinities
from runs import until
from sklearn.neighbors import kneighbors_graph

from graphne_viz import view
from graphne_viz.viewer.run import frame_callback
from graphne_viz.viewer.session.opening import open_session


@pytest.fixture
def waiting():
    G = nx.karate_club_graph()
    session = open_session(G, live="callback", color="club")
    session.start()
    yield session
    session.close()


def affinities(G):
    A = sp.csr_matrix(nx.to_scipy_sparse_array(G, dtype=float, format="csr"))
    return PrecomputedAffinities(A / A.sum(), normalize=False)


def fit(session, **keywords):
    tsne = TSNE(
        initialization="spectral", callbacks=session.run.task.callback, callbacks_every_iters=10, n_jobs=1, **keywords
    )
    return np.asarray(tsne.fit(affinities=affinities(nx.karate_club_graph())))


def circle(n, radius=1.0):
    angle = np.linspace(0, 2 * np.pi, n, endpoint=False)
    return radius * np.column_stack([np.cos(angle), np.sin(angle)])


def test_it_waits_and_says_so(waiting):
    until(lambda: waiting.run.status()["status_text"])
    status = waiting.run.status()
    assert (status["state"], status["status_text"], status["external"]) == (
        "starting",
        "Waiting for the first frame",
        True,
    )
    assert waiting.run.latest is None


def test_a_stock_run_is_seen_from_its_first_frame_to_its_last(waiting, monkeypatch):
    monkeypatch.setattr(frame_callback, "LEAST_SILENCE", 0.2)
    seen = []
    waiting.run.attach(seen.append, lambda: None)
    embedding = fit(waiting, early_exaggeration_iter=50, n_iter=100)
    assert [snapshot.iteration for snapshot in seen[:15]] == list(range(10, 151, 10))
    assert np.ptp(seen[0].positions) < np.ptp(seen[14].positions)
    assert all(np.isfinite(snapshot.kl) for snapshot in seen)
    until(lambda: waiting.run.state == "finished")
    assert waiting.run.iteration == 150
    # openTSNE takes one more step after the last callback.
    np.testing.assert_allclose(waiting.run.layout(), embedding, atol=0.05 * np.ptp(embedding))


def test_stop_ends_the_fit_and_the_result_stays(waiting):
    done = []
    thread = threading.Thread(target=lambda: done.append(fit(waiting, n_iter=100_000)))
    thread.start()
    until(lambda: waiting.run.iteration > 50)
    waiting.run.stop()
    thread.join(10)
    assert not thread.is_alive()
    assert waiting.run.state == "stopped"
    until(lambda: waiting.run.latest.phase == "finished")
    np.testing.assert_allclose(waiting.run.layout(), done[0], atol=0.5 * np.ptp(done[0]))
    assert done[0].shape == (34, 2)


def test_pause_holds_the_fit(waiting):
    thread = threading.Thread(target=lambda: fit(waiting, n_iter=100_000))
    thread.start()
    until(lambda: waiting.run.iteration > 50)
    waiting.run.pause()
    time.sleep(0.1)
    before = waiting.run.iteration
    time.sleep(0.2)
    assert waiting.run.iteration == before
    waiting.run.resume()
    until(lambda: waiting.run.iteration > before)
    waiting.run.stop()
    thread.join(10)
    assert not thread.is_alive()


def test_another_fit_after_a_stop_is_seen_from_the_beginning(waiting):
    callback = waiting.run.task.callback
    callback(10, 1.0, circle(34))
    waiting.run.stop()
    assert callback(20, 1.0, circle(34))
    callback.optimization_about_to_start()
    assert not callback(10, 1.0, circle(34, 2.0))
    assert waiting.run.iteration == 10
    assert waiting.run.count == 2


def test_a_frame_after_silence_begins_the_run_again(waiting, monkeypatch):
    monkeypatch.setattr(frame_callback, "LEAST_SILENCE", 0.05)
    monkeypatch.setattr(frame_callback, "LOOK_AGAIN", 0.02)
    callback = waiting.run.task.callback
    callback(10, 1.0, circle(34))
    until(lambda: waiting.run.state == "finished")
    callback(20, 1.0, circle(34, 3.0))
    until(lambda: np.allclose(waiting.run.layout(), circle(34, 3.0), atol=1e-6))


def test_iterations_count_on_over_several_calls_of_optimize(waiting):
    callback = waiting.run.task.callback
    for _ in range(2):
        callback.optimization_about_to_start()
        callback(10, 1.0, circle(34))
        callback(20, 1.0, circle(34))
    assert waiting.run.iteration == 40


def test_a_closed_view_lets_the_fit_go_on(waiting):
    callback = waiting.run.task.callback
    callback(10, 1.0, circle(34))
    waiting.close()
    assert callback(20, 1.0, circle(34)) is False


def test_the_array_is_copied(waiting):
    live = circle(34)
    waiting.run.task.callback(10, 1.0, live)
    live[:] = 7
    np.testing.assert_allclose(waiting.run.latest.positions, circle(34), atol=1e-6)


@pytest.mark.parametrize(
    ("positions", "sentence"),
    [
        (circle(33), r"the view shows 34 nodes in two dimensions, but .* shape \(33, 2\)"),
        (np.zeros((34, 3)), r"shape \(34, 3\)"),
        (np.full((34, 2), np.nan), "positions that are not finite"),
    ],
)
def test_frames_that_do_not_fit_are_refused(waiting, positions, sentence):
    with pytest.raises(ValueError, match=sentence):
        waiting.run.task.callback(10, 1.0, positions)


def test_its_exaggeration_is_not_ours(waiting):
    with pytest.raises(ValueError, match="must be set where it is optimised"):
        waiting.run.exaggeration = 4


def test_an_embedding_cannot_be_shown_so():
    with pytest.raises(ValueError, match="embedding cannot be given with live='callback'"):
        open_session(nx.path_graph(3), live="callback", embedding="train")


def test_only_such_a_view_has_a_callback():
    with pytest.raises(TypeError, match="live must be True, False, 'callback' or None, got 'frames'"):
        open_session(nx.path_graph(3), live="frames")
    w = view(nx.path_graph(3), live=False)
    with pytest.raises(AttributeError, match='view\\(G, live="callback"\\)'):
        _ = w.callback
    w.close()


def test_data_without_a_graph_is_shown_by_its_rows():
    session = open_session(range(50), live="callback", color=np.arange(50) % 3)
    session.start()
    session.run.task.callback(10, 1.0, circle(50))
    assert session.graph.n_edges == 0
    assert len(session.run.layout()) == 50
    session.close()


def test_what_it_was_made_by_is_told(waiting):
    from graphne_viz.viewer.export.provenance import provenance_of_run

    waiting.run.task.callback(30, 1.5, circle(34))
    about = provenance_of_run(waiting.run)
    assert (about["made_by"], about["iterations"], about["kl"], about["parameters"]) == ("callback", 30, 1.5, {})
    assert about["caveats"] == ["it was optimised elsewhere, and shown through a callback"]


def test_ordinary_data_are_watched_as_opentsne_lays_them_out(monkeypatch):
    """The graph only says which nodes there are, and what is drawn between them: openTSNE has its own neighbours."""
    monkeypatch.setattr(frame_callback, "LEAST_SILENCE", 0.2)
    group = np.repeat(np.arange(3), 40)
    X = np.random.default_rng(3).normal(size=(120, 5)) + 8 * np.eye(3, 5)[group]
    w = view(kneighbors_graph(X, 5), color=group, live="callback")
    w.session.start()
    seen = []
    w.run.attach(seen.append, lambda: None)
    tsne = TSNE(perplexity=10, callbacks=w.callback, callbacks_every_iters=10, n_jobs=1, random_state=3, n_iter=100)
    embedding = np.asarray(tsne.fit(X))
    until(lambda: w.run.state == "finished")
    assert [snapshot.iteration for snapshot in seen][:3] == [10, 20, 30]
    assert {snapshot.phase for snapshot in seen} == {"early exaggeration", "optimization", "finished"}
    places = np.asarray(w.pos)
    assert places.shape == (120, 2)
    corr = np.corrcoef(np.concatenate([places.T, embedding.T]))[:2, 2:]
    assert np.diag(corr) == pytest.approx(1, abs=0.01)
    between = np.linalg.norm(places[:, None] - places, axis=2)
    np.fill_diagonal(between, np.inf)
    assert (group[between.argmin(axis=1)] == group).all()
    w.close()
