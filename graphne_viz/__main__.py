"""The `graphne` command as a module: ``python -m graphne_viz``, in several processes ``torchrun -m graphne_viz``."""

import sys

from graphne_viz.cli import main

if __name__ == "__main__":  # the documentation imports every module
    sys.exit(main())
