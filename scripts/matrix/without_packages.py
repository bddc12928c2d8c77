"""A plugin of pytest: tests that stumble over a package that an environment does without are skipped, and say so."""

from __future__ import annotations

import re
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Generator

ABSENT = [name for name in ("jupyterlab", "marimo", "playwright", "torch") if find_spec(name) is None]
_SAID = re.compile(rf"No module named '({'|'.join(ABSENT)})[.']") if ABSENT else re.compile("(?!)")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Skip a test that failed for want of one of the packages."""
    report = yield
    error = call.excinfo.value if call.excinfo else None
    while report.failed and error is not None:
        if isinstance(error, ModuleNotFoundError) and (error.name or "").partition(".")[0] in ABSENT:
            report.outcome = "skipped"
            report.longrepr = (str(item.path), item.location[1] or 0, f"Skipped: needs {error.name}")
        error = error.__cause__ or error.__context__
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Skip a module that cannot be imported for want of one of them."""
    report = yield
    if report.failed and (found := _SAID.search(str(report.longrepr))):
        report.outcome = "skipped"
        report.longrepr = (str(collector.path), 0, f"Skipped: needs {found[1]}")
    return report
