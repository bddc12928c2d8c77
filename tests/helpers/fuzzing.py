"""How long to look: the same few examples in every test run, `make fuzz` tries new ones."""

import os

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

LONG = int(os.environ.get("FUZZ_EXAMPLES", "0"))
"""Examples of each test; 0 tries the same small number each time."""

fuzzed = settings(
    derandomize=not LONG,
    max_examples=LONG or 40,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    print_blob=bool(LONG),
)
"""Goes above `given`."""

plain = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=6)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=6), inner, max_size=3)),
    max_leaves=8,
)
"""Whatever JSON can hold, and numbers that are none."""
