"""What two processes do together, in two threads: joined by gloo as they are, and without the seconds of a start."""

from concurrent.futures import ThreadPoolExecutor

from graphne_viz.layout.engine.torch_engine.ranks import Group


def in_two_threads(folder, action):
    """Call something with the group of each; what both return, in turn.

    Parameters
    ----------
    folder : Path
        Where they meet; for one call only.
    action : callable
    """

    def run(rank):
        group = Group(folder, rank, 2)
        try:
            return action(group)
        finally:
            group.close()

    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(run, range(2)))
