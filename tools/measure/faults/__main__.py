# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Have every fault of every simulator happen to the running bring-ups, many times over.

Each system is launched as a user would launch it and watched over ROS alone, while goals are
under way. A fault counts as detected when link state or diagnostics report it with a reason (the
stall of a robot that has a goal only delays: there the data stop), and as recovered when data flow
again and a goal succeeds. Every goal has to end, once, and what is reported as succeeded is held
against the simulator's own log, its memory or its state.
"""

from __future__ import annotations

import argparse
import faulthandler
import os
import random
import sys
import tempfile
import threading
import time
import traceback
from collections import Counter
from collections.abc import Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from pathlib import Path

from legacy_robots_common.node import fast_dds
from legacy_robots_testing.machine import free_port
from legacy_robots_testing.process import Process
from legacy_robots_testing.report import keep, machine, markdown, percentile, today
from measure import RESULTS
from measure.domain import own_domain_unless_set
from measure.faults.fleet import KINDS, FleetBringUp, fleet_of
from measure.faults.plain import PORT, plain_of
from measure.faults.record import Record, RecordError
from measure.faults.system import KILL, System
from measure.faults.systems import SYSTEMS
from measure.faults.trial import BringUp, LaunchEndedError, Trial
from measure.interrupts import INTERRUPTED, sigterm_as_interrupt

COLUMNS = (
    "system", "fault", "injected", "detected", "recovered", "median", "p99", "goals", "lost",
    "false", "stale", "mostly seen as",
)  # fmt: skip
ATTEMPTS = 3
"""How often a system is brought up before its campaign ends."""
LOOK_S, LOCKED_UP_S = 10.0, 120.0
"""How often it is seen whether Python still runs, and how long it may not (s)."""


class FreePorts:
    """Gives TCP ports of loopback that are free, each once. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._given: set[int] = set()

    def __call__(self) -> int:
        """Return one."""
        with self._lock:
            while True:
                port = free_port()
                if port not in self._given:
                    self._given.add(port)
                    return port


