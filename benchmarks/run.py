"""Run every benchmark of the README, each in a process of its own; arguments reach speed.py."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def main():
    """Run them one after another: side by side they would disturb each other."""
    folder = Path(__file__).parent
    for script, arguments in (
        ("small.py", []),
        ("compile.py", []),
        ("speed.py", sys.argv[1:]),
        ("large.py", []),
    ):
        print(f"\n$ python benchmarks/{script} {' '.join(arguments)}".rstrip(), flush=True)
        subprocess.run([sys.executable, folder / script, *arguments], check=True)


if __name__ == "__main__":
    main()
