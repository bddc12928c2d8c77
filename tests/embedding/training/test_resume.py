"""Stopped training goes on as if it had never been stopped."""

import os
import signal
import threading
from dataclasses import replace

import numpy as np
import pytest
from embedding_examples import assert_equal
from training_examples import interrupt_at, lattice

pytest.importorskip("torch")

from graphne_viz.embedding.api import embed
from graphne_viz.embedding.embedding import Embedding

KINDS = {
    "plain": {},
    "learned temperature": {"temperature": "learn"},
    "copies": {"negatives": "copies"},
    "paper": {"preset": "paper"},
    "random": {"initialization": "random", "seed": 5},
    "array": {"initialization": np.random.default_rng(0).normal(size=(60, 8))},
}
SMALL = {"dim": 8, "epochs": 5, "batch_size": 30}
"""120 edges, so four batches an epoch."""


def edges():
    weights = np.random.default_rng(1).uniform(0.5, 3, 120)
    return np.column_stack([lattice(60), weights])


@pytest.fixture(autouse=True)
def _handler():
    # A shell has what it runs in the background ignore Ctrl-C; a user's terminal does not.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("after", [1, 3, 4])
@pytest.mark.parametrize("kind", KINDS)
def test_stopped_by_the_callback(kind, after):
    keywords = SMALL | KINDS[kind]
    whole = embed(edges(), **keywords)
    half = embed(edges(), callback=lambda progress: progress.epoch == after, **keywords)
    assert (half.epochs, half.complete) == (after, False)
    assert_equal(embed(edges(), start=half), whole)


@pytest.mark.parametrize("batch", [1, 6, 7, 19])
@pytest.mark.parametrize("kind", KINDS)
def test_interrupted_within_an_epoch(monkeypatch, kind, batch):
    keywords = SMALL | KINDS[kind]
    whole = embed(edges(), **keywords)
    with monkeypatch.context() as patch:
        interrupt_at(patch, batch)
        part = embed(edges(), **keywords)
    assert (part.state.epoch, part.state.batch) == divmod(batch, 4)
    assert part.history["epoch"][-1] == batch / 4
    assert part.state.step == batch
    assert np.allclose(np.linalg.norm(part.vectors, axis=1), 1, atol=1e-5)
    assert_equal(embed(edges(), start=part), whole)


def test_interrupted_again_and_again(monkeypatch):
    keywords = SMALL | {"temperature": "learn"}
    whole = embed(edges(), **keywords)
    with monkeypatch.context() as patch:
        interrupt_at(patch, 2)
        E = embed(edges(), **keywords)
    for _ in range(3):
        with monkeypatch.context() as patch:
            interrupt_at(patch, 1)
            E = embed(edges(), start=E)
    assert (E.state.epoch, E.state.batch) == (1, 1)
    assert E.history["epoch"].tolist() == [1, 1.25]
    assert_equal(embed(edges(), start=E), whole)


def test_interrupted_in_the_last_batch_of_an_epoch(monkeypatch):
    interrupt_at(monkeypatch, 8)
    E = embed(edges(), **SMALL)
    assert (E.state.epoch, E.state.batch) == (2, 0)
    assert E.history["epoch"].tolist() == [1, 2]


def test_interrupted_in_the_very_last_batch_it_is_complete(monkeypatch, caplog):
    whole = embed(edges(), **SMALL)
    interrupt_at(monkeypatch, 20)
    E = embed(edges(), **SMALL)
    assert E.complete
    assert_equal(E, whole)
    assert not caplog.records


def test_interrupted_within_the_callback():
    def callback(progress):
        if progress.epoch == 2:
            os.kill(os.getpid(), signal.SIGINT)

    half = embed(edges(), callback=callback, **SMALL)
    assert half.history["epoch"].tolist() == [1, 2]
    assert_equal(embed(edges(), start=half), embed(edges(), **SMALL))


def test_an_interruption_is_told(monkeypatch, caplog):
    interrupt_at(monkeypatch, 6)
    embed(edges(), **SMALL)
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert caplog.records[0].getMessage() == (
        "training was interrupted after 1.5 of 5 epochs; embed(G, start=E) resumes it"
    )


def test_a_timer_may_press_it_anywhere():
    keywords = {"dim": 8, "batch_size": 20, "epochs": 3000, "initialization": "random"}

    def callback(progress):
        if progress.epoch == 1:
            signal.setitimer(signal.ITIMER_REAL, 0.05)
        return progress.epoch == 2900

    before = signal.signal(signal.SIGALRM, lambda *_: os.kill(os.getpid(), signal.SIGINT))
    try:
        E = embed(edges(), callback=callback, **keywords)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert 6 <= E.state.step < 2900 * 6
    stop = E.epochs + 2
    on = embed(edges(), start=E, callback=lambda progress: progress.epoch == stop)
    assert_equal(on, embed(edges(), callback=lambda progress: progress.epoch == stop, **keywords))


def test_a_second_one_is_raised(monkeypatch):
    interrupt_at(monkeypatch, 3, times=2)
    with pytest.raises(KeyboardInterrupt):
        embed(edges(), **SMALL)


def test_a_handler_of_the_callers_own_is_left_alone(monkeypatch):
    heard = []
    before = signal.signal(signal.SIGINT, lambda *_: heard.append(1))
    own = signal.getsignal(signal.SIGINT)
    try:
        interrupt_at(monkeypatch, 3)
        E = embed(edges(), **SMALL)
        assert signal.getsignal(signal.SIGINT) is own
    finally:
        signal.signal(signal.SIGINT, before)
    assert heard == [1]
    assert E.complete


