# SPDX-License-Identifier: Apache-2.0
"""Shared memory that killed processes left is removed before tools/ros2 and tools/test start."""

import fcntl
import os
import re
import signal
import sys
import time
from pathlib import Path

import pytest
import rclpy

from legacy_robots_common.testing.process import Process

ROOT = Path(__file__).parents[1]
NODE = """
import rclpy, threading
rclpy.init()
node = rclpy.create_node("n")
print("up", flush=True)
threading.Event().wait()
"""


@pytest.fixture
def files(monkeypatch):
    """Give the module."""
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    from workspace import fast_dds_files

    return fast_dds_files


def grow_old(*locks):
    for lock in locks:
        os.utime(lock, times=(0, time.time() - 3600))


def segment_of(lock):
    return Path(str(lock).removesuffix("_el"))


def test_only_what_no_process_holds_is_removed(files, tmp_path):
    def make(lock, *others):
        for name in (lock, *others):
            (tmp_path / name).touch()
        grow_old(tmp_path / lock)

    make("fastrtps_0123456789abcdef_el", "fastrtps_0123456789abcdef")
    make("fastrtps_port7410_el", "fastrtps_port7410", "sem.fastrtps_port7410_mutex")
    make("fastrtps_port7411_sl", "fastrtps_port7411")
    held = "fastrtps_aaaaaaaaaaaaaaaa_el"
    just_begun = "fastrtps_bbbbbbbbbbbbbbbb_el"
    kept = {held, held[:-3], just_begun, just_begun[:-3], "fastrtps_port7412", "another_el"}
    kept |= {"fastrtps_port7413", "fastrtps_port7413_sl", "fastrtps_port7413_el"}
    make(held, *kept)
    grow_old(tmp_path / "fastrtps_port7413_sl", tmp_path / "fastrtps_port7413_el")
    with (tmp_path / held).open() as handle, (tmp_path / "fastrtps_port7413_el").open() as port:
        fcntl.flock(handle, fcntl.LOCK_SH)
        fcntl.flock(port, fcntl.LOCK_EX)
        assert files.remove_left_behind(tmp_path) == 3
    assert {file.name for file in tmp_path.iterdir()} == kept


@pytest.mark.skipif(
    "fastrtps" not in rclpy.get_rmw_implementation_identifier(), reason="not of this middleware"
)
def test_a_killed_node_leaves_nothing_and_a_running_one_keeps_its_own(files):
    def locks_of(pid):
        opened = (os.readlink(link) for link in Path(f"/proc/{pid}/fd").iterdir())
        return {Path(name) for name in opened if re.search(r"/fastrtps_[0-9a-z]{16}_el$", name)}

    command = [sys.executable, "-c", NODE]
    with Process(command) as killed, Process(command) as running:
        killed.wait_for_line("up")
        running.wait_for_line("up")
        left, used = locks_of(killed.pid), locks_of(running.pid)
        assert left
        assert used
        killed.signal(signal.SIGKILL)
        killed.wait()
        grow_old(*left, *used)
        files.remove_left_behind()
        assert not any(lock.exists() or segment_of(lock).exists() for lock in left)
        assert all(lock.exists() and segment_of(lock).exists() for lock in used)
