import struct
import threading

import pytest

from graphne_viz.viewer.transport.page_channel import (
    EMPTY,
    MOST_FRAMES,
    MOST_REMEMBERED,
    MOST_WAITING,
    PageChannel,
    pack,
    unpack,
)

UPDATE = {"method": "update", "state": {"color": "ü</script>"}}


def read(page):
    """Return the data of every message that waits for a page."""
    found = []
    while (message := page.get(0)) not in {EMPTY, None}:
        found.append(unpack(message)[0])
    return found


def frame(number):
    return {"method": "custom", "content": {"kind": "frame", "seq": number}}


def test_messages_come_back_as_they_were():
    for buffers in ([], [b""], [b"\0\xff" * 5, b"x", b""]):
        assert unpack(pack(UPDATE, buffers)) == (UPDATE, buffers)
    assert unpack(pack(UPDATE, [memoryview(bytearray(8)).cast("I")]))[1] == [bytes(8)]


@pytest.mark.parametrize(
    "broken",
    [
        b"",
        EMPTY,
        pack(UPDATE)[:-1],
        pack(UPDATE, [b"abc"]) + b"d",
        struct.pack("<II", 6, 2) + b"[]",
        struct.pack("<II", 6, 10**9) + b"{}",
        struct.pack("<II", 16, 12) + b'{"data": 1 }',
        pack(UPDATE, [b"abc"]).replace(b"[3]", b"[2]"),
        pack(UPDATE, [b"abc", b"d"]).replace(b"[3,1]", b"[5,-1]"[:5]),
        struct.pack("<II", 200_004, 200_000) + b"[" * 200_000,
        struct.pack("<II", 6, 2) + b"\xff\xfe",
    ],
)
def test_what_is_no_message_is_refused(broken):
    with pytest.raises(ValueError):  # noqa: PT011 -- whatever is wrong with it
        unpack(broken)


def test_every_page_gets_all_from_when_it_joined():
    channel = PageChannel(pytest.fail)
    channel.send({"method": "custom", "content": 0})
    one = channel.join("1")
    channel.send(frame(1))
    other = channel.join("2")
    channel.send(UPDATE, buffers=[b"x"])
    assert read(one) == [frame(1), UPDATE]
    assert read(other) == [UPDATE]
    channel.leave(one)
    channel.send(UPDATE)
    assert one.get(0) is None
    assert read(other) == [UPDATE]
    channel.close()
    assert other.get(60) is None
    assert channel.join("3").get(60) is None


def test_a_slow_page_skips_frames_and_nothing_else():
    channel = PageChannel(pytest.fail)
    page = channel.join("1")
    for number in range(50):
        channel.send(frame(number))
        if number == 20:
            channel.send(UPDATE)
    found = read(page)
    assert found.count(UPDATE) == 1
    assert [data["content"]["seq"] for data in found if data != UPDATE] == list(range(50 - MOST_FRAMES, 50))


def test_a_page_that_reads_nothing_is_given_up():
    channel = PageChannel(pytest.fail)
    page = channel.join("1")
    for _ in range(MOST_WAITING + 1):
        channel.send(UPDATE)
    assert page.get(0) is None


def test_a_message_can_leave_one_page_out():
    heard = []
    channel = PageChannel(lambda *message: heard.append(message))
    one, other = channel.join("1"), channel.join("2")
    sent = UPDATE | {"buffer_paths": [["_selected"]]}
    channel.take(pack(sent, [b"x"]), "1")
    assert heard == [(sent, [b"x"], "1")]
    channel.send(UPDATE, but="1")
    assert (read(one), read(other)) == ([], [UPDATE])


def test_a_message_that_is_sent_again_is_taken_once():
    heard = []
    channel = PageChannel(lambda *message: heard.append(message[2]))
    for sender, number in (("1", 1), ("1", 1), ("2", 1), ("1", 2), ("1", 1), ("2", None), ("2", None)):
        channel.take(pack(UPDATE), sender, number)
    assert heard == ["1", "2", "1", "2", "2"]
    for other in range(MOST_REMEMBERED + 1):
        channel.take(pack(UPDATE), f"page {other}", 7)
    assert len(channel._taken) == MOST_REMEMBERED


def test_messages_are_handled_one_at_a_time():
    inside, most = [], []

    def receive(*_message):
        inside.append(1)
        most.append(len(inside))
        threading.Event().wait(0.01)
        inside.pop()

    channel = PageChannel(receive)
    threads = [threading.Thread(target=channel.take, args=(pack(UPDATE), "1")) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1] * 5


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"method": "request_state"}, "'request_state' is not a kind of message"),
        ({}, "'None' is not a kind of message"),
        ({"method": []}, r"'\[\]' is not a kind of message"),
        ({"method": "update"}, "needs a state"),
        ({"method": "update", "state": {}}, "a path for each of its buffers"),
        ({"method": "update", "state": {}, "buffer_paths": [["a", "b"]]}, "must be the name of a field"),
        ({"method": "update", "state": {}, "buffer_paths": [3]}, "must be the name of a field"),
    ],
)
def test_what_has_not_the_form_of_a_message_is_refused(data, words):
    channel = PageChannel(pytest.fail)
    with pytest.raises(ValueError, match=words):
        channel.take(pack(data, [b"x"]), "1")
