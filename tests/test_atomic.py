"""Files appear only when they are complete, and what killed processes left is cleaned up by the next one."""

import os
import signal
import subprocess
import sys
import time

import pytest

from graphne_viz._atomic import replace_when_complete

WRITES_FOR_EVER = """
import sys, time
from graphne_viz._atomic import replace_when_complete
with replace_when_complete(sys.argv[1]) as unfinished:
    print(unfinished, flush=True)
    time.sleep(600)
"""


@pytest.mark.skipif(os.name != "posix", reason="other systems cannot be asked whether a process lives")
def test_what_a_killed_process_left_is_removed_by_the_next_write(tmp_path):
    writer = subprocess.Popen([sys.executable, "-c", WRITES_FOR_EVER, tmp_path / "a.csv.gz"], stdout=subprocess.PIPE)
    try:
        left = writer.stdout.readline().decode().strip()
        old = time.time() - 3_600
        os.utime(left, (old, old))
        with replace_when_complete(tmp_path / "b.csv"):
            assert os.path.exists(left)  # noqa: PTH110 -- its writer lives
    finally:
        writer.send_signal(signal.SIGKILL)
        writer.communicate()
    (tmp_path / ".graphne-somebody-else.csv").touch()
    with replace_when_complete(tmp_path / "b.csv"):
        pass
    assert sorted(path.name for path in tmp_path.iterdir()) == [".graphne-somebody-else.csv", "b.csv"]
