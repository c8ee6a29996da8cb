# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Latency and load of nao_host, beside a floor measured in the same run."""

from __future__ import annotations

import argparse
import socket
import sys
import time
from contextlib import ExitStack
from typing import Any

from ament_index_python.packages import get_package_prefix

from legacy_robots_testing.machine import own_domain
from legacy_robots_testing.process import Process
from legacy_robots_testing.recorder import Recorder
from measure.bench.table import Table
from measure.processes import cpu_percent

FLOOR = "measure.bench.floors.nao_host"
HOST = get_package_prefix("nao_goal_bridge") + "/lib/nao_goal_bridge/host"
GO_TO = {room: bytes([1, 0, 0, 0, room, 0, 0, 0, 0]) for room in (64, 80)}
SUCCESS = b"\x81\x01"
RATIO_TARGET = 1.5
SETTLE_S = 0.25
"""Between the arrival of a goal and its end: /tf shows the robot at its goal by then."""
X_OF = {64: 0.0, 80: 0.5}


class Navigation:
    """Action servers that note when goals arrive, and end them when they are told; and a pose."""

    def __init__(self, peer: Any) -> None:
        from geometry_msgs.msg import TransformStamped
        from nav2_msgs.action import NavigateToPose
        from rclpy.action import ActionServer

        from legacy_robots_common.frames.transform_broadcaster import TransformBroadcaster
        from legacy_robots_common.node.threadsafe_future import ThreadsafeFuture

        self.x = 0.0
        self.arrived = {name: Recorder[Any](name) for name in ("nao_host", "floor")}
        transforms = TransformBroadcaster(peer.node)

        def serve(name: str) -> None:
            async def execute(handle: Any) -> Any:
                end: ThreadsafeFuture[None] = ThreadsafeFuture(peer.node.executor)
                self.arrived[name].add((time.monotonic(), end))
                await end
                handle.succeed()
                return NavigateToPose.Result()

            ActionServer(peer.node, NavigateToPose, f"/{name}/navigate_to_pose", execute)

        def broadcast() -> None:
            transform = TransformStamped(child_frame_id="base_link")
            transform.header.frame_id = "map"
            transform.transform.translation.x = self.x
            transform.transform.rotation.w = 1.0
            transforms.send([transform])

        for name in self.arrived:
            peer.on_executor(serve, name)
        peer.on_executor(peer.node.steady_timer, 0.1, broadcast)


def read_until(stream: socket.socket, wanted: bytes) -> float:
    """Read until these bytes have come; return when."""
    data = b""
    while wanted not in data:
        piece = stream.recv(4096)
        assert piece, data
        data += piece
    return time.monotonic()


def main(argv: list[str] | None = None) -> int:
    """Measure, print the table; return 1 when a target was missed."""
    parser = argparse.ArgumentParser(prog="tools/bench nao_host", description=__doc__)
    parser.add_argument("--goals", type=int, default=200, help="for the latencies")
    parser.add_argument("--idle", type=float, default=20.0, help="seconds of watching the load")
    options = parser.parse_args(argv)
    table = Table("The host of an agent for a Nao (bench nao_host)")
    with ExitStack() as stack:
        own_domain(stack)
        from legacy_robots_testing.ros_peer import RosPeer

        navigation = Navigation(stack.enter_context(RosPeer("navigation")))
        streams, processes = {}, {}
        for name in navigation.arrived:
            listener = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
            listener.settimeout(60.0)
            port = str(listener.getsockname()[1])
            see = ["-p", "see_rate:=0.0"]
            command = {
                "nao_host": [HOST, "--ros-args", "-p", f"port:={port}", *see],
                "floor": [sys.executable, "-m", FLOOR, port],
            }[name]
            processes[name] = stack.enter_context(Process(command))
            streams[name] = stack.enter_context(listener.accept()[0])
            streams[name].setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            streams[name].settimeout(60.0)
        read_until(streams["nao_host"], b"\x8f\x00\x00\x00\x00")
        load = cpu_percent(processes["nao_host"].pid, options.idle)
        there: dict[str, list[float]] = {name: [] for name in streams}
        back: dict[str, list[float]] = {name: [] for name in streams}
        for number in range(options.goals + 5):
            room = (80, 64)[number % 2]
            for name in streams if number % 2 else reversed(streams):
                stream, arrived = streams[name], navigation.arrived[name]
                arrived.clear()
                sent = time.monotonic()
                stream.send(GO_TO[room])
                at, end = arrived.wait_for()
                if name == "nao_host":
                    navigation.x = X_OF[room]
                time.sleep(SETTLE_S)
                ended = time.monotonic()
                end.set_result(None)
                heard = read_until(stream, SUCCESS)
                if number >= 5:  # the first ones warm up
                    there[name].append(at - sent)
                    back[name].append(heard - ended)
        for what, values in (("agent to goal", there), ("result to agent", back)):
            table.add_ratio(what, values["nao_host"], values["floor"], RATIO_TARGET)
        table.add(
            "CPU of the idle host, pose at 10 Hz", f"{load:.2f} % of a core", "<= 2 %", load <= 2
        )
    return table.print()


if __name__ == "__main__":
    sys.exit(main())