class Campaign(threading.Thread):
    """Goes through all faults of one system, ``rounds`` times. Does not keep the program alive.

    With ``fleet`` there are as many robots, and the first has the faults. ``turn`` is held
    while it runs.
    A trial that cannot be brought to its end is kept with its reason and the stacks of all
    processes, and the system brought up anew for the others.
    """

    def __init__(
        self,
        system: System,
        record: Record,
        chance: random.Random,
        only: Sequence[str] = (),
        fleet: int = 0,
        turn: AbstractContextManager[object] | None = None,
    ) -> None:
        super().__init__(name=system.name, daemon=True)
        self.system = system
        self._turn = nullcontext() if turn is None else turn
        self._record = record
        self._done = record.done(system.name)
        self.trials: list[Trial] = list(self._done.values())
        self.failure = ""
        """Why it could not be brought to an end."""
        self.interrupted = False
        """Set once everything is ended around it: what fails then is not reported."""
        self._chance = chance
        self._only = tuple(only) or tuple(system.faults)
        self._faults = [fault for fault in system.signalled if fault in self._only]
        chance.shuffle(self._faults)
        self._plans = [self._plan() for _ in range(record.rounds)]
        self._fleet = fleet
        self._bring_up: BringUp | FleetBringUp | None = None
        self._log: list[str] = []

    def _plan(self) -> list[str]:
        plan = list(self._faults)
        for fault in (fault for fault in self.system.injected if fault in self._only):
            plan.insert(self._chance.randrange(len(plan) + 1), fault)
        # A simulator that is started again begins with its first fault: let that come last.
        plan.sort(key=lambda fault: fault in (f"{KILL}{self.system.simulator}", PORT))
        return plan

    def run(self) -> None:
        """Bring it up and do all rounds."""
        with self._turn:
            if not self.interrupted:
                self._do_all()

    def _do_all(self) -> None:
        try:
            for number, plan in enumerate(self._plans):
                self._round(number, [f for f in plan if (number, f) not in self._done])
        except Exception:
            if not self.interrupted:
                self.failure = traceback.format_exc()
                print(f"{self.system.name}: {self.failure}", flush=True)
        finally:
            self._end()

    def _round(self, number: int, left: list[str]) -> None:
        while left:
            signalled = [fault for fault in left if fault in self._faults]
            if self._bring_up is None or self._bring_up.faults != signalled:
                self._begin(signalled)
            while left and self._bring_up is not None:
                self._try(number, left.pop(0), self._bring_up)

    def _begin(self, signalled: list[str]) -> None:
        """Bring it up, with several attempts; its simulator has these faults in this order."""
        self._end()
        for attempt in range(1, ATTEMPTS + 1):
            bring_up = self._new(signalled)
            try:
                self._bring_up = bring_up.__enter__()
                return
            except Exception as error:
                self._log += bring_up.log
                # A launch that has ended by itself, as for a wrong argument, would do so again.
                if attempt == ATTEMPTS or self.interrupted or isinstance(error, LaunchEndedError):
                    raise
                print(f"{self.system.name}: {error}; once more", flush=True)

    def _new(self, signalled: list[str]) -> BringUp | FleetBringUp:
        if self._fleet:
            return FleetBringUp(self.system, signalled, self._chance, robots=self._fleet)
        return BringUp(self.system, signalled, self._chance)

    def _end(self) -> None:
        if self._bring_up is not None:
            self._bring_up.__exit__()
            self._log += self._bring_up.log
            self._bring_up = None

    def _try(self, number: int, fault: str, bring_up: BringUp | FleetBringUp) -> None:
        try:
            trial = bring_up.trial(fault)
        except Exception as error:
            if self.interrupted:
                raise
            self._log.append(traceback.format_exc())
            stacks = bring_up.end_with_stacks()
            trial = Trial(fault, problems=[f"the trial failed: {error!r}", *stacks])
            self._end()
        self.trials.append(trial)
        self._record.add(self.system.name, number, trial)
        took = trial.recovered_after
        recovered = "NOT RECOVERED" if took is None else f"well after {took:.2f} s"
        print(
            f"{time.strftime('%H:%M:%S')} {self.system.name:9} {fault:18} {recovered}; "
            f"{len(trial.ends)} goals; {trial.reason or 'NOT DETECTED'}",
            *(f"    {problem}" for problem in trial.problems),
            sep="\n",
            flush=True,
        )

    @property
    def log(self) -> list[str]:
        """What its launches have printed."""
        return [*self._log, *(self._bring_up.log if self._bring_up is not None else [])]

    def write_log(self, directory: Path) -> Path:
        """Write what the launch has printed to a file; return it."""
        path = directory / f"faults_{self.system.name}.log"
        path.write_text("\n".join([*self.log, self.failure, ""]), encoding="utf-8")
        return path

    @property
    def well(self) -> bool:
        """Whether everything was as it has to be."""
        return not self.failure and all(trial.well for trial in self.trials)

    def rows(self) -> list[tuple[str, ...]]:
        """Return the rows of the table, one for each fault."""
        rows: list[tuple[str, ...]] = []
        for fault in (fault for fault in self.system.faults if fault in self._only):
            trials = [trial for trial in self.trials if trial.fault == fault]
            took = [t.recovered_after for t in trials if t.recovered_after is not None]
            seen = Counter(trial.reason for trial in trials).most_common(1)
            rows.append(
                (
                    self.system.name,
                    fault,
                    str(len(trials)),
                    str(sum(bool(trial.reason) for trial in trials)),
                    str(len(took)),
                    f"{percentile(took, 50):.2f} s" if took else "–",
                    f"{percentile(took, 99):.2f} s" if took else "–",
                    str(sum(len(trial.ends) for trial in trials)),
                    str(sum(trial.lost for trial in trials)),
                    str(sum(trial.false for trial in trials)),
                    str(sum(trial.stale for trial in trials)),
                    seen[0][0].replace("|", "/") if seen else "–",
                )
            )
        return rows


def join(campaigns: Sequence[threading.Thread]) -> None:
    """Wait for the end of all; end this process, with all stacks, where Python runs no more.

    rclpy holds the interpreter while Fast DDS destroys a client, in which Fast DDS may lock itself
    up when another process is killed: https://github.com/eProsima/Fast-DDS/issues/6502.
    """
    try:
        for campaign in campaigns:
            while campaign.is_alive():
                faulthandler.dump_traceback_later(LOCKED_UP_S, exit=True)
                campaign.join(LOOK_S)
    finally:
        faulthandler.cancel_dump_traceback_later()


def avoid_shared_memory() -> None:
    """Do without Fast DDS's shared memory, which a process that is killed leaves broken.

    What is seen would be Fast DDS's fault, not the system's: see docs/reliability.md.
    """
    if "fastrtps" in (os.environ.get("RMW_IMPLEMENTATION") or "rmw_fastrtps_cpp"):
        os.environ.update(fast_dds.naming("udp_on_loopback", os.environ.get("ROS_DISTRO", "")))
        os.environ["ROS_AUTOMATIC_DISCOVERY_RANGE"] = "SYSTEM_DEFAULT"


def summary(campaigns: Sequence[Campaign], options: argparse.Namespace, seconds: float) -> str:
    """Return what was done, and the table."""
    rows = [row for campaign in campaigns for row in campaign.rows()]
    trials = [trial for campaign in campaigns for trial in campaign.trials]
    fleet = f" --fleet {options.fleet}" if options.fleet else ""
    plain = " --plain" if options.plain else ""
    head = (
        f"`tools/faults{fleet}{plain} --rounds {options.rounds} --seed {options.seed}` on "
        f"{today()}, {seconds / 60:.1f} minutes, up to {options.at_once} systems at once: "
        f"{machine()}. {len(trials)} faults, {sum(len(t.ends) for t in trials)} goals and calls."
    )
    return f"{head}\n\n{markdown(COLUMNS, rows)}"


