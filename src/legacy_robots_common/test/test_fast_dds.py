# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A process takes the shared memory that its messages need, if /dev/shm has it."""

import shutil
import subprocess
import sys

import pytest

from legacy_robots_common.node import fast_dds
from legacy_robots_common.node.given_parameters import given_values
from legacy_robots_testing.machine import shared_memory_of

LOCAL = {"ROS_DISTRO": "jazzy", "ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST"}
VGA, FULL_HD = 640 * 480 * 3, 1920 * 1080 * 3
CHOOSE = """
import sys
from legacy_robots_common.node.fast_dds import profile_environment
print(*profile_environment({env!r}, {largest}), sep="\\n")
"""

START_TOGETHER = '''
import subprocess, sys
START = """
from legacy_robots_common.node import fast_dds
from legacy_robots_common.node.main import run, ProgramNode
fast_dds.RESERVE = 0
print(flush=True)
input()
run(lambda: ProgramNode("n"))
"""
command = [sys.executable, "-c", START]
pipe = subprocess.PIPE
streams = {"stdin": pipe, "stdout": pipe, "stderr": pipe, "text": True}
started = [subprocess.Popen(command, **streams) for _ in range(6)]
import rclpy
for process in started:
    process.stdout.readline()
for process in started:
    print(file=process.stdin, flush=True)
rclpy.init()
node = rclpy.create_node("watching")
while node.get_node_names().count("n") < 6:
    rclpy.spin_once(node, timeout_sec=0.05)
for process in started:
    process.terminate()
for process in started:
    print(process.communicate()[1])
'''


@pytest.fixture(autouse=True)
def no_profile_of_the_users(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    "distribution, variables",
    [
        ("jazzy", fast_dds.VARIABLES[:1]),
        ("kilted", fast_dds.VARIABLES[1:]),
        ("", fast_dds.VARIABLES),
    ],
)
def test_the_profile_is_named_by_the_variable_that_is_read(distribution, variables):
    chosen, _ = fast_dds.profile_environment({**LOCAL, "ROS_DISTRO": distribution})
    assert chosen.keys() - {"ROS_AUTOMATIC_DISCOVERY_RANGE"} == set(variables)


@pytest.mark.parametrize("name", fast_dds.VARIABLES)
def test_a_profile_of_the_users_own_stays(name):
    assert fast_dds.profile_environment({**LOCAL, name: "mine.xml"}) == ({}, "")


@pytest.mark.parametrize("name", fast_dds.FILES)
def test_a_profile_in_the_working_directory_stays(tmp_path, name):
    (tmp_path / name).touch()
    assert fast_dds.profile_environment(LOCAL) == ({}, "")


def chosen_in(size, largest, **env):
    """The profile's name, what else is set, and the sentence, with a /dev/shm of that size."""
    command = [sys.executable, "-c", CHOOSE.format(env={**LOCAL, **env}, largest=largest)]
    done = subprocess.run(
        [*shared_memory_of(size), *command], capture_output=True, text=True, check=True
    )
    environment, sentence = done.stdout.splitlines()
    settings = eval(environment)
    profile = settings.pop(fast_dds.VARIABLES[0]).rpartition("/")[2]
    return profile.removesuffix(".xml"), settings, sentence


needs_namespaces = pytest.mark.skipif(
    not shutil.which("unshare") or subprocess.call([*shared_memory_of("1m"), "true"]) != 0,
    reason="needs the right to make a mount namespace (unshare -rm)",
)


@needs_namespaces
@pytest.mark.parametrize(
    "size, largest, profile",
    [
        ("64m", 0, "small"),
        ("16m", 0, "small"),
        ("64m", VGA, "images"),
        ("256m", FULL_HD, "large_images"),
    ],
)
def test_the_segment_holds_a_few_messages(size, largest, profile):
    assert chosen_in(size, largest) == (profile, {}, "")


@needs_namespaces
@pytest.mark.parametrize("size, largest", [("64m", FULL_HD), ("8m", VGA), ("1m", 0), ("ro", 0)])
def test_without_room_it_goes_on_over_udp_and_says_so(size, largest):
    profile, settings, sentence = chosen_in(size, largest)
    assert profile == "udp_on_loopback"
    assert settings == {"ROS_AUTOMATIC_DISCOVERY_RANGE": "SYSTEM_DEFAULT"}
    assert sentence.startswith("UDP instead of shared memory: /dev/shm has ")


@pytest.mark.node
@needs_namespaces
def test_processes_that_start_together_do_not_take_more_than_there_is():
    command = [*shared_memory_of("2m"), sys.executable, "-c", START_TOGETHER]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "Error]" not in done.stdout
    assert "UDP instead of shared memory" in done.stdout


@needs_namespaces
def test_other_machines_are_still_found_without_shared_memory():
    profile, settings, _ = chosen_in("1m", 0, ROS_AUTOMATIC_DISCOVERY_RANGE="SUBNET")
    assert (profile, settings) == ("udp", {})


@needs_namespaces
def test_the_older_variable_for_loopback_is_obeyed_too():
    profile, settings, _ = chosen_in("1m", 0, ROS_LOCALHOST_ONLY="1")
    assert profile == "udp_on_loopback"
    assert settings["ROS_LOCALHOST_ONLY"] == "0"


def test_parameters_are_found_on_the_command_line_and_in_files(tmp_path):
    file = tmp_path / "p.yaml"
    file.write_text("/a/bridge: {ros__parameters: {width: 1920}}\n/**: {ros__parameters: {w: 1}}")
    missing = str(tmp_path / "missing.yaml")
    arguments = ["bridge", "--ros-args", "-p", "width:=64", "-p", "bridge:width:=65"]
    arguments += ["--params-file", str(file), "--params-file", missing, "-p", "width:=[", "-r"]
    assert list(given_values(arguments, "width")) == [64, 65, 1920]
