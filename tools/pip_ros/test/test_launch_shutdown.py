# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""However launch ends, nothing that it started is left behind."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.node

STUBBORN = "Node(package='probe_pkg', executable='stubborn', output='screen', exec_name='{}', {})"


def stubborn(name, *ignored, more=""):
    return STUBBORN.format(name, f"arguments={list(ignored)!r}, {more}")


SHORT = "sigterm_timeout='0.3', sigkill_timeout='0.3'"


def living_members(group):
    """The processes of a group (or with that number) that are no zombies."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[2]) == group and fields[0] != "Z":
                found.append(int(entry.name))
    return found


def wait_until_gone(groups, timeout=10.0):
    deadline = time.monotonic() + timeout
    while left := [pid for group in groups for pid in living_members(group)]:
        assert time.monotonic() < deadline, f"left behind: {left}"
        os.sched_yield()


def groups_of(program, count):
    """The process groups of the processes, once they are ready."""
    found = program.wait_for(r"\] ready (\d+) (\d+)$", count)
    assert all(match[1] == match[2] for match in found), "each leads a group of its own"
    return [int(match[1]) for match in found]


def test_interrupt_reaches_each_process_once(start, launch_file):
    program = start("launch", launch_file(f"{stubborn('a')}, {stubborn('b')}"))
    groups = groups_of(program, 2)
    # as the terminal does it: to the whole foreground group
    os.killpg(program.pid, signal.SIGINT)
    assert program.end(5) == 0
    assert "[WARNING] [launch]: user interrupted with ctrl-c (SIGINT)" in program.output
    assert len(re.findall("got SIGINT", program.output)) == 2
    assert len(re.findall("process has finished cleanly", program.output)) == 2
    wait_until_gone(groups)


def test_an_interrupt_while_launch_is_imported_is_not_lost(launch_file, env, ros2_words):
    def interrupt() -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))  # as tools/ros2 has it
        os.kill(os.getpid(), signal.SIGINT)

    command = [*ros2_words, "launch", launch_file(stubborn("a"))]
    done = subprocess.run(command, env=env, preexec_fn=interrupt, capture_output=True, text=True)
    assert "user interrupted with ctrl-c (SIGINT)" in done.stderr + done.stdout
    assert "started" not in done.stderr + done.stdout
    assert done.returncode == 0


@pytest.mark.parametrize("word,mask", [("--block-signal", "4002"), ("-e-", "0000")])
def test_signals_wait_from_the_start_of_a_program_that_blocks_them(
    start, launch_file, tmp_path, word, mask
):
    program = tmp_path / "program"
    program.write_text(f"#!/usr/bin/grep -hSigBlk\\|{word}\n".replace("-h", "-he"))
    program.chmod(0o755)
    file = launch_file(f"ExecuteProcess(cmd=['{program}', '/proc/self/status'], output='screen')")
    launch = start("launch", file)
    assert launch.end(10) == 0, launch.output
    assert f"SigBlk:\t000000000000{mask}" in launch.output


def test_escalation(start, launch_file):
    program = start(
        "launch",
        launch_file(
            f"{stubborn('polite')}, {stubborn('deaf', 'SIGINT', more=SHORT)}, "
            f"{stubborn('rock', 'SIGINT', 'SIGTERM', more=SHORT)}"
        ),
    )
    groups = groups_of(program, 3)
    program.send(signal.SIGINT)
    assert program.end(10) == 0
    wait_until_gone(groups)
    lines = [line for line in program.output.splitlines() if "rock" in line][2:]
    assert [re.sub(r"pid \d+", "pid", line) for line in lines][:-1] == [
        "[INFO] [rock-3]: sending signal 'SIGINT' to process[rock-3]",
        "[rock-3] got SIGINT",
        "[ERROR] [rock-3]: process[rock-3] failed to terminate '0.3' seconds after receiving "
        "'SIGINT', escalating to 'SIGTERM'",
        "[INFO] [rock-3]: sending signal 'SIGTERM' to process[rock-3]",
        "[rock-3] got SIGTERM",
        "[ERROR] [rock-3]: process[rock-3] failed to terminate '0.6' seconds after receiving "
        "'SIGTERM', escalating to 'SIGKILL'",
        "[INFO] [rock-3]: sending signal 'SIGKILL' to process[rock-3]",
    ]
    assert "exit code -9" in lines[-1]
    deaf = [line for line in program.output.splitlines() if "deaf" in line]
    assert "process has finished cleanly" in deaf[-1]


def test_default_times(start, launch_file):
    """SIGTERM after five seconds; the second Ctrl-C does not wait for SIGKILL."""
    program = start("launch", launch_file(stubborn("rock", "SIGINT", "SIGTERM")))
    groups = groups_of(program, 1)
    begin = time.monotonic()
    program.send(signal.SIGINT)
    program.wait_for("got SIGTERM")
    assert 4.9 < time.monotonic() - begin < 9.5
    program.send(signal.SIGINT)
    assert program.end(3) == 0
    wait_until_gone(groups)


def test_every_further_interrupt_hastens(start, launch_file):
    program = start("launch", launch_file(stubborn("rock", "SIGINT", "SIGTERM")))
    groups = groups_of(program, 1)
    begin = time.monotonic()
    program.send(signal.SIGINT)
    program.wait_for("got SIGINT")
    program.send(signal.SIGINT)
    program.wait_for("got SIGTERM")
    program.send(signal.SIGINT)
    assert program.end(4) == 0
    assert time.monotonic() - begin < 4.0
    assert "failed to terminate" not in program.output  # it was not given the time
    wait_until_gone(groups)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_launch_is_asked_to_end(start, launch_file, number):
    program = start(
        "launch", launch_file(f"{stubborn('a')}, {stubborn('b', 'SIGINT', more=SHORT)}")
    )
    groups = groups_of(program, 2)
    program.send(number)
    assert program.end(5) == -number
    assert "[a-1] got SIGINT" in program.output
    assert "[b-2] got SIGTERM" in program.output
    wait_until_gone(groups)


@pytest.mark.parametrize("ignored", [(), ("SIGINT", "SIGTERM")])
def test_grandchildren_end_too(start, launch_file, ignored):
    program = start(
        "launch", launch_file(stubborn("family", "--grandchild", *ignored, more=SHORT))
    )
    groups = groups_of(program, 1)
    program.wait_for("grandchild up")
    assert len(living_members(groups[0])) == 2
    program.send(signal.SIGINT)
    assert program.end(5) == 0
    wait_until_gone(groups)


def test_orphans_of_an_exited_process_end_with_launch(start, launch_file):
    orphan = "trap '' INT TERM; echo up $$; exec sleep 100"
    program = start(
        "launch",
        launch_file(
            "ExecuteProcess(cmd=['sh', '-c', "
            f'"({orphan}) & sleep 0.1; echo leader $$"], output="screen", name="sh", {SHORT}), '
            f"{stubborn('other')}"
        ),
    )
    (match,) = program.wait_for(r"leader (\d+)$")
    groups_of(program, 1)
    program.wait_for(r"sh-1\]: process has finished cleanly")
    assert living_members(int(match[1]))
    program.send(signal.SIGINT)
    assert program.end(5) == 0
    wait_until_gone([int(match[1])])


def test_killed_launch_leaves_nothing(start, launch_file):
    program = start(
        "launch",
        launch_file(
            f"{stubborn('a', more='parameters=[dict(x=1)]')}, {stubborn('b', '--grandchild')}"
        ),
    )
    groups = groups_of(program, 2)
    program.wait_for("grandchild up")
    folder = next(
        Path(word).parent
        for group in groups
        for word in Path(f"/proc/{group}/cmdline").read_text().split("\0")
        if word.endswith(".yaml")
    )
    assert folder.is_dir()
    program.send(signal.SIGKILL)
    wait_until_gone(groups, 20.0)
    deadline = time.monotonic() + 5.0
    while folder.exists():
        assert time.monotonic() < deadline
        os.sched_yield()


def test_failed_launch_leaves_nothing(launch_text):
    """The first process has just been started when the second node turns out not to exist."""
    program = launch_text(f"{stubborn('a')}, Node(package='probe_pkg', executable='no')")
    assert program.code == 1
    for match in re.finditer(r"process started with pid \[(\d+)\]", program.output):
        wait_until_gone([int(match[1])])


def test_reader_of_the_output_goes_away(launch_file, env, ros2_words):
    words = [*ros2_words, "launch", str(launch_file(stubborn("a")))]
    with subprocess.Popen(words, env=env, stdout=subprocess.PIPE, text=True) as launch:
        group = None
        for line in launch.stdout:
            if match := re.search(r"ready (\d+)", line):
                group = int(match[1])
                break
        launch.stdout.close()
        launch.send_signal(signal.SIGINT)
        assert launch.wait(10) == 0
    wait_until_gone([group])


def test_run_takes_signals_and_exit_code(start, ros2):
    program = start("run", "probe_pkg", "stubborn", "SIGINT")
    program.wait_for("^ready")
    program.send(signal.SIGINT)
    program.wait_for("got SIGINT")
    program.send(signal.SIGTERM)
    assert program.end(5) == 0
    assert ros2("run", "probe_pkg", "printer", "--exit", "7").code == 7
