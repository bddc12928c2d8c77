"""What all tests have in common."""

import os

# Threads of torch that wait for work spin; beside another program on the same cores that takes ten times as long.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
