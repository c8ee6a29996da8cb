# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Have a robot and its bridge on one computer, who uses it on another, and a poor network between.

The computers are network namespaces of this machine, which needs the right to make them. For each
way of discovery and each system goals are sent over a network that delays and loses, and that is
unplugged for some seconds while goals are under way, in turn. Every goal has to end once and
truthfully, and both computers have to see the link connected in the end.
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
import threading
import time
import traceback
from collections.abc import Sequence
from contextlib import AbstractContextManager, ExitStack
from functools import partial
from pathlib import Path

from legacy_robots_msgs.msg import LinkState
from legacy_robots_testing.computers import (
    WAYS,
    Computer,
    Network,
    discovery,
    two_computers,
    why_impossible,
)
from legacy_robots_testing.machine import free_port, ros2
from legacy_robots_testing.report import keep, machine, markdown, percentile, today
from measure import ROOT
from measure.domain import own_domain_unless_set
from measure.faults.errands import Errand
from measure.faults.system import System
from measure.faults.systems import SYSTEMS
from measure.faults.trial import BringUp, Trial
from measure.interrupts import run_and_exit

TABLE = ROOT / "docs" / "results" / "network.md"
POOR, UNPLUGGED = "poor network", "unplugged"
UNPLUGGED_S = 6.0
RATED_S = 5.0
"""How long messages are counted."""
ECHO_LATCHED = ("--qos-durability", "transient_local", "--qos-reliability", "reliable")
LINK_S = 60.0
"""Time in which both computers have to see the link connected."""
DEFAULT = ("nao", "roboskate", "luar", "bw4t", "aibo")
COLUMNS = (
    "discovery", "system", "messages/s", "of it with loss", "trials", "goals", "lost", "false",
    "stale", "again after", "at most", "both see the link",
)  # fmt: skip


def on_network(kind: type[System], network: Network) -> type[System]:
    """Return a system of the campaign whose only faults are those of its network."""

    class OnNetwork(kind):  # type: ignore[valid-type, misc]
        faults = {POOR: "nothing", UNPLUGGED: "silence"}  # noqa: RUF012

        def lasting(self, fault: str) -> float:
            return UNPLUGGED_S if fault == UNPLUGGED else 0.0

        def inject(self, fault: str) -> bool:
            if fault == UNPLUGGED:
                network.plug(False)
                threading.Timer(UNPLUGGED_S, network.plug, (True,)).start()
            return True

        def while_away(self) -> list[Errand]:
            return [self.proof()]

        def during(self) -> AbstractContextManager[list[Errand]]:
            # Of more than ten calls ROS itself forgets the oldest while the network is away.
            return System.during(self)

    return OnNetwork


