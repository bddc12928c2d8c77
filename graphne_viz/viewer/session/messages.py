"""Messages between a session and the browser, besides its fields: frames, their answers, commands."""

from __future__ import annotations

import logging
import weakref
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from graphne_viz.graphs.statistics_process import compute_in_subprocess
from graphne_viz.viewer.run.history import DONE, GIVEN
from graphne_viz.viewer.run.recording import encode_recording
from graphne_viz.viewer.run.state_machine import ACTIVE
from graphne_viz.viewer.session.callbacks import POINTER_EVENTS
from graphne_viz.viewer.session.jobs.class_metrics import accuracy_in, embedded_classes
from graphne_viz.viewer.session.jobs.overlap import check_scale, remove_overlap
from graphne_viz.viewer.session.jobs.predicted_links import check_count, link_auc, predicted_links
from graphne_viz.viewer.transport.wire import PHASES, Frame, encode_frame

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from graphne_viz.layout.snapshot import Snapshot
    from graphne_viz.viewer.run.run import Run
    from graphne_viz.viewer.session.column_registry import ColumnRegistry
    from graphne_viz.viewer.session.jobs.background_jobs import BackgroundJobs
    from graphne_viz.viewer.session.session import ViewSession

    SessionRef = weakref.ref[ViewSession]

log = logging.getLogger(__name__)

RUN_COMMANDS = ("pause", "resume", "stop", "restart", "play")
"""Commands that the browser may give to the run; it has no other way to its methods."""

LINK_QUESTIONS = ("predicted_links", "link_auc")
"""Commands that ask what an embedding predicts."""

COMMANDS = (*RUN_COMMANDS, *LINK_QUESTIONS, "ready", "recording", "statistic", "take", "remove_overlap", "classes")
"""All commands of the browser; others are refused before anything looks at them."""

_LONGEST_TEXT = 200


def handle(session: ViewSession, content: object) -> None:
    """Take a message of the browser: the answer to a frame, or a command, which is answered."""
    fields: Mapping[str, Any] = content if isinstance(content, Mapping) else {}
    if fields.get("kind") == "ack" and type(fields.get("seq")) is int:
        if "error" in fields:
            log.warning("the viewer refused frame %d: %s", fields["seq"], truncate(fields["error"]))
        session.stream.answered(fields["seq"])
        return
    if fields.get("kind") == "event" and fields.get("name") in POINTER_EVENTS:
        _hear(session, fields["name"], fields.get("node"), fields.get("version"))
        return
    name = fields.get("name") if fields.get("kind") == "command" else None
    answer = partial(_answer, weakref.ref(session), fields.get("id"))
    try:
        if not isinstance(name, str) or name not in COMMANDS:
            raise ValueError(f"unknown message from the viewer: {truncate(content)}")  # noqa: TRY301 -- answered below
        job = _job(session, name, fields)
        if job is not None:
            session.jobs.run(*job, answer)
            return
        result = _obey(session, name)
    except Exception as error:  # noqa: BLE001 - whatever it is, who asked is told
        answer(None, error)
    else:
        answer(result, None)


def _hear(session: ViewSession, event: str, node: object, version: object) -> None:
    """Tell the caller's functions that a node was clicked or pointed at, or, by None, that the pointer left it.

    The node is told by its number in a version of the graph; one that has gone since is left out.
    """
    ids, numbering = session.graph.ids, session.fields.numbering
    if node is None and event == "hover":
        session.callbacks.call(event, None)
        return
    number = node
    if type(node) is int and type(version) is int and 0 <= version < numbering.version:
        number = numbering.now(node, version)
        if number is None:
            return
    if type(number) is int and 0 <= number < len(ids):
        session.callbacks.call(event, ids[number])
    else:
        log.warning("invalid value from the viewer: %s of node %s", event, truncate(node))


def _obey(session: ViewSession, name: str) -> object:
    """Carry out a command that takes no time."""
    run, stream = session.run, session.stream
    if name == "ready":
        stream.ready()
        run.viewed()
        session.refresh()  # what changed while the view was being made never reached it in some hosts, as in Panel
        if run.state in ACTIVE and run.latest is not None:
            stream.publish(frame_of(run.latest, run))
    elif name == "recording":
        return encode_recording(run.shots())
    elif name in RUN_COMMANDS:
        getattr(run, name)()
    return None


