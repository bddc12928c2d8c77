"""What all tests have in common."""

import os

# Threads of torch that wait for work spin, and beside another program on the same cores everything takes ten times as
# long; what the tests train is too small to gain by them.
os.environ.setdefault("OMP_NUM_THREADS", "1")
