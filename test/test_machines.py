# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The README's first session on machines and in shells as people have them, made here.

Each is a command that runs another one, and settings of its environment. Where this machine lacks
the right to make one, its test is skipped and says so.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from legacy_robots_testing.machine import free_port, shared_memory_of
from legacy_robots_testing.process import Process

ROOT = Path(__file__).parents[1]
SESSION = """
import os, signal, subprocess, sys
port, ros2 = sys.argv[1], sys.argv[2:]
launch = subprocess.Popen(
    [*ros2, "launch", "legacy_robots_bringup", "nao.launch.py", f"port:={port}"],
    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
    start_new_session=True,
)
for line in launch.stdout:
    print(line, end="", flush=True)
    if "link connected" in line:
        break
goal = [*ros2, "action", "send_goal", "/nao/go_to", "legacy_robots_msgs/action/NaoGoTo"]
done = subprocess.run([*goal, "{marker_id: 80}"], stdout=subprocess.PIPE, text=True)
print(done.stdout, flush=True)
os.killpg(launch.pid, signal.SIGINT)
print(launch.stdout.read())
sys.exit(launch.wait() or done.returncode)
"""


def network_where(command):
    """Return what runs a command in a network of its own, loopback alone, changed by another."""
    script = f'ip link set lo up; {command}; exec "$@"'
    return ["unshare", "--map-root-user", "--net", "sh", "-c", script, "sh"]


def limited(controller, file, value):
    """Return what limits a command as a container does, by a control group of version 1."""
    top = f"/sys/fs/cgroup/{controller}"
    script = (
        f"group={top}/legacy_robots_$$; mkdir $group && echo {value} >$group/{file} && "
        f'echo $$ >$group/tasks && "$@"; code=$?; echo $$ >{top}/tasks; rmdir $group; exit $code'
    )
    return ["sh", "-c", script, "sh"]


MACHINES = {
    "/dev/shm of 64 MB": (shared_memory_of("64m"), {}),
    "/dev/shm of 16 MB": (shared_memory_of("16m"), {}),
    "/dev/shm of 1 MB": (shared_memory_of("1m"), {}),
    "/dev/shm read-only": (shared_memory_of("ro"), {}),
    "nohup": (["nohup"], {}),
    "no terminal": (["setsid", "--wait"], {"TERM": None}),
    "cron": ([], {"PATH": "/usr/bin:/bin", "LANG": None, "TERM": None, "USER": None}),
    "a user without rights": (
        # It may read, also Python in another user's home, and write nothing.
        [
            *("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"),
            *("--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"),
        ],
        {"HOME": None, "USER": None},
    ),
    "LC_ALL=C": ([], {"LC_ALL": "C", "LANG": None}),
    "no HOME": ([], {"HOME": None}),
    "HOME that is not there": ([], {"HOME": "/nonexistent"}),
    "umask 077": (["sh", "-c", 'umask 077; exec "$@"', "sh"], {}),
    "256 open files": (["sh", "-c", 'ulimit -n 256; exec "$@"', "sh"], {}),
    "one core": (["taskset", "--cpu-list", "0"], {}),
    "quota of one core": (limited("cpu", "cpu.cfs_quota_us", 100000), {}),
    "2 GB of memory": (limited("memory", "memory.limit_in_bytes", "2G"), {}),
    "no IPv6": (network_where("echo 1 >/proc/sys/net/ipv6/conf/lo/disable_ipv6"), {}),
    "lo without multicast": (network_where("ip link set lo multicast off"), {}),
    "TZ": ([], {"TZ": "Asia/Kathmandu"}),
    "a virtual environment": ([], {"VIRTUAL_ENV": "/other", "CONDA_PREFIX": "/conda"}),
    "pip's settings": ([], {"PIP_USER": "1", "PIP_REQUIRE_VIRTUALENV": "true"}),
    "Python's settings": ([], {"PYTHONWARNINGS": "error", "PYTHONPATH": "/other"}),
    "ROS_LOCALHOST_ONLY": ([], {"ROS_LOCALHOST_ONLY": "1"}),
    "Cyclone DDS": (
        [],
        {"RMW_IMPLEMENTATION": "rmw_cyclonedds_cpp", "CYCLONEDDS_URI": "file:///no.xml"},
    ),
    "a profile of the user's own": ([], {"FASTRTPS_DEFAULT_PROFILES_FILE": "{profile}"}),
}


@pytest.fixture
def environment():
    """What a new terminal has, and a domain of this test."""
    path = [p for p in os.environ["PATH"].split(":") if not Path(p).is_relative_to(ROOT)]
    kept = ("HOME", "USER", "LANG", "TERM", "ROS_DOMAIN_ID")
    return {**{n: os.environ[n] for n in kept if n in os.environ}, "PATH": ":".join(path)}


@pytest.mark.timeout(120)
@pytest.mark.parametrize("machine", MACHINES)
def test_the_first_session_works(machine, environment):
    prefix, settings = MACHINES[machine]
    if prefix and (not shutil.which(prefix[0]) or subprocess.call([*prefix, "true"]) != 0):
        pytest.skip(f"this machine cannot be made here: {prefix[0]}")
    profile = ROOT / "src/legacy_robots_common/legacy_robots_common/node/fast_dds/small.xml"
    for name, value in settings.items():
        environment.pop(name, None)
        if value is not None:
            environment[name] = value.format(profile=profile)
    command = [sys.executable, "-c", SESSION, str(free_port()), str(ROOT / "tools" / "ros2")]
    alone = ["env", "-i", *(f"{name}={value}" for name, value in environment.items())]
    with Process([*alone, *prefix, *command]) as session:
        assert session.wait(100) == 0, session.lines.items
        text = "\n".join(session.lines.items)
    print(text)
    assert "Goal finished with status: SUCCEEDED" in text
    assert "Traceback" not in text
    assert "\x1b[31" not in text  # of Fast DDS
    assert "rcutils" not in text
