"""What all tests have in common."""

import os
import signal
from pathlib import Path

import pytest

# Threads of torch that wait for work spin, and beside another program on the same cores everything takes ten times as
# long; what the tests train is too small to gain by them. Where several are asked for all the same, they sleep.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

# A shell that starts something in the background lets it ignore Ctrl-C, and so does all that is started from there:
# the commands that tests interrupt would go on for ever.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

BROWSER = "tests/browser/"
DRAWING = {"encoding", "plotting", "viewer"}
PAGES = (
    "test_bad_link.py",
    "test_dragging_and_menus.py",
    "test_firefox.py",
    "test_gephi_tasks.py",
    "test_map.py",
    "test_marimo.py",
    "test_overlap.py",
    "test_page.py",
    "test_predicted_edges.py",
    "test_serve.py",
    "test_table.py",
    "test_update.py",
)
# Files whose tests share something that takes seconds to make: a wheel, a training, processes.
TOGETHER = (
    "test_distributed.py",
    "test_learning_dynamics.py",
    "test_learning_dynamics_plot.py",
    "test_training.py",
    "test_wheel.py",
)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Divide the tests among processes: those that share JupyterLab stay in one, the first; so do pages without it.

    Of the others each goes where there is time for it, unless it shares what two processes would make twice.
    """
    from xdist.scheduler import LoadScopeScheduling

    class Scheduling(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            path = nodeid.split("::")[0]
            if not path.startswith(BROWSER):
                return path if path.endswith(TOGETHER) else nodeid
            return "pages" if path.endswith(PAGES) else "notebooks"

    return Scheduling(config, log)


@pytest.fixture(autouse=True)
def _no_trace_in_matplotlib(request):
    """Every picture is drawn without a display, and leaves neither figures nor settings behind."""
    if not DRAWING & set(Path(request.path).parts):
        yield
        return
    import matplotlib as mpl
    import matplotlib.pyplot as plt

    plt.switch_backend("agg")
    before = mpl.rcParams.copy()
    yield
    plt.close("all")
    assert mpl.rcParams == before


@pytest.fixture
def karate():
    import networkx as nx

    G = nx.karate_club_graph()
    return G, nx.circular_layout(G)
