"""Hostile names and broken messages: shown as text, refused with a sentence, never obeyed."""

from __future__ import annotations

from playwright.sync_api import expect

from . import pixels
from .viewer_page import show

HOSTILE = "<img src=x onerror=window.__hacked=1>"
NAMES = f"""
evil = {HOSTILE!r}
G = nx.star_graph([evil] + list(range(12)))
nx.set_node_attributes(G, {{v: evil if v == evil else 'good' for v in G}}, evil)
nx.set_node_attributes(G, dict.fromkeys(G, "<script>window.__hacked=2</script>"), "note")
pos = {{v: (0, 0) if v == evil else (np.cos(v), np.sin(v)) for v in G}}
"""


def test_names_are_text_and_never_markup(notebook, page, shoot):
    notebook.do(NAMES)
    viewer = show(notebook, "w = view(G, pos, color=evil, label='name')\nw")

    # The legend: its title and the class.
    expect(viewer.legend.locator(".graphne-legend-name")).to_have_text(HOSTILE)
    expect(viewer.legend.get_by_role("button", name=HOSTILE)).to_have_count(2)

    # The tooltip: name, attribute and value; the node is in the middle.
    box = viewer.surface.bounding_box()
    viewer.hover(box["width"] / 2, box["height"] / 2)
    expect(viewer.tooltip.locator(".graphne-tooltip-title")).to_have_text(HOSTILE)
    expect(viewer.tooltip.locator("dt").first).to_have_text(HOSTILE)
    expect(viewer.tooltip.locator("dd").first).to_have_text(HOSTILE)
    expect(viewer.tooltip).to_contain_text("<script>window.__hacked=2</script>")
    shoot("tooltip")
    viewer.leave()

    # The search, and the menus.
    viewer.search.fill("<img")
    expect(viewer.root.get_by_role("listbox").get_by_role("option", name=HOSTILE)).to_be_visible()
    shoot("search")
    viewer.search.press("Enter")
    notebook.wait("w.selection == (evil,)")
    shoot("label")

    assert page.evaluate("window.__hacked") is None
    assert viewer.root.locator("img, script, iframe").count() == 0


def test_broken_frames_are_refused_and_the_picture_stays(notebook, shoot):
    viewer = show(notebook, "w = view(nx.karate_club_graph(), color='club', live=False)\nw")
    before = viewer.settled_picture()
    notebook.do("""
from graphne_viz.viewer.transport.wire import Frame, encode_frame

good = np.asarray(w.run.latest.positions)
def send(data, seq=10**6):
    w.send({"kind": "frame", "seq": seq}, [data])
def frame(positions):
    return encode_frame(Frame(positions, iteration=1, phase=2, kl=1.0, exaggeration=1.0, run=99))
whole = bytes(frame(good))
""")
    broken = {
        "NaN": "whole[:32] + np.full(68, np.nan, '<f4').tobytes()",
        "one_too_few": "bytes(frame(good[:-1]))",
        "cut_off": "whole[:-4]",
        "other_magic": "b'XXXX' + whole[4:]",
        "empty": "b''",
    }
    notes = set()
    for name, data in broken.items():
        notebook.do(f"send({data})")
        viewer.until(lambda: "refused" in " ".join(viewer.notes.all_inner_texts()), f"a note about {name}")
        notes.add(" ".join(viewer.notes.all_inner_texts()))
        assert pixels.change(before, viewer.picture()) == 0
        shoot(name)
        viewer.button("Dismiss this note").click()
        expect(viewer.notes).to_have_count(0)
    assert len(notes) >= 4, notes

    # What is not a message at all.
    for message in ("{'kind': 'nonsense'}", "{}", "'text'", "[1, 2]", "{'kind': 'frame'}"):
        notebook.do(f"w.send({message})")
        viewer.until(viewer.notes.count, f"a note about {message}")
        viewer.button("Dismiss this note").click()

    # The view is alive: the next good frame is drawn.
    notebook.do("send(bytes(frame(good[::-1] * [1, -1])))")
    viewer.until(lambda: pixels.change(before, viewer.picture()) > 0.01, "another picture")


def test_python_answers_whatever_the_browser_says(notebook):
    """Messages that no viewer of ours would send, from somebody else's code in the page."""
    show(notebook, "w = view(nx.karate_club_graph(), live=False)\nw")
    notebook.do("""
answers = []
send = w.send
w.send = lambda content, buffers=None: (answers.append(content), send(content, buffers))
from graphne_viz.viewer import widget
for content in ({}, 7, None, {'kind': 'command'}, {'kind': 'command', 'id': 3, 'name': '__class__'},
                {'kind': 'ack', 'seq': 'x'}, {'kind': 'command', 'id': 4, 'name': ['stop']}):
    w._handle_custom_msg(content, [])
""")
    assert notebook.ask("len(answers)") == 7
    assert notebook.ask("all('error' in answer for answer in answers)")
    assert notebook.ask("w.run.state") == "finished"
