# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What is shared with the other programs of a machine: ports, ROS domains, exclusive resources."""

from __future__ import annotations

import fcntl
import os
import secrets
import shlex
import socket
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

__all__ = ["free_port", "free_ports"]

FIRST_PORT, PORTS = 10000, 20000
"""Linux takes those of outgoing connections from 32768 to 60999."""


def free_port() -> int:
    """Return a TCP port of loopback that is free."""
    return free_ports(1)[0]


def free_ports(count: int) -> list[int]:
    """Return that number of different free TCP ports of loopback.

    None is of the range from which outgoing connections take theirs: one of those could have it
    before it is used.
    """
    ports: list[int] = []
    while len(ports) < count:
        port = FIRST_PORT + secrets.randbelow(PORTS)
        if port in ports:
            continue
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            ports.append(port)
    return ports


def free_port_range(count: int) -> int:
    """Return the first of ``count`` TCP ports of loopback in a row that are free."""
    while True:
        first = FIRST_PORT + secrets.randbelow(PORTS - count)
        with suppress(OSError), ExitStack() as stack:
            for port in range(first, first + count):
                stack.enter_context(socket.create_server(("127.0.0.1", port)))
            return first


@contextmanager
def free_domain() -> Iterator[int]:
    """Hold a ROS domain that no other test and no participant uses. Raises ImportError."""
    from domain_coordinator import domain_id

    with ExitStack() as stack:
        while is_used(number := stack.enter_context(domain_id())):
            pass  # held until the end, or it would be the next one again
        yield number


def is_used(domain: int) -> bool:
    """Return whether a participant of this machine has a port of a ROS domain (Linux)."""
    first = 7400 + 250 * domain  # DDSI-RTPS 2.3, 9.6.1.1
    with suppress(OSError):
        sockets = Path("/proc/net/udp").read_text(encoding="ascii").splitlines()[1:]
        ports = {int(line.split()[1].rpartition(":")[2], 16) for line in sockets}
        return not ports.isdisjoint(range(first, first + 250))
    return False


def own_domain(stack: ExitStack) -> None:
    """Take a ROS domain that is free, on loopback only, until ``stack`` is closed."""
    os.environ["ROS_AUTOMATIC_DISCOVERY_RANGE"] = "LOCALHOST"
    os.environ["ROS_DOMAIN_ID"] = str(stack.enter_context(free_domain()))


@contextmanager
def machine_wide(name: str) -> Iterator[None]:
    """Hold the resource ``name`` exclusively on this machine; do nothing for an empty name."""
    if not name:
        yield
        return
    with Path(tempfile.gettempdir(), f"legacy_robots_{name}.lock").open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def ros2(*arguments: object) -> list[str]:
    """Return the command line of ``ros2`` with ``arguments``, as tools/ros2 runs it."""
    given = os.environ.get("LEGACY_ROBOTS_ROS2")
    command = shlex.split(given) if given else [sys.executable, "-m", "ros2_command"]
    return [*command, *map(str, arguments)]


def launch_command(file: str, *arguments: object) -> list[str]:
    """Return the command line that starts one of our launch files."""
    return ros2("launch", "legacy_robots_bringup", file, *arguments)


def with_installation(prefix: str | Path) -> dict[str, str]:
    """Return what a program's environment differs in that is to find the packages of a prefix."""
    (packages,) = Path(prefix, "lib").glob("python3*/site-packages")
    front = {
        "PYTHONPATH": packages,
        "LD_LIBRARY_PATH": Path(prefix, "lib"),
        "AMENT_PREFIX_PATH": Path(prefix),
    }
    return {name: f"{path}:{os.environ.get(name, '')}" for name, path in front.items()}


def shared_memory_of(size: str) -> list[str]:
    """Return what to put before a command that is to see a /dev/shm of its own (Linux).

    ``size`` is as mount reads it, such as 64m, or "ro" for one that cannot be written. It takes
    the right to make a mount namespace.
    """
    option = "ro" if size == "ro" else f"size={size}"
    script = f'mount -t tmpfs -o {option} tmpfs /dev/shm && exec "$@"'
    return ["unshare", "--map-root-user", "--mount", "sh", "-c", script, "sh"]


def children(pid: int) -> list[int]:
    """Return the processes that a process has started, on any of its threads (Linux)."""
    lists = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for each in lists for child in each.read_text().split()]
