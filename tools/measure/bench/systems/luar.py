# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Load, scan time and latency of the Luar bridge, beside a bare publisher in the same run."""

from __future__ import annotations

import argparse
import json
import mmap
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from array import array
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from ament_index_python.packages import get_package_prefix

from legacy_robots_testing.machine import machine_wide, own_domain
from legacy_robots_testing.process import Process
from legacy_robots_testing.report import percentile
from luar_bridge.model.motion import JOINTS
from luar_bridge.protocol.boost_layout import Abi
from luar_bridge.protocol.naming import DIRECTORY, RobotIdentity, find_segments
from luar_bridge.protocol.segment import Segment
from luar_bridge.simulator.segment_owner import SegmentOwner
from measure import ROOT
from measure.bench.table import Row, Table
from measure.processes import cpu_percent

FEW_TARGET, ALL_TARGET = 6.0, 10.0
IDLE_TARGET = 2.0
"""Of the 10 % that all five bridges may take together without a subscriber."""
RATIO_TARGET = 1.3
ARRIVALS, LISTENER = "measure.bench.subscribers.arrivals", "measure.bench.subscribers.luar"
FLOOR = "measure.bench.floors.luar"
PREFIX = get_package_prefix("luar_bridge") + "/lib/luar_bridge/"
WIDTH, HEIGHT = 160, 120
FEW = ["joint_states", "pose", "ball_detection", "ball", "image", "game_state"]
"""Topics of a user who wants to know where the robot is and what it sees."""


@contextmanager
def robot(stack_user: str) -> Iterator[Process]:
    """Run a simulated robot with all segments, 100 Hz of motion and 30 Hz of images."""
    with Process([f"{PREFIX}simulator", "--user", stack_user]) as process:
        process.wait_for_line("segments of layout")
        yield process


@dataclass(frozen=True)
class Bridge:
    """A bridge that is measured: the present one, or that of an older revision."""

    label: str
    """What its rows begin with."""
    program: tuple[str, ...]
    environment: dict[str, str] | None = None

    def run(self, user: str, *parameters: str) -> Process:
        """Run it for the robot of ``user``."""
        arguments = ["-p", f"user:={user}"]
        for parameter in parameters:
            arguments += ["-p", parameter]
        return Process([*self.program, "--ros-args", *arguments], env=self.environment)


PRESENT = Bridge("", (f"{PREFIX}bridge",))


def bridge_of(revision: str, directory: Path) -> Bridge:
    """Return the bridge of a revision of this repository, whose sources go to ``directory``."""
    packages = [f"src/{package}" for package in ("luar_bridge", "legacy_robots_common")]
    archive = subprocess.run(
        ["git", "archive", revision, *packages],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        check=True,
    )
    subprocess.run(["tar", "-x", "-C", directory], input=archive.stdout, check=True)
    path = [str(directory / package) for package in packages]
    paths = os.pathsep.join([*path, os.environ.get("PYTHONPATH", "")])
    program = (sys.executable, "-m", "luar_bridge.bridge.node")
    return Bridge(f"{revision}: ", program, {**os.environ, "PYTHONPATH": paths})


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


def load(table: Table, bridges: list[Bridge], seconds: float, rounds: int) -> None:
    """Measure a bridge's share of a core: alone, with all typed topics, with the mirror too."""
    user = f"bench{uuid.uuid4().hex[:8]}"
    with machine_wide("luar_joints"), robot(user):  # one robot of a machine has dcmSensor
        times = scan_times(user, 300)
        table.add(
            "full scan of 16 segments",
            f"median {percentile(times, 50) * 1e6:.0f} µs, "
            f"p99 {percentile(times, 99) * 1e6:.0f} µs",
        )
        for bridge in bridges:
            with bridge.run(user) as process:
                process.wait_for_line("link connected")
                time.sleep(2)
                idle = cpu_percent(process.pid, seconds)
                limit = f"<= {IDLE_TARGET:.0f} %"
                what = f"{bridge.label}CPU, no subscriber"
                table.add(what, f"{idle:.1f} %", limit, idle <= IDLE_TARGET)
        for what, topics, target in (
            ("joints, pose, balls and images", FEW, FEW_TARGET),
            ("all typed topics and images", [], ALL_TARGET),
        ):
            floors: list[Load] = []
            ours: list[list[Load]] = [[] for _ in bridges]
            for _ in range(rounds):
                with Process([sys.executable, "-m", FLOOR, user, *topics]) as process:
                    process.wait_for_line("ready")
                    floors.append(measured_load(process.pid, ["/floor", *topics], seconds))
                for bridge, loads in zip(bridges, ours, strict=True):
                    with bridge.run(user) as process:
                        process.wait_for_line("link connected")
                        time.sleep(2)  # it is to be discovered before its topics are asked for
                        loads.append(measured_load(process.pid, ["/luar", *topics], seconds))
            for bridge, loads in zip(bridges, ours, strict=True):
                add_load(table, f"{bridge.label}CPU, {what}", loads, floors, target)
        with PRESENT.run(user) as process:
            process.wait_for_line("link connected")
            percent, rate = measured_load(process.pid, ["/luar", "--segments"], seconds)
            what = "CPU, the mirror of all segments too"
            table.add(what, f"{percent:.1f} % at {rate:.0f} messages/s")


