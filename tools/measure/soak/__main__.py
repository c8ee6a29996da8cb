# SPDX-License-Identifier: Apache-2.0
"""Let the demonstration run, and see whether memory, links and goals stay as they should.

Growth of a process is the median slope of the memory that it has allocated itself, after a
warm-up; it has to stay below a limit over the time that was watched. A link that is lost while a
process waited for a processor, which other programs had, is counted apart. Images have a
subscriber, joints, percepts and diagnostics all the time.
"""

from __future__ import annotations

import argparse
import itertools
import re
import statistics
import time
from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from itertools import pairwise

from diagnostic_msgs.msg import DiagnosticArray
from legacy_robots_msgs.msg import Bw4tPercepts, NaoSighting
from nav_msgs.msg import Odometry
from sensor_msgs.msg import CompressedImage, Image, JointState

from legacy_robots_common.node import qos
from legacy_robots_common.system import system as system_named
from legacy_robots_common.testing.demonstration import Demonstration
from legacy_robots_common.testing.machine import machine_wide
from legacy_robots_common.testing.report import keep, machine, markdown, today
from legacy_robots_common.testing.ros_peer import RosPeer
from measure import RELIABILITY
from measure.domain import own_domain_unless_set
from measure.interrupts import run_and_exit
from measure.processes import Sample, package_of, sample

PERIOD = 2.0
"""Seconds between two looks."""
WARM_UP = 1 / 3
"""Part of the time in which memory may grow: caches fill, the first goals come."""
GROWTH_LIMIT = 6.0
"""MB by which a process may grow while it is watched, after the warm-up."""
STARVED_S = 0.5
"""Time without a processor, of a process between two looks, after which a link may time out."""
LISTENED = (
    (NaoSighting, "/nao/sightings"),
    (Odometry, "/roboskate/odom"),
    (CompressedImage, "/roboskate/camera/image_raw/compressed"),
    (Image, "/luar/image"),
    (JointState, "/luar/joint_states"),
    (JointState, "/aibo/joint_states"),
    (Bw4tPercepts, "/bw4t/Bot_1/percepts"),
    (DiagnosticArray, "/diagnostics"),
)
DONE = {
    "nao: objects carried": r"object \d+ is in room",
    "roboskate: checkpoints reached": r"checkpoint \d+ reached",
    "bw4t: sequences completed": r"the sequence is complete",
    "aibo: walks to the ball": r"the \w+ ball is reached",
}
"""What is counted as done, and the lines of the log that report it."""
MOST_POINTS = 200
"""Points between which slopes are taken; more are thinned out."""
COLUMNS = ("process", "CPU", "own first", "own last", "PSS", "RSS", "growth", "judged")


