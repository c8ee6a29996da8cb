# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Raw images through the RoboSkate bridge: delivery, latency and load, beside floors.

A game that does nothing but send frames, the bridge, and a best-effort subscriber, each a process.
The floors send the same frames: bare gRPC with a bare rclpy publisher, and the bare publisher
alone. Bridge and floors take turns, so that all see the same machine.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from contextlib import ExitStack

from ament_index_python.packages import get_package_prefix

from legacy_robots_common.node.fast_dds import VARIABLES as PROFILE_VARIABLES
from legacy_robots_common.node.fast_dds import profile_file
from legacy_robots_testing.machine import own_domain
from legacy_robots_testing.process import Process
from legacy_robots_testing.report import percentile
from measure.bench.table import Row, Table, latency_text
from measure.processes import cpu_seconds

BRIDGE = get_package_prefix("roboskate_bridge") + "/lib/roboskate_bridge/bridge"
PROFILE = profile_file("large_images")
DELIVERY_TARGET, RATIO_TARGET = 99.0, 1.3

Arrivals = list[tuple[int, int]]


def receive(topic: str, seconds: float) -> Arrivals:
    """Subscribe in a process of its own; return when images were sent and arrived, in ns."""
    done = subprocess.run(
        [sys.executable, "-m", "measure.bench.subscribers.image_arrivals", topic, str(seconds)],
        capture_output=True,
        text=True,
        check=True,
    )
    return [(sent, at) for sent, at in json.loads(done.stdout)]


def latencies(arrivals: Arrivals) -> list[float]:
    """Return the latencies in seconds."""
    return [(at - sent) / 1e9 for sent, at in arrivals]


def main(argv: list[str] | None = None) -> int:
    """Measure, print the table; return 1 when a target was missed."""
    parser = argparse.ArgumentParser(prog="tools/bench roboskate", description=__doc__)
    parser.add_argument("--width", type=int, default=1920)
    parser.add_argument("--height", type=int, default=1080)
    parser.add_argument("--rate", type=float, default=30.0, help="images a second")
    parser.add_argument("--seconds", type=float, default=60.0, help="through the bridge, in all")
    parser.add_argument("--rounds", type=int, default=3, help="turns of bridge and floors")
    options = parser.parse_args(argv)
    part = options.seconds / options.rounds
    sizes = [str(options.width), str(options.height)]
    table = Table(
        f"RoboSkate, raw {sizes[0]} x {sizes[1]} at {options.rate:g} Hz (bench roboskate)"
    )
    for variable in PROFILE_VARIABLES:
        os.environ[variable] = PROFILE
    default_transport = dict.fromkeys(PROFILE_VARIABLES, "")
    with ExitStack() as stack:
        own_domain(stack)
        game = stack.enter_context(
            Process([sys.executable, "-m", "measure.bench.floors.roboskate_game", *sizes])
        )
        port = game.wait_for_line(r"^port").split()[1]
        parameters = {"port": port, "camera_rate": options.rate, "image_width": sizes[0],
                      "image_height": sizes[1]}  # fmt: skip
        arguments = [w for n, v in parameters.items() for w in ("-p", f"{n}:={v}")]
        bridge = stack.enter_context(Process([BRIDGE, "--ros-args", *arguments]))
        bridge.wait_for_line("link connected")

        def floor(source: str, topic: str, environment: dict[str, str] | None = None) -> None:
            process = stack.enter_context(
                Process(
                    [sys.executable, "-m", "measure.bench.floors.roboskate", source, *sizes,
                     str(options.rate), topic],
                    environment,
                )
            )  # fmt: skip
            process.wait_for_line("ready")

        floor(port, "floor/wire")
        floor("0", "floor/publisher")
        floor("0", "floor/default_transport", default_transport)
        ours: Arrivals = []
        wire: Arrivals = []
        publisher: Arrivals = []
        load = 0.0
        for _ in range(options.rounds):
            before = cpu_seconds(bridge.pid)
            ours += receive("/roboskate/camera/image_raw", part)
            load += cpu_seconds(bridge.pid) - before
            wire += receive("/floor/wire", part)
            publisher += receive("/floor/publisher", part)
        wanted = options.rate * options.seconds
        default = receive("/floor/default_transport", 10.0)
        idle = cpu_seconds(bridge.pid)
        receive("/floor/publisher", 10.0)
        idle = cpu_seconds(bridge.pid) - idle
    delivered = 100.0 * len(ours) / wanted
    table.add(
        f"delivered in {options.seconds:g} s, best effort",
        f"{len(ours)} of {wanted:.0f}: {delivered:.1f} %",
        f">= {DELIVERY_TARGET:g} %",
        delivered >= DELIVERY_TARGET,
    )
    floor_delivered = 100.0 * len(publisher) / wanted
    table.add("the same, bare publisher", f"{floor_delivered:.1f} %")
    table.add(
        "the same, bare publisher, Fast DDS as it comes",
        f"{10.0 * len(default) / options.rate:.1f} %",
    )
    table.add_ratio(
        "game to subscriber, beside bare gRPC and publisher",
        latencies(ours), latencies(wire), RATIO_TARGET,
    )  # fmt: skip
    ours_median, wire_median, publisher_median = (
        percentile(latencies(a), 50) for a in (ours, wire, publisher)
    )
    beyond = (ours_median - (wire_median - publisher_median)) / publisher_median
    table.rows.append(
        Row(
            "publisher to subscriber: game to subscriber less the bare wire",
            f"median {(ours_median - (wire_median - publisher_median)) * 1e3:.2f} ms",
            latency_text(latencies(publisher)),
            f"{beyond:.2f}",
            f"<= {RATIO_TARGET}",
            beyond <= RATIO_TARGET,
        )
    )
    received_for = options.seconds + 3.0 * options.rounds
    table.add(
        "CPU of the bridge, images and 50 states/s", f"{100 * load / received_for:.0f} % of a core"
    )
    table.add("CPU of the bridge, 50 states/s alone", f"{100 * idle / 13.0:.0f} % of a core")
    return table.print()


if __name__ == "__main__":
    sys.exit(main())
