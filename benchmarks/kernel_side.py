"""What the measurements in JupyterLab need in the kernel."""

from __future__ import annotations

import threading
import time

from graphs import load

from graphne_viz import _threads as threads
from graphne_viz import graphne_layout
from graphne_viz.layout.task import Task
from graphne_viz.viewer.view import view


class Counts:
    """Counts what passes through a widget's stream."""

    def __init__(self, widget):
        self._run, stream = widget.run, widget.session.stream
        self.published = self.sent = self.answered = 0
        publish, send, answered = stream.publish, stream._send, stream.answered  # noqa: SLF001 - measured from within

        def count_published(item):
            self.published += 1
            publish(item)

        def count_sent(seq, item):
            self.sent += 1
            return send(seq, item)

        def count_answered(seq):
            self.answered += 1
            answered(seq)

        stream.publish, stream._send, stream.answered = count_published, count_sent, count_answered  # noqa: SLF001

    def now(self):
        """Return all counts, and the time, ready for JSON."""
        counts = {"published": self.published, "sent": self.sent, "answered": self.answered}
        return counts | {"iteration": self._run.iteration, "time": time.monotonic()}


class Cost:
    """Times the optimiser on Photo with and without a viewer, from within: `Task.run` and its threads.

    Everything runs beside the kernel's main thread, which answers the browser meanwhile.

    Parameters
    ----------
    n_jobs : int or None
        As for `graphne_layout`.
    """

    def __init__(self, n_jobs):
        self._A = load("photo")[0]
        self._n_jobs = n_jobs
        self._helpers = []
        self._span = None
        self._hook()
        self.widget = view(self._A, pace=0, n_jobs=n_jobs)

    @property
    def ready(self):
        """Whether the view is open and its first run over."""
        return self.widget.run.state == "finished" and self.done

    @property
    def done(self):
        """Whether the run is over and all its threads have told what they took."""
        names = [thread.name for thread in threading.enumerate()]
        return self._span is not None and not any(name in {"graphne", "graphne-layout"} for name in names)

    @property
    def taken(self):
        """Wall seconds, CPU seconds of the optimiser's threads and of the whole kernel, of the last run."""
        wall, own, kernel = self._span
        return [wall, own + sum(self._helpers), kernel]

    def begin(self, kind):
        """Start a run: "plain", with an empty "callback", or in the "viewer"."""
        self._span = None
        self._helpers.clear()
        if kind == "viewer":
            self.widget.run.restart()
            return
        settings = {"callback": lambda _: None} if kind == "callback" else {}
        layout = lambda: graphne_layout(self._A, n_jobs=self._n_jobs, **settings)  # noqa: E731
        threading.Thread(target=layout, name="graphne-layout").start()

    def _hook(self):
        run, loop = Task.run, threads._Worker._loop  # noqa: SLF001 - measured from within

        def timed_run(*args, **keywords):
            before = time.perf_counter(), time.thread_time(), time.process_time()
            outcome = run(*args, **keywords)
            after = time.perf_counter(), time.thread_time(), time.process_time()
            self._span = [b - a for a, b in zip(before, after, strict=True)]
            return outcome

        def timed_loop(worker):
            loop(worker)
            self._helpers.append(time.thread_time())

        Task.run, threads._Worker._loop = timed_run, timed_loop  # noqa: SLF001 - the same
