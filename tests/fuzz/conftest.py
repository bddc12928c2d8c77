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
    """Print a line for each test: how much it tried, and what became of it."""
    if not LONG:
        return
    reports = [report for found in terminalreporter.stats.values() for report in found]
    lines = {
        report.nodeid.rpartition("::")[2]: counts
        for report in reports
        if getattr(report, "when", "") == "teardown"
        for name, counts in report.user_properties
        if name == TRIED
    }
    terminalreporter.section("what was tried")
    terminalreporter.write_line("| test | tried | of which |\n|---|---:|---|")
    for name, counts in sorted(lines.items()):
        parts = ", ".join(f"{count:,} {what}" for what, count in sorted(counts.items()))
        terminalreporter.write_line(f"| `{name}` | {sum(counts.values()):,} | {parts} |")
    total = sum(sum(counts.values()) for counts in lines.values())
    terminalreporter.write_line(f"| all | {total:,} | |")
