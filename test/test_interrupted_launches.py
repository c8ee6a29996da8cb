# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C in a terminal: every launch file ends in order, also when it is pressed twice.

The `ros2` is that of tools/ros2, or the one that LEGACY_ROBOTS_ROS2 names. By default a few files
are tried once; with LEGACY_ROBOTS_EVERY_LAUNCH=5 all of them, five times each, also at fixed times
after their start. `LEGACY_ROBOTS_EVERY_LAUNCH=1 tools/test -n 0 -s FILE -k after` prints a table.
"""

import fcntl
import os
import re
import signal
import subprocess
import sys
import termios
import threading
import time
from pathlib import Path

import pytest

from legacy_robots_testing.machine import free_ports, ros2
from legacy_robots_testing.polling import until
from legacy_robots_testing.recorder import Recorder

REAL = not (os.environ.get("LEGACY_ROBOTS_ROS2") or "").endswith("ros2_command")
TIMES = int(os.environ.get("LEGACY_ROBOTS_EVERY_LAUNCH", "0"))
FILES = sorted(path.name for path in Path(__file__).parents[1].glob("launch/*.launch.py"))
MOMENTS = (0.2, 0.5, 1.0, 1.5, 2.0, 3.0) if TIMES else ()
"""Seconds."""
FEW = ("nao.launch.py", "luar.launch.py")
# Whatever is not in order: launch's red lines, and what a program prints that dies of it.
BAD = re.compile(
    r"\[ERROR\]|\[FATAL\]|Traceback|process has died|KeyboardInterrupt|Exception|\[31m"
)
CTRL_C = b"\x03"
STARTED = re.compile(r"\[INFO\] \[(\S+)\]: process started with pid \[(\d+)\]")
START_S = 180.0


class Terminal:
    """A program in a terminal of its own, as a context manager."""

    def __init__(self, command, environment):
        self.lines = Recorder("terminal")
        self.started = time.monotonic()
        self._master, slave = os.openpty()
        self._process = subprocess.Popen(
            command,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
            env={**os.environ, **environment},
        )
        os.close(slave)
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self):
        rest = b""
        while True:
            try:
                data = os.read(self._master, 65536)
            except OSError:
                break  # EIO: all have closed the terminal
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                self.lines.add(line.decode(errors="replace").rstrip("\r"))

    def press(self, key):
        os.write(self._master, key)

    def wait(self, timeout):
        return self._process.wait(timeout)

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        self._reader.join()
        os.close(self._master)


def is_running(terminal):
    """Tell whether all that was started is beyond the start of Python, which Ctrl-C kills."""
    lines = terminal.lines.items
    started = [m for line in lines if (m := STARTED.search(line))]
    begun = {line[1:].partition("]")[0] for line in lines if line.startswith("[")}
    return bool(started) and all(
        m[1] in begun or len(list(Path(f"/proc/{m[2]}/task").glob("*"))) > 1 for m in started
    )


def arguments(file):
    """Return arguments that keep a launch apart from others on this machine."""
    text = (Path(__file__).parents[1] / "launch" / file).read_text()
    a, b, c, d = free_ports(4)
    if file == "demo.launch.py":
        return [f"nao_port:={a}", f"roboskate_port:={b}", f"roboskate_http_port:={c}",
                f"aibo_port:={d}", f"luar_user:=demo{os.getpid()}"]  # fmt: skip
    if file == "fleet.launch.py":
        return [f"first_port:={a}"]
    own = [f"port:={a}"] if '"port"' in text else []
    own += [f"http_port:={b}"] if '"http_port"' in text else []
    own += [f"web_port:={c}"] if '"web_port"' in text else []
    return own + ([f"user:=terminal{os.getpid()}"] if '"user"' in text else [])


def has_begun(terminal):
    """Tell whether the first process is there: Python has just begun in it."""
    return any(STARTED.search(line) for line in terminal.lines.items)


def after(seconds):
    """Return what tells whether a launch was started so long ago."""

    def is_time(terminal):
        return time.monotonic() - terminal.started >= seconds

    is_time.__name__ = f"after {seconds} s"
    return is_time


@pytest.mark.timeout(2 * START_S * (TIMES or 1))
@pytest.mark.parametrize(
    "presses,is_time",
    [(1, is_running), (2, is_running), (1, has_begun), *((1, after(each)) for each in MOMENTS)],
    ids=lambda value: getattr(value, "__name__", value),
)
@pytest.mark.parametrize("file", FILES if TIMES else FEW)
def test_ctrl_c_ends_a_launch_in_order(file, presses, is_time, tmp_path):
    if REAL and is_time is has_begun:
        pytest.skip("ros2/launch signals a process in the millisecond before it can handle it")
    command = ros2("launch", "legacy_robots_bringup", file, *arguments(file))
    early = is_time.__name__.startswith("after")
    if early and not REAL:  # which blocks signals while Python starts
        command = [str(Path(__file__).parents[1] / "tools" / "ros2"), *command[3:]]
    for _ in range(TIMES or 1):
        with Terminal(command, {"ROS_LOG_DIR": str(tmp_path)}) as terminal:
            until(lambda: is_time(terminal), "a process has not begun", START_S)
            terminal.press(CTRL_C)
            for _ in range(presses - 1):
                time.sleep(0.02)  # as fast as a person cannot be: this is what is tested
                terminal.press(CTRL_C)
            try:
                code = terminal.wait(30.0)
            except subprocess.TimeoutExpired:
                code = "not over"
        text = "\n".join([str(code), *terminal.lines.items])
        if TIMES:
            count, bad = len(terminal.lines.items), len(BAD.findall(text))
            print(f"{file} {presses} {is_time.__name__}: {count} lines, {bad} bad, ended {code}")
        ended = re.findall(r"\[(\S+)\]: process has finished cleanly", text)
        if all(m[1] in ended for m in STARTED.finditer(text)):
            # At a second Ctrl-C that of ros2/launch (3.4.3) may wait for ever for a process that
            # has ended, or die of the signal at its own end.
            text = re.sub(r".*failed to terminate.*", "", text)
            code = 0 if REAL and code in ("not over", -signal.SIGINT) else code
        assert not BAD.search(text), text
        # As long as nothing was started ros2cli ends with 1 or 2.
        assert code in (0, 130) or (early and "started with pid" not in text), text


CTRL_C_WHILE_REMOVING = """
import os, shutil, signal

