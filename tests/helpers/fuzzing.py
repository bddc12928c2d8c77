"""How long to look: the same few examples in every test run, `make fuzz` tries new ones."""

import os
import time
import tracemalloc
from contextlib import contextmanager

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

LONG = int(os.environ.get("FUZZ_EXAMPLES", "0"))
"""Examples of each test; 0 tries the same small number each time."""

_SLOW = 4
"""By how much fewer examples are tried of what takes long."""


def _settings(examples):
    return settings(
        derandomize=not LONG,
        max_examples=max(examples, 1),
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        print_blob=bool(LONG),
    )


fuzzed = _settings(LONG or 40)
"""Goes above `given`."""

fuzzed_seldom = _settings((LONG or 40) // _SLOW)
"""The same, where an example takes a good part of a second."""

plain = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=6)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=6), inner, max_size=3)),
    max_leaves=8,
)
"""Whatever JSON can hold, and numbers that are none."""


def rarely(odd, good, *, one_in=5):
    """Draw something good, but one time in a few something odd."""
    return st.integers(1, one_in).flatmap(lambda k: odd if k == one_in else good)


@contextmanager
def bounded(size, *, megabytes=60, times=100, seconds=20):
    """Hold that what is done takes memory and time in proportion to the size of what it is done with, in bytes."""
    tracemalloc.start()
    begun = time.process_time()
    try:
        yield
        took = time.process_time() - begun
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak <= megabytes * 10**6 + times * size, f"{size:,} bytes took {peak:,} bytes of memory"
    assert took <= seconds * (1 + size / 10**6), f"{size:,} bytes took {took:.1f} s"


def check_sentence(error, *names):
    """Hold that an error is one line that says something, and names what it is about."""
    assert str(error).strip()
    assert len(str(error).splitlines()) == 1, str(error)
    assert any(name in str(error) for name in names) or not names, str(error)
