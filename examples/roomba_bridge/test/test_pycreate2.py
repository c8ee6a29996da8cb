# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The simulated robot as pycreate2 sees it, a driver of others: in an environment of its own.

LEGACY_ROBOTS_PYCREATE2 names a Python that has it: python3 -m venv peers; peers/bin/pip install
pycreate2.
"""

import os
import subprocess

import pytest

from legacy_robots_testing.recorder import TIMEOUT

PYTHON = os.environ.get("LEGACY_ROBOTS_PYCREATE2", "")
SCRIPT = """
import sys, time
from pycreate2 import Create2
robot = Create2(sys.argv[1], 115200)
robot.start()
robot.safe()
before = robot.get_sensors()
robot.drive_direct(200, 200)
while True:
    now = robot.get_sensors()
    counts = now.encoder_counts_right - before.encoder_counts_right
    if counts > 50:
        break
robot.drive_stop()
print(now.battery_capacity, now.open_interface_mode, counts > 50)
"""


@pytest.mark.skipif(not PYTHON, reason="set LEGACY_ROBOTS_PYCREATE2, see test_pycreate2.py")
def test_it_is_driven_and_read_by_pycreate2(robot, where):
    command = [PYTHON, "-c", SCRIPT, where["device"]]
    done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT)
    assert "2696 2 True" in done.stdout.splitlines(), done.stdout + done.stderr