def slope(points: Sequence[tuple[float, float]]) -> float:
    """Return the median slope between any two points (Theil and Sen): outliers do not count."""
    thinned = points[:: 1 + len(points) // MOST_POINTS]
    slopes = [
        (y1 - y0) / (x1 - x0)
        for (x0, y0), (x1, y1) in itertools.combinations(thinned, 2)
        if x1 > x0
    ]
    return statistics.median(slopes) if slopes else 0.0


class Course:
    """The samples of one process."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.name = package_of(pid)
        self.samples: list[Sample] = []

    def look(self, at: float) -> None:
        """Take another sample. Raises OSError when the process is gone."""
        self.samples.append(sample(self.pid, at))

    @property
    def warm(self) -> Sequence[Sample]:
        """The samples after the warm-up."""
        return self.samples[int(len(self.samples) * WARM_UP) :]

    @property
    def growth(self) -> float:
        """MB by which it has grown since the warm-up, by the lesser of its halves' median slopes.

        What grows without end grows in both; what is loaded once, late, grows in one.
        """
        warm = self.warm
        middle = len(warm) // 2
        slopes = [slope([(s.at, s.own) for s in half]) for half in (warm[:middle], warm[middle:])]
        return min(slopes) * (warm[-1].at - warm[0].at)

    @property
    def load(self) -> float:
        """Its part of a core, in per cent, since the warm-up."""
        first, last = self.warm[0], self.warm[-1]
        return 100.0 * (last.cpu - first.cpu) / (last.at - first.at)

    def was_starved(self, at: float) -> bool:
        """Return whether it had to wait for a processor in the looks before and after a moment."""
        near = [s.waited for s in self.samples if abs(s.at - at) < 3 * PERIOD]
        return any(after - before > STARVED_S for before, after in pairwise(near))

    def row(self) -> tuple[str, ...]:
        """Return the cells of the table."""
        first, last = self.warm[0], self.warm[-1]
        return (
            self.name,
            f"{self.load:.1f} %",
            f"{first.own:.1f} MB",
            f"{last.own:.1f} MB",
            f"{last.proportional:.1f} MB",
            f"{last.resident:.1f} MB",
            f"{self.growth:+.2f} MB",
            "bounded" if self.growth <= GROWTH_LIMIT else "TOO MUCH",
        )


def watch(seconds: float, luar_profile: str) -> tuple[str, list[str]]:
    """Run the demonstration; return the report and what was not as it has to be."""
    listened = [
        (kind, topic)
        for kind, topic in LISTENED
        if luar_profile == "nao" or topic != "/luar/joint_states"
    ]
    received = dict.fromkeys((topic for _, topic in listened), 0)

    def count(topic: str, _: object) -> None:
        received[topic] += 1

    with ExitStack() as stack:
        peer = stack.enter_context(RosPeer("soak"))
        for kind, topic in listened:
            peer.subscribe_with(kind, topic, partial(count, topic), qos.stream(10))
        demonstration = stack.enter_context(Demonstration(peer, f"luar_profile:={luar_profile}"))
        start_up = demonstration.wait()
        launch = demonstration.launch
        courses = [Course(pid) for _, pid in launch.started()]
        begun = time.monotonic()
        problems = []
        while (now := time.monotonic()) < begun + seconds:
            for course in courses:
                course.look(now - begun)
            time.sleep(max(0.0, now + PERIOD - time.monotonic()))
        log = launch.lines.items
        heard, losses = dict(received), list(demonstration.losses)
    # What a time-out says of a process that got no processor is the machine's, not the link's.
    starved = [any(course.was_starved(at - begun) for course in courses) for at, _ in losses]
    problems += [
        f"link lost: {what}"
        for (_, what), excuse in zip(losses, starved, strict=True)
        if not excuse
    ]
    problems += [line for line in log if "process has died" in line or "Traceback" in line]
    problems += [f"{c.name} grows" for c in courses if c.growth > GROWTH_LIMIT]
    problems += [f"{topic}: nothing came" for topic, number in heard.items() if not number]
    done = {what: sum(bool(re.search(p, line)) for line in log) for what, p in DONE.items()}
    problems += [f"{what}: none" for what, number in done.items() if not number]
    ups = ", ".join(f"{name} {after:.1f} s" for name, after in demonstration.up.items())
    lines = [
        f"All links up {start_up:.1f} s after the launch ({ups}).",
        "Done: " + ", ".join(f"{what} {number}" for what, number in done.items()) + ".",
        f"Received: {sum(heard.values()):,} messages. Links lost: {len(losses)}, "
        f"of which {sum(starved)} while a process had no processor.",
        "",
        markdown(COLUMNS, [course.row() for course in courses]),
        "",
        f"Together {sum(c.load for c in courses):.0f} % of a core and "
        f"{sum(c.warm[-1].proportional for c in courses):.0f} MB (PSS).",
    ]
    return "\n".join(lines), problems


def main(argv: list[str] | None = None) -> int:
    """Soak, print the table; return 1 when anything was not as it has to be."""
    parser = argparse.ArgumentParser(prog="tools/soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=3.0, help="default: %(default)s")
    parser.add_argument(
        "--luar-profile", choices=["nao", "webots"], default="nao",
        help="webots: without joints, of which there is one robot on a machine; for tests",
    )  # fmt: skip
    parser.add_argument(
        "--keep", action="store_true",
        help=f"keep the table in {RELIABILITY.parent.name}/{RELIABILITY.name}",
    )  # fmt: skip
    options = parser.parse_args(argv)
    with ExitStack() as stack:
        own_domain_unless_set(stack)
        if options.luar_profile == "nao":
            stack.enter_context(machine_wide(system_named("luar").exclusive))
        report, problems = watch(60.0 * options.minutes, options.luar_profile)
    head = (
        f"`tools/soak --minutes {options.minutes:g}` on {today()}: {machine()}. Memory and CPU "
        "after a warm-up of a third of the time."
    )
    text = f"{head}\n\n{report}"
    print(text)
    if options.keep:
        keep(RELIABILITY, "soak", text)
    if problems:
        print("\nnot as it has to be:\n" + "\n".join(f"  {problem}" for problem in problems))
    return 1 if problems else 0


if __name__ == "__main__":
    run_and_exit(main)
