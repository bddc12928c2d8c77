"""The `graphne` command, where only Python finds it: ``python -m graphne_viz.cli``."""

import sys

from graphne_viz.cli.entry import main

if __name__ == "__main__":  # the documentation imports every module
    sys.exit(main())
