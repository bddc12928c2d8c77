"""The `graphne` command as a module, which torchrun can start: ``python -m graphne_viz``, ``torchrun -m graphne_viz``."""

import sys

from graphne_viz.cli.command import main

if __name__ == "__main__":  # the documentation imports every module
    sys.exit(main())
