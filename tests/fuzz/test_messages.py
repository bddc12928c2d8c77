"""Messages of the browser: most of those that are drawn mean something, and every one is answered, once."""

import json
import struct
import time
from collections import Counter
from typing import get_args

import networkx as nx
import numpy as np
import pytest
from fuzzing import fuzzed, plain
from hypothesis import given
from hypothesis import strategies as st

from graphne_viz import embed
from graphne_viz.encoding.columns.edge_columns import ENDS
from graphne_viz.graphs.statistics import STATISTICS
from graphne_viz.viewer.export.exports import EXPORTERS
from graphne_viz.viewer.keywords import Theme
from graphne_viz.viewer.run.placement import ROW
from graphne_viz.viewer.session.callbacks import POINTER_EVENTS
from graphne_viz.viewer.session.fields import BROWSER_FIELDS
from graphne_viz.viewer.session.jobs.predicted_links import MOST
from graphne_viz.viewer.session.messages import COMMANDS
from graphne_viz.viewer.session.opening import open_session
from graphne_viz.viewer.session.view_state.view_settings import TABLES, TOOLS
from graphne_viz.viewer.transport.page_channel import PageChannel, pack, unpack
from graphne_viz.viewer.transport.wire import decode_container

NODES = 34
CLASSES = "a:club"
KEYS = ["", CLASSES, "a:half", "name", "degree", "s:neighbour recall", "s:pagerank"]
EDGE_KEYS = ["", "e:weight", "e:kind", ENDS]
numbers = st.lists(st.integers(0, NODES - 1), max_size=6)
finite = st.floats(-1e6, 1e6, width=32)
shares = st.floats(0, 1)


def tagged(data):
    """Begin bytes with the version of the graph, most often the present one."""
    return st.tuples(st.sampled_from([0, 0, 0, 0, 1, 2**32 - 1]), data).map(
        lambda pair: struct.pack("<I", pair[0]) + pair[1]
    )


def rows(nodes):
    return st.tuples(*(st.tuples(st.just(node), finite, finite, st.integers(0, 1)) for node in nodes)).map(
        lambda found: np.array([*found], dtype=ROW).tobytes()
    )


