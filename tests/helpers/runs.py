"""Runs to try things on, and what waits for their threads."""

from __future__ import annotations

import math
import threading
import time

import networkx as nx
import numpy as np

from graphne_viz.graphs.convert.api import as_graph
from graphne_viz.layout.engine.outcome import Outcome
from graphne_viz.layout.options import Options
from graphne_viz.layout.snapshot import Snapshot
from graphne_viz.layout.task import Task


class StandIn:
    """Computes nothing, but says so as often as a task would; `step` is called before every snapshot."""

    def __init__(self, step=lambda: None, **settings):
        self.options = self.visible_options = Options(**settings)
        self.graph = as_graph(nx.path_graph(3))
        self.step = step
        self.steered = []
        self.status_text = ""
        self.begun = 0
        self.at_work = 0

    steerable = True

    def prepare(self, tell):
        pass

    def interrupt(self, *, close):
        pass

    def run(self, see, every, *, steer, from_start, resume, **_sparing):
        self.begun += 1
        self.at_work += 1
        assert self.at_work == 1, "two threads optimise at once"
        try:
            return self._run(see, every, steer, from_start, resume)
        finally:
            self.at_work -= 1

    def _run(self, see, every, steer, from_start, resume):
        done = resume.iterations if resume else 0
        phases = self.options.phases[1:] if resume else self.options.phases
        if from_start and see(self._snapshot(done, phases[0][0], math.nan)):
            return self._outcome(done)
        for phase, n_iter, _ in phases:
            for _ in range(n_iter // every):
                if phase == "optimization":
                    self.steered.append(steer())
                self.step()
                done += every
                if see(self._snapshot(done, phase, 1 / done)):
                    return self._outcome(done)
        return self._outcome(done)

    def _snapshot(self, done, phase, kl):
        return Snapshot(done, phase, kl, np.full((3, 2), done, dtype=np.float32))

    def _outcome(self, done):
        where = np.full((3, 2), float(done))
        return Outcome(where, 1 / max(done, 1), done, where)

    def scaled(self, positions):
        return np.array(positions, dtype=np.float64) * 10


class Listener:
    """Writes down what a run tells."""

    def __init__(self, run):
        self.snapshots, self.states = [], []
        run.attach(self.snapshots.append, lambda: self.states.append(run.state))


def until(condition, seconds=5.0):
    """Wait for something that another thread does."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.002)


def layout_threads():
    return [thread for thread in threading.enumerate() if thread.name == "graphne-layout"]


def slowly():
    time.sleep(0.002)


def real_task(**settings):
    return Task(as_graph(nx.karate_club_graph()), **settings)
