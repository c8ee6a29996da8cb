# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Messages of topics as they arrive in a process of its own, and that process."""

from __future__ import annotations

import pickle
import signal
import struct
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import rclpy
from rclpy.executors import SingleThreadedExecutor
from rclpy.qos import QoSProfile, ReliabilityPolicy
from rclpy.signals import SignalHandlerOptions

from legacy_robots_common.node.raw_topics import interface_class
from legacy_robots_testing.process import Process

Arrivals = list[tuple[int, bytes]]
"""Time of arrival (ns since the epoch) and the serialized message, or its beginning."""
DISCOVERY_S = 2.0
"""What is sent before it is over is rightly not received."""
_STAMP = struct.Struct("<iI")


def has_stamp(kind: type[Any]) -> bool:
    """Return whether a message of this type begins with a header."""
    return next(iter(kind.get_fields_and_field_types()), "") == "header"


def stamp_ns(message: bytes) -> int:
    """Return the stamp (ns) of a serialized message that begins with a header."""
    seconds, nanoseconds = _STAMP.unpack_from(message, 4)
    return int(seconds) * 1_000_000_000 + int(nanoseconds)


def latencies(arrivals: Arrivals) -> list[float]:
    """Return the times (s) from the stamp to the arrival."""
    return [(at - stamp_ns(message)) / 1e9 for at, message in arrivals]


class Listener:
    """Subscribes to topics (types by name) until ``stop``. A context.

    It keeps ``most`` bytes of each message. ``best_effort`` is how it subscribes.
    """

    def __init__(
        self, topics: Mapping[str, str], most: int = 1 << 30, *, best_effort: bool = False
    ) -> None:
        self._stack = ExitStack()
        scratch = self._stack.enter_context(tempfile.TemporaryDirectory())
        self._file = Path(scratch, "arrivals")
        self._process = Process(
            [sys.executable, "-m", __name__, str(self._file), str(most), str(int(best_effort)),
             *(f"{kind}:{topic}" for topic, kind in topics.items())]
        )  # fmt: skip

    def __enter__(self) -> Listener:
        """Return when all topics have publishers, and discovery is over."""
        self._stack.enter_context(self._process)
        self._process.wait_for_line("ready", 60)
        time.sleep(DISCOVERY_S)
        return self

    def __exit__(self, *exception: object) -> None:
        """End the process."""
        self._stack.close()

    def stop(self) -> dict[str, Arrivals]:
        """Return what has arrived on each topic."""
        self._process.signal(signal.SIGINT)
        self._process.wait_for_line("done", 60)
        found: dict[str, Arrivals] = pickle.loads(self._file.read_bytes())
        return found


def main() -> None:
    """Subscribe; print "ready"; on SIGINT write what has arrived to a file."""
    file, most, best_effort, *topics = sys.argv[1:]
    rclpy.init(signal_handler_options=SignalHandlerOptions.NO)
    node = rclpy.create_node("listener")
    kept = int(most)
    profile = QoSProfile(depth=5 if int(best_effort) else 2000)
    if int(best_effort):
        profile.reliability = ReliabilityPolicy.BEST_EFFORT
    seen: dict[str, Arrivals] = {}

    def note(arrivals: Arrivals, message: bytes) -> None:
        arrivals.append((time.time_ns(), message[:kept]))

    for entry in topics:
        kind, _, topic = entry.partition(":")
        callback = partial(note, seen.setdefault(topic, []))
        node.create_subscription(interface_class(kind), topic, callback, profile, raw=True)
    executor = SingleThreadedExecutor()
    executor.add_node(node)
    stopped: list[bool] = []
    signal.signal(signal.SIGINT, lambda *_: stopped.append(True))
    while any(not node.count_publishers(topic) for topic in seen):
        executor.spin_once(timeout_sec=0.1)
    print("ready", flush=True)
    while not stopped:
        executor.spin_once(timeout_sec=0.2)
    Path(file).write_bytes(pickle.dumps(seen))
    print("done", flush=True)


if __name__ == "__main__":
    main()
