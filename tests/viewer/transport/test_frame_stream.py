import itertools
import math
import threading
import time

import pytest

from graphne_viz.viewer.transport.frame_stream import FASTEST, LONGEST_TIMEOUT, MOST_UNANSWERED, Flow, Stream


def flow_with_view(round_trip=None):
    flow = Flow()
    flow.ready()
    flow.round_trip = round_trip
    return flow


def send_all(flow, now, *, busy=False):
    """Send as many frames as may go at this moment."""
    sent = []
    while flow.delay(now + FASTEST * len(sent), busy=busy) == 0:
        sent.append(flow.send(now + FASTEST * len(sent)))
    return sent


def until(condition, seconds=5.0):
    """Wait for something that another thread does."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.002)


class Browser:
    """Receives what a stream sends; answers when it is told to."""

    def __init__(self, **settings):
        self.got = []
        self.stream = Stream(self.take, **settings)

    def take(self, seq, item):
        self.got.append((seq, item))
        return 100

    @property
    def items(self):
        return [item for _, item in self.got]

    def answer(self):
        self.stream.answered(max(seq for seq, _ in self.got))


class Clock:
    """Time that goes on only when it is told to."""

    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture(autouse=True)
def _no_thread_is_left():
    yield
    until(lambda: not stream_threads())


@pytest.fixture
def browser():
    browser = Browser()
    browser.stream.ready()
    yield browser
    browser.stream.close()


def stream_threads():
    return [thread for thread in threading.enumerate() if thread.name == "graphne-stream"]


# ---- When a frame may go ----


def test_nothing_goes_before_there_is_a_view():
    flow = Flow()
    assert flow.delay(0.0, busy=False) == math.inf
    flow.displayed()
    assert flow.delay(1.0, busy=False) == math.inf
    flow.ready()
    assert flow.delay(2.0, busy=False) == 0


def test_at_most_two_frames_are_unanswered():
    flow = flow_with_view()
    assert send_all(flow, 0.0) == [1, 2]
    assert flow.unanswered == MOST_UNANSWERED
    assert flow.delay(0.1, busy=False) > 0
    flow.answered(1, 0.1)
    assert flow.delay(0.1, busy=False) == 0
    assert flow.send(0.1) == 3
    assert flow.delay(0.2, busy=False) > 0


def test_an_answer_covers_the_frames_before_it():
    flow = flow_with_view()
    send_all(flow, 0.0)
    flow.answered(2, 0.1)
    assert flow.unanswered == 0
    flow.answered(1, 0.2)  # of a second view, or out of order
    assert flow.unanswered == 0


@pytest.mark.parametrize("seq", [0, 3, -1, 10**9])
def test_an_answer_to_a_frame_that_was_never_sent_means_nothing(seq):
    flow = flow_with_view()
    send_all(flow, 0.0)
    flow.answered(seq, 0.1)
    assert flow.unanswered == 2
    assert flow.round_trip is None


@pytest.mark.parametrize(("late", "expected"), [(0.0, 25), (0.3, 25), (0.8, 19), (1.5, 10)])
def test_a_thread_that_wakes_up_late_makes_up_for_it_in_part(late, expected):
    """Half a gap at most: frames never come in a bunch, and after a pause there is nothing to make up for."""
    flow, now, gaps = Flow(), 0.0, []
    flow.ready()
    while now < 1:
        delay = flow.delay(now, busy=False)
        now += delay + late * FASTEST
        flow.answered(flow.send(now), now)
        gaps.append(delay + late * FASTEST)
    assert len(gaps) == pytest.approx(expected, abs=1)
    assert min(gaps[1:]) >= FASTEST / 2 - 1e-9


def test_no_more_frames_go_than_are_needed_to_see_it_move():
    flow = flow_with_view(round_trip=0.1)
    sent, now = 0, 0.0
    while now < 1:
        delay = flow.delay(now, busy=False)
        if delay == 0:
            flow.answered(flow.send(now), now)
            sent += 1
        now += delay or 1e-4
    assert 20 <= sent <= 25


def test_on_a_quick_way_every_second_frame_is_answered():
    flow = flow_with_view(round_trip=0.01)
    numbers, now = [], 0.0
    for _ in range(6):
        now += flow.delay(now, busy=False)
        numbers.append(flow.send(now))
        if numbers[-1]:
            flow.answered(numbers[-1], now + 0.01)
        now += 0.02
    assert numbers == [0, 2, 0, 4, 0, 6]
    assert flow.unanswered == 0
    assert now == pytest.approx(6 * FASTEST, abs=0.05), "no frame waits for an answer"


def test_the_round_trip_is_learnt_and_sets_the_timeout():
    flow = flow_with_view()
    for k in range(40):
        flow.answered(flow.send(k * 1.0), k + 0.1)
    assert flow.round_trip == pytest.approx(0.1)
    assert flow.timeout == pytest.approx(0.4)


def test_a_lost_answer_times_out_after_several_round_trips_and_then_backs_off():
    flow = flow_with_view(round_trip=0.1)
    send_all(flow, 0.0)
    now, waits = 0.0, []
    for _ in range(8):
        before = now
        while (delay := flow.delay(now, busy=False)) > 0:
            now += delay
        flow.send(now)
        assert flow.unanswered == 1, "while nothing is heard, one frame at a time is a probe"
        waits.append(now - before)
    assert waits[0] == pytest.approx(0.4, abs=0.05)
    assert waits[1:4] == pytest.approx([0.8, 1.6, 2.0], abs=0.05)
    assert waits[4:] == pytest.approx([LONGEST_TIMEOUT] * 4)


def test_an_answer_ends_the_probing():
    flow = flow_with_view(round_trip=0.1)
    send_all(flow, 0.0)
    assert flow.delay(3.0, busy=False) == 0
    seq = flow.send(3.0)
    flow.answered(seq, 3.1)
    assert flow.timeout == pytest.approx(0.4)
    assert len(send_all(flow, 4.0)) == 2


def test_an_answer_that_comes_too_late_repairs_the_estimate():
    flow = flow_with_view(round_trip=0.05)
    send_all(flow, 0.0)
    assert flow.delay(1.0, busy=False) == 0  # given up
    flow.send(1.0)
    flow.answered(1, 1.2)
    assert flow.round_trip == pytest.approx(1.2)
    assert flow.timeout == pytest.approx(4.8)
    assert flow.delay(1.3, busy=False) == 0, "the way is long, not broken"


def test_a_way_longer_than_the_longest_timeout_gets_no_queue():
    flow = flow_with_view(round_trip=3.0)
    send_all(flow, 0.0)
    assert flow.delay(5.0, busy=False) > 0
    assert flow.delay(12.1, busy=False) == 0


def test_while_a_cell_runs_frames_go_at_the_last_known_rate():
    flow = flow_with_view(round_trip=0.5)
    times = [k / 100 for k in range(200)]
    sent = [flow.send(now) for now in times if flow.delay(now, busy=True) == 0]
    assert len(sent) == 8, "two in a round trip of 0.5 s, for 2 s"
    assert sent == [1] + 7 * [0], "answers would pile up behind the cell"


@pytest.mark.parametrize(("size", "rate"), [(1_000, 5), (4_000_000, 1)])
def test_while_a_cell_runs_and_no_rate_is_known_frames_go_slowly(size, rate):
    flow = Flow()
    flow.displayed()
    times = [k / 100 for k in range(400)]
    sent = [flow.send(now) for now in times if flow.delay(now, busy=True, size=size) == 0]
    assert len(sent) == 4 * rate


def test_without_a_view_nothing_goes_while_a_cell_runs():
    assert Flow().delay(0.0, busy=True) == math.inf


def test_after_a_cell_the_loop_is_closed_again():
    flow = flow_with_view(round_trip=0.1)
    send_all(flow, 0.0)
    for k in range(100):
        if flow.delay(1 + k / 10, busy=True) == 0:
            flow.send(1 + k / 10)
    assert flow.unanswered == 2
    assert flow.delay(11.0, busy=False) == pytest.approx(0.4), "the answers are on their way: patience begins now"
    flow.answered(2, 11.05)
    assert flow.round_trip == pytest.approx(0.1), "the wait for the cell says nothing about the way"
    assert send_all(flow, 11.1) == [3, 4]


def test_answers_that_a_subshell_hears_close_the_loop_while_a_cell_runs():
    flow = flow_with_view(round_trip=0.4)
    assert flow.delay(0.0, busy=True) == 0
    flow.answered(flow.send(0.0), 0.01)
    assert send_all(flow, 0.05, busy=True) == [2, 3]
    assert flow.delay(0.2, busy=True) > 0.5


def test_a_new_view_ends_the_wait_for_the_old_one():
    flow = flow_with_view(round_trip=0.1)
    send_all(flow, 0.0)
    assert flow.delay(0.1, busy=False) > 0.2
    flow.ready()
    assert flow.delay(0.1, busy=False) == 0


# ---- The slot and its thread ----


def test_the_newest_wins_and_the_last_arrives(browser):
    browser.stream.publish("first")
    until(lambda: browser.items == ["first"])
    browser.stream.publish("second")
    until(lambda: len(browser.got) == 2)
    for k in range(1000):
        browser.stream.publish(k)
    assert browser.items == ["first", "second"], "two are unanswered"
    browser.answer()
    until(lambda: len(browser.got) == 3)
    assert browser.items[2] == 999
    assert [seq for seq, _ in browser.got[:2]] == [1, 2]


def test_the_last_arrives_even_if_nothing_is_answered(browser):
    for item in "abc":
        browser.stream.publish(item)
        time.sleep(1.5 * FASTEST)
    until(lambda: browser.items[-1] == "c", seconds=3)


def test_the_thread_ends_when_there_is_nothing_to_do(browser):
    browser.stream.publish("one")
    until(lambda: browser.items == ["one"])
    until(lambda: not stream_threads())
    browser.stream.publish("two")
    until(lambda: browser.items == ["one", "two"])


def test_without_a_view_there_is_no_thread_and_the_newest_waits_for_one():
    browser = Browser()
    browser.stream.publish("old")
    browser.stream.publish("new")
    assert not stream_threads()
    browser.stream.ready()
    until(lambda: browser.items == ["new"])
    browser.stream.close()


def test_publishing_never_waits_for_a_slow_transport():
    released = threading.Event()
    stream = Stream(lambda _seq, _item: released.wait(5) and 1)
    stream.ready()
    begun = time.monotonic()
    for k in range(10_000):
        stream.publish(k)
    assert time.monotonic() - begun < 1
    released.set()
    stream.close()
    until(lambda: not stream_threads())


def test_closing_ends_the_thread_and_drops_what_waits(browser):
    for item in "abc":
        browser.stream.publish(item)
        time.sleep(1.5 * FASTEST)
    browser.stream.close()
    browser.stream.close()
    until(lambda: not stream_threads())
    browser.stream.publish("d")
    browser.answer()
    browser.stream.ready()
    assert browser.items == ["a", "b"]
    assert browser.stream.closed


def test_a_transport_that_fails_is_told_once_and_tried_again(caplog):
    broken, tried, got = [True], [], []

    def send(_seq, item):
        tried.append(item)
        if broken[0]:
            raise OSError("the pipe is broken")
        got.append(item)
        return 8

    stream = Stream(send)
    stream.ready()
    for item in "ab":
        stream.publish(item)
        until(lambda item=item: tried[-1:] == [item])
    stream.publish("c")
    time.sleep(2 * FASTEST)
    assert tried == ["a", "b"], "what failed was not answered: the next one has to wait"
    broken[0] = False
    until(lambda: got == ["c"])
    stream.answered(3)
    stream.publish("d")
    until(lambda: got == ["c", "d"])
    stream.close()
    assert caplog.text.count("could not be sent") == 1


def test_after_a_failure_a_new_view_gets_the_next_frame_at_once(caplog):
    broken, got = [True], []

    def send(_seq, item):
        if broken[0]:
            raise OSError("the pipe is broken")
        got.append(item)
        return 8

    stream = Stream(send, clock=Clock())  # its time stands still: patience alone would never end
    stream.ready()
    stream.publish("lost")
    until(lambda: caplog.records)
    broken[0] = False
    stream._clock.now += FASTEST
    stream.ready()
    stream.publish("new")
    until(lambda: got == ["new"])
    stream.close()


def test_a_thread_that_cannot_start_now_can_later(monkeypatch, browser):
    def no_more(_thread):
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", no_more)
        browser.stream.publish("old")
    browser.stream.publish("new")
    until(lambda: browser.items == ["new"])


def test_a_cell_that_begins_is_noticed_at_once():
    running, clock = [False], Clock()
    browser = Browser(busy=lambda: running[0], clock=clock)
    browser.stream.ready()
    for k in range(3):
        browser.stream.publish(k)
        clock.now += FASTEST
        browser.stream.poke()
        until(lambda k=k: len(browser.got) == min(k + 1, 2))
    running[0] = True
    clock.now += 0.21
    browser.stream.poke()
    until(lambda: browser.items == [0, 1, 2])
    browser.stream.close()


def test_answers_and_frames_from_many_threads():
    lock, got = threading.Lock(), []
    stream = Stream(lambda seq, item: got.append((seq, item)) or 8)
    stream.ready()
    numbers = itertools.count()

    def publish():
        for _ in range(300):
            with lock:
                stream.publish(next(numbers))
            stream.answered(len(got))

    threads = [threading.Thread(target=publish) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    until(lambda: got[-1][1] == 2399)
    stream.close()
    numbers = [seq for seq, _ in got if seq]
    assert numbers == sorted(set(numbers))
    assert [item for _, item in got] == sorted(item for _, item in got)
