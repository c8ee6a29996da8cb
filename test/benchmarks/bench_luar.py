# SPDX-License-Identifier: Apache-2.0
"""Load, scan time and latency of the Luar bridge, beside a bare publisher in the same run."""

from __future__ import annotations

import argparse
import json
import mmap
import os
import random
import signal
import sys
import time
import uuid
from array import array
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import numpy as np
from ament_index_python.packages import get_package_prefix
from measure import Table, cpu_percent, own_domain, percentile

from legacy_robots_common.testing.process import Process
from luar_bridge.motion import JOINTS
from luar_bridge.naming import DIRECTORY, RobotIdentity, find_segments
from luar_bridge.protocol import Abi
from luar_bridge.segment import Segment
from luar_bridge.stand_in import SegmentOwner

CPU_TARGET = 10.0
RATIO_TARGET = 1.3
HERE = Path(__file__).parent
ARRIVALS, LISTENER = str(HERE / "arrivals.py"), str(HERE / "luar_listener.py")
PREFIX = get_package_prefix("luar_bridge") + "/lib/luar_bridge/"
WIDTH, HEIGHT = 160, 120


@contextmanager
def robot(stack_user: str) -> Iterator[Process]:
    """Run a simulated robot with all segments, 100 Hz of motion and 30 Hz of images."""
    with Process([f"{PREFIX}simulator", "--user", stack_user]) as process:
        process.wait_for_line("segments of layout")
        yield process


def bridge(user: str, *parameters: str) -> Process:
    """Run a bridge for the robot of ``user``."""
    arguments = ["-p", f"user:={user}"]
    for parameter in parameters:
        arguments += ["-p", parameter]
    return Process([f"{PREFIX}bridge", "--ros-args", *arguments])


# --- load and scan time ----------------------------------------------------------------------


def scan_times(user: str, count: int) -> list[float]:
    """Read all segments of a running robot ``count`` times; return the seconds of each scan."""
    identity = RobotIdentity(0, 1, user)
    found = find_segments(identity, ["dcmSensor", "dcmActuator"])
    segments = [Segment(path) for path in found.values()]
    times = []
    for _ in range(count):
        begun = time.perf_counter()
        for segment in segments:
            segment.read()
        times.append(time.perf_counter() - begun)
        time.sleep(0.01)
    for segment in segments:
        segment.close()
    return times


def load(table: Table, seconds: float) -> None:
    """Measure the bridge's share of a core: alone, with all typed topics, with the mirror too."""
    user = f"bench{uuid.uuid4().hex[:8]}"
    with robot(user):
        times = scan_times(user, 300)
        table.add(
            "full scan of 16 segments",
            f"median {percentile(times, 50) * 1e6:.0f} µs, "
            f"p99 {percentile(times, 99) * 1e6:.0f} µs",
        )
        with bridge(user) as process:
            process.wait_for_line("link connected")
            time.sleep(2)
            table.add("CPU, nobody listens", f"{cpu_percent(process.pid, seconds):.1f} %")
            for what, options, target in (
                ("CPU, all typed topics and images", [], CPU_TARGET),
                ("CPU, the mirror of all segments too", ["--segments"], None),
            ):
                with Process([sys.executable, LISTENER, "/luar", *options]) as listener:
                    listener.wait_for_line("ready")
                    percent = cpu_percent(process.pid, seconds)
                    listener.signal(signal.SIGINT)
                    counts = json.loads(listener.wait_for_line(r"^\{"))
                rate = sum(counts.values()) / seconds
                met = None if target is None else percent <= target
                limit = "" if target is None else f"<= {target:.0f} %"
                table.add(what, f"{percent:.1f} % at {rate:.0f} messages/s", limit, met)


# --- latency ---------------------------------------------------------------------------------


class OwnSegment:
    """A segment made by Boost whose values are written here, in place and at once."""

    def __init__(self, owner: SegmentOwner, file: str, variables: dict[str, int]) -> None:
        owner.create(file, 1 << 17)
        for name, length in variables.items():
            owner.set(file, name, [0.0] * length)
        owner.sync()
        with Segment(DIRECTORY / file) as segment:
            places = {v.name: v.offset for v in segment.snapshot.directory.variables}
        descriptor = os.open(DIRECTORY / file, os.O_RDWR)
        memory = mmap.mmap(descriptor, 0)
        os.close(descriptor)
        self._arrays = {
            name: np.frombuffer(memory, "<f8", length, places[name])
            for name, length in variables.items()
        }

    def write(self, name: str, values: object) -> None:
        """Overwrite a variable."""
        self._arrays[name][:] = values


def stamp_now() -> tuple[float, int]:
    """Return the time as doubles carry it exactly enough, and as the key of a message."""
    micros = time.time_ns() // 1000
    return micros / 1e6, micros % 1_000_000


