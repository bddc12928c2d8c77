import pytest
from runs import layout_threads, until


@pytest.fixture(autouse=True)
def _no_thread_is_left():
    yield
    until(lambda: not layout_threads())
