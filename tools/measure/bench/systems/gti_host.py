# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Latency and load of gti_host, beside a floor of the same run, with the simulated AIBO behind."""

from __future__ import annotations

import argparse
import socket
import struct
import sys
import threading
import time
from contextlib import ExitStack

from ament_index_python.packages import get_package_prefix

from legacy_robots_testing.machine import free_ports, own_domain
from legacy_robots_testing.process import Process
from legacy_robots_testing.report import percentile
from measure.bench.table import Table
from measure.processes import cpu_percent

WALK_TARGET = 1.3
"""Ratio to the floor; querySensors has none: its floor neither checks nor converts 39 values."""
ANSWER_TARGET_MS = 32.0
"""The dog has new values every 32 ms."""
RATE, WALK_RATE = 31.25, 20.0
RATE_TARGET = 31.0
FLOOR = "measure.bench.floors.gti_host"
LIBRARY = get_package_prefix("aibo_gti_bridge") + "/lib/aibo_gti_bridge/"
IDS = tuple(range(18)) + tuple(range(100, 110)) + tuple(range(200, 211))
QUERY = struct.pack(f"<iii{len(IDS)}i", 1, 4 + 4 * len(IDS), len(IDS), *IDS)
REPLY_BYTES = 8 * len(IDS)


def ros(executable: str, *parameters: str, namespace: str = "") -> Process:
    """Return a program of the package with parameters NAME:=VALUE."""
    arguments = [part for parameter in parameters for part in ("-p", parameter)]
    if namespace:
        arguments += ["-r", f"__ns:={namespace}"]
    return Process([LIBRARY + executable, "--ros-args", *arguments])


class Client:
    """A GTI client that measures."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), 20.0)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def query(self) -> float:
        """Ask for all sensors; return the seconds until the answer was there."""
        begun = time.perf_counter()
        self._socket.sendall(QUERY)
        if len(self._socket.recv(REPLY_BYTES, socket.MSG_WAITALL)) != REPLY_BYTES:
            raise ConnectionError("the server has closed the connection")
        return time.perf_counter() - begun

    def walk(self, turn: float) -> None:
        """Turn, rad/s."""
        self._socket.sendall(struct.pack("<ii3dii", 6, 32, 0.0, 0.0, turn, -1, 0))


class Velocities:
    """A subscriber to both Twist topics that notes when each turn rate came first."""

    def __init__(self, stack: ExitStack, *topics: str) -> None:
        from geometry_msgs.msg import Twist

        from legacy_robots_common.node import qos
        from legacy_robots_testing.ros_peer import RosPeer

        self._peer = stack.enter_context(RosPeer("bench"))
        self._seen = [self._peer.subscribe(Twist, topic, qos.stream(100)) for topic in topics]

    def seconds(self, number: int, client: Client, turn: float) -> float:
        """Return the time from a walk on the socket to its Twist in the subscriber."""
        begun = time.perf_counter()
        client.walk(turn)
        self._seen[number].wait_for(lambda twist: abs(twist.angular.z - turn) < 1e-9)
        return time.perf_counter() - begun

    def discover(self, number: int, client: Client) -> None:
        """Walk until a Twist arrives: what is published before is lost."""
        for attempt in range(40):
            client.walk(0.1)
            try:
                self._seen[number].wait_for(lambda _: True, 0.5)
                return
            except TimeoutError:
                if attempt == 39:
                    raise

    def count(self, number: int) -> int:
        """Return how many have come."""
        return len(self._seen[number].items)


def main(argv: list[str] | None = None) -> int:
    """Measure, print the table; return 1 when a target was missed."""
    parser = argparse.ArgumentParser(prog="tools/bench gti_host", description=__doc__)
    parser.add_argument("--queries", type=int, default=600, help="for the latency")
    parser.add_argument("--walks", type=int, default=200, help="for the latency")
    parser.add_argument("--seconds", type=float, default=20.0, help="of watching rates and load")
    options = parser.parse_args(argv)
    table = Table("gti_host with the simulated AIBO (bench gti_host)")
    with ExitStack() as stack:
        own_domain(stack)
        port, dog, floor_port = free_ports(3)
        start = stack.enter_context
        start(Process([LIBRARY + "simulator", "--port", str(dog)]))
        bridge = start(ros("bridge", f"port:={dog}"))
        host = start(ros("gti_host", f"port:={port}"))
        floor = start(Process([sys.executable, "-m", FLOOR, str(floor_port), "/aibo"]))
        bridge.wait_for_line("link connected")
        host.wait_for_line("waiting for a connection")
        floor.wait_for_line("ready")
        clients = Client(port), Client(floor_port)
        time.sleep(2.0)  # discovery
        times: tuple[list[float], list[float]] = [], []
        for _ in range(options.queries):
            for client, found in zip(clients, times, strict=True):
                found.append(client.query())
            time.sleep(1.0 / RATE / 2.0)
        table.add_ratio("querySensors of 39 values, question to answer", *times, None)
        ratio = percentile(times[0], 50) / percentile(times[1], 50)
        worst = percentile(times[0], 99) * 1e3
        table.add(
            "querySensors, 99th percentile", f"{worst:.1f} ms; median {ratio:.1f} floors",
            f"<= {ANSWER_TARGET_MS:g} ms", worst <= ANSWER_TARGET_MS,
        )  # fmt: skip
        velocities = Velocities(stack, "/aibo/cmd_vel", "/aibo/floor_cmd_vel")
        for which, client in enumerate(clients):
            velocities.discover(which, client)
        walks: tuple[list[float], list[float]] = [], []
        for number in range(options.walks):
            turn = 0.2 + 0.001 * number
            for which, client in enumerate(clients):
                walks[which].append(velocities.seconds(which, client, turn))
        clients[0].walk(0.0)
        table.add_ratio("walk on the socket to a Twist in a subscriber", *walks, WALK_TARGET)
        idle = cpu_percent(host.pid, options.seconds / 2.0)
        table.add("CPU of the host, its client silent", f"{idle:.1f} % of a core")
        load(table, host.pid, clients[0], velocities, options.seconds)
    return table.print()


def load(table: Table, pid: int, client: Client, velocities: Velocities, seconds: float) -> None:
    """Sense and walk for so long; add rates and load to ``table``."""
    found: list[float] = []
    watcher = threading.Thread(target=lambda: found.append(cpu_percent(pid, seconds)))
    before, begun, asked = velocities.count(0), time.perf_counter(), 0
    client.walk(0.4)
    watcher.start()
    while watcher.is_alive():
        client.query()
        asked += 1
        time.sleep(max(0.0, begun + asked / RATE - time.perf_counter()))
    passed = time.perf_counter() - begun
    what = "31 querySensors/s while walking"
    rate, twists = asked / passed, (velocities.count(0) - before) / passed
    table.add(f"answers, {what}", f"{rate:.2f} Hz", f">= {RATE_TARGET:g} Hz", rate >= RATE_TARGET)
    table.add(f"cmd_vel, {what}", f"{twists:.1f} Hz", "about 20 Hz", twists >= 0.95 * WALK_RATE)
    table.add(f"CPU of the host, {what}", f"{found[0]:.1f} % of a core")


if __name__ == "__main__":
    sys.exit(main())
