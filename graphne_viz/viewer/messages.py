"""What is said between a view and the browser beside the traits: frames, their answers, commands, errands."""

from __future__ import annotations

import logging
import weakref
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from graphne_viz.graphs.apart import compute_apart
from graphne_viz.viewer.exploring import accuracy_in, embedded_classes
from graphne_viz.viewer.exports import TAKEN
from graphne_viz.viewer.film import encode_film
from graphne_viz.viewer.leg import ACTIVE
from graphne_viz.viewer.record import DONE, GIVEN
from graphne_viz.viewer.wire import PHASES, Frame, encode_frame

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from graphne_viz.graphs.arrays import Foreign
    from graphne_viz.graphs.graph import Graph
    from graphne_viz.layout.snapshot import Snapshot
    from graphne_viz.viewer.choices import Choices
    from graphne_viz.viewer.errands import Errands
    from graphne_viz.viewer.run import Run
    from graphne_viz.viewer.stream import Stream

    Told = weakref.ref["Messages"]

log = logging.getLogger(__name__)

COMMANDS = ("pause", "resume", "stop", "restart", "play")

_LONGEST_SAID = 200


class Messages:
    """How a `GraphWidget`, which inherits this, hears the browser and is heard by it.

    No thread may keep the widget alive, or it would never end by itself: they know it weakly.
    """

    graph: Graph
    run: Run
    embedding: Foreign
    send: Callable[..., None]
    taken: Callable[[str], bytes]
    _choices: Choices
    _stream: Stream[Frame]
    _errands: Errands

    def _tell(self) -> None:
        raise NotImplementedError

    def _tell_columns(self) -> None:
        raise NotImplementedError

    def _hear(self, content: object, _buffers: object) -> None:
        """Take a message from the browser: an answer to a frame, or a command, which is answered."""
        fields: Mapping[str, Any] = content if isinstance(content, Mapping) else {}
        if fields.get("kind") == "ack" and type(fields.get("seq")) is int:
            if "error" in fields:
                log.warning("the viewer refused frame %d: %s", fields["seq"], said(fields["error"]))
            self._stream.answered(fields["seq"])
            return
        name = fields.get("name") if fields.get("kind") == "command" else None
        answer = partial(_answer, weakref.ref(self), fields.get("id"))
        try:
            errand = self._errand(name, fields)
            if errand is not None:
                self._errands.run(*errand, answer)
                return
            result = self._obey(name, content)
        except Exception as error:  # noqa: BLE001 - whatever it is, who asked is told
            answer(None, error)
        else:
            answer(result, None)

    def _obey(self, name: object, content: object) -> object:
        """Do at once what a command says."""
        run, stream = self.run, self._stream
        if name == "ready":
            stream.ready()
            run.viewed()
            if run.state in ACTIVE and run.latest is not None:
                stream.publish(frame_of(run.latest, run))
        elif name == "film":
            return encode_film(run.shots())
        elif isinstance(name, str) and name in COMMANDS:
            getattr(run, name)()
        else:
            raise ValueError(f"{said(content)} is no message that is understood here")
        return None

    def _errand(self, name: object, fields: Mapping[str, Any]) -> tuple[Hashable, Callable[[], object]] | None:
        """Return what is to be computed beside the kernel for a command, and what tells it from other errands."""
        if name == "statistic":
            wanted = fields.get("statistic")
            if not isinstance(wanted, str):
                raise TypeError(f"a statistic has a name, not {wanted!r}")
            return (name, wanted), partial(_compute, weakref.ref(self), self._choices, self._errands, wanted)
        if name == "take":
            wanted = fields.get("format")
            if wanted not in TAKEN:
                raise ValueError(f"{said(wanted)} cannot be taken from a view; there are {', '.join(TAKEN)}")
            return (name, wanted), partial(_take, weakref.ref(self), wanted)
        if name == "classes" and self.embedding is not None:
            key = fields.get("column")
            column = embedded_classes(self._choices, key)
            return (name, key), partial(accuracy_in, self.graph, self.embedding, column)
        if name == "classes":
            return (name, None), lambda: None
        return None


def _take(ref: Told, ending: str) -> bytes:
    """Make a file of what is shown."""
    widget = ref()
    if widget is None:
        raise RuntimeError("the view is gone")
    return widget.taken(ending)


def _compute(ref: Told, choices: Choices, errands: Errands, name: str) -> str:
    """Compute a statistic, send its column, and return its key."""
    key = choices.compute(name, by=partial(compute_apart, wanted=lambda: not errands.closed))
    widget = ref()
    if widget is not None and not errands.closed:
        widget._tell_columns()  # noqa: SLF001 - it is its own
    return key


def _answer(ref: Told, number: object, result: object, error: BaseException | None) -> None:
    """Answer a command, in whatever thread it was obeyed."""
    widget = ref()
    if error is not None:
        log.warning("the viewer asked for what failed: %s", said(error))
    if widget is None:
        return
    answer: dict[str, object] = {"kind": "answer", "id": number}
    if error is not None:
        answer["error"] = said(error)
    else:
        answer |= {"ok": True} if result is None or isinstance(result, bytes) else {"ok": True, "result": result}
    widget.send(answer, [result] if isinstance(result, bytes) else [])


def on_snapshot(ref: Told, snapshot: Snapshot) -> None:
    """Show a snapshot, unless nobody looks any more."""
    widget = ref()
    if widget is not None:
        widget._stream.publish(frame_of(snapshot, widget.run))  # noqa: SLF001 - it is its own


def on_state(ref: Told) -> None:
    """Tell that the run has changed."""
    widget = ref()
    if widget is not None:
        widget._tell()  # noqa: SLF001 - it is its own


def send_frame(ref: Told, seq: int, frame: Frame) -> int:
    """Send a frame, and return how many bytes it has."""
    data = encode_frame(replace(frame, seq=seq))
    widget = ref()
    if widget is not None:
        widget.send({"kind": "frame", "seq": seq}, [data])
    return len(data)


def frame_of(snapshot: Snapshot, run: Run) -> Frame:
    """Make the frame of a snapshot."""
    phase = DONE if snapshot.phase == GIVEN else snapshot.phase
    if snapshot.iteration == 0 and phase != DONE:
        phase = PHASES[0]
    return Frame(
        snapshot.positions,
        iteration=snapshot.iteration,
        phase=PHASES.index(phase),
        kl=snapshot.kl,
        exaggeration=run.acting(snapshot.phase),
        run=snapshot.run,
    )


def said(something: object) -> str:
    """Return something as text that is not too long for a log."""
    text = str(something)
    return text if len(text) <= _LONGEST_SAID else text[: _LONGEST_SAID - 1] + "…"
