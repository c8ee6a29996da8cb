# SPDX-License-Identifier: Apache-2.0
"""The fault campaign: one round of it, and Ctrl-C in it."""

import subprocess
import uuid
from pathlib import Path

import pytest

from legacy_robots_common.testing.process import Process
from legacy_robots_common.testing.recorder import TIMEOUT

FAULTS = [
    Path(__file__).parents[1] / "tools" / "faults", "--seed", "1",
    "--without", "luar_joints",  # other tests need the joints, of which a machine has one set
]  # fmt: skip
SECONDS = 280
"""One round takes 80, and more where other tests take the processors."""


def processes_with(variable):
    """Return the command lines of processes in whose environment ``variable`` is."""
    found = []
    for environment in Path("/proc").glob("[0-9]*/environ"):
        try:
            if variable.encode() in environment.read_bytes():
                found.append((environment.parent / "cmdline").read_bytes())
        except OSError:
            pass  # it has ended, or is not ours
    return found


@pytest.mark.timeout(SECONDS + 90)
def test_every_fault_is_seen_and_mended_and_no_goal_is_lost(tmp_path):
    logs = tmp_path / "of" / "this run"
    with Process([*FAULTS, "--logs", logs]) as campaign:
        try:
            code = campaign.wait(SECONDS)
        except subprocess.TimeoutExpired:
            code = "not over"
    texts = [path.read_text() for path in logs.glob("faults_*.log")]
    assert code == 0, "\n".join([*campaign.lines.items, *texts])
    assert (logs / "faults_luar.log").is_file()


def test_an_interrupted_campaign_leaves_nothing_behind():
    mark = f"MARK_{uuid.uuid4().hex}"
    with Process(FAULTS, env={mark: "1"}) as campaign:
        campaign.wait_for_line(" well after ")
        assert processes_with(mark)
        campaign.interrupt_group()
        assert campaign.wait(2 * TIMEOUT) == 130
        assert processes_with(mark) == []
        assert "Traceback" not in "\n".join(campaign.lines.items)
