# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Latency, rate, load and recovery of the AIBO bridge, beside a floor of the same run."""

from __future__ import annotations

import argparse
import json
import signal
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack

from ament_index_python.packages import get_package_prefix

from legacy_robots_testing.machine import free_port, own_domain
from legacy_robots_testing.process import Process
from legacy_robots_testing.report import percentile
from measure.bench.table import Table
from measure.processes import cpu_percent

RATIO_TARGET = 1.3
RECOVERY_TARGET = 1.0
FAULT_SECONDS = 1.5
"""Longer than the bridge waits for a reply."""
RATE = 31.25
RATE_TARGET = 31.0
BALL_RATE = 15.0
ARRIVALS, FLOOR = "measure.bench.subscribers.arrivals", "measure.bench.floors.aibo"
LIBRARY = get_package_prefix("aibo_gti_bridge") + "/lib/aibo_gti_bridge/"
BRIDGE, SIMULATOR = LIBRARY + "bridge", LIBRARY + "simulator"
PAN = 13
"""The joint whose position numbers the replies."""


class Server:
    """A GTI server of bare sockets that answers query_sensors, and notes when it did.

    Each reply has a position of its own in the neck's pan, by which it is known again.
    """

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        self.sent: dict[float, int] = {}
        """Time of each reply (monotonic, ns) by its position of the pan."""
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        stream, _ = self._listener.accept()
        stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        header = struct.Struct("<ii")
        while head := stream.recv(8, socket.MSG_WAITALL):
            kind, length = header.unpack(head)
            stream.recv(length, socket.MSG_WAITALL)
            if kind == 1:
                values = [0.0] * 18 + [300.0, 800.0, 240.0] + [0.0] * 18
                values[PAN] = (len(self.sent) + 1) * 1e-6
                reply = struct.pack("<39d", *values)
                self.sent[values[PAN]] = time.monotonic_ns()
                stream.send(reply)


def arrivals(process: Process) -> dict[str, list[list[float]]]:
    """End an arrivals process; return what it noted."""
    process.signal(signal.SIGINT)
    result: dict[str, list[list[float]]] = json.loads(process.wait_for_line(r"^\{"))
    return result


def lone_bridge(port: int) -> Process:
    """Return a bridge in the namespace aibo."""
    return Process([BRIDGE, "--ros-args", "-p", f"port:={port}"])


def latencies(
    count: int, make_bridge: Callable[[int], Process] = lone_bridge, namespace: str = "/aibo"
) -> tuple[list[float], list[float]]:
    """Return seconds from a reply on the socket to a subscriber: the bridge's, the floor's.

    ``make_bridge`` takes the port of the robot; the bridge's topics are in ``namespace``.
    """
    servers = Server(), Server()
    bridge = make_bridge(servers[0].port)
    floor = Process([sys.executable, "-m", FLOOR, str(servers[1].port)])
    topics = [f"{namespace}/joint_states", "/floor/joint_states"]
    with bridge, floor:
        bridge.wait_for_line(f"{namespace[1:]}.bridge.*link connected")
        floor.wait_for_line("ready")
        kind = "sensor_msgs/msg/JointState"
        with Process(
            [sys.executable, "-m", ARRIVALS, kind, f"position.{PAN}", *topics]
        ) as subscriber:
            subscriber.wait_for_line("ready")
            time.sleep(2.0)  # discovery
            time.sleep(count / RATE)
            seen = arrivals(subscriber)
    found = [
        [(at - server.sent[key]) / 1e9 for key, at in seen[topic] if key in server.sent]
        for topic, server in zip(topics, servers, strict=True)
    ]
    return found[0][-count:], found[1][-count:]


