# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The simulated drone as pyardrone sees it, a client of others: in an environment of its own.

LEGACY_ROBOTS_PYARDRONE names a Python that has it: python3 -m venv peers; peers/bin/pip install
pyardrone.
"""

import os
import subprocess

import pytest

from legacy_robots_testing.recorder import TIMEOUT

PYTHON = os.environ.get("LEGACY_ROBOTS_PYARDRONE", "")
SCRIPT = """
import sys, time
from pyardrone import ARDrone, at
drone = ARDrone(host=sys.argv[1], navdata_port=int(sys.argv[2]), at_port=int(sys.argv[3]))
drone.navdata_ready.wait()
bootstrap = drone.state.navdata_bootstrap
drone.send(at.CONFIG("general:navdata_demo", True))
def mode():
    return drone.navdata.demo.ctrl_state >> 16 if hasattr(drone.navdata, "demo") else None
def until(condition, *command):
    while not condition():
        drone.send(command[0]) if command else None
        time.sleep(0.03)
until(lambda: mode() == 2)
until(lambda: mode() == 4, at.REF(at.REF.input.start))
hovers = drone.navdata.demo.altitude
until(lambda: drone.navdata.demo.altitude > 1300, at.PCMD(at.PCMD.flag.progressive, gaz=0.9))
until(lambda: mode() == 4, at.PCMD(0))
until(lambda: mode() == 2, at.REF())
print(bootstrap, hovers, drone.navdata.demo.vbat_flying_percentage)
drone.close()
"""


@pytest.mark.skipif(not PYTHON, reason="set LEGACY_ROBOTS_PYARDRONE, see test_pyardrone.py")
def test_it_takes_off_climbs_and_lands_by_pyardrone(robot, where):
    command = [PYTHON, "-c", SCRIPT, *map(str, where.values())]
    done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT)
    assert "True 1000 90" in done.stdout.splitlines(), done.stdout + done.stderr
