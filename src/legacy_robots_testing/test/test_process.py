# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Programs that a test or a measurement has started end with it."""

import signal
import sys
import time
from pathlib import Path

import pytest

from legacy_robots_testing.process import Process
from legacy_robots_testing.stopwatch import Stopwatch

pytestmark = pytest.mark.node

WITH_A_CHILD = """
import signal, subprocess, sys
signal.signal(signal.SIGINT, signal.SIG_IGN)  # for the child
child = subprocess.Popen([sys.executable, "-c", "import threading; threading.Event().wait()"])
print("child", child.pid, flush=True)
signal.sigwait([signal.SIGINT])
"""
STARTING = """
import sys, threading
from legacy_robots_testing.process import Process
for program in sys.argv[1:]:
    process = Process([sys.executable, "-c", program])
    print("started", process.pid, process.wait_for_line("child|up").split()[-1], flush=True)
threading.Event().wait()
"""
ORDERLY = """
import signal
print("up 0", flush=True)
signal.sigwait([signal.SIGINT])
"""


def test_nothing_outlives_a_killed_program_that_has_started_it() -> None:
    with Process([sys.executable, "-c", STARTING, ORDERLY, WITH_A_CHILD]) as starting:
        starting.wait_for_line(r"started \d+ [1-9]")
        pids = [int(word) for text in starting.lines.items for word in text.split()[1:]]
        assert len(pids) == 4
        starting.signal(signal.SIGKILL)
        with Stopwatch() as watch:
            while any(Path(f"/proc/{pid}").exists() for pid in pids if pid):
                assert watch.seconds < 40.0
                time.sleep(0.02)
