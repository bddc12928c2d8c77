"""Edges of a picture: thin lines where there are many, otherwise with width, colour, arrows and curves."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np

from graphne_viz._lazy import lazy_import
from graphne_viz.encoding.colors.node_colors import node_colors
from graphne_viz.encoding.colors.palette import EDGE_COLOR
from graphne_viz.encoding.columns.column import ValueColumn
from graphne_viz.encoding.columns.edge_columns import MOST_STYLED_EDGES, rows_of
from graphne_viz.encoding.dots import FAINTEST_EDGE, PIXELS_PER_POINT, line_style

if TYPE_CHECKING:
    import matplotlib.collections as mpl_collections
    import matplotlib.colors as mpl_colors
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from graphne_viz.encoding.visible_state import VisibleState

    Floats = NDArray[np.float64]
else:
    mpl_collections = lazy_import("matplotlib.collections")
    mpl_colors = lazy_import("matplotlib.colors")

_Number = TypeVar("_Number", np.int64, np.float64)

MOST_VECTOR_EDGES = 50_000
"""More edges are drawn as pixels in vector formats too."""

FEWEST_SAMPLED, MOST_SAMPLED = 100_000, 300_000
"""Bounds of a sample of edges, which is drawn where all of them would be a mere blot."""

EDGE_ORDER = 1

_SEPARATE_EDGES = 4_000
_EDGES_PER_PATH = 16
_CROWD, _FADING = 50_000, 0.5  # edges beyond which each is fainter than in the viewer, whose rounding fades them
_WIDTHS = 48  # so many, where edges of a width are joined
_PIECES, _MOST_PIECES = 8, 20_000  # of an edge that changes its colour, and of all of them
_NARROWEST, _WIDEST = 0.5, 5.0  # of a usual edge
_BEND = 0.16  # of the length of an edge, between two that join the same nodes
_LONE_BEND = 0.1
_CURVE_STEPS, _LOOP_STEPS = 12, 24
_LOOP = 5.0  # points, beyond the radius of its node
_HEAD, _HEAD_BREADTH = 4.5, 0.42  # points, and of its length


def draw_edges(ax: Axes, positions: Floats, edges: NDArray[np.int64], *, unit: float, sample: bool) -> int:
    """Draw plain edges as one collection, the fainter the more ink they are.

    Parameters
    ----------
    ax : matplotlib Axes
        With its limits set.
    positions : ndarray, shape (n, 2)
    edges : ndarray, shape (E, 2)
    unit : float
        Points that a unit of the positions takes.
    sample : bool
        Whether a random sample may stand for very many edges.

    Returns
    -------
    int
        How many edges were drawn.
    """
    if sample and len(edges) > FEWEST_SAMPLED:
        edges = sample_edges(edges, int(np.clip(len(edges) // 4, FEWEST_SAMPLED, MOST_SAMPLED)))
    segments = positions[edges]
    alpha, color, width = _plain_style(positions, segments, unit)
    fade = min(1.0, _CROWD / max(len(segments), 1)) ** _FADING
    alpha, color = max(min(alpha, FAINTEST_EDGE), alpha * fade), 1 - (1 - color) * fade**0.5
    ax.add_collection(
        mpl_collections.LineCollection(
            _bundled(segments) if len(segments) > _SEPARATE_EDGES else segments,  # type: ignore[arg-type]
            colors=color,
            linewidths=width,
            alpha=alpha,
            zorder=EDGE_ORDER,
            rasterized=len(segments) > MOST_VECTOR_EDGES,
        ),
        autolim=False,
    )
    return len(segments)


def draw_styled_edges(
    ax: Axes, state: VisibleState, drawn: NDArray[np.intp], positions: Floats, radii: Floats, *, unit: float
) -> None:
    """Draw edges with what is asked for: width, colour, arrows, curves.

    Parameters
    ----------
    ax : matplotlib Axes
    state : VisibleState
    drawn : ndarray of int
        Which of the graph's edges.
    positions : ndarray, shape (n, 2)
        Of all nodes.
    radii : ndarray, shape (n,)
        Of all nodes, in points.
    unit : float
        Points that a unit of the positions takes.
    """
    links = state.graph.links
    edges = links.ends[drawn]
    alpha, color, width = _plain_style(positions, positions[edges], unit)
    widths = width * _relative_widths(state, drawn)
    rgba = _edge_colors(state, drawn, edges, color)
    opacity = min(0.9, 1.25 * alpha) if state.edge_color is not None else alpha
    rgba[:, 3] *= opacity
    paths = _paths(positions, edges, radii / unit, curved=state.curved, margin=_LOOP / unit)
    by_ends = isinstance(state.edge_color, str)
    if by_ends:
        from_to = state.colors.rgba[edges].astype(np.float64)
        from_to[..., 3] *= opacity
        lines = _graded(paths, from_to, widths)
    else:
        lines = _alike(paths, rgba, widths) if len(paths) > _SEPARATE_EDGES else (paths, rgba, widths)
    pieces, colors, thick = lines
    order = np.argsort(-thick, kind="stable")  # narrow ones over wide ones
    ax.add_collection(
        mpl_collections.LineCollection(
            [pieces[k] for k in order],
            colors=colors[order],
            linewidths=thick[order],
            zorder=EDGE_ORDER,
            capstyle="butt" if by_ends else "round",
            rasterized=len(paths) > MOST_VECTOR_EDGES,
        ),
        autolim=False,
    )
    if state.arrows and links.directed:
        pointed = edges[:, 0] != edges[:, 1]
        if links.mixed is not None:
            pointed &= links.mixed[drawn]
        heads = _heads(paths, np.flatnonzero(pointed), radii[edges[:, 1]] / unit, np.sqrt(widths / width), unit)
        solid = rgba[pointed]
        solid[:, 3] = np.minimum(1.0, 1.4 * solid[:, 3])
        ax.add_collection(
            mpl_collections.PolyCollection(heads, facecolors=solid, linewidths=0, zorder=EDGE_ORDER), autolim=False
        )


def wants_style(state: VisibleState) -> bool:
    """Tell whether edges are to be more than straight lines of one kind."""
    links = state.graph.links
    asked = state.edge_width is not None or state.edge_color is not None or state.curved
    loops = bool((links.ends[:, 0] == links.ends[:, 1]).any())
    return asked or loops or (state.arrows and links.directed)


def style_note(state: VisibleState, count: int) -> str:
    """Say that edges are too many for what was asked for, where that is so."""
    asked = [
        word
        for word, wanted in (
            ("width", state.edge_width is not None),
            ("colour", state.edge_color is not None),
            ("arrows", state.arrows and state.graph.links.directed),
            ("curves", state.curved),
        )
        if wanted
    ]
    if not asked or count <= MOST_STYLED_EDGES:
        return ""
    return f"more than {MOST_STYLED_EDGES:,} edges are thin lines, without {' and '.join(asked)}"


def sample_edges(edges: NDArray[_Number], most: int) -> NDArray[_Number]:
    """Return at most so many edges, as pairs of nodes or as segments; always the same."""
    if most >= len(edges):
        return edges
    chosen = np.random.default_rng(0).choice(len(edges), most, replace=False, shuffle=False)
    return edges[np.sort(chosen)]


def _plain_style(positions: Floats, segments: Floats, unit: float) -> tuple[float, Floats, float]:
    """Return opacity, colour and width in points of plain edges on white."""
    to_pixels = unit * PIXELS_PER_POINT
    lengths = np.linalg.norm(segments[:, 1] - segments[:, 0], axis=1)
    mean = float(lengths.mean()) if len(lengths) else 0.0
    width, height = np.ptp(positions, axis=0) * to_pixels if len(positions) else (0.0, 0.0)
    alpha, depth, thick = line_style(len(segments), mean * to_pixels, float(width), float(height))
    color = 1 - depth * (1 - np.array(mpl_colors.to_rgb(EDGE_COLOR)))
    return alpha, color, thick / PIXELS_PER_POINT


def _relative_widths(state: VisibleState, drawn: NDArray[np.intp]) -> Floats:
    column = state.edge_width
    if not isinstance(column, ValueColumn):
        return np.ones(len(drawn))
    values = column.values[drawn].astype(np.float64)
    low, high = column.scale
    share = np.clip((values - low) / (high - low), 0, 1) if high > low else np.full(len(values), 0.2)
    return _NARROWEST + (_WIDEST - _NARROWEST) * np.where(np.isfinite(values), share, 0.0)


def _edge_colors(state: VisibleState, drawn: NDArray[np.intp], edges: NDArray[np.int64], plain: Floats) -> Floats:
    if state.edge_color is None:
        return np.tile([*plain, 1.0], (len(edges), 1))
    if isinstance(state.edge_color, str):
        return np.asarray(state.colors.rgba[edges].mean(axis=1), dtype=np.float64)
    return node_colors(rows_of(state.edge_color, drawn), len(drawn)).rgba.copy()


def _paths(positions: Floats, edges: NDArray[np.int64], radii: Floats, *, curved: bool, margin: float) -> list[Floats]:
    """Return the line of each edge: straight, bent where several join the same nodes, or a loop."""
    start, end = positions[edges[:, 0]], positions[edges[:, 1]]
    paths: list[Floats] = list(np.stack([start, end], axis=1))
    if curved:
        bends = _bends(edges)
        part = np.linspace(0, 1, _CURVE_STEPS)[None, :, None]
        # To the left of the way from the node of smaller number, so that mutual edges bend apart.
        forward = np.where(edges[:, 0] < edges[:, 1], 1.0, -1.0)
        way = (end - start) * forward[:, None]
        control = (start + end) / 2 + bends[:, None] * np.stack([-way[:, 1], way[:, 0]], axis=1)
        curves = (1 - part) ** 2 * start[:, None] + 2 * part * (1 - part) * control[:, None] + part**2 * end[:, None]
        for k in np.flatnonzero(bends):
            paths[k] = curves[k]
    middle = positions.mean(axis=0) if len(positions) else np.zeros(2)
    turn = np.linspace(0, 2 * np.pi, _LOOP_STEPS)
    seen: dict[int, int] = {}
    for k in np.flatnonzero(edges[:, 0] == edges[:, 1]):
        node = int(edges[k, 0])
        seen[node] = seen.get(node, 0) + 1
        outward = positions[node] - middle
        away = float(np.arctan2(outward[1], outward[0]))
        size = (radii[node] + margin) * (0.6 + 0.35 * seen[node])
        center = positions[node] + (radii[node] * 0.5 + size * 0.8) * np.array([np.cos(away), np.sin(away)])
        angles = turn + away + np.pi
        paths[k] = center + size * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return paths


def _bends(edges: NDArray[np.int64]) -> Floats:
    """Return how far each edge bends, relative to its length: those that join the same nodes apart from each other."""
    low, high = edges.min(axis=1), edges.max(axis=1)
    _, group, sizes = np.unique(low * (int(edges.max(initial=0)) + 1) + high, return_inverse=True, return_counts=True)
    order = np.argsort(group, kind="stable")
    first = np.r_[0, np.cumsum(sizes)[:-1]]
    place = np.empty(len(edges), dtype=np.int64)
    place[order] = np.arange(len(edges)) - np.repeat(first, sizes)
    several = sizes[group] > 1
    apart = 2 * _BEND * (place - (sizes[group] - 1) / 2)
    # Curves that nobody needs to tell edges apart are drawn only where they were asked for.
    bends = np.where(several, apart, 0.0 if (several & (low != high)).any() else 2 * _LONE_BEND)
    return np.where(low == high, 0.0, bends)


def _heads(paths: list[Floats], chosen: NDArray[np.intp], gaps: Floats, scale: Floats, unit: float) -> list[Floats]:
    """Return the triangles of arrows that end at the rim of their nodes."""
    heads = []
    for k in chosen:
        path = paths[k]
        before, tip = path[-2], path[-1]
        way = tip - before
        length = float(np.hypot(*way)) or 1.0
        way /= length
        tip = tip - way * min(gaps[k], 0.8 * float(np.hypot(*(path[-1] - path[0]))))
        size = _HEAD * float(scale[k]) / unit
        side = _HEAD_BREADTH * size * np.array([-way[1], way[0]])
        heads.append(np.array([tip, tip - way * size + side, tip - way * size - side]))
    return heads


def _bundled(segments: Floats) -> Floats:
    """Join segments to paths of several, with gaps of NaN: matplotlib needs far less time for fewer paths."""
    paths = -(-len(segments) // _EDGES_PER_PATH)
    joined = np.full((_EDGES_PER_PATH * paths, 3, 2), np.nan)
    joined[: len(segments), :2] = segments
    # Those of a path do not cover each other, so they are taken from far apart, not all from one node.
    return joined.reshape(_EDGES_PER_PATH, paths, 3, 2).swapaxes(0, 1).reshape(paths, 3 * _EDGES_PER_PATH, 2)


def _alike(paths: list[Floats], rgba: Floats, widths: Floats) -> tuple[list[Floats], Floats, Floats]:
    """Join lines of one colour and about one width to paths of several, as `_bundled` does."""
    low, high = float(widths.min()), float(widths.max())
    step = (high - low) / (_WIDTHS - 1) or 1.0
    level = np.rint((widths - low) / step)
    _, group = np.unique(np.column_stack([level, rgba.round(3)]), axis=0, return_inverse=True)
    gap = np.full((1, 2), np.nan)
    joined, colors, thick = [], [], []
    order = np.argsort(group.ravel(), kind="stable")
    for members in np.split(order, np.cumsum(np.bincount(group.ravel()))[:-1]):
        bundles = -(-len(members) // _EDGES_PER_PATH)
        for first in range(bundles):
            chosen = members[first::bundles]
            joined.append(np.concatenate([part for k in chosen for part in (paths[k], gap)]))
            colors.append(rgba[chosen[0]])
            thick.append(low + step * level[chosen[0]])
    return joined, np.array(colors), np.array(thick)


def _graded(paths: list[Floats], ends: Floats, widths: Floats) -> tuple[list[Floats], Floats, Floats]:
    """Cut lines into pieces whose colours go from that of one end to that of the other, as in the viewer.

    Parameters
    ----------
    paths : list of ndarray, shape (points, 2)
    ends : ndarray, shape (E, 2, 4)
        Colours of both ends of each.
    widths : ndarray, shape (E,)
    """
    count = int(np.clip(_MOST_PIECES // max(len(paths), 1), 2, _PIECES))
    cut: list[Floats] = []
    for path in paths:
        at = np.linspace(0, len(path) - 1, count * max(1, -(-(len(path) - 1) // count)) + 1)
        line = np.column_stack([np.interp(at, np.arange(len(path)), path[:, axis]) for axis in (0, 1)])
        steps = (len(line) - 1) // count
        cut += [line[k * steps : (k + 1) * steps + 1] for k in range(count)]
    share = ((np.arange(count) + 0.5) / count)[None, :, None]
    colors = ends[:, :1] * (1 - share) + ends[:, 1:] * share
    return cut, colors.reshape(-1, 4), np.repeat(widths, count)