def _system_names(text: str) -> list[str]:
    """Read names separated by commas, as the demonstration has them; for ``type=``."""
    for name in text.split(","):
        if name not in SYSTEMS:
            known = ", ".join(SYSTEMS)
            raise argparse.ArgumentTypeError(f"there is no {name!r}, only {known}")
    return text.split(",")


def main(argv: list[str] | None = None) -> int:
    """Run the campaign, print the table; return 1 when anything was not as it has to be.

    Ctrl-C and SIGTERM end what was launched; it returns INTERRUPTED then.
    """
    parser = argparse.ArgumentParser(prog="tools/faults", description=__doc__)
    parser.add_argument(
        "--system", action="extend", type=_system_names, metavar="NAME[,NAME...]",
        help=f"only these; may be repeated ({', '.join(SYSTEMS)})",
    )  # fmt: skip
    parser.add_argument(
        "--without", action="extend", type=_system_names, default=[], metavar="NAME[,NAME...]",
        help="all but these",
    )  # fmt: skip
    parser.add_argument(
        "--fault",
        action="extend",
        type=lambda text: text.split(","),
        default=[],
        metavar="NAME[,NAME...]",
        help="only these; may be repeated",
    )
    parser.add_argument(
        "--fleet", type=int, default=0, metavar="N",
        help=f"N robots of each kind at once ({', '.join(KINDS)}); the first has the faults",
    )  # fmt: skip
    parser.add_argument(
        "--plain", action="store_true",
        help="goals by a program that knows rclpy alone; faults of the surroundings too",
    )  # fmt: skip
    parser.add_argument("--rounds", type=int, default=1, help="of all faults (%(default)s)")
    parser.add_argument(
        "--at-once", type=int, default=2 * len(os.sched_getaffinity(0)), metavar="N",
        help="systems that run at the same time (2 a core: %(default)s)",
    )  # fmt: skip
    parser.add_argument("--seed", type=int, default=None, help="of order and phases (by chance)")
    parser.add_argument(
        "--keep", action="store_true", help="keep the table in docs/results/faults.md",
    )  # fmt: skip
    parser.add_argument(
        "--logs", type=Path, metavar="DIRECTORY", help="where what was launched leaves its output"
    )
    parser.add_argument(
        "--resume", type=Path, metavar="FILE",
        help="keep each trial in a file; if it exists, do what it lacks, by its seed and rounds",
    )  # fmt: skip
    options = parser.parse_args(argv)
    if options.at_once < 1:
        parser.error("--at-once is 1 or more")
    if options.seed is None:
        options.seed = random.randrange(2**31)
    try:
        record = Record(options.resume, options.seed, options.rounds)
    except RecordError as error:
        parser.error(str(error))
    options.seed, options.rounds = record.seed, record.rounds
    if options.logs is not None:
        options.logs.mkdir(parents=True, exist_ok=True)
    begun = time.monotonic()
    interrupted = False
    with ExitStack() as stack:
        own_domain_unless_set(stack)
        avoid_shared_memory()
        os.environ["PYTHONFAULTHANDLER"] = "1"  # for end_with_stacks
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        ports, campaigns = FreePorts(), []
        turns = threading.BoundedSemaphore(options.at_once)
        try:
            names = options.system or (KINDS if options.fleet or options.plain else SYSTEMS)
            for name in (n for n in names if n not in options.without):
                chance = random.Random(f"{options.seed} {name}")
                kind = fleet_of(SYSTEMS[name]) if options.fleet else SYSTEMS[name]
                kind = plain_of(kind) if options.plain else kind
                system = kind(ports, scratch, chance)
                campaigns.append(
                    Campaign(system, record, chance, options.fault, options.fleet, turns)
                )
                campaigns[-1].start()
            join(campaigns)
        except KeyboardInterrupt:
            interrupted = True
            print("interrupted: ending what was launched", flush=True)
            for campaign in campaigns:
                campaign.interrupted = True
            Process.close_all()
    text = summary(campaigns, options, time.monotonic() - begun)
    print(f"\n{text}")
    if options.logs is not None:
        for campaign in campaigns:
            print(campaign.write_log(options.logs))
    if interrupted:
        return INTERRUPTED
    if options.keep:
        keep(RESULTS / "faults.md", "faults", text)
    wrong = [c.system.name for c in campaigns if not c.well]
    if wrong:
        print(f"\nnot as it has to be: {', '.join(wrong)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sigterm_as_interrupt()
    code = main()
    sys.stdout.flush()
    os._exit(code)  # threads of a campaign that was interrupted are in the midst of calls of rclpy
