# SPDX-License-Identifier: Apache-2.0
"""Two computers: a robot's bridge on one, its user on the other, as docs/computers.md says.

A computer is a network namespace with a /dev/shm of its own; a cable is a pair of virtual
interfaces. Both are made here, which needs the right to do so.
"""

import os
import shutil
import subprocess
from contextlib import ExitStack, contextmanager

import pytest

from legacy_robots_common.testing.machine import free_port, launch_command, ros2
from legacy_robots_common.testing.process import Process

ADDRESSES = ("10.77.0.1", "10.77.0.2")
CUT_S = 6.0
SERVER = "fast-discovery-server"
GOAL = ("action", "send_goal", "/nao/go_to", "legacy_robots_msgs/action/NaoGoTo")
SUBNET = {"ROS_AUTOMATIC_DISCOVERY_RANGE": "SUBNET"}


def ip(*arguments):
    subprocess.run(["ip", *arguments], check=True, capture_output=True)


class Computer:
    """A network namespace with one interface."""

    def __init__(self, stack, number):
        self.name = f"computer{number}_{os.getpid()}"
        self.interface = f"lr{number}_{os.getpid()}"
        self.address = ADDRESSES[number]
        ip("netns", "add", self.name)
        stack.callback(ip, "netns", "del", self.name)

    def connect(self):
        """Set the interface up with its address."""
        ip("link", "set", self.interface, "netns", self.name)
        ip("-n", self.name, "addr", "add", f"{self.address}/24", "dev", self.interface)
        for interface in ("lo", self.interface):
            ip("-n", self.name, "link", "set", interface, "up")

    def plug(self, plugged):
        """Plug or unplug the cable."""
        ip("-n", self.name, "link", "set", self.interface, "up" if plugged else "down")

    def run(self, command, environment):
        """Run a command here, with the environment of discovery given, as a context manager."""
        own_memory = 'mount -t tmpfs tmpfs /dev/shm && exec "$@"'
        prefix = ["ip", "netns", "exec", self.name, "unshare", "-m", "sh", "-c", own_memory, "sh"]
        settings = {"ROS_AUTOMATIC_DISCOVERY_RANGE": "SYSTEM_DEFAULT", **environment}
        return Process([*prefix, *command], env=settings)


def why_impossible():
    """Return why no computers can be made here, empty where they can."""
    if shutil.which("ip") is None or shutil.which("unshare") is None:
        return "needs ip and unshare: apt install iproute2 util-linux"
    name = f"try_{os.getpid()}"
    command = f"ip netns add {name} && ip netns exec {name} unshare -m true; ip netns del {name}"
    done = subprocess.run(["sh", "-ec", command], capture_output=True, text=True)
    return f"needs the right to make network namespaces: {done.stderr}" if done.returncode else ""


@pytest.fixture(scope="module")
def computers():
    """Two computers and a cable between them."""
    if reason := why_impossible():
        pytest.skip(reason)
    with ExitStack() as stack:
        a, b = (Computer(stack, number) for number in range(2))
        ip("link", "add", a.interface, "type", "veth", "peer", "name", b.interface)
        a.connect()
        b.connect()
        yield a, b


@contextmanager
def nao_on(computer, environment):
    """Launch the Nao on a computer, and wait until it has its simulator."""
    command = launch_command("nao.launch.py", f"port:={free_port()}")
    with computer.run(command, environment) as launch:
        launch.wait_for_line("link connected")
        yield launch


def walk(computer, marker, environment):
    """Have the Nao walk to a marker, asked for on a computer."""
    with computer.run(ros2(*GOAL, f"{{marker_id: {marker}}}"), environment) as client:
        code = client.wait(60.0)
        assert code == 0, "\n".join(client.lines.items)
        assert "Goal finished with status: SUCCEEDED" in client.lines.items


def hears_more(echo, timeout=60.0):
    """Wait until another message has come."""
    before = len(echo.lines.items)
    echo.lines.wait_for_count(before + 20, timeout)


def test_by_multicast_and_again_after_a_cut(computers):
    a, b = computers
    with nao_on(a, SUBNET), b.run(ros2("topic", "echo", "/nao/sightings"), SUBNET) as echo:
        echo.wait_for_line("marker_id")
        walk(b, 80, SUBNET)
        a.plug(False)
        with pytest.raises(TimeoutError):
            echo.lines.wait_for_count(10**9, CUT_S)  # nothing new would end it earlier
        a.plug(True)
        hears_more(echo)
        walk(b, 64, SUBNET)


def test_by_static_peers(computers):
    a, b = computers
    here, there = (
        {"ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST", "ROS_STATIC_PEERS": peer.address}
        for peer in (b, a)
    )
    with nao_on(a, here):
        walk(b, 80, there)


@pytest.mark.skipif(shutil.which(SERVER) is None, reason=f"needs {SERVER} of Fast DDS on PATH")
def test_by_a_discovery_server(computers):
    a, b = computers
    server = {"ROS_DISCOVERY_SERVER": f"{a.address}:11811", "ROS_SUPER_CLIENT": "TRUE"}
    command = [shutil.which(SERVER), "-i", "0", "-l", a.address, "-p", "11811"]
    with a.run(command, {}), nao_on(a, server):
        walk(b, 80, server)


def test_two_laboratories_on_one_network_are_apart_by_their_domains(computers):
    a, b = computers
    ours, theirs = (str((int(os.environ["ROS_DOMAIN_ID"]) + i) % 100) for i in (0, 1))
    look = ros2("topic", "list", "--include-hidden-topics")
    with nao_on(a, {**SUBNET, "ROS_DOMAIN_ID": ours}):
        for domain in (ours, theirs):
            with b.run(look, {**SUBNET, "ROS_DOMAIN_ID": domain}) as topics:
                assert topics.wait(60.0) == 0
                assert ("/nao/location" in topics.lines.items) is (domain == ours)


def test_the_wire_of_the_robot_over_the_network(computers):
    """The simulated dog on one computer, its bridge and its user on the other."""
    a, b = computers
    port = str(free_port())
    dog = ros2("run", "aibo_gti_bridge", "simulator", "--host", a.address, "--port", port)
    bridge = launch_command(
        "aibo.launch.py", "simulate:=false", f"host:={a.address}", f"port:={port}"
    )
    with a.run(dog, {}), b.run(bridge, {}) as launch:
        launch.wait_for_line("link connected")
        a.plug(False)
        launch.wait_for_line("link fault")
        launch.lines.clear()
        a.plug(True)
        launch.wait_for_line("link connected")
