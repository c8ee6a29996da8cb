# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A busy writer at ten times the real rate against the bridge: torn images, hangs and leaks."""

from __future__ import annotations

import argparse
import sys
import time
import uuid
from contextlib import ExitStack
from pathlib import Path

import numpy as np
from ament_index_python.packages import get_package_prefix

from legacy_robots_common.node import qos
from legacy_robots_testing.machine import own_domain
from legacy_robots_testing.process import Process
from legacy_robots_testing.ros_peer import RosPeer
from luar_bridge.protocol.boost_layout import Abi
from luar_bridge.protocol.naming import DIRECTORY, RobotIdentity
from luar_bridge.protocol.segment import Segment
from luar_bridge.simulator.segment_owner import SegmentOwner
from measure.bench.table import Table
from measure.processes import cpu_percent, sample

RATE = 300
"""Images a second; ten times Luar's 30."""
BRIDGE = get_package_prefix("luar_bridge") + "/lib/luar_bridge/bridge"


def remove_segments(user: str) -> None:
    """Remove what a writer has left in shared memory."""
    for path in DIRECTORY.glob(f"*{user}"):
        path.unlink()


def open_files(pid: int) -> int:
    """Return the number of open files of a process."""
    return len(list(Path(f"/proc/{pid}/fd").iterdir()))


def soak(table: Table, seconds: float) -> None:
    """Let the writer write and the bridge publish for ``seconds``; add what was found."""
    from sensor_msgs.msg import Image

    user = f"soak{uuid.uuid4().hex[:8]}"
    file = RobotIdentity(0, 1, user).file_name("vcmImage")
    received = torn = 0
    longest, last = 0.0, time.monotonic()

    def check(message: Image) -> None:
        nonlocal received, torn, longest, last
        pixels = np.frombuffer(message.data, "<u4")
        received += 1
        torn += not bool(np.all(pixels == pixels[0]))
        now = time.monotonic()
        longest, last = max(longest, now - last), now

    with ExitStack() as stack:
        owner = stack.enter_context(SegmentOwner(Abi.BOOST_TO_1_86))
        stack.callback(remove_segments, user)
        owner.create(file, 200000)
        owner.write_images_busily(file, RATE)
        owner.flush()
        arguments = ["-p", f"user:={user}", "-p", "joints:=false"]
        bridge = stack.enter_context(Process([BRIDGE, "--ros-args", *arguments]))
        bridge.wait_for_line("link connected")
        peer = stack.enter_context(RosPeer("soak"))
        peer.node.create_subscription(Image, "/luar/image", check, qos.stream(10))
        time.sleep(5)
        first = received
        memory, files = sample(bridge.pid).resident, open_files(bridge.pid)
        with Segment(DIRECTORY / file) as segment:
            count = segment.snapshot.number("count") or 0.0
            begun = time.monotonic()
            last, longest = begun, 0.0
            load = cpu_percent(bridge.pid, seconds)
            written = (segment.read().number("count") or 0.0) - count
        images = received - first
        table.add(
            f"busy writer, {seconds:.0f} s",
            f"{written / seconds:.0f} images/s written, {images / seconds:.0f} images/s published",
        )
        table.add("  torn images published", f"{torn} of {received}", "0", torn == 0)
        table.add("  longest silence", f"{longest:.2f} s", "<= 2 s", longest <= 2.0)
        grown = sample(bridge.pid).resident - memory
        table.add("  memory, growth", f"{memory:.1f} MB, {grown:+.1f} MB", "<= 5 MB", grown <= 5.0)
        opened = open_files(bridge.pid) - files
        table.add("  open files, growth", f"{files}, {opened:+d}", "0", opened <= 0)
        table.add("  CPU", f"{load:.1f} %")


def main(argv: list[str] | None = None) -> int:
    """Measure, print the table; return 1 when a target was missed."""
    parser = argparse.ArgumentParser(prog="tools/bench luar_soak", description=__doc__)
    parser.add_argument("--seconds", type=float, default=30.0, help="600 for the whole test")
    options = parser.parse_args(argv)
    table = Table("The Luar bridge against a busy writer (bench luar_soak)")
    with ExitStack() as stack:
        own_domain(stack)
        soak(table, options.seconds)
    return table.print()


if __name__ == "__main__":
    sys.exit(main())