def test_the_handler_is_restored_after_an_error():
    def callback(_):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        embed(edges(), callback=callback, **SMALL)


def test_training_in_a_thread():
    found = []
    thread = threading.Thread(target=lambda: found.append(embed(edges(), **SMALL)))
    thread.start()
    thread.join()
    assert_equal(found[0], embed(edges(), **SMALL))


def test_through_a_file(tmp_path, monkeypatch):
    whole = embed(edges(), **SMALL)
    with monkeypatch.context() as patch:
        interrupt_at(patch, 7)
        embed(edges(), **SMALL).save(tmp_path / "part.npz")
    assert_equal(embed(edges(), start=Embedding.load(tmp_path / "part.npz")), whole)


def test_the_start_is_unchanged():
    half = embed(edges(), callback=lambda progress: progress.epoch == 2, **SMALL)
    before = embed(edges(), callback=lambda progress: progress.epoch == 2, **SMALL)
    embed(edges(), start=half)
    assert_equal(half, before)


def test_the_same_keywords_may_be_given_again():
    whole = embed(edges(), temperature=0.1, **SMALL)
    half = embed(edges(), temperature=0.1, callback=lambda progress: progress.epoch == 2, **SMALL)
    assert_equal(embed(edges(), start=half, temperature=0.1, **SMALL), whole)
    assert_equal(embed(edges(), start=half, **(SMALL | {"dim": np.int64(8)})), whole)


def test_a_finished_one_goes_on_with_more_epochs():
    first = embed(edges(), **SMALL)
    more = embed(edges(), start=first, epochs=8)
    assert more.complete
    assert more.history["epoch"].tolist() == list(range(1, 9))
    for name, values in first.history.items():
        assert np.array_equal(more.history[name][:5], values)
    assert more.state.step == 32


@pytest.mark.parametrize(
    ("keywords", "words"),
    [
        ({"dim": 16}, "start resumes with dim=8; leave dim out"),
        ({"temperature": 0.1}, r"start resumes with temperature=0\.05; leave temperature out"),
        ({"temperature": "learn"}, r"start resumes with temperature=0\.05; leave temperature out"),
        ({"batch_size": 7}, "start resumes with batch_size=30; leave batch_size out"),
        ({"negatives": "copies"}, "start resumes with negatives='batch'; leave negatives out"),
        ({"learning_rate": 0.5}, r"start resumes with learning_rate=0\.1; leave learning_rate out"),
        ({"initialization": "random"}, "start resumes with initialization='spectral'; leave initialization out"),
        ({"initialization": np.ones((60, 8))}, "leave initialization out"),
        ({"preset": "paper"}, "start resumes with preset='default'; leave preset out"),
        ({"seed": 1}, "start resumes with seed=0; leave seed out"),
        ({"epochs": 2}, "start was already trained for 2 epochs; to continue, epochs must be larger, got 2"),
        ({"epochs": 0}, "epochs must be at least 1, got 0"),
        ({"device": "nowhere"}, "device must be 'auto' or one that torch finds here, got 'nowhere'"),
    ],
)
def test_what_contradicts_a_start(keywords, words):
    half = embed(edges(), callback=lambda progress: progress.epoch == 2, **SMALL)
    with pytest.raises(ValueError, match=words):
        embed(edges(), start=half, **keywords)


def test_a_finished_start():
    E = embed(edges(), **SMALL)
    words = r"start was already trained for 5 epochs; to continue, epochs must be larger$"
    with pytest.raises(ValueError, match=words):
        embed(edges(), start=E)


def test_a_start_of_another_graph():
    E = embed(edges(), **SMALL)
    with pytest.raises(ValueError, match="start embeds another graph: its 60 nodes are not the 61 given"):
        embed(lattice(61), start=E, epochs=9)
    with pytest.raises(ValueError, match="start embeds another graph: its edges or their weights are not those given"):
        embed(edges()[1:], start=E, epochs=9)


def test_a_start_without_its_state(tmp_path):
    embed(edges(), **SMALL).save(tmp_path / "bare.npz", state=False)
    with pytest.raises(ValueError, match="start was saved without its state"):
        embed(edges(), start=Embedding.load(tmp_path / "bare.npz"), epochs=9)


def test_a_start_that_is_none():
    with pytest.raises(TypeError, match="start must be an Embedding, got a ndarray"):
        embed(edges(), start=np.zeros((60, 8)))


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"dim": None}, "dim must be an integer"),
        ({"preset": "fast"}, "preset must be one of"),
        ({"learning_rate": -1.0}, "learning_rate must be positive"),
    ],
)
def test_a_start_with_settings_that_cannot_be(changed, said):
    E = embed(edges(), **SMALL)
    with pytest.raises(ValueError, match=f"cannot resume from start: {said}"):
        embed(edges(), start=replace(E, settings={**E.settings, **changed}), epochs=9)


def test_a_start_that_lacks_a_setting():
    E = embed(edges(), **SMALL)
    fewer = {name: value for name, value in E.settings.items() if name != "preset"}
    with pytest.raises(ValueError, match="cannot resume from start: its settings lack 'preset'"):
        embed(edges(), start=replace(E, settings=fewer), epochs=9)
