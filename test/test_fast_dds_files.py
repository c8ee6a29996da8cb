# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
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

from legacy_robots_testing.process import Process

pytestmark = pytest.mark.lint

ROOT = Path(__file__).parents[1]
NODE = """
import rclpy, threading
rclpy.init()
node = rclpy.create_node("n")
print("up", flush=True)
threading.Event().wait()
"""

OPENING = """
import ctypes, os, signal
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
mutex = ctypes.CDLL(None)
mutex.sem_open.restype = ctypes.c_void_p
held = ctypes.c_void_p(mutex.sem_open(b"/fastrtps_port97414_mutex", os.O_CREAT, 0o666, 1))
mutex.sem_wait(held)
print("opening", flush=True)
signal.sigwait({signal.SIGUSR1})
mutex.sem_post(held)
print("opened", flush=True)
"""


@pytest.fixture
def files(monkeypatch):
    """Give the module."""
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    from workspace import fast_dds_files

    yield fast_dds_files
    for mutex in Path("/dev/shm").glob("sem.fast*_port974??_mutex"):  # no real port's
        mutex.unlink()


def grow_old(*locks):
    for lock in locks:
        os.utime(lock, times=(0, time.time() - 3600))


def segment_of(lock):
    return Path(str(lock).removesuffix("_el"))


@pytest.mark.parametrize("prefix", ["fastrtps", "fastdds"])
def test_only_what_no_process_holds_is_removed(files, tmp_path, prefix):
    def make(lock, *others):
        for name in (lock, *others):
            (tmp_path / name).touch()
        grow_old(tmp_path / lock)

    make(f"{prefix}_0123456789abcdef_el", f"{prefix}_0123456789abcdef")
    make(f"{prefix}_port97410_el", f"{prefix}_port97410")
    make(f"{prefix}_port97411_sl", f"{prefix}_port97411")
    held = f"{prefix}_aaaaaaaaaaaaaaaa_el"
    just_begun = f"{prefix}_bbbbbbbbbbbbbbbb_el"
    kept = {held, held[:-3], just_begun, just_begun[:-3], f"{prefix}_port97412", "another_el"}
    kept |= {f"{prefix}_port97413", f"{prefix}_port97413_sl", f"{prefix}_port97413_el"}
    make(held, *kept)
    grow_old(tmp_path / f"{prefix}_port97413_sl", tmp_path / f"{prefix}_port97413_el")
    with (tmp_path / held).open() as handle, (tmp_path / f"{prefix}_port97413_el").open() as port:
        fcntl.flock(handle, fcntl.LOCK_SH)
        fcntl.flock(port, fcntl.LOCK_EX)
        assert files.remove_left_behind(tmp_path) == 3
    assert {file.name for file in tmp_path.iterdir()} == kept


@pytest.mark.system
def test_a_port_that_a_process_is_just_opening_stays(files, tmp_path):
    """Without its memory the process would receive nothing: it has no lock of it yet."""
    port, lock = tmp_path / "fastrtps_port97414", tmp_path / "fastrtps_port97414_el"
    port.touch()
    lock.touch()
    grow_old(lock)
    with Process([sys.executable, "-c", OPENING]) as opening:
        opening.wait_for_line("opening")
        assert files.remove_left_behind(tmp_path) == 0
        assert port.exists()
        opening.signal(signal.SIGUSR1)
        opening.wait_for_line("opened")
        assert files.remove_left_behind(tmp_path) == 1


@pytest.mark.system
@pytest.mark.skipif(
    "fastrtps" not in rclpy.get_rmw_implementation_identifier(), reason="not of this middleware"
)
def test_a_killed_node_leaves_nothing_and_a_running_one_keeps_its_own(files):
    def locks_of(pid):
        lock = re.compile(r"/fast(rtps|dds)_[0-9a-z]{16}_el$")
        opened = (os.readlink(link) for link in Path(f"/proc/{pid}/fd").iterdir())
        return {Path(name) for name in opened if lock.search(name)}

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
