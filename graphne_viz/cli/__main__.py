"""The `graphne` command, where only Python finds it: ``python -m graphne_viz.cli``."""

import sys

from graphne_viz.cli.command import main

sys.exit(main())
