"""Widgets come and go: several at once, pages reloaded, kernels restarted, threads ended."""

from __future__ import annotations

import os
import re
import signal

from playwright.sync_api import expect

from . import pixels
from .test_jupyterlab import LIVE
from .viewer_page import Viewer, show


def test_the_kernel_answers_while_frames_go_on(notebook, tmp_path):
    viewer = show(notebook, LIVE)
    before = viewer.iteration()
    viewer.wait_for_iteration(before)
    answer = notebook.run("1 + 1")
    expect(notebook.output(answer)).to_have_text("2")
    assert notebook.ask("w.run.state") == "running"
    viewer.wait_for_iteration(viewer.iteration())

    # While a cell blocks the kernel, frames arrive all the same.
    enough = tmp_path / "enough"
    blocked = notebook.start(f"import os\nwhile not os.path.exists({str(enough)!r}): pass\n'done'")
    expect(notebook.cell(blocked)).to_contain_text("[*]:")
    seen = viewer.iteration()
    viewer.wait_for_iteration(seen)
    expect(notebook.cell(blocked)).to_contain_text("[*]:")
    enough.touch()
    expect(notebook.output(blocked)).to_have_text("'done'")
    viewer.wait_for_iteration(viewer.iteration())


def test_two_views_of_one_widget_show_the_same(notebook, shoot):
    first = show(
        notebook,
        "w = view(nx.karate_club_graph(), color='club', size=None, edge_width=None, live=False, height=330)\nw",
    )
    second = show(notebook, "w")
    shoot("two_views")
    assert pixels.likeness(first.settled_picture(), second.settled_picture()) > 0.95

    notebook.do("w.selection = [0, 33]")
    for viewer in (first, second):
        expect(viewer.facts).to_contain_text("2 selected")
    second.button("Edges").click()
    notebook.wait("w.edges is False")
    expect(first.button("Edges")).to_have_attribute("aria-pressed", "false")
    first.root.get_by_label("What the colours show").select_option("none")
    notebook.wait("not w.color")
    expect(second.legend).to_be_hidden()

    # One is enough: when a cell is run again its view goes, and the other one stays.
    notebook.do("w.color = 'club'")
    notebook.run("w.run.play()")
    expect(first.phase).to_have_text(re.compile("Optimi[sz]ation|Finished"))
    notebook.wait("w.run.state == 'finished'")
    for viewer in (first, second):
        expect(viewer.phase).to_have_text("Finished")


def test_several_widgets_run_at_once_and_leave_nothing_behind(notebook, shoot):
    before = notebook.ask("our_threads()")
    notebook.do("G = groups()")
    cell = notebook.run("ws = [view(G, color='class', n_iter=100_000, height=240) for _ in range(3)]\ndisplay(*ws)")
    viewers = [Viewer(notebook.output(cell), k) for k in range(3)]
    for viewer in viewers:
        viewer.wait()
        viewer.wait_for_iteration(300)
    shoot("three")
    viewers[1].button("Pause").click()
    notebook.wait("[w.run.state for w in ws] == ['running', 'paused', 'running']")
    assert len(notebook.ask("our_threads()")) > len(before)

    # One is closed while it runs, one later, one twice.
    notebook.do("ws[0].close()")
    expect(notebook.output(cell).locator(".graphne")).to_have_count(2)
    notebook.do("ws[1].close(); ws[2].close(); ws[2].close(); ws.clear()")
    notebook.wait(f"our_threads() == {before!r}")


def test_a_restarted_kernel_leaves_the_last_picture(own_notebook, shoot):
    notebook = own_notebook
    viewer = show(notebook, LIVE)
    viewer.wait_for_iteration(300)
    notebook.restart_kernel()
    assert notebook.ask("1 + 1") == 2
    assert pixels.share_of_ink(viewer.settled_picture()) > 0.002
    # Nobody would obey any more.
    expect(viewer.phase).to_have_text("Stopped")
    expect(viewer.button("Pause")).to_be_hidden()
    expect(viewer.notes).to_contain_text("The kernel is gone")
    assert viewer.iteration() >= 300
    shoot("restarted")
    assert notebook.ask("[t.name for t in __import__('threading').enumerate() if 'graphne' in t.name]") == []


def test_a_killed_kernel_leaves_the_last_iteration_and_says_that_it_is_gone(own_notebook, shoot):
    notebook = own_notebook
    viewer = show(notebook, LIVE)
    viewer.wait_for_iteration(300)
    kernel = notebook.ask("__import__('os').getpid()")
    os.kill(kernel, signal.SIGKILL)
    expect(viewer.phase).to_have_text("Stopped")
    expect(viewer.notes).to_contain_text("The kernel is gone")
    assert viewer.iteration() >= 300
    shoot("killed")
    # JupyterLab says so, too, and would keep the keys of the tests to come.
    button = notebook.page.get_by_role("dialog").get_by_role("button", name="Ok")
    button.click()
    expect(button).to_have_count(0)


def test_it_is_an_ordinary_widget(notebook, shoot):
    notebook.do("""
import ipywidgets
seen = []
w = view(nx.karate_club_graph(), color='club', live=False, height=400)
w.observe(lambda change: seen.append(list(change['new'])), 'selection')
dial = ipywidgets.FloatSlider(min=1, max=30, description='attraction')
ipywidgets.link((w, 'exaggeration'), (dial, 'value'))
""")
    viewer = show(notebook, "ipywidgets.HBox([w, ipywidgets.VBox([dial])])")
    shoot("in_a_box")
    box = viewer.root.bounding_box()
    assert box["width"] > 300
    viewer.slider.focus()
    viewer.page.keyboard.press("End")
    notebook.wait("dial.value == 30")
    notebook.do("dial.value = 4")
    expect(viewer.slider).to_have_attribute("aria-valuetext", re.compile("UMAP"))
    notebook.wait("w.run.exaggeration == 4")
    notebook.do("w.selection = [0, 1]")
    assert notebook.ask("seen[-1]") == [0, 1]
