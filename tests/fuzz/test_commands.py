"""Command lines and messages of the browser: every one is answered, none ends with a traceback."""

import contextlib
import io

from fuzzing import fuzzed
from hypothesis import given
from hypothesis import strategies as st

from graphne_viz.cli import main

OPTIONS = [
    *("--dof", "--exaggeration", "--n-iter", "--seed", "--scale", "--normalization", "--initialization", "--weight"),
    *("--color", "--size", "--label", "--max-size", "--header", "--no-header", "--source", "--target", "--nodes"),
    *("--directed", "--like", "--quiet", "--n-jobs", "-o", "--nothing", "--unweighted"),
]
words = st.one_of(
    st.sampled_from([*OPTIONS, "layout", "0", "-1", "1e999", "nan", "", "\x1b[2J", "\ud800", "a.csv", "b.npz"]),
    st.text(max_size=6),
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
