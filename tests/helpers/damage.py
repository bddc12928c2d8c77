"""Files that are damaged in every way."""

import math

from hypothesis import strategies as st

PIECES = [
    b"",
    b"\0",
    b"\xff",
    b"-1",
    b"1e999",
    b"nan",
    b'"',
    b"<",
    b"]]>",
    b"[",
    b"{",
    b",",
    b"\n",
    b"&#0;",
    b"9" * 400,
]
_LETTERS = st.sampled_from([bytes([byte]) for byte in b"0179ab-. ,\n\0\xff"])
changes = st.lists(
    st.one_of(
        st.tuples(st.floats(0, 1), st.integers(0, 1), _LETTERS),
        st.tuples(
            st.floats(0, 1),
            st.integers(0, 40),
            st.one_of(st.sampled_from(PIECES), st.binary(max_size=8), st.floats(0, 1)),
        ),
    ),
    min_size=1,
    max_size=4,
)
"""Where a piece is cut out, how long it is, and what comes in its place: bytes, or a place in the file to copy from."""

repeats = st.none() | st.tuples(
    st.floats(0, 1),
    st.integers(1, 40),
    st.sampled_from([None, b"[", b"{", b"<a>", b'{"a":', b"a,", b"1 2\n", b"\n", b" "]),
    st.integers(1, 3_000),
)
"""Where a piece, or what stands there, is repeated, and how often: files that are nested, or larger than others."""


cuts = st.one_of(st.just(1.0), st.just(1.0), st.floats(0, 1))
"""How much of a file is there: most often all."""


def damaged(content, changes, repeats=None, cut=1.0):
    """Cut pieces out of a file and put others in, repeat one, and end it early."""
    for at, length, piece in changes:
        begin = int(at * len(content))
        if isinstance(piece, float):
            start = int(piece * len(content))
            piece = content[start : start + length]  # noqa: PLW2901 -- bytes like the others from here on
        content = content[:begin] + piece + content[begin + length :]
    if repeats is not None:
        at, length, piece, times = repeats
        begin = int(at * len(content))
        content = content[:begin] + (piece or content[begin : begin + length]) * times + content[begin:]
    return content[: math.ceil(cut * len(content))]
