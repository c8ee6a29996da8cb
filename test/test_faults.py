# SPDX-License-Identifier: Apache-2.0
"""One round of the fault campaign: every fault of every simulator against the shipped launch."""

import subprocess
import sys
from pathlib import Path

import pytest

CAMPAIGN = Path(__file__).with_name("campaign")


@pytest.mark.timeout(300)
def test_every_fault_is_seen_and_mended_and_no_goal_is_lost(tmp_path):
    logs = tmp_path / "of" / "this run"
    command = [sys.executable, CAMPAIGN / "faults.py", "--seed", "1", "--logs", logs]
    # Other tests need the joints meanwhile, of which a machine has one set.
    command += ["--without", "luar_joints"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (logs / "faults_luar.log").is_file()
