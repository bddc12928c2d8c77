"""How much was tried: `make fuzz` prints it as a table."""

from collections import Counter

import pytest
from fuzzing import LONG

TRIED = "tried"


@pytest.fixture
def tally(record_property):
    """Count what a test tries, by what became of it."""
    counts = Counter()
    yield counts
    record_property(TRIED, dict(counts))


def pytest_terminal_summary(terminalreporter):
    """Print a line for each test: how much it tried, of all kinds together, and what became of it."""
    if not LONG:
        return
    lines = {}
    for report in (report for found in terminalreporter.stats.values() for report in found):
        if getattr(report, "when", "") == "teardown":
            name = report.nodeid.rpartition("::")[2].partition("[")[0]
            for counts in (counts for kind, counts in report.user_properties if kind == TRIED):
                lines.setdefault(name, []).append(counts)
    terminalreporter.section("what was tried")
    terminalreporter.write_line("| test | kinds | tried | of which |\n|---|---:|---:|---|")
    total = Counter()
    for name, found in sorted(lines.items()):
        counts = sum(map(Counter, found), Counter())
        total.update(counts)
        parts = ", ".join(f"{count:,} {outcome}" for outcome, count in sorted(counts.items()))
        terminalreporter.write_line(f"| `{name}` | {len(found)} | {counts.total():,} | {parts} |")
    terminalreporter.write_line(f"| all | {sum(map(len, lines.values()))} | {total.total():,} | |")
