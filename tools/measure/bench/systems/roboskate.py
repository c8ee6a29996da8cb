# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Raw images through the RoboSkate bridge: delivery, latency and load, beside floors.

A game that does nothing but send frames, the bridge, and a best-effort subscriber, each a process.
The floors send the same frames: bare gRPC with a bare rclpy publisher, and the bare publisher
alone. Bridge and floors take turns, so that all see the same machine.
"""

from __future__ import annotations

import argparse
import os
import struct
import sys
import time
from contextlib import ExitStack

from ament_index_python.packages import get_package_prefix

from legacy_robots_common.node.fast_dds import VARIABLES as PROFILE_VARIABLES
from legacy_robots_common.node.fast_dds import profile_file
from legacy_robots_testing.machine import own_domain
from legacy_robots_testing.process import Process
from legacy_robots_testing.report import percentile
from measure.bench.arrivals import Listener
from measure.bench.table import Row, Table, latency_text
from measure.processes import cpu_percent

BRIDGE = get_package_prefix("roboskate_bridge") + "/lib/roboskate_bridge/bridge"
DELIVERY_TARGET, RATIO_TARGET = 99.0, 1.3
OURS, WIRE, BARE = "/roboskate/camera/image_raw", "/floor/wire", "/floor/publisher"


def receive(topic: str, size: int, pid: int, seconds: float) -> tuple[list[float], float]:
    """Subscribe in a process of its own; return latencies (s) and the load of ``pid`` meanwhile.

    An image of ``size`` bytes begins with the time at which it was sent.
    """
    with Listener({topic: "sensor_msgs/msg/Image"}, 256, best_effort=True) as listener:
        begun = time.time_ns()
        load = cpu_percent(pid, seconds)
        end = begun + seconds * 1e9
        seen = [each for each in listener.stop()[topic] if begun < each[0] <= end]
    length = struct.pack("<I", size)  # what comes before the pixels
    sent = [struct.unpack_from("<q", raw, raw.index(length) + 4)[0] for _, raw in seen]
    return [(at - then) / 1e9 for (at, _), then in zip(seen, sent, strict=True)], load


def main(argv: list[str] | None = None) -> int:
    """Measure, print the table; return 1 when a target was missed."""
    parser = argparse.ArgumentParser(prog="tools/bench roboskate", description=__doc__)
    parser.add_argument("--width", type=int, default=1920)
    parser.add_argument("--height", type=int, default=1080)
    parser.add_argument("--rate", type=float, default=30.0, help="images a second")
    parser.add_argument("--seconds", type=float, default=60.0, help="through the bridge, in all")
    parser.add_argument("--rounds", type=int, default=3, help="turns of bridge and floors")
    options = parser.parse_args(argv)
    sizes = [str(options.width), str(options.height)]
    size = 3 * options.width * options.height
    table = Table(
        f"RoboSkate, raw {sizes[0]} x {sizes[1]} at {options.rate:g} Hz (bench roboskate)"
    )
    os.environ |= dict.fromkeys(PROFILE_VARIABLES, profile_file("large_images"))
    with ExitStack() as stack:
        own_domain(stack)

        def start(*command: str) -> Process:
            return stack.enter_context(Process([sys.executable, "-m", *command]))

        game = start("measure.bench.image_game", *sizes)
        port = game.wait_for_line(r"^port").split()[1]
        parameters = {"port": port, "camera_rate": options.rate, "image_width": sizes[0],
                      "image_height": sizes[1]}  # fmt: skip
        arguments = [w for n, v in parameters.items() for w in ("-p", f"{n}:={v}")]
        bridge = stack.enter_context(Process([BRIDGE, "--ros-args", *arguments]))
        bridge.wait_for_line("link connected")
        for source, topic in ((port, WIRE), ("0", BARE)):
            floor = start("measure.bench.image_floor", source, *sizes, str(options.rate), topic)
            floor.wait_for_line("ready")
        seen: dict[str, list[float]] = {OURS: [], WIRE: [], BARE: []}
        loads = []
        for _ in range(options.rounds):
            for topic, found in seen.items():
                part = options.seconds / options.rounds
                late, load = receive(topic, size, bridge.pid, part)
                found += late
                if topic == OURS:
                    loads.append(load)
        _, idle = receive(BARE, size, bridge.pid, 10.0)
    wanted = options.rate * options.seconds
    delivered, bare = (100.0 * len(seen[topic]) / wanted for topic in (OURS, BARE))
    table.add(
        f"delivered in {options.seconds:g} s, best effort",
        f"{len(seen[OURS])} of {wanted:.0f}: {delivered:.1f} %",
        f">= {DELIVERY_TARGET:g} %",
        delivered >= DELIVERY_TARGET,
    )
    table.add("the same, bare publisher", f"{bare:.1f} %")
    table.add_ratio(
        "game to subscriber, beside bare gRPC and publisher", seen[OURS], seen[WIRE], RATIO_TARGET
    )
    ours, wire, publisher = (percentile(late, 50) for late in seen.values())
    rest = ours - (wire - publisher)
    table.rows.append(
        Row(
            "publisher to subscriber: game to subscriber less the bare wire",
            f"median {rest * 1e3:.2f} ms",
            latency_text(seen[BARE]),
            f"{rest / publisher:.2f}",
            f"<= {RATIO_TARGET}",
            rest / publisher <= RATIO_TARGET,
        )
    )
    mean = sum(loads) / len(loads)
    table.add("CPU of the bridge, images and 50 states/s", f"{mean:.0f} % of a core")
    table.add("CPU of the bridge, 50 states/s alone", f"{idle:.0f} % of a core")
    return table.print()


if __name__ == "__main__":
    sys.exit(main())
