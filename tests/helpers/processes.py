"""What tests ask about processes that were started."""

import re
from pathlib import Path


def all_over(started):
    """Whether all processes of some workers have ended, and nothing is left on disk."""
    return all(
        not one._folder.exists() and all(process.poll() is not None for process in one._processes) for one in started
    )


def listening(pid):
    """Addresses at which a process of this machine waits for connections, as /proc writes them."""
    links = [str(link.readlink()) for link in Path(f"/proc/{pid}/fd").iterdir() if link.is_symlink()]
    owned = {found[1] for name in links if (found := re.match(r"socket:\[(\d+)\]", name))}
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/{pid}/net/{table}").read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == "0A" and fields[9] in owned:
                yield fields[1].partition(":")[0]
