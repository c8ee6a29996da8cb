# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Let the demonstration run, and see whether memory, links and goals stay as they should.

Growth of a process is the median slope of the memory that it has allocated itself, after a
warm-up; it has to stay below a limit over the time that was watched. A link that is lost while a
process waited for a processor, which other programs had, is counted apart. The streams that the
registry names have a subscriber all the time.
"""

from __future__ import annotations

import argparse
import os
import re
import tempfile
import time
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from legacy_robots_common.node import qos
from legacy_robots_common.node.raw_topics import interface_class
from legacy_robots_common.system import names, systems
from legacy_robots_common.system import system as system_named
from legacy_robots_testing.demonstration import Demonstration
from legacy_robots_testing.machine import machine_wide
from legacy_robots_testing.report import keep, machine, markdown, today
from legacy_robots_testing.ros_peer import RosPeer
from measure import RESULTS
from measure.domain import own_domain_unless_set
from measure.interrupts import run_and_exit
from measure.soak.growth import COLUMNS, PERIOD, WARM_UP, Course, Disk
from measure.soak.viewers import Viewers

DONE = {
    "nao: objects carried": r"object \d+ is in room",
    "roboskate: checkpoints reached": r"checkpoint \d+ reached",
    "bw4t: sequences completed": r"the sequence is complete",
    "aibo: walks to the ball": r"the \w+ ball is reached",
}
"""What is counted as done, and the lines of the log that report it."""
ENDED = r"process has (died|finished)|Traceback"


@dataclass
class Observed:
    """What was seen while the demonstration ran."""

    demonstration: Demonstration
    start_up: float
    """Seconds from the launch until all links were up."""
    courses: list[Course]
    received: dict[str, int]
    """Messages by topic."""
    log: list[str]
    losses: list[tuple[float, str]]
    """Seconds from the begin, and what the link reported."""
    disk: str
    """What files have grown by."""
    drawn: dict[str, list[int]]
    """How often the page's panel of each robot changed, minute by minute; empty without a page."""
    unexpected: list[str]
    """What has ended before its time."""

    def excused(self) -> list[bool]:
        """Tell of each loss whether a process got no processor: that is the machine's fault."""
        return [any(course.was_starved(at) for course in self.courses) for at, _ in self.losses]

    def done(self) -> dict[str, int]:
        """Return how often each kind of errand was done."""
        return {w: sum(bool(re.search(p, line)) for line in self.log) for w, p in DONE.items()}

    def problems(self) -> list[str]:
        """Return what was not as it has to be."""
        lost = zip(self.losses, self.excused(), strict=True)
        return [
            *(f"link lost: {what}" for (_, what), excuse in lost if not excuse),
            *(line for line in self.log if re.search(ENDED, line)),
            *self.unexpected,
            *(f"{course.name} grows" for course in self.courses if not course.bounded),
            *(f"{topic}: nothing came" for topic, count in self.received.items() if not count),
            *(f"{what}: none" for what, number in self.done().items() if not number),
            *(f"{p}: a minute in which nothing happens" for p, n in self.drawn.items() if 0 in n),
        ]

    def report(self) -> str:
        """Return what is shown."""
        ups = ", ".join(f"{name} {after:.1f} s" for name, after in self.demonstration.up.items())
        lines = [
            f"All links up {self.start_up:.1f} s after the launch ({ups}).",
            "Done: " + ", ".join(f"{what} {n}" for what, n in self.done().items()) + ".",
            f"Received: {sum(self.received.values()):,} messages. Links lost: {len(self.losses)}, "
            f"of which {sum(self.excused())} while a process had no processor.",
            f"Growth in an hour, after the warm-up: {self.disk}.",
        ]
        if self.drawn:
            least = ", ".join(f"{panel} {min(n)}" for panel, n in self.drawn.items() if n)
            lines.append(f"Changes drawn on the page in a minute, at least: {least}.")
        lines += [
            "",
            markdown(COLUMNS, [course.row() for course in self.courses]),
            "",
            f"Together {sum(c.load for c in self.courses):.0f} % of a core and "
            f"{sum(c.warm[-1].proportional for c in self.courses):.0f} MB (PSS).",
        ]
        return "\n".join(lines)


