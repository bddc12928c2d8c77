"""A plugin of pytest: tests that stumble over a package that an environment does without are skipped, and say so."""

from __future__ import annotations

import re
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

ABSENT = [name for name in ("jupyterlab", "marimo", "playwright", "torch") if find_spec(name) is None]
_SAID = re.compile(rf"No module named '({'|'.join(ABSENT)})[.']") if ABSENT else re.compile("(?!)")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Skip a test that failed for want of one of the packages."""
    report = yield
    missing = _missing(call.excinfo.value) if report.failed and call.excinfo else None
    if missing:
        report.outcome = "skipped"
        report.longrepr = (str(item.path), item.location[1] or 0, f"Skipped: needs {missing}")
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


def _missing(error: BaseException) -> str | None:
    """Return the first of the packages whose absence led to an error, if one did."""
    behind = list(_behind(error))
    names = [one.name.partition(".")[0] for one in behind if isinstance(one, ModuleNotFoundError) and one.name]
    # What went wrong in the kernel of a notebook is told in words.
    told = [str(one) for one in behind if getattr(one, "ename", "") == "ModuleNotFoundError"]
    names += [found[1] for words in told if (found := _SAID.search(words))]
    return next((name for name in names if name in ABSENT), None)


def _behind(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error and all that led to it, through what doctests wrap errors in."""
    while error is not None:
        yield error
        for wrapped in (error, *getattr(error, "failures", ())):
            if hasattr(wrapped, "exc_info"):
                yield from _behind(wrapped.exc_info[1])
        error = error.__cause__ or error.__context__