Load = tuple[float, float]
"""In per cent of a core, and at how many messages/s."""


def measured_load(pid: int, listen: list[str], seconds: float) -> Load:
    """Return the load of a process with subscribers."""
    with Process([sys.executable, "-m", LISTENER, *listen]) as listener:
        listener.wait_for_line("ready", 60)
        percent = cpu_percent(pid, seconds)
        listener.signal(signal.SIGINT)
        counts = json.loads(listener.wait_for_line(r"^\{"))
    return percent, sum(counts.values()) / seconds


def add_load(table: Table, what: str, ours: list[Load], floors: list[Load], target: float) -> None:
    """Add the median load of a bridge beside that of a bare reader and publisher.

    The ratio is the median of those of the rounds: what a process costs differs by half from one
    minute to the next, for all alike.
    """
    median, floor = statistics.median_low(ours), statistics.median_low(floors)
    texts = [f"{percent:.1f} % at {rate:.0f} messages/s" for percent, rate in (median, floor)]
    ratio = statistics.median(a[0] / b[0] for a, b in zip(ours, floors, strict=True))
    met = median[0] <= target
    aim = f"<= {target:.0f} %"
    if target == FEW_TARGET:
        aim, met = f"{aim}, <= {RATIO_TARGET}", met and ratio <= RATIO_TARGET
    table.rows.append(Row(what, texts[0], texts[1], f"{ratio:.2f}", aim, met))


# --- latency ---------------------------------------------------------------------------------


class OwnSegment:
    """A segment made by Boost in a directory of our own, whose values are written in place.

    Apart from /dev/shm itself no robot of this machine is disturbed, whatever the segment's name.
    """

    def __init__(
        self, owner: SegmentOwner, directory: Path, file: str, variables: dict[str, int]
    ) -> None:
        made = f"bench{uuid.uuid4().hex[:12]}"
        owner.create(made, 1 << 17)
        for name, length in variables.items():
            owner.set(made, name, [0.0] * length)
        owner.sync()
        (DIRECTORY / made).rename(directory / file)
        with Segment(directory / file) as segment:
            places = {v.name: v.offset for v in segment.snapshot.directory.variables}
        self._file = os.open(directory / file, os.O_RDWR)
        memory = mmap.mmap(self._file, 0)
        self._places = {name: (8 * length, places[name]) for name, length in variables.items()}
        self._arrays = {
            name: np.frombuffer(memory, "<f8", length, places[name])
            for name, length in variables.items()
        }

    def write(self, **values: object) -> None:
        """Overwrite variables, in the order given."""
        for name, value in values.items():
            self._arrays[name][:] = value

    def read(self, name: str) -> bytes:
        """Return a variable's bytes: a bare reader, which knows where they are."""
        return os.pread(self._file, *self._places[name])


@dataclass(frozen=True)
class Way:
    """A way of data: what is written at each beat, and the message that a bare reader makes."""

    what: str
    topic: str
    kind: str
    hertz: float
    write: Callable[[int, float], None]
    message: Callable[[], Any]


def stamp_now() -> tuple[float, int]:
    """Return the time as doubles carry it exactly enough, and as the key of a message."""
    micros = time.time_ns() // 1000
    return micros / 1e6, micros % 1_000_000


def ways_of_data(owner: SegmentOwner, directory: Path, identity: RobotIdentity) -> list[Way]:
    """Return the ways that are measured: joints at 100 Hz, images at 30 Hz."""
    from sensor_msgs.msg import Image, JointState

    joints = len(JOINTS)
    sensor = OwnSegment(owner, directory, "dcmSensor", {"count": 1, "time": 1, "position": joints})
    sizes = {"yuyv": 4800, "width": 1, "height": 1, "select": 1, "count": 1, "time": 1}
    image = OwnSegment(owner, directory, identity.file_name("vcmImage"), sizes)
    image.write(width=WIDTH, height=HEIGHT)
    pictures = np.random.default_rng(1).random((16, 4800))

    def picture() -> Any:
        message = Image(width=WIDTH, height=HEIGHT, step=2 * WIDTH, encoding="yuv422_yuy2")
        message.data.frombytes(image.read("yuyv"))
        return message

    return [
        Way(
            "memory to joint_states", "joint_states", "sensor_msgs/msg/JointState", 100.0,
            lambda n, t: sensor.write(count=n, time=t, position=n),
            lambda: JointState(name=JOINTS, position=array("d", sensor.read("position"))),
        ),
        Way(
            "memory to image", "image", "sensor_msgs/msg/Image", 30.0,
            # The count after the pixels, as Luar; the time before it, to be there when it counts.
            lambda n, t: image.write(yuyv=pictures[n % 16], time=t, count=n),
            picture,
        ),
    ]  # fmt: skip


