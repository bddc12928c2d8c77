"""How long to look: the same few examples in every test run, `make fuzz` tries new ones."""

import os

from hypothesis import HealthCheck, settings

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