class Measurement:
    """One system over one network, found in one way.

    ``options`` has ``delay`` (s), ``loss`` (a share) and ``minutes``. ``run`` is to be called on a
    thread that has entered the second computer.
    """

    def __init__(self, name: str, way: str, options: argparse.Namespace) -> None:
        self.name, self.way = name, way
        self._options = options
        self.trials: list[Trial] = []
        self._rates = ["–", "–"]
        self.both_connected = False

    def run(self, computers: Sequence[Computer], network: Network, scratch: Path) -> None:
        """Measure. Raises TimeoutError when the system does not come up."""
        chance = random.Random(self._options.seed)
        system = on_network(SYSTEMS[self.name], network)(free_port, scratch, chance)
        first = computers[0]
        if self.name.startswith("luar"):
            system.shared_memory = first.shared_memory  # type: ignore[attr-defined]
        network.delay = network.loss = 0.0
        with ExitStack() as stack:
            here, there = stack.enter_context(discovery(self.way, *computers))
            os.environ.update(there)
            stack.callback(lambda: [os.environ.pop(name) for name in there])
            bring_up = BringUp(system, (), chance, partial(first.run, environment=here))
            stack.enter_context(bring_up)
            echo = ros2("topic", "echo", f"{system.namespace}/link_state")
            link = stack.enter_context(first.run(echo, here))
            if system.latched_truth is not None:
                echo = ros2("topic", "echo", *system.latched_truth, *ECHO_LATCHED)
                system.echo_there = stack.enter_context(first.run(echo, here))
            self._rates[0] = self._rate(bring_up)
            network.delay, network.loss = self._options.delay, self._options.loss
            self._rates[1] = self._rate(bring_up)
            end = time.monotonic() + 60.0 * self._options.minutes
            while time.monotonic() < end:
                for fault in (POOR, UNPLUGGED):
                    self._try(bring_up, fault)
            link.wait_for_line("^state:", LINK_S)
            deadline = time.monotonic() + LINK_S
            while not self.both_connected and time.monotonic() < deadline:
                states = [line for line in link.lines.items if line.startswith("state:")]
                self.both_connected = states[-1] == f"state: {LinkState.CONNECTED}"
                time.sleep(0.1)

    def _rate(self, bring_up: BringUp) -> str:
        begun = time.monotonic()
        time.sleep(RATED_S)
        rates = [len(s.after(begun)) / (time.monotonic() - begun) for s in bring_up.streams]
        return ", ".join(f"{rate:.0f}" for rate in rates)

    def _try(self, bring_up: BringUp, fault: str) -> None:
        trial = bring_up.trial(fault)
        self.trials.append(trial)
        took = trial.recovered_after
        print(
            f"{time.strftime('%H:%M:%S')} {self.way}, {self.name}, {fault}: {len(trial.ends)} "
            f"goals, {'NOT RECOVERED' if took is None else f'well after {took:.2f} s'}",
            *(f"    {problem}" for problem in trial.problems),
            sep="\n",
            flush=True,
        )

    @property
    def well(self) -> bool:
        """Whether everything was as it has to be."""
        return bool(self.trials) and self.both_connected and all(t.well for t in self.trials)

    def row(self) -> tuple[str, ...]:
        """Return the row of the table; times count from the moment of plugging in again."""
        cuts = [t for t in self.trials if t.fault == UNPLUGGED]
        again = [t.recovered_after - UNPLUGGED_S for t in cuts if t.recovered_after is not None]
        sums = (sum(getattr(t, name) for t in self.trials) for name in ("lost", "false", "stale"))
        return (
            self.way,
            self.name,
            *self._rates,
            str(len(self.trials)),
            str(sum(len(t.ends) for t in self.trials)),
            *map(str, sums),
            f"{percentile(again, 50):.1f} s" if again else "–",
            f"{max(again):.1f} s" if again else "–",
            "yes" if self.both_connected else "NO",
        )


def on_computer(computer: Computer, measurement: Measurement, *arguments: object) -> None:
    """Run a measurement on a thread of the computer's network; print why it fails."""

    def run() -> None:
        try:
            computer.enter()
            measurement.run(*arguments)  # type: ignore[arg-type]
        except Exception:
            print(f"{measurement.way}, {measurement.name}: {traceback.format_exc()}", flush=True)

    thread = threading.Thread(target=run, name=measurement.name, daemon=True)
    thread.start()
    thread.join()


def main(argv: list[str] | None = None) -> int:
    """Measure all that is asked for, print the table; return 1 when anything was not well."""
    parser = argparse.ArgumentParser(prog="tools/network", description=__doc__)
    parser.add_argument(
        "--system", action="append", choices=list(SYSTEMS), help="only this; may be repeated"
    )
    parser.add_argument(
        "--way", action="append", choices=WAYS, help="only this discovery; may be repeated"
    )
    parser.add_argument("--minutes", type=float, default=10.0, help="for each (%(default)s)")
    parser.add_argument("--delay", type=float, default=0.05, help="s, each way (%(default)s)")
    parser.add_argument("--loss", type=float, default=0.05, help="share of frames (%(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--keep", action="store_true", help="keep the table in docs/results/network.md"
    )
    options = parser.parse_args(argv)
    if reason := why_impossible():
        parser.error(reason)
    measurements = [
        Measurement(name, way, options)
        for way in options.way or WAYS
        for name in options.system or DEFAULT
    ]
    with ExitStack() as stack:
        own_domain_unless_set(stack)
        first, second, network = stack.enter_context(two_computers(options.seed))
        for measurement in measurements:
            scratch = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            on_computer(second, measurement, (first, second), network, scratch)
    text = (
        f"`tools/network --minutes {options.minutes:g}` on {today()}: {1000 * options.delay:.0f} "
        f"ms and {100 * options.loss:g} % of the frames lost in each direction, unplugged for "
        f"{UNPLUGGED_S:.0f} s in every second trial: {machine()}.\n\n"
        + markdown(COLUMNS, [measurement.row() for measurement in measurements])
    )
    print(f"\n{text}", flush=True)
    if options.keep:
        keep(TABLE, "network", text)
    return 0 if all(measurement.well for measurement in measurements) else 1


if __name__ == "__main__":
    run_and_exit(main)