bits = st.one_of(st.just(b""), st.binary(min_size=-(-NODES // 8), max_size=-(-NODES // 8)))
limits = st.one_of(
    st.fixed_dictionaries({"low": st.none() | finite, "high": st.none() | finite}),
    st.fixed_dictionaries({"without": st.lists(st.sampled_from(["Mr. Hi", "Officer", None]), max_size=2)}),
)
names = st.lists(st.text(max_size=3), max_size=2)
VIEW = {
    "camera": st.none()
    | st.fixed_dictionaries({"center": st.lists(finite, min_size=2, max_size=2), "span": st.floats(0.1, 9)}),
    "tool": st.sampled_from(TOOLS),
    "lens": st.booleans(),
    "filters": st.dictionaries(st.sampled_from(KEYS), limits, max_size=2),
    "legend": st.fixed_dictionaries({"column": st.sampled_from(KEYS), "isolated": names, "hidden": names}),
    "table": st.sampled_from([None, *TABLES]),
    "timeline": st.none()
    | st.fixed_dictionaries({"column": st.sampled_from(KEYS), "window": st.floats(0, 0.9), "speed": st.floats(0.1, 9)}),
}
FIELDS = {
    **dict.fromkeys(("color", "size", "label"), st.sampled_from(KEYS)),
    **dict.fromkeys(("edge_width", "edge_color", "edge_label"), st.sampled_from(EDGE_KEYS)),
    **dict.fromkeys(("edges", "arrows", "curved", "class_names"), st.booleans()),
    "colors": st.dictionaries(
        st.just(CLASSES), st.dictionaries(st.text(max_size=3), st.just("#0072b2"), max_size=2), max_size=1
    ),
    "size_range": st.none() | st.tuples(st.floats(1, 9), st.floats(9, 99)).map(list),
    "theme": st.sampled_from(get_args(Theme)),
    "height": st.integers(100, 5_000),
    "exaggeration": st.floats(0.5, 30),
    "_selected": tagged(numbers.map(lambda found: np.array(found, dtype="<u4").tobytes())),
    "_hidden": tagged(bits),
    "_invisible": tagged(bits),
    "_pinned": tagged(numbers.flatmap(rows)),
    "_view": st.fixed_dictionaries({}, optional=VIEW),
}
"""A value of each field of the browser that means something."""

DETAILS = {
    "statistic": {"statistic": st.sampled_from(sorted(STATISTICS))},
    "take": {"format": st.sampled_from(sorted(EXPORTERS))},
    "classes": {"column": st.just(CLASSES) | st.sampled_from(KEYS)},
    "remove_overlap": {"radius": st.floats(0.5, 40), "scale": st.floats(1, 1000)},
    "predicted_links": {"count": st.integers(1, 40)},
}
"""What a command says beside its name."""


ASKED = "command "
"""How the numbers of commands that mean something begin; no text that is drawn at random is so long."""


def rarely(odd, good, *, one_in=5):
    """Draw something good, but one time in a few something odd."""
    return st.integers(1, one_in).flatmap(lambda k: odd if k == 1 else good)


raw = st.one_of(plain, st.binary(max_size=40), tagged(st.binary(max_size=40)))
states = st.tuples(
    st.fixed_dictionaries({name: rarely(raw, value) for name, value in FIELDS.items()}),
    st.lists(st.dictionaries(st.sampled_from(sorted(BROWSER_FIELDS)), raw, max_size=2), max_size=2),
).map(lambda drawn: [*({name: value} for name, value in drawn[0].items()), *drawn[1]])
AT_REST = ("remove_overlap",)
"""Commands that are obeyed only while nothing else goes on."""


def command(name):
    """Draw what a browser says to give a command."""
    details = {key: rarely(plain, value) for key, value in DETAILS.get(name, {}).items()}
    return st.fixed_dictionaries({"kind": st.just("command"), "name": st.just(name), "id": st.just(0), **details})


commands = st.permutations(COMMANDS).flatmap(lambda names: st.tuples(*map(command, names[: len(names) // 2])))
others = st.one_of(
    st.fixed_dictionaries(
        {"kind": st.just("ack"), "seq": rarely(plain, st.integers(0, 200))}, optional={"error": plain}
    ),
    st.fixed_dictionaries(
        {
            "kind": st.just("event"),
            "name": st.sampled_from(POINTER_EVENTS),
            "node": rarely(plain, st.none() | st.integers(0, NODES - 1)),
        },
        optional={"version": rarely(plain, st.just(0))},
    ),
    st.fixed_dictionaries(
        {"kind": st.sampled_from(["command", "ack", "event", "frame"])},
        optional={"name": st.one_of(plain, st.text(max_size=6)), "seq": plain, "node": plain, "id": plain},
    ),
    plain,
)


class Listener:
    """Remembers what a session answers."""

    def __init__(self):
        self.answers = []

    def publish(self, changes):
        pass

    def announce(self, changes):
        pass

    def send(self, content, buffers):
        json.dumps(content, allow_nan=False)
        assert all(isinstance(buffer, bytes) for buffer in buffers)
        if content["kind"] == "answer":
            self.answers.append(content)


def club():
    G = nx.karate_club_graph()
    nx.set_node_attributes(G, {node: node / 2 for node in G}, "half")
    nx.set_edge_attributes(G, {edge: "ab"[k % 2] for k, edge in enumerate(G.edges)}, "kind")
    return G


@pytest.fixture(scope="module", params=["layout", "embedding"])
def session(request):
    """Return a session with a listener, of a layout or of an embedding."""
    G = club()
    given = {"embedding": embed(G, dim=4, epochs=2)} if request.param == "embedding" else {"pos": nx.circular_layout(G)}
    opened = open_session(G, color="club", live=False, n_iter=10, pace=0, **given)
    listener = Listener()
    opened.subscribe(listener, EXPORTERS)
    opened.heard = listener
    yield opened
    opened.close()


def test_every_field_and_column_of_the_browser_is_drawn(session):
    assert FIELDS.keys() == set(BROWSER_FIELDS)
    assert {column["key"] for column in decode_container(session["_graph"])["columns"]} <= {*KEYS, *EDGE_KEYS}
    assert set(DETAILS) < set(COMMANDS)
    assert MOST > 40


def test_any_message_is_answered_or_ignored(session, tally):
    listener, asked, obeyed, wanted = session.heard, Counter(), Counter(), {}
    heard = []
    session.callbacks.change("click", heard.append, remove=False)

    def give(content):
        if isinstance(content, dict) and content.get("kind") == "command" and content.get("id") == 0:
            number = f"{ASKED}{len(wanted)}"
            wanted[number] = content["name"]
            content = content | {"id": number}
            asked[content["name"]] += 1
        session.handle(content)

    def settle(most):
        until = time.monotonic() + 60
        while len(wanted) - len(numbered(listener)) > most and time.monotonic() < until:
            time.sleep(0.005)

    @fuzzed
    @given(contents=commands, between=st.lists(others, max_size=3), first=st.none() | st.tuples(*map(command, AT_REST)))
    def take(contents, between, first):
        if first is not None:
            session.run.stop()
            session.run.wait(30)
            for content in first:
                give(content)
                settle(0)
        for content in [*between, *contents]:
            give(content)
        assert session.state()
        settle(20)  # a browser asks for no more at once

    take()
    settle(0)
    answered = Counter(answer["id"] for answer in numbered(listener))
    assert answered == Counter(wanted.keys()), "each is answered, and once"
    for answer in numbered(listener):
        obeyed[wanted[answer["id"]]] += bool(answer.get("ok"))
        assert len(answer.get("error", "one line").splitlines()) == 1
    possible = set(COMMANDS) - (set() if hasattr(session.run.task, "embedding") else {"link_auc", "predicted_links"})
    assert {name for name in COMMANDS if obeyed[name]} == possible, "commands that were never obeyed"
    tally.update(obeyed=obeyed.total(), refused=asked.total() - obeyed.total())
    assert obeyed.total() > 0.6 * asked.total()
    assert all(node in session.graph.ids for node in heard)


def numbered(listener):
    """Return the answers to commands that mean something; others come with whatever number they had."""
    return [answer for answer in list(listener.answers) if str(answer["id"]).startswith(ASKED)]


def test_any_field_of_the_browser_is_taken_or_refused_in_a_sentence(session, tally):
    asked, taken = Counter(), Counter()

    @fuzzed
    @given(states=states)
    def take(states):
        for state in states:
            asked.update([*state])
            before = session.state()
            try:
                session.receive(state)
            except (TypeError, ValueError) as error:
                assert len(str(error).splitlines()) == 1  # noqa: PT017 -- some are refused
                assert str(error)  # noqa: PT017 -- the same
                assert {name: session.state()[name] for name in state} == {name: before[name] for name in state}
            else:
                taken.update([*state])

    take()
    tally.update(taken=taken.total(), refused=asked.total() - taken.total())
    assert [name for name in BROWSER_FIELDS if not taken[name]] == [], "fields that were never taken"
    assert taken.total() > 0.5 * asked.total()


sizes = st.integers(0, 60)
sent = st.tuples(
    st.one_of(
        st.fixed_dictionaries({"method": st.just("custom"), "content": plain}),
        st.fixed_dictionaries(
            {"method": st.just("update"), "state": st.dictionaries(st.text(max_size=3), plain, max_size=2)},
            optional={"buffer_paths": st.lists(st.lists(st.text(max_size=3), min_size=1, max_size=1), max_size=2)},
        ),
        st.dictionaries(st.sampled_from(["method", "state", "buffer_paths"]), plain, max_size=3),
    ),
    st.lists(st.binary(max_size=20), max_size=2),
)


def test_any_bytes_of_a_page_are_a_message_or_a_sentence(tally):
    taken = []
    channel = PageChannel(lambda data, buffers, _page: taken.append((data, buffers)))
    counts = Counter()

    @fuzzed
    @given(
        message=sent,
        damage=st.lists(st.tuples(shares, st.integers(0, 9), st.binary(max_size=6)), max_size=2),
        number=st.none() | st.integers(-5, 2**70),
        right_size=st.booleans(),
    )
    def send(message, damage, number, right_size):
        data, buffers = message
        whole = pack(data, buffers)
        read, parts = unpack(whole)
        assert (json.dumps(read), parts) == (json.dumps(data), buffers)
        content = bytearray(whole)
        for at, length, piece in damage:
            begin = int(at * len(content))
            content[begin : begin + length] = piece
        if right_size and len(content) > 4:
            content[:4] = struct.pack("<I", len(content) - 4)
        before = len(taken)
        try:
            channel.take(bytes(content), "page", None if number is None else number + len(taken) * 2**80)
        except ValueError as error:
            assert len(str(error).splitlines()) == 1  # noqa: PT017 -- some are refused
        counts[bool(damage), len(taken) - before] += 1

    send()
    for (_, number), count in counts.items():
        tally["taken" if number else "refused"] += count
    assert counts[False, 1] > 0.2 * (counts[False, 0] + counts[False, 1])
    assert counts[True, 0] > counts[True, 1], "what is damaged is refused most often"