remove = shutil.rmtree

def interrupted(*arguments, **options):
    os.kill(os.getpid(), signal.SIGINT)
    remove(*arguments, **options)

shutil.rmtree = interrupted
from legacy_robots_launch.temporary_files import written_file
print(written_file("a.yaml", "a: 1"))
"""


def test_ctrl_c_at_the_end_of_a_launch_disturbs_nothing():
    ended = subprocess.run(
        [sys.executable, "-c", CTRL_C_WHILE_REMOVING], capture_output=True, text=True, check=True
    )
    assert ended.stderr == ""
    assert not Path(ended.stdout.strip()).parent.exists()


@pytest.mark.parametrize("program", ["nao_goal_bridge bridge", "nao_goal_bridge goal_client"])
def test_a_signal_before_python_has_begun_ends_a_program_without_a_word(program):
    process = subprocess.Popen(
        ros2("run", *program.split()), stderr=subprocess.PIPE, start_new_session=True
    )

    def is_python(pid):
        words = Path(f"/proc/{pid}/cmdline").read_text().split("\0")
        is_started = words[1:] and words[1].endswith(program.replace(" ", "/"))
        return is_started and Path(words[0]).name.startswith("python")

    def found():
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        return [pid for pid in (str(process.pid), *children) if is_python(pid)]

    until(found)
    os.kill(int(found()[0]), signal.SIGINT)
    _, said = process.communicate(timeout=START_S)
    assert said == b""
    assert process.returncode in (0, 130)