def measure(table: Table, node: Any, way: Way, label: str, count: int) -> None:
    """Write to the memory, and read and publish barely, by turns; add both latencies to the table.

    The floor needs no signal that there is something new: it knows. The writer's moments
    jitter by a tenth of a millisecond, as a process's on Linux do.
    """
    from builtin_interfaces.msg import Time
    from rclpy.qos import QoSProfile

    ours, bare = f"/luar/{way.topic}", f"/floor/{way.topic}"
    floor = node.create_publisher(type(way.message()), bare, QoSProfile(depth=10))
    arguments = [way.kind, "header.stamp.nanosec", ours, bare]
    with Process([sys.executable, "-m", ARRIVALS, *arguments]) as subscriber:
        subscriber.wait_for_line("ready", 60)
        time.sleep(2)
        chance = random.Random(1)
        sent: dict[str, dict[int, int]] = {ours: {}, bare: {}}
        period, due = 1.0 / way.hertz, time.monotonic()
        for number in range(1, count + 1):
            due += period
            time.sleep(max(0.0, due + chance.gauss(0.0, 1e-4) - time.monotonic()))
            seconds, key = stamp_now()
            way.write(number, seconds)
            sent[ours][key] = time.monotonic_ns()  # from here on it is there
            time.sleep(max(0.0, due + period / 2 - time.monotonic()))
            seconds, key = stamp_now()
            sent[bare][key] = time.monotonic_ns()
            message = way.message()
            message.header.stamp = Time(sec=int(seconds), nanosec=key * 1000)
            floor.publish(message)
        time.sleep(0.5)
        subscriber.signal(signal.SIGINT)
        seen = json.loads(subscriber.wait_for_line(r"^\{"))
    latencies = {
        topic: [
            (at - known[key]) / 1e9
            for nanosec, at in seen[topic]
            if (key := round(nanosec / 1000)) in known
        ]
        for topic, known in sent.items()
    }
    what = f"{label}{way.what}"
    table.add_ratio(what, latencies[ours], latencies[bare], RATIO_TARGET)
    table.add(f"{what}: arrived", f"{len(latencies[ours])} of {count}")


def latency(table: Table, bridges: list[Bridge], joints: int, images: int) -> None:
    """Measure the latency of joints and images."""
    import rclpy
    from rclpy.node import Node

    user = f"bench{uuid.uuid4().hex[:8]}"
    with ExitStack() as stack:
        owner = stack.enter_context(SegmentOwner(Abi.BOOST_TO_1_86))
        directory = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=DIRECTORY)))
        rclpy.init()
        stack.callback(rclpy.try_shutdown)
        node = Node("floor")
        ways = ways_of_data(owner, directory, RobotIdentity(0, 1, user))
        for bridge in bridges:
            with bridge.run(user, f"memory_directory:={directory}") as process:
                process.wait_for_line("link connecting")
                for way, count in zip(ways, (joints, images), strict=True):
                    measure(table, node, way, bridge.label, count)
        node.destroy_node()


def main(argv: list[str] | None = None) -> int:
    """Measure, print the table; return 1 when a target was missed."""
    parser = argparse.ArgumentParser(prog="tools/bench luar", description=__doc__)
    parser.add_argument("--seconds", type=float, default=10.0, help="of each measure of the load")
    parser.add_argument("--rounds", type=int, default=5, help="of measures of the load by turns")
    parser.add_argument("--joints", type=int, default=1000, help="for the latency")
    parser.add_argument("--images", type=int, default=600, help="for the latency")
    parser.add_argument(
        "--against", metavar="REVISION", help="measure the bridge of this revision beside it"
    )
    options = parser.parse_args(argv)
    table = Table("The Luar bridge (bench luar)")
    with ExitStack() as stack:
        own_domain(stack)
        bridges = [PRESENT]
        if options.against:
            directory = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            bridges.append(bridge_of(options.against, directory))
        if options.seconds:
            load(table, bridges, options.seconds, options.rounds)
        latency(table, bridges, options.joints, options.images)
    return table.print()


if __name__ == "__main__":
    sys.exit(main())