def watch(options: argparse.Namespace, logs: Path) -> Observed:
    """Run the demonstration and look at it."""
    listened = {f"/{s.name}/{topic}": kind for s in systems() for topic, kind in s.streams.items()}
    listened["/diagnostics"] = "diagnostic_msgs/msg/DiagnosticArray"
    received = dict.fromkeys(listened, 0)
    arguments = [f"luar_profile:={options.luar_profile}"]
    arguments.append(f"compose:={str(options.composed).lower()}")
    arguments += ["view:=web", "view_port:=0"] if options.watched else []

    def count(topic: str, _: object) -> None:
        received[topic] += 1

    with ExitStack() as stack:
        peer = stack.enter_context(RosPeer("soak"))
        for topic, kind in listened.items():
            callback = partial(count, topic)
            peer.subscribe_with(interface_class(kind), topic, callback, qos.stream(10))
        demonstration = stack.enter_context(Demonstration(peer, *arguments))
        start_up = demonstration.wait()
        launch = demonstration.launch
        viewers = stack.enter_context(Viewers(launch, logs)) if options.watched else None
        beside = viewers.processes if viewers else []
        pids = [*(pid for _, pid in launch.started()), *(process.pid for process in beside)]
        courses = [Course(pid) for pid in pids]
        recording = viewers.recording if viewers else None
        begun, seconds = time.monotonic(), 60.0 * options.minutes

        def look_until(end: float) -> None:
            while (at := time.monotonic() - begun) < end:
                for course in courses:
                    course.look(at)
                time.sleep(max(0.0, begun + at + PERIOD - time.monotonic()))

        look_until(seconds * WARM_UP)
        warm = Disk.look(recording)
        look_until(seconds)
        minutes = int(options.minutes)
        return Observed(
            demonstration,
            start_up,
            courses,
            dict(received),
            [line for process in (launch, *beside) for line in process.lines.items],
            [(when - begun, what) for when, what in demonstration.losses],
            warm.growth(Disk.look(recording), seconds * (1.0 - WARM_UP)),
            viewers.page.changes(names(), minutes) if viewers else {},
            viewers.problems() if viewers else [],
        )


def main(argv: list[str] | None = None) -> int:
    """Soak, print the table; return 1 when anything was not as it has to be."""
    parser = argparse.ArgumentParser(prog="tools/soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=3.0, help="default: %(default)s")
    parser.add_argument(
        "--luar-profile", choices=["nao", "webots"], default="nao",
        help="webots: without joints, of which there is one robot on a machine; for tests",
    )  # fmt: skip
    parser.add_argument(
        "--composed", action="store_true", help="all nodes in one process (compose:=true)"
    )
    parser.add_argument(
        "--watched", action="store_true",
        help="with the page, a Foxglove server, clients of both, and a recording",
    )  # fmt: skip
    parser.add_argument(
        "--keep", action="store_true",
        help="keep the table in docs/results/soak.md",
    )  # fmt: skip
    options = parser.parse_args(argv)
    with ExitStack() as stack:
        own_domain_unless_set(stack)
        if options.luar_profile == "nao":
            stack.enter_context(machine_wide(system_named("luar").exclusive))
        logs = stack.enter_context(tempfile.TemporaryDirectory(prefix="soak_"))
        os.environ["ROS_LOG_DIR"] = logs
        observed = watch(options, Path(logs))
    words = [f"--minutes {options.minutes:g}"]
    words += [f"--{name}" for name in ("composed", "watched") if getattr(options, name)]
    head = (
        f"`tools/soak {' '.join(words)}` on {today()}: {machine()}. Memory and CPU "
        "after a warm-up of a third of the time."
    )
    text = f"{head}\n\n{observed.report()}"
    print(text)
    if options.keep:
        keep(RESULTS / "soak.md", "soak composed" if options.composed else "soak", text)
    if problems := observed.problems():
        print("\nnot as it has to be:\n" + "\n".join(f"  {problem}" for problem in problems))
    return 1 if problems else 0


if __name__ == "__main__":
    run_and_exit(main)
