# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Commands and errors that need no node."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.node

HERE = Path(__file__).parent


def test_interface_show(ros2):
    pytest.importorskip("geometry_msgs")
    program = ros2("interface", "show", "geometry_msgs/msg/PoseStamped")
    assert program.output == (
        "# A Pose with reference coordinate frame and timestamp\n\n"
        "std_msgs/Header header\n"
        "\tbuiltin_interfaces/Time stamp\n\t\tint32 sec\n\t\tuint32 nanosec\n\tstring frame_id\n"
        "Pose pose\n\tPoint position\n\t\tfloat64 x\n\t\tfloat64 y\n\t\tfloat64 z\n"
        "\tQuaternion orientation\n"
        "\t\tfloat64 x 0\n\t\tfloat64 y 0\n\t\tfloat64 z 0\n\t\tfloat64 w 1"
    )
    bare = ros2("interface", "show", "std_srvs/srv/SetBool", "--no-comments").output
    assert bare == "bool data\n---\nbool success\nstring message"
    full = ros2("interface", "show", "geometry_msgs/msg/PoseStamped", "--all-comments").output
    assert "\t\t# The seconds component, valid over all int32 values.\n" in full


def test_interface_lists(ros2):
    pytest.importorskip("std_srvs")
    listed = ros2("interface", "list", "-s").output.splitlines()
    assert listed[0] == "Services:"
    assert "    std_srvs/srv/Trigger" in listed
    assert not any("/msg/" in line for line in listed)
    package = ros2("interface", "package", "std_srvs").output.splitlines()
    assert package == ["std_srvs/srv/Empty", "std_srvs/srv/SetBool", "std_srvs/srv/Trigger"]
    assert "std_srvs" in ros2("interface", "packages", "-s").output.splitlines()


@pytest.mark.parametrize(
    "words,message",
    [
        (("show", "nope"), "Invalid name 'nope'. Expected three parts separated by '/'"),
        (("show", "no_pkg/msg/X"), "Unknown package 'no_pkg'"),
        (("show", "probe_pkg/msg/X"), "Could not find the interface '"),
        (("package", "nope"), "Unknown package 'nope'"),
    ],
)
def test_interface_errors(ros2, words, message):
    program = ros2("interface", *words)
    assert program.code == 1
    assert message in program.errors


def test_pkg(ros2):
    prefix = HERE / "prefix"
    assert "probe_pkg" in ros2("pkg", "list").output.splitlines()
    assert ros2("pkg", "prefix", "probe_pkg").output == str(prefix)
    share = ros2("pkg", "prefix", "--share", "probe_pkg").output
    assert share == str(prefix / "share" / "probe_pkg")
    executables = ros2("pkg", "executables", "probe_pkg").output.splitlines()
    assert executables == ["probe_pkg printer", "probe_pkg probe", "probe_pkg stubborn"]
    missing = ros2("pkg", "prefix", "nope")
    assert (missing.code, missing.errors) == (1, "Package not found")


def test_run(ros2):
    program = ros2(
        *("run", "probe_pkg", "printer", "--flag", "-h", "--ros-args", "-r", "__ns:=/x")
    )
    assert program.code == 0
    assert "argv: ['--flag', '-h', '--ros-args', '-r', '__ns:=/x']" in program.output
    prefixed = ros2("run", "--prefix", "env PROBE_X='a b'", "probe_pkg", "printer")
    assert "env: PROBE_X=a b" in prefixed.output


@pytest.mark.parametrize(
    "words,message",
    [
        (("no_pkg", "x"), "Package 'no_pkg' not found"),
        (("probe_pkg", "x"), "No executable found"),
    ],
)
def test_run_errors(ros2, words, message):
    program = ros2("run", *words)
    assert (program.code, program.errors) == (1, message)


@pytest.mark.parametrize("words", [(), ("topic",), ("topic", "echo"), ("launch",), ("run",)])
def test_help(ros2, words):
    program = ros2(*words, "--help")
    assert program.code == 0
    assert program.output.startswith(" ".join(["usage: ros2", *words]))


@pytest.mark.parametrize("words", [("bag",), ("topic", "nope"), ("topic", "--nope")])
def test_unknown_command(ros2, words):
    program = ros2(*words)
    assert program.code == 2
    assert f"invalid choice: '{words[-1]}' (choose from '" in program.errors
    assert "not part of the subset that tools/pip_ros provides" in program.errors
    assert "the complete ros2cli comes with a ROS 2 installation" in program.errors


def test_unknown_option_is_named(ros2):
    program = ros2("topic", "list", "--nope")
    assert program.code == 2
    assert "unrecognized arguments: --nope" in program.errors


def test_starts_without_ros(ros2):
    """Help and launch need no rclpy, and start in a moment."""
    begin = time.monotonic()
    subprocess.run([sys.executable, "-c", "import argparse"], check=True)
    floor = time.monotonic() - begin
    begin = time.monotonic()
    assert ros2("topic", "--help").code == 0
    assert time.monotonic() - begin < 5.0 * floor + 2.0


def test_closed_output_is_no_error(base_env, env):
    import subprocess

    done = subprocess.run(
        f"{sys.executable} -m ros2_command pkg list | head -1; echo ${{PIPESTATUS[0]}}",
        shell=True,
        executable="/bin/bash",
        env=env,
        capture_output=True,
        text=True,
    )
    assert "Traceback" not in done.stderr
