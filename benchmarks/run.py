"""Run every benchmark of the README, each in a process of its own.

Named as the first argument, one of them is run alone, as in ``run.py viewer --quick``; what follows reaches it.
Arguments without a name reach speed.py.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SCRIPTS = (
    "small",
    "compile",
    "callbacks",
    "speed",
    "large",
    "viewer",
    "table",
    "keep_only",
    "drag",
    "update",
    "embedding",
    "embedding_frontier",
    "nearest",
    "metrics",
)


def main():
    """Run them one after another: side by side they would disturb each other."""
    name, *rest = sys.argv[1:] or [""]
    all_of_them = dict.fromkeys(SCRIPTS, ()) | {"speed": sys.argv[1:]}
    chosen = {name: rest} if name in SCRIPTS else all_of_them
    for script, arguments in chosen.items():
        print(f"\n$ python benchmarks/{script}.py {' '.join(arguments)}".rstrip(), flush=True)
        subprocess.run([sys.executable, Path(__file__).with_name(f"{script}.py"), *arguments], check=True)


if __name__ == "__main__":
    main()
