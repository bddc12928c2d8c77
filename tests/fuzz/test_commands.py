"""Command lines and messages of the browser: every one is answered, none ends with a traceback."""

import contextlib
import io

import networkx as nx
from fuzzing import fuzzed
from hypothesis import given
from hypothesis import strategies as st

from graphne_viz.cli import main
from graphne_viz.viewer.session.fields import BROWSER_FIELDS
from graphne_viz.viewer.session.opening import open_session

OPTIONS = [
    *("--dof", "--exaggeration", "--n-iter", "--seed", "--scale", "--normalization", "--initialization", "--weight"),
    *("--color", "--size", "--label", "--max-size", "--header", "--no-header", "--source", "--target", "--nodes"),
    *("--directed", "--like", "--quiet", "--n-jobs", "-o", "--nothing", "--unweighted"),
]
words = st.one_of(
    st.sampled_from([*OPTIONS, "layout", "0", "-1", "1e999", "nan", "", "\x1b[2J", "\ud800", "a.csv", "b.npz"]),
    st.text(max_size=6),
)
plain = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=6)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=6), inner, max_size=3)),
    max_leaves=8,
)


@fuzzed
@given(more=st.lists(words, max_size=4))
def test_any_command_line_ends_with_a_code(tmp_path_factory, more):
    folder = tmp_path_factory.getbasetemp()
    (folder / "g.csv").write_text("source,target\na,b\nb,c\n")
    said = io.StringIO()
    with contextlib.chdir(folder), contextlib.redirect_stderr(said), contextlib.redirect_stdout(said):
        try:
            code = main(["layout", "g.csv", "-o", "out.csv", "--n-iter", "5", *more])
        except SystemExit as end:  # argparse
            code = end.code
    assert code in {0, 2}
    assert "Traceback" not in said.getvalue()
    assert "\x1b" not in said.getvalue()


def test_any_message_is_answered_or_ignored():
    G = nx.karate_club_graph()
    session = open_session(G, nx.circular_layout(G), color="club", live=False)
    names = ["ready", "play", "pause", "resume", "stop", "restart", "steer", "recording", "statistics", "color", "pin"]

    @fuzzed
    @given(
        content=st.one_of(
            plain,
            st.fixed_dictionaries(
                {"kind": st.sampled_from(["command", "ack", "event", "frame"]), "id": plain},
                optional={
                    "name": st.one_of(st.sampled_from(names), plain),
                    "seq": plain,
                    "value": plain,
                    "nodes": plain,
                },
            ),
        ),
        fields=st.dictionaries(st.sampled_from(sorted(BROWSER_FIELDS)), plain, min_size=1, max_size=2),
    )
    def take(content, fields):
        session.handle(content)
        try:
            session.receive(fields)
        except (TypeError, ValueError) as error:
            assert len(str(error).splitlines()) == 1  # noqa: PT017 -- most are refused
        assert session.state()

    try:
        take()
    finally:
        session.close()
