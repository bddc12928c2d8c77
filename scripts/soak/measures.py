"""What a process and a page hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import psutil

if TYPE_CHECKING:
    from playwright.sync_api import Page

MEGABYTE = 1e6

COUNT_CONTEXTS = """
(() => {
  const made = [];
  const get = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
    const context = get.call(this, kind, ...rest);
    if (context && kind.startsWith("webgl") && !made.some((one) => one.deref() === context)) {
      made.push(new WeakRef(context));
    }
    return context;
  };
  window.webglContexts = () => made.filter((one) => one.deref() && !one.deref().isContextLost()).length;
})();
"""
"""A script for pages: counts the contexts that are neither given back nor collected."""


def of_process(pid: int) -> dict[str, float]:
    """Return memory, threads and open files of a process."""
    process = psutil.Process(pid)
    with process.oneshot():
        return {
            "RSS MB": process.memory_info().rss / MEGABYTE,
            "threads": process.num_threads(),
            "open files": process.num_fds() if hasattr(process, "num_fds") else process.num_handles(),
        }


def of_page(page: Page) -> dict[str, float]:
    """Return what is left in a page after its garbage was collected."""
    session = page.context.new_cdp_session(page)
    try:
        for _ in range(2):  # what finalizers let go of is collected the second time
            session.send("HeapProfiler.collectGarbage")
        counters = session.send("Memory.getDOMCounters")
        heap = session.send("Runtime.getHeapUsage")["usedSize"]
        # Contexts that are collected are counted out only when the script has returned once.
        contexts = page.evaluate("() => window.webglContexts()")
    finally:
        session.detach()
    return {
        "JS heap MB": heap / MEGABYTE,
        "elements": counters["nodes"],
        "listeners": counters["jsEventListeners"],
        "WebGL contexts": contexts,
    }
