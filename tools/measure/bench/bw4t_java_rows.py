# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Rows of bench bw4t with the original's programs: polls in both directions beside its own pair.

They are there where BW4T_CLIENT_3_8_1 and BW4T_SERVER_3_8_1 name a directory with the client jar
and a program that runs a server (docs/originals/bw4t.md, 12), started with a port and a map.
"""

from __future__ import annotations

import itertools
import os
import sys
import time
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path

from bw4t_world.maps.shipped import nine_rooms
from bw4t_world.maps.writer import write_map
from legacy_robots_testing.machine import children, free_port
from legacy_robots_testing.process import Process
from legacy_robots_testing.report import percentile
from measure import ROOT
from measure.bench.bw4t_driver import Driver
from measure.bench.table import Row, Table, latency_text
from measure.processes import cpu_seconds

JAVA_TESTS = ROOT / "src" / "bw4t_java" / "test" / "java_agents"
CLIENT, SERVER = "BW4T_CLIENT_3_8_1", "BW4T_SERVER_3_8_1"
MAP = "SuperRandom"
"""A map of the original with places for AGENTS robots."""
AGENTS = 10
POLLS = 20
"""Polls of an agent before it is the next one's turn."""
PLACES = ("FrontRoomA1", "FrontRoomB3", "FrontRoomC2", "FrontDropZone", "LeftHallA", "RightHallB")
JOIN_ATTEMPTS = 60


class Load:
    """CPU time of processes, in % of a core, from the making on."""

    def __init__(self, *pids: int) -> None:
        self._pids = pids
        self._before, self._begun = self._sum(), time.monotonic()

    def _sum(self) -> float:
        return sum(map(cpu_seconds, self._pids))

    def text(self) -> str:
        """Return the load so far."""
        load = 100.0 * (self._sum() - self._before) / (time.monotonic() - self._begun)
        return f"{load:.0f} % of a core"


def is_possible() -> bool:
    """Whether the user's programs are there."""
    return CLIENT in os.environ and SERVER in os.environ


def measure_java(table: Table, server: str, directory: Path, seconds: float) -> None:
    """Add the rows; ``server`` is the program of our node."""
    jars = os.environ[CLIENT]
    with ExitStack() as stack:
        port = free_port()
        original = stack.enter_context(Process([os.environ[SERVER], str(port), MAP]))
        pair, pair_percepts = poll_by_java(stack, port, jars, seconds, original.pid)
    table.add(f"original pair, {AGENTS} agents", pair_percepts)
    with ExitStack() as stack:
        port = free_port()
        file = directory / "ten_spawns.map"
        (start, *_) = nine_rooms().entities
        write_map(replace(nine_rooms(), entities=(start,) * AGENTS), file)
        options = {"map": file, "robots": 0, "rmi": "true", "rmi_port": port, "jars": jars,
                   "profile": "server_3_8_1", "seed": 1}  # fmt: skip
        node = stack.enter_context(Process([server, *parameters(options)]))
        node.wait_for_line("rmi://", 120)
        ours, our_percepts = poll_by_java(stack, port, jars, seconds, node.pid)
    table.add(f"our world by RMI, {AGENTS} agents of the original", our_percepts)
    add_polls(table, "our world by RMI: a poll, beside the original pair", ours, pair)
    with ExitStack() as stack:
        port = free_port()
        stack.enter_context(Process([os.environ[SERVER], str(port), MAP]))
        options = {"world": "original", "server": f"127.0.0.1:{port}", "jars": jars,
                   "robots": AGENTS, "percept_rate": 1000.0}  # fmt: skip
        node = stack.enter_context(Process([server, *parameters(options)]))
        node.wait_for_line("link connected", 120)
        through, ros_percepts = poll_over_ros(node.pid, seconds)
    table.add(f"original server through ROS, {AGENTS} robots", ros_percepts)
    add_polls(table, "original server through ROS: a poll, beside the pair", through, pair)


def add_polls(table: Table, what: str, ours: list[float], pair: list[float]) -> None:
    """Add a row with the seconds that polls took, and their ratio, which has no target."""
    ratio = percentile(ours, 50) / percentile(pair, 50)
    table.rows.append(Row(what, latency_text(ours), latency_text(pair), f"{ratio:.2f}"))


def parameters(options: dict[str, object]) -> list[str]:
    """Return arguments of a node."""
    return ["--ros-args", *itertools.chain(*(("-p", f"{k}:={v}") for k, v in options.items()))]


def poll_by_java(
    stack: ExitStack, port: int, jars: str, seconds: float, pid: int
) -> tuple[list[float], str]:
    """Return seconds a poll of the original's client, and percepts a second with the load."""
    sys.path.insert(0, str(JAVA_TESTS))
    from eis_client import (  # type: ignore[import-not-found]
        ORIGINAL,
        EisCallError,
        EisClient,
    )

    wanted = {"agentcount": str(AGENTS), "humancount": "0", "launchgui": "false"}
    ports = {"serverport": str(port), "clientport": str(free_port())}
    for attempt in range(JOIN_ATTEMPTS):  # until a server that has just been started is ready
        client = EisClient(ORIGINAL, jars)
        try:
            client.call("init", {**wanted, **ports})
            break
        except EisCallError:
            client.close()
            if attempt == JOIN_ATTEMPTS - 1:
                raise
            time.sleep(1.0)
    stack.callback(client.close)
    agents = [f"a{number}" for number in range(1, AGENTS + 1)]
    for number, agent in enumerate(agents, 1):
        client.join(agent, f"Bot_{number}")
        client.call("poll_many", agent, 5)
    times: list[float] = []
    percepts = 0
    load, begun = Load(pid, *children(pid)), time.monotonic()
    for place in itertools.cycle(PLACES):
        for agent in agents:
            client.call("act", agent, "goTo", place)
        for _ in range(3):
            for agent in agents:
                took, found = client.call("poll_many", agent, POLLS)
                times += [value / 1e3 for value in took]
                percepts += found
        if time.monotonic() > begun + seconds:
            break
    rate = percepts / (time.monotonic() - begun)
    return times, f"{rate:.0f} percepts/s; server {load.text()}"


def poll_over_ros(pid: int, seconds: float) -> tuple[list[float], str]:
    """Return seconds a poll, from the times of percept messages, and the same as text."""
    from legacy_robots_common.node import qos
    from legacy_robots_msgs.msg import Bw4tPercepts
    from legacy_robots_testing.ros_peer import RosPeer

    driver = Driver(AGENTS)
    percepts = 0
    stamps: list[float] = []

    def count(first: bool, message: Bw4tPercepts) -> None:
        nonlocal percepts
        percepts += len(message.percepts)
        if first:
            stamp = message.header.stamp
            stamps.append(stamp.sec + stamp.nanosec * 1e-9)

    try:
        driver.wait_for_round()
        with RosPeer("counter", "bw4t") as peer:
            for number in range(1, AGENTS + 1):
                peer.subscribe_with(
                    Bw4tPercepts, f"Bot_{number}/percepts",
                    partial(count, number == 1), qos.stream(5000),
                )  # fmt: skip
            time.sleep(3.0)  # the beginnings of the streams
            percepts, stamps[:] = 0, []
            load, begun = Load(pid, *children(pid)), time.monotonic()
            time.sleep(seconds)
            rate, text = percepts / (time.monotonic() - begun), load.text()
    finally:
        driver.close()
    times = [(b - a) / AGENTS for a, b in itertools.pairwise(stamps)]
    return times, f"{rate:.0f} percepts/s; node and its Java {text}"
