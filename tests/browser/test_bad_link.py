"""A view over a link that is slow and loses connections: nothing of what the user did is lost, nor of the result."""

from contextlib import closing

import networkx as nx
import numpy as np
import pytest
from playwright.sync_api import expect

from browser.bad_link import bad_link
from browser.viewer_page import Viewer
from graphne_viz.viewer.server import ViewServer
from graphne_viz.viewer.session.opening import open_session


@pytest.fixture
def session():
    session = open_session(nx.karate_club_graph(), color="club", pace=8)
    yield session
    session.close()


def test_a_link_that_delays_and_cuts_loses_nothing(page, watch, session):
    watch.allow("ERR_|Failed to load resource")
    with closing(ViewServer(session, title="far away")) as server, bad_link(server.url) as (link, address):
        session.start()
        page.goto(address)
        viewer = Viewer(page.locator("body")).wait()
        link.cuts = 0.03
        viewer.until(lambda: viewer.iteration() > 20, "frames")
        link.cut_all()
        viewer.button("Pause").click()
        viewer.until(lambda: session.run.state == "paused", "a pause that reaches Python")
        link.cut_all()
        viewer.button("Resume").click()
        viewer.until(lambda: session.run.state == "finished", "the end of the run")
        expect(viewer.phase).to_have_text("Finished")
        link.cuts = 0.2
        ids, club = session.graph.ids, nx.get_node_attributes(nx.karate_club_graph(), "club")

        def visible():
            return {node for node, seen in zip(ids, session.fields.visible(), strict=True) if seen}

        others = {node for node in ids if club[node] != "Officer"}
        officers = viewer.legend.get_by_role("button", name="Officer")
        for act, left in ((officers.dblclick, others), (officers.click, set(ids)), (officers.dblclick, others)):
            link.cut_all()
            act()
            viewer.until(lambda left=left: visible() == left, "what is shown, in Python")
        link.cuts = 0
        expect(viewer.facts).to_contain_text("17 of 34 nodes shown")
        assert link.cut > 0
        assert np.isfinite(session.run.layout()).all()
        page.goto("about:blank")
