# SPDX-License-Identifier: Apache-2.0
"""A command ends though its node hangs in C and lets no Python run."""

import subprocess
import sys

import pytest

STUCK = """
import ctypes
from ros2_command.leaving import exit_if_stuck
with exit_if_stuck({code}, 1):
    pass
print("said")
with exit_if_stuck({code}, 1):
    ctypes.PyDLL(None).sleep(100)  # holds the interpreter
"""


@pytest.mark.parametrize("code", [0, 1])
def test_a_hanging_node_does_not_keep_a_command(env, code):
    command = [sys.executable, "-c", STUCK.format(code=code)]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (code, "said\n", "")
