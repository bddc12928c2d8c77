import networkx as nx
import numpy as np
import pytest

from graphne_viz import view
from graphne_viz.layout.snapshot import Snapshot
from graphne_viz.viewer.run import recording as recordings
from graphne_viz.viewer.run.recording import (
    LEAST_SHOTS,
    MOST_SHOTS,
    Recording,
    Shot,
    compressed,
    encode_recording,
    pack_recording,
)
from graphne_viz.viewer.transport.wire import decode_container


def snapshot(iteration, positions=None, phase="optimization"):
    rng = np.random.default_rng(iteration)
    positions = rng.normal(size=(20, 2)) if positions is None else positions
    return Snapshot(iteration, phase, 1.0, positions.astype(np.float32))


def moving(n, steps, speed=0.02):
    """Snapshots of nodes that drift, and the whole of which grows."""
    rng = np.random.default_rng(0)
    positions = rng.normal(size=(n, 2))
    for k in range(steps):
        positions = 1.05 * positions + speed * rng.normal(size=(n, 2))
        yield snapshot(10 * k, positions)


def test_a_shot_is_where_the_nodes_were():
    positions = np.array([[-1e3, 5], [1e3, 5.01], [0.5, 700]])
    shot = Shot.of(snapshot(3, positions))
    np.testing.assert_allclose(shot.positions, positions, atol=2000 / 65535)
    np.testing.assert_allclose(shot.coarse().positions, positions, atol=2000 / 4096)
    assert (shot.iteration, shot.phase, shot.kl) == (3, "optimization", 1.0)


@pytest.mark.parametrize("positions", [np.empty((0, 2)), np.ones((1, 2)), np.full((5, 2), 7.0)])
def test_nodes_on_one_point_stay_there(positions):
    np.testing.assert_array_equal(Shot.of(snapshot(0, positions)).positions, positions)


def test_a_long_run_is_thinned_out_evenly():
    recording = Recording(20)
    for k in range(1000):
        recording.add(snapshot(k))
        assert len(recording) <= MOST_SHOTS
    kept = [shot.iteration for shot in recording.shots(snapshot(999))]
    assert MOST_SHOTS / 2 <= len(kept) <= MOST_SHOTS + 1
    assert kept[0] == 0
    assert kept[-1] == 999
    assert set(np.diff(kept[:-1])) == {16}
    recording.clear()
    assert recording.shots() == []


def test_memory_is_bounded_for_a_large_graph(monkeypatch):
    monkeypatch.setattr(recordings, "MOST_BYTES", 20 * 4 * 30)
    recording = Recording(20)
    for k in range(500):
        recording.add(snapshot(k))
    assert sum(shot.places.nbytes for shot in recording.shots()) <= 20 * 4 * 30
    assert Recording(10**7)._most == LEAST_SHOTS


def test_the_end_takes_the_place_of_what_is_not_before_it():
    recording = Recording(20)
    for k in (0, 10, 20):
        recording.add(snapshot(k))
    assert [shot.iteration for shot in recording.shots(snapshot(20, phase="finished"))] == [0, 10, 20]
    assert recording.shots(snapshot(20, phase="finished"))[-1].phase == "finished"


def test_a_recording_of_nothing_is_refused():
    with pytest.raises(ValueError, match="at least one shot"):
        encode_recording([])


def test_packing_keeps_the_end_exact_and_to_the_room():
    shots = [Shot.of(one) for one in moving(2_000, 60)]
    for room in (250_000, 60_000):
        packed = pack_recording(shots, room)
        assert len(compressed(packed)) <= room
        heads = decode_container(packed)["shots"]
        assert LEAST_SHOTS <= len(heads) < 60 or room == 250_000
        assert heads[0]["iteration"] == 0
        assert heads[-1]["iteration"] == 590
        assert heads[-1]["unit"] == shots[-1].unit
    alone = decode_container(pack_recording(shots, 10_000))["shots"]
    assert [head["iteration"] for head in alone] == [590]


def test_the_browser_gets_the_run_when_it_asks():
    w = view(nx.karate_club_graph(), live=False, n_iter=100, early_exaggeration_iter=50)
    sent = []
    w.send = lambda content, buffers=None: sent.append((content, buffers))
    w._handle_custom_msg({"kind": "command", "id": "7", "name": "recording"}, [])
    ((answer, (data,)),) = sent
    assert answer == {"kind": "answer", "id": "7", "ok": True}
    seen = [head["iteration"] for head in decode_container(data)["shots"]]
    assert set(range(0, 151, 10)) <= set(seen)
    assert seen == sorted(set(seen))
    assert w.run.status()["shots"] >= len(seen) - 1
    w.run.restart()
    w.run.wait()
    assert set(range(0, 151, 10)) <= {shot.iteration for shot in w.run.shots()}
    w.close()