def _job(session: ViewSession, name: str, fields: Mapping[str, Any]) -> tuple[Hashable, Callable[[], object]] | None:
    """Return what a command wants computed in the background, and what tells it from other jobs."""
    me = weakref.ref(session)
    if name == "statistic":
        wanted = fields.get("statistic")
        if not isinstance(wanted, str):
            raise TypeError(f"a statistic must be given by name, got {truncate(wanted)}")
        return (name, wanted), partial(_compute, me, session.columns, session.jobs, wanted)
    if name == "take":
        wanted = fields.get("format")
        export = session.exporters.get(wanted) if isinstance(wanted, str) else None
        if export is None:
            raise ValueError(f"{truncate(wanted)} is not an export format; there are {', '.join(session.exporters)}")
        return (name, wanted), partial(_export, me, export)
    if name == "remove_overlap":
        return (name, None), partial(remove_overlap, me, *check_scale(fields))
    return _job_of_embedding(session, name, fields)


def _job_of_embedding(
    session: ViewSession, name: str, fields: Mapping[str, Any]
) -> tuple[Hashable, Callable[[], object]] | None:
    """Return what a command wants computed from the vectors of the nodes, as `_job` does."""
    embedding = getattr(session.run.task, "embedding", None)
    if name == "classes":
        if embedding is None:
            return (name, None), lambda: None
        key = fields.get("column")
        column = embedded_classes(session.columns, key)
        return (name, key), partial(accuracy_in, session.graph, embedding, column)
    if name not in LINK_QUESTIONS:
        return None
    if embedding is None:
        raise ValueError("edges are predicted by an embedding, and there is none: view(G, embedding=embed(G))")
    if name == "link_auc":
        return (name, id(embedding)), partial(link_auc, session.graph, embedding)
    count = check_count(fields.get("count"))
    return (name, id(embedding), count), partial(predicted_links, session.graph, embedding, count)


def _export(ref: SessionRef, export: Callable[[ViewSession], bytes]) -> bytes:
    """Make a file of what is shown."""
    session = ref()
    if session is None:
        raise RuntimeError("the view is closed")
    return export(session)


def _compute(ref: SessionRef, columns: ColumnRegistry, jobs: BackgroundJobs, name: str) -> str:
    """Compute a statistic, publish its column, and return its key."""
    key = columns.compute(name, by=partial(compute_in_subprocess, wanted=lambda: not jobs.closed))
    session = ref()
    if session is not None and not jobs.closed:
        session.publish_columns()
    return key


def _answer(ref: SessionRef, number: object, result: object, error: BaseException | None) -> None:
    """Answer a command, in whatever thread it was carried out."""
    session = ref()
    if error is not None:
        log.warning("a command of the viewer failed: %s", truncate(error))
    if session is None:
        return
    answer: dict[str, object] = {"kind": "answer", "id": number}
    if error is not None:
        answer["error"] = truncate(error)
    else:
        answer |= {"ok": True} if result is None or isinstance(result, bytes) else {"ok": True, "result": result}
    session.send(answer, [result] if isinstance(result, bytes) else [])


def on_snapshot(ref: SessionRef, snapshot: Snapshot) -> None:
    """Show a snapshot, unless the session is gone."""
    session = ref()
    if session is not None and snapshot.run == session.run.count:
        session.stream.publish(frame_of(snapshot, session.run))
        session.follow_layout()


def on_state(ref: SessionRef) -> None:
    """Publish that the run has changed."""
    session = ref()
    if session is not None:
        session.refresh()


def send_frame(ref: SessionRef, seq: int, frame: Frame) -> int:
    """Send a frame, and return how many bytes it has."""
    data = encode_frame(replace(frame, seq=seq))
    session = ref()
    if session is not None and not session.send_frame({"kind": "frame", "seq": seq}, data, run=frame.run):
        session.stream.answered(seq)  # nobody will
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


def truncate(value: object) -> str:
    """Return something as text that is not too long for a log."""
    text = str(value)
    return text if len(text) <= _LONGEST_TEXT else text[: _LONGEST_TEXT - 1] + "…"
