# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Computers joined by a network that delays, loses and is cut, all made on one machine (Linux).

A computer is a network namespace with a /dev/shm of its own. The network is a pair of virtual
interfaces whose Ethernet frames a thread of this process passes on, so that it is the same for
DDS, the wires of the robots and everything else.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import random
import select
import shutil
import struct
import subprocess
import threading
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from legacy_robots_testing.process import Process

ADDRESSES = ("10.77.0.1", "10.77.0.2")
SERVER = "fast-discovery-server"
"""Fast DDS's program; an installation of ROS 2 and the wheels have it."""
WAYS = ("multicast", "static peers", "discovery server")
"""How programs on two computers find each other, see docs/computers.md."""
_SERVER_PORT = 11811
_TUN = Path("/dev/net/tun")
_TUNSETIFF, _TUNSETCARRIER = 0x400454CA, 0x400454E2
_IFF_TAP, _IFF_NO_PI = 0x2, 0x1000
_FRAME = 65536
_CLONE_NEWNET = 0x40000000
_LIBC = ctypes.CDLL(None, use_errno=True)
_HOLDER = "mount -t tmpfs tmpfs /dev/shm; ip link set lo up; echo ready; exec sleep infinity"


def why_impossible() -> str:
    """Return why no computers can be made here, empty where they can."""
    if missing := [name for name in ("ip", "unshare", "nsenter") if shutil.which(name) is None]:
        return f"needs {', '.join(missing)}: apt install iproute2 util-linux"
    if not os.access(_TUN, os.R_OK | os.W_OK):
        return f"needs {_TUN}, the kernel's virtual network interfaces"
    done = subprocess.run(["unshare", "-n", "-m", "true"], capture_output=True, text=True)
    why = f"needs the right to make network namespaces, as root has it: {done.stderr.strip()}"
    return why if done.returncode else ""


class Computer:
    """A network namespace with one interface and a /dev/shm of its own, until ``stack`` closes."""

    def __init__(self, stack: ExitStack, address: str) -> None:
        self.address = address
        holder = stack.enter_context(Process(["unshare", "-n", "-m", "sh", "-ec", _HOLDER]))
        holder.wait_for_line("ready")
        self._pid = holder.pid

    @property
    def shared_memory(self) -> Path:
        """Its /dev/shm, as the machine sees it."""
        return Path(f"/proc/{self._pid}/root/dev/shm")

    def command(self, command: Sequence[str | Path]) -> list[str]:
        """Return the command line, for this machine, that runs ``command`` on the computer."""
        enter = ["nsenter", "-t", str(self._pid), "-n", "-m", "env", "-C", str(Path.cwd())]
        return [*enter, *map(str, command)]

    def run(self, command: Sequence[str | Path], environment: Mapping[str, str]) -> Process:
        """Run a command on it, with the environment of discovery given, as a context manager."""
        settings = {"ROS_AUTOMATIC_DISCOVERY_RANGE": "SYSTEM_DEFAULT", **environment}
        return Process(self.command(command), env=settings)

    def enter(self) -> None:
        """Have the calling thread, and threads that it starts, use the network of the computer."""
        with Path(f"/proc/{self._pid}/ns/net").open() as namespace:
            if _LIBC.setns(namespace.fileno(), _CLONE_NEWNET):
                raise OSError(ctypes.get_errno(), "setns")

    def add_interface(self, name: str) -> None:
        """Take an interface of this machine and set it up with the address."""
        _run(["ip", "link", "set", name, "netns", str(self._pid)])
        address = ["ip", "addr", "add", f"{self.address}/24", "dev", name]
        for command in (address, ["ip", "link", "set", name, "up"]):
            _run(self.command(command))


class Network:
    """The cable between computers: each frame arrives ``delay`` seconds later, or is lost.

    ``loss`` is the share of the frames lost, in each direction. Both may be changed at any time. A
    context manager; on a thread of its own. Raises OSError and CalledProcessError without the
    right to make interfaces. ``name`` is that of the interfaces; a computer may be on several.
    """

    def __init__(self, ends: tuple[Computer, Computer], seed: int = 0, name: str = "lr") -> None:
        self._name = name
        self.delay = self.loss = 0.0
        self.passed = 0
        """How many frames have reached the other end."""
        self._ends = ends
        self._chance = random.Random(seed)
        self._thread = threading.Thread(target=self._pass_on, name="network")
        self._files: list[int] = []
        self._over = threading.Event()

    def __enter__(self) -> Network:
        """Connect both."""
        for end in self._ends:
            file = os.open(_TUN, os.O_RDWR | os.O_NONBLOCK)
            self._files.append(file)
            request = struct.pack("16sH22x", f"{self._name}%d".encode(), _IFF_TAP | _IFF_NO_PI)
            name = fcntl.ioctl(file, _TUNSETIFF, request)[:16].rstrip(b"\0").decode()
            end.add_interface(name)
        self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        """Take the interfaces away."""
        self._over.set()
        self._thread.join()
        for file in self._files:
            os.close(file)

    def plug(self, plugged: bool) -> None:
        """Plug or unplug the cable, at both ends."""
        for file in self._files:
            fcntl.ioctl(file, _TUNSETCARRIER, struct.pack("I", plugged))

    def _pass_on(self) -> None:
        near, far = self._files
        other = {near: far, far: near}
        on_its_way: deque[tuple[float, int, bytes]] = deque()
        due = 0.0
        while not self._over.is_set():
            wait = min(0.1, max(0.0, on_its_way[0][0] - time.monotonic())) if on_its_way else 0.1
            for file in select.select(self._files, [], [], wait)[0]:
                with suppress(BlockingIOError):
                    for _ in range(100):  # the other direction is not to wait for ever
                        frame = os.read(file, _FRAME)
                        if self._chance.random() >= self.loss:
                            due = max(due, time.monotonic() + self.delay)
                            on_its_way.append((due, other[file], frame))
            while on_its_way and on_its_way[0][0] <= time.monotonic():
                _, end, frame = on_its_way.popleft()
                with suppress(BlockingIOError):  # its queue is full: lost, as in a switch
                    os.write(end, frame)
                    self.passed += 1


@contextmanager
def two_computers(seed: int = 0) -> Iterator[tuple[Computer, Computer, Network]]:
    """Make two computers and the network between them. Raises as Network does."""
    with ExitStack() as stack:
        first, second = (Computer(stack, address) for address in ADDRESSES)
        network = stack.enter_context(Network((first, second), seed))
        yield first, second, network


@contextmanager
def discovery(way: str, *computers: Computer) -> Iterator[list[dict[str, str]]]:
    """Yield the environment of each computer for one of WAYS; a server runs on the first."""
    if way == "discovery server":
        port, program = str(_SERVER_PORT), shutil.which(SERVER)
        assert program is not None, f"needs {SERVER} of Fast DDS on PATH"
        address = computers[0].address
        with computers[0].run([program, "-i", "0", "-l", address, "-p", port], {}):
            settings = {"ROS_DISCOVERY_SERVER": f"{address}:{port}", "ROS_SUPER_CLIENT": "TRUE"}
            yield [settings] * len(computers)
    elif way == "static peers":
        others = [";".join(o.address for o in computers if o is not c) for c in computers]
        local = {"ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST"}
        yield [{**local, "ROS_STATIC_PEERS": addresses} for addresses in others]
    else:
        yield [{"ROS_AUTOMATIC_DISCOVERY_RANGE": "SUBNET"}] * len(computers)


def _run(command: Sequence[str]) -> None:
    subprocess.run(command, check=True, capture_output=True)
