# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Latency, load and loss of the Nao bridge, beside a floor measured in the same run."""

from __future__ import annotations

import argparse
import json
import signal
import socket
import struct
import sys
import threading
import time
from contextlib import ExitStack

from ament_index_python.packages import get_package_prefix

from legacy_robots_testing.machine import free_port, own_domain
from legacy_robots_testing.process import Process
from legacy_robots_testing.recorder import Recorder
from measure.bench.table import Table
from measure.processes import cpu_percent

SEE, SUCCESS_GO_TO = struct.Struct(">Bii"), b"\x81\x01"
RATIO_TARGET = 1.3
ARRIVALS, FLOOR = "measure.bench.subscribers.arrivals", "measure.bench.floors.nao"
BRIDGE = get_package_prefix("nao_goal_bridge") + "/lib/nao_goal_bridge/bridge"


def connect(port: int) -> socket.socket:
    """Dial a bridge, as a robot does."""
    deadline = time.monotonic() + 20
    while True:
        try:
            stream = socket.create_connection(("127.0.0.1", port), 1)
            break
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)
    stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    stream.settimeout(10)
    return stream


def arrivals(process: Process) -> dict[str, list[list[int]]]:
    """End an arrivals process; return what it noted."""
    process.signal(signal.SIGINT)
    result: dict[str, list[list[int]]] = json.loads(process.wait_for_line(r"^\{"))
    return result


def sighting_latencies(
    bridge: socket.socket, floor: socket.socket, count: int, namespace: str = "/nao"
) -> tuple[list[float], list[float]]:
    """Send sightings to both in turn, 100 a second; return the latencies in seconds."""
    topics = [f"{namespace}/sightings", "/floor/sightings"]
    with Process(
        [
            sys.executable,
            "-m",
            ARRIVALS,
            "legacy_robots_msgs/msg/NaoSighting",
            "marker_id",
            *topics,
        ]
    ) as subscriber:
        subscriber.wait_for_line("ready")
        time.sleep(2)  # discovery: what is sent before it is over is rightly not received
        sent: dict[str, list[int]] = {topic: [] for topic in topics}
        for number in range(count):
            for topic, stream in zip(topics, (bridge, floor), strict=True):
                sent[topic].append(time.monotonic_ns())
                stream.send(SEE.pack(0x8A, number, 1))
                time.sleep(0.005)
        time.sleep(1)
        seen = arrivals(subscriber)
    latencies = [
        [(at - sent[topic][number]) / 1e9 for number, at in seen[topic]] for topic in topics
    ]
    return latencies[0], latencies[1]


def goal_latencies(
    bridge: socket.socket, floor: socket.socket, count: int
) -> tuple[list[float], list[float]]:
    """Send goals to both in turn; return the times until their bytes arrive, in seconds."""
    from legacy_robots_msgs.action import NaoGoTo
    from legacy_robots_testing.ros_peer import RosPeer

    heard: dict[str, Recorder[int]] = {name: Recorder(name) for name in ("bridge", "floor")}

    def listen(name: str, stream: socket.socket) -> None:
        while True:
            try:
                data = stream.recv(9, socket.MSG_WAITALL)
            except OSError:
                return
            if not data:
                return
            heard[name].add(time.monotonic_ns())
            if name == "bridge":
                stream.send(SUCCESS_GO_TO)

    for name, stream in (("bridge", bridge), ("floor", floor)):
        stream.settimeout(None)
        threading.Thread(target=listen, args=(name, stream), daemon=True).start()
    latencies: dict[str, list[float]] = {"bridge": [], "floor": []}
    with RosPeer("goals") as peer:
        for number in range(count + 5):
            pair = [("bridge", "/nao/go_to"), ("floor", "/floor/go_to")]
            for name, action in pair if number % 2 else reversed(pair):
                heard[name].clear()
                begun = time.monotonic_ns()
                goal = peer.send_goal(NaoGoTo, action, NaoGoTo.Goal(marker_id=1))
                arrived = heard[name].wait_for()
                goal.result()
                if number >= 5:  # the first ones warm up
                    latencies[name].append((arrived - begun) / 1e9)
    return latencies["bridge"], latencies["floor"]


def sustained(bridge: socket.socket, rate: int, seconds: float) -> tuple[int, int]:
    """Send ``rate`` sightings a second; return how many were sent and how many arrived."""
    with Process(
        [
            sys.executable, "-m", ARRIVALS, "legacy_robots_msgs/msg/NaoSighting", "marker_id",
            "/nao/sightings",
        ]
    ) as subscriber:  # fmt: skip
        subscriber.wait_for_line("ready")
        time.sleep(2)
        begun, number, total = time.monotonic(), 0, int(rate * seconds)
        while number < total:
            due = min(total, int((time.monotonic() - begun) * rate))
            while number < due:
                bridge.send(SEE.pack(0x8A, number, 1))
                number += 1
            time.sleep(0.001)
        time.sleep(2)
        seen = arrivals(subscriber)["/nao/sightings"]
    assert len({key for key, _ in seen}) == len(seen)
    return total, len(seen)


def main(argv: list[str] | None = None) -> int:
    """Measure, print the table; return 1 when a target was missed."""
    parser = argparse.ArgumentParser(prog="tools/bench nao", description=__doc__)
    parser.add_argument("--sightings", type=int, default=1000, help="for the latency")
    parser.add_argument("--goals", type=int, default=200, help="for the latency")
    parser.add_argument("--idle", type=float, default=20.0, help="seconds of watching the load")
    parser.add_argument("--flow", type=float, default=10.0, help="seconds of 1,000 sightings/s")
    options = parser.parse_args(argv)
    table = Table("The Nao bridge (bench nao)")
    with ExitStack() as stack:
        own_domain(stack)
        ports = free_port(), free_port()
        bridge_process = stack.enter_context(
            # The robot of this benchmark answers goals only, so it must not be probed.
            Process([BRIDGE, "--ros-args", "-p", f"port:={ports[0]}", "-p", "probe_period:=0.0"])
        )
        floor_process = stack.enter_context(Process([sys.executable, "-m", FLOOR, str(ports[1])]))
        floor_process.wait_for_line("ready")
        bridge = stack.enter_context(connect(ports[0]))
        floor = stack.enter_context(connect(ports[1]))
        bridge_process.wait_for_line("link connected")
        table.add_ratio(
            "socket to subscriber",
            *sighting_latencies(bridge, floor, options.sightings),
            RATIO_TARGET,
        )
        total, arrived = sustained(bridge, 1000, options.flow)
        table.add(
            f"1,000 sightings/s for {options.flow:g} s", f"{arrived} of {total} arrived",
            "all", arrived == total,
        )  # fmt: skip
        load = cpu_percent(bridge_process.pid, options.idle)
        table.add(
            "CPU of the idle bridge, connected", f"{load:.2f} % of a core", "<= 1 %", load <= 1
        )
        table.add_ratio(
            "goal to socket", *goal_latencies(bridge, floor, options.goals), RATIO_TARGET
        )
    return table.print()


if __name__ == "__main__":
    sys.exit(main())