def latencies(
    table: Table, what: str, message_kind: str, topic: str, user: str, count: int, hertz: float
) -> None:
    """Write to the memory and publish barely by turns; add both latencies to the table.

    The writer's period jitters by a tenth of a millisecond, as a process's on Linux does.
    """
    import rclpy
    from builtin_interfaces.msg import Time
    from rclpy.node import Node
    from rclpy.qos import QoSProfile
    from sensor_msgs.msg import Image, JointState

    from legacy_robots_common.testing.recorder import TIMEOUT

    with ExitStack() as stack:
        owner = stack.enter_context(SegmentOwner(Abi.BOOST_TO_1_86))
        stack.callback(lambda: [p.unlink() for p in DIRECTORY.glob(f"*{user}")])
        joints = 22
        files = RobotIdentity(0, 1, user)
        image = OwnSegment(
            owner,
            files.file_name("vcmImage"),
            {"yuyv": 4800, "width": 1, "height": 1, "count": 1, "time": 1, "select": 1},
        )
        image.write("width", WIDTH)
        image.write("height", HEIGHT)
        # Like dcmSensor, but with a suffix, so that no robot on this machine is disturbed.
        sensor = OwnSegment(
            owner, files.file_name("mcmBench"), {"count": 1, "time": 1, "position": joints}
        )
        rclpy.init()
        stack.callback(rclpy.try_shutdown)
        node = Node("floor")
        is_image = topic == "image"
        message_type = Image if is_image else JointState
        floor = node.create_publisher(message_type, f"/floor/{topic}", QoSProfile(depth=10))
        process = stack.enter_context(bridge(user, "joints:=false"))
        process.wait_for_line("link connecting")
        subscriber = stack.enter_context(
            Process(
                [
                    sys.executable, ARRIVALS, message_kind, "header.stamp.nanosec",
                    f"/luar/{topic}", f"/floor/{topic}",
                ]
            )
        )  # fmt: skip
        subscriber.wait_for_line("ready", 4 * TIMEOUT)
        time.sleep(2)
        chance = random.Random(1)
        sent: dict[str, dict[int, int]] = {"luar": {}, "floor": {}}
        period = 1.0 / hertz
        due = time.monotonic()
        pixels = np.random.default_rng(1).random((16, 4800))
        payload = pixels[0].tobytes()
        for number in range(1, count + 1):
            due += period
            time.sleep(max(0.0, due + chance.gauss(0.0, 1e-4) - time.monotonic()))
            seconds, key = stamp_now()
            begun = time.monotonic_ns()
            if is_image:
                image.write("yuyv", pixels[number % 16])
                image.write("time", seconds)
                image.write("count", number)
            else:
                sensor.write("count", number)
                sensor.write("time", seconds)
                sensor.write("position", number)
            sent["luar"][key] = begun
            time.sleep(max(0.0, due + period / 2 - time.monotonic()))
            seconds, key = stamp_now()
            stamp = Time(sec=int(seconds), nanosec=key * 1000)
            begun = time.monotonic_ns()
            if is_image:
                message = Image(width=WIDTH, height=HEIGHT, step=2 * WIDTH, encoding="yuv422_yuy2")
                message.data.frombytes(payload)
            else:
                message = JointState(name=JOINTS, position=array("d", [float(number)] * joints))
            message.header.stamp = stamp
            floor.publish(message)
            sent["floor"][key] = begun
        time.sleep(0.5)
        subscriber.signal(signal.SIGINT)
        seen = json.loads(subscriber.wait_for_line(r"^\{"))
        node.destroy_node()
    result = {}
    for name in ("luar", "floor"):
        known = sent[name]
        result[name] = [
            (at - known[key]) / 1e9
            for nanosec, at in seen[f"/{name}/{topic}"]
            if (key := round(nanosec / 1000)) in known
        ]
    table.add_ratio(what, result["luar"], result["floor"], RATIO_TARGET)
    table.add(f"{what}: arrived", f"{len(result['luar'])} of {count}")


def main(argv: list[str] | None = None) -> int:
    """Measure, print the table; return 1 when a target was missed."""
    parser = argparse.ArgumentParser(prog="tools/bench luar", description=__doc__)
    parser.add_argument("--seconds", type=float, default=20.0, help="of each measure of the load")
    parser.add_argument("--images", type=int, default=600, help="for the latency of images")
    options = parser.parse_args(argv)
    table = Table("The Luar bridge (bench luar)")
    with ExitStack() as stack:
        own_domain(stack)
        load(table, options.seconds)
        user = f"bench{uuid.uuid4().hex[:8]}"
        kind = "sensor_msgs/msg/Image"
        latencies(table, "memory to image", kind, "image", user, options.images, 30.0)
    return table.print()


if __name__ == "__main__":
    sys.exit(main())
