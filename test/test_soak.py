# SPDX-License-Identifier: Apache-2.0
"""The demonstration for a minute: memory stays bounded, links stay up, goals are done."""

import os
import subprocess
from pathlib import Path

import pytest

MINUTES = float(os.environ.get("LEGACY_ROBOTS_SOAK_MINUTES", "1"))


@pytest.mark.slow
@pytest.mark.timeout(300 + 60 * MINUTES)
def test_the_demonstration_runs_on_in_bounded_memory():
    command = [Path(__file__).parents[1] / "tools" / "soak", "--minutes", str(MINUTES)]
    command += ["--luar-profile", "webots"]  # other tests need the machine's joints meanwhile
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
