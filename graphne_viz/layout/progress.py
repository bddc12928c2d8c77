"""Telling the user how far a run is."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from graphne_viz._lazy import lazy_import

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tqdm import auto as tqdm_auto

    from graphne_viz.layout.options import Options
    from graphne_viz.layout.snapshot import Snapshot
else:
    tqdm_auto = lazy_import("tqdm.auto")


@contextmanager
def reporting(
    callback: Callable[[Snapshot], object] | None, options: Options, *, show: bool
) -> Iterator[Callable[[Snapshot], object] | None]:
    """Join the caller's callback and a progress bar into one watcher; None where there is neither."""
    if not show:
        yield callback
        return

    with tqdm_auto.tqdm(total=sum(n_iter for _, n_iter, _ in options.phases), unit="it") as bar:

        def watch(snapshot: Snapshot) -> object:
            bar.set_description(snapshot.phase, refresh=False)
            bar.set_postfix(KL=f"{snapshot.kl:.3f}", refresh=False)
            bar.update(snapshot.iteration - bar.n)
            return callback(snapshot) if callback is not None else None

        yield watch