def sustained(stack: ExitStack, table: Table, seconds: float) -> None:
    """Run bridge and simulator with all that can be asked for; add rates and load to ``table``."""
    import rclpy
    from geometry_msgs.msg import Twist
    from sensor_msgs.msg import JointState

    from legacy_robots_msgs.msg import AiboBall

    port = free_port()
    with (
        Process([SIMULATOR, "--port", str(port)]) as simulator,
        Process([BRIDGE, "--ros-args", "-p", f"port:={port}"]) as bridge,
    ):
        bridge.wait_for_line("link connected")
        idle = cpu_percent(bridge.pid, seconds)
        table.add("CPU of the idle bridge, 31 readings/s", f"{idle:.1f} % of a core")
        rclpy.init()
        stack.callback(rclpy.shutdown)
        node = rclpy.create_node("bench")
        counts = {"joint_states": 0, "ball": 0}

        def count(name: str) -> None:
            counts[name] += 1

        node.create_subscription(
            JointState, "/aibo/joint_states", lambda m: count("joint_states"), 50
        )
        for colour in ("pink", "orange"):
            node.create_subscription(AiboBall, f"/aibo/ball/{colour}", lambda m: count("ball"), 50)
        publisher = node.create_publisher(Twist, "/aibo/cmd_vel", 5)
        turn = 0.5

        def walk() -> None:
            nonlocal turn
            turn = -turn  # a change each time, so that each is sent
            twist = Twist()
            twist.angular.z = turn
            publisher.publish(twist)

        node.create_timer(0.05, walk)
        deadline = time.monotonic() + 3.0
        while time.monotonic() < deadline:
            rclpy.spin_once(node, timeout_sec=0.1)
        load: list[float] = []
        watcher = threading.Thread(target=lambda: load.append(cpu_percent(bridge.pid, seconds)))
        begun = time.monotonic()
        before = dict(counts)
        watcher.start()
        while watcher.is_alive():
            rclpy.spin_once(node, timeout_sec=0.1)
        passed = time.monotonic() - begun
        rate = (counts["joint_states"] - before["joint_states"]) / passed
        balls = (counts["ball"] - before["ball"]) / passed
        what = "with 2 balls and 20 cmd_vel/s beside it"
        table.add(
            f"joint_states, {what}", f"{rate:.2f} Hz", f">= {RATE_TARGET} Hz", rate >= RATE_TARGET
        )
        table.add(f"balls, {what}", f"{balls:.1f} Hz", f">= {2 * BALL_RATE * 0.97:.0f} Hz",
                  balls >= 2 * BALL_RATE * 0.97)  # fmt: skip
        table.add(f"CPU of the bridge, {what}", f"{load[0]:.1f} % of a core")
        table.add("CPU of the simulator, at its end", f"{cpu_percent(simulator.pid, 5.0):.1f} %")
        node.destroy_node()


def recoveries(table: Table, count: int) -> None:
    """Have every fault ``count`` times; add the seconds until the link is up again.

    They count from when the robot is back (restart, stall), else from the fault.
    """
    from aibo_gti_bridge.simulator.dog import SimulatorConfig
    from aibo_gti_bridge.simulator.gti import Simulator
    from legacy_robots_msgs.msg import LinkState
    from legacy_robots_simulation.program import Fault
    from legacy_robots_testing.ros_peer import RosPeer

    simulator = Simulator(SimulatorConfig(port=0, fault_seconds=FAULT_SECONDS))
    simulator.start()
    command = [BRIDGE, "--ros-args", "-p", f"port:={simulator.port}"]
    with Process(command) as bridge, RosPeer("faults") as peer:
        bridge.wait_for_line("link connected")
        link = peer.subscribe(LinkState, "/aibo/link_state")
        link.wait_for(lambda m: m.state == LinkState.CONNECTED)
        back: dict[Fault, Callable[[], bool]] = {
            Fault.STALL: lambda: not simulator.stalled,
            Fault.RESTART: lambda: simulator.listening,
        }
        for fault in Fault:
            seconds = []
            for _ in range(count):
                link.clear()
                begun = time.monotonic()
                simulator.inject(fault)
                link.wait_for(lambda m: m.state != LinkState.CONNECTED)
                if fault in back:
                    simulator.wait_for(back[fault])
                    begun = time.monotonic()
                link.wait_for(lambda m: m.state == LinkState.CONNECTED)
                seconds.append(time.monotonic() - begun)
            median, worst = percentile(seconds, 50), max(seconds)
            table.add(
                f"link up again after {fault.value}, {count} times",
                f"median {median:.2f} s, longest {worst:.2f} s",
                f"<= {RECOVERY_TARGET:g} s",
                worst <= RECOVERY_TARGET,
            )
    simulator.close()


def main(argv: list[str] | None = None) -> int:
    """Measure, print the table; return 1 when a target was missed."""
    parser = argparse.ArgumentParser(prog="tools/bench aibo", description=__doc__)
    parser.add_argument("--readings", type=int, default=1000, help="for the latency")
    parser.add_argument("--seconds", type=float, default=20.0, help="of watching rates and load")
    parser.add_argument("--faults", type=int, default=10, help="times that each fault happens")
    options = parser.parse_args(argv)
    table = Table("The AIBO bridge (bench aibo)")
    with ExitStack() as stack:
        own_domain(stack)
        table.add_ratio(
            "reply on the socket to joint_states in a subscriber",
            *latencies(options.readings),
            RATIO_TARGET,
        )
        if options.faults:
            recoveries(table, options.faults)
        sustained(stack, table, options.seconds)
    return table.print()


if __name__ == "__main__":
    sys.exit(main())
