# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The least that the topics of any bridge cost: the same messages from a bare rclpy publisher.

They were recorded from the bridge, and are published again and again at the intervals of their
stamps, below /floor; those of one stamp get one again. Nothing is received, converted or checked.
"""

from __future__ import annotations

import pickle
import struct
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path

import rclpy
from rclpy.qos import QoSProfile
from rclpy.serialization import deserialize_message

from legacy_robots_common.node.raw_topics import interface_class
from legacy_robots_testing.process import Process
from measure.bench.arrivals import Arrivals, has_stamp, stamp_ns


@contextmanager
def floor(
    recorded: Mapping[str, Arrivals], types: Mapping[str, str], *, serialized: bool = False
) -> Iterator[Process]:
    """Publish what was recorded of topics, below /floor.

    ``serialized``: as bytes that are ready but for their stamps, which is less work still.
    """
    with tempfile.NamedTemporaryFile() as file:
        pickle.dump([(types[topic], topic, seen) for topic, seen in recorded.items()], file)
        file.flush()
        options = ["serialized"] if serialized else []
        with Process([sys.executable, "-m", __name__, file.name, *options]) as process:
            process.wait_for_line("ready", 60)
            yield process


def main() -> None:
    """Publish until the end."""
    rclpy.init()
    node = rclpy.create_node("floor")
    streams = [
        (interface_class(kind), topic, recorded)
        for kind, topic, recorded in pickle.loads(Path(sys.argv[1]).read_bytes())
    ]
    stamped = all(has_stamp(kind) for kind, _, _ in streams)
    due = []
    for kind, topic, recorded in streams:
        publisher = node.create_publisher(kind, f"/floor{topic}", QoSProfile(depth=50))
        ready = sys.argv[2:] == ["serialized"]
        due += [
            (
                stamp_ns(raw) if stamped else at,
                publisher,
                bytearray(raw) if ready else deserialize_message(raw, kind),
            )
            for at, raw in recorded
        ]
    due.sort(key=lambda each: each[0])
    begin, length = due[0][0], (due[-1][0] - due[0][0]) / 1e9 * len(due) / (len(due) - 1)
    print("ready", flush=True)
    started, last, now = time.monotonic(), 0, (0, 0)
    for number, (at, publisher, message) in enumerate(cycle(due)):
        if at != last:
            then = started + number // len(due) * length + (at - begin) / 1e9
            time.sleep(max(0.0, then - time.monotonic()))
            last, now = at, divmod(time.time_ns(), 1_000_000_000)
        if isinstance(message, bytearray):
            if stamped:  # after four bytes of encapsulation
                struct.pack_into("<iI", message, 4, *now)
            message = bytes(message)
        elif has_stamp(type(message)):
            message.header.stamp.sec, message.header.stamp.nanosec = now
        publisher.publish(message)


if __name__ == "__main__":
    main()
