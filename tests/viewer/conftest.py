import matplotlib as mpl
import networkx as nx
import pytest
from runs import layout_threads, until


@pytest.fixture(autouse=True)
def _no_trace_in_matplotlib():
    """Every picture is drawn without a display, and leaves neither figures nor settings behind."""
    import matplotlib.pyplot as plt

    plt.switch_backend("agg")
    before = mpl.rcParams.copy()
    yield
    plt.close("all")
    assert mpl.rcParams == before


@pytest.fixture(autouse=True)
def _no_thread_is_left():
    yield
    until(lambda: not layout_threads())


@pytest.fixture
def karate():
    G = nx.karate_club_graph()
    return G, nx.circular_layout(G)
