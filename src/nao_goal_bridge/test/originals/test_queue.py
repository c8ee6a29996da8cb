# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The model of the original's queue against the original itself.

Opt-in, see docs/how_to/test_with_originals.md.

Commands and cuts come at random moments. The model says what may be reported, in which order; the
original must report one of these, and nothing may be missing in the end. A model without one of
its rules is refused by the same records. That the reader takes nothing before the greeting is
written, and that nothing begins during a Halt, only rule things out: no record can miss them.
"""

import os
import random
import select
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import pytest

from legacy_robots_testing.process import Process
from nao_goal_bridge.protocol import Dialect, GoToTiles, Halt, PickUp, Profile, PutDown, encode
from nao_goal_bridge.protocol.exchange import NO_WAY
from nao_goal_bridge.schedules.original import ALIVE, GREETING, TORN, Kind, Original, Task

BUILT = os.environ.get("NAO_ORIGINAL", "")
SCHEDULES = int(os.environ.get("NAO_ORIGINAL_SCHEDULES", "200"))
AT_ONCE = 16
QUIET_S = 2.0
"""Longer than anything that the original does with the times below."""
TIMES = {"TURN_MS": "150", "WALK_MS": "150", "SEARCH_MS": "150", "GRAB_MS": "150"}
LAST = Dialect(Profile.NAOVIGATE)
COMMANDS = {
    Kind.WALK: GoToTiles(((4, 2), (4, 1), (3, 1))),  # two legs
    Kind.NO_WAY: NO_WAY,
    Kind.PICK_UP: PickUp(),
    Kind.PUT_DOWN: PutDown(),
    Kind.HALT: Halt(),
}
LENGTHS = {0xFF: 1, 0x8C: 1}
"""Bytes of the events that are not five long."""

pytestmark = [
    pytest.mark.node,
    pytest.mark.slow,
    pytest.mark.timeout(0),
    pytest.mark.skipif(
        not BUILT,
        reason="NAO_ORIGINAL names no directory of robot.exe and testmaze.map; "
        "docs/how_to/test_with_originals.md says what they do",
    ),
]


@dataclass(frozen=True)
class Guess:
    """What may be the state of the robot and of its link."""

    robot: Original
    to_robot: tuple[Task, ...] = ()
    arriving: tuple[str, ...] = ()
    is_up: bool = True

    def after(self, misses):
        """Yield the states to which one step of the robot leads; ``misses``: it finds nothing."""
        robot = self.robot
        if robot.posted:
            for arriving, then in robot.writes(link_is_up=self.is_up):
                yield replace(self, robot=then, arriving=self.arriving + arriving)
        if robot.running is not None:
            for reply, then in robot.ends():
                if is_possible(robot.running, reply, then, misses):
                    yield replace(self, robot=then)
        elif robot.begins:
            yield replace(self, robot=robot.begin())
        if robot.is_halting:
            yield replace(self, robot=robot.halt_on())
        if self.to_robot and robot.reads:
            yield replace(self, robot=robot.read(self.to_robot[0]), to_robot=self.to_robot[1:])
        if not self.is_up and robot.is_open and not robot.posted:
            yield replace(self, robot=robot.keep_alive())

    @property
    def is_at_rest(self):
        robot = self.robot
        left = self.to_robot + self.arriving + robot.posted
        return not (robot.running or robot.waiting or robot.is_halting or left)


def is_possible(task, reply, then, misses):
    """Whether the stubs can have a task end so: nothing fails by chance."""
    if task.halted or task.rest is not None or task.kind is Kind.NO_WAY:
        return True
    if task.kind is Kind.PICK_UP:
        return reply[0] == ("F" if misses else "S") and then.running is not None
    return reply[0] == "S"


@dataclass
class Record:
    """What was done to the original and what it reported, in order."""

    misses: bool
    steps: list[tuple[str, object]] = field(default_factory=list)

    def judge(self, model=Original):
        """Raise AssertionError where the original did not do what ``model`` says."""
        guesses = Guesses(model, self.misses)
        for name, value in self.steps:
            guesses.does(f"{name} {value or ''}", partial(getattr(guesses, name), value))
        guesses.grow()
        assert any(guess.is_at_rest for guess in guesses.all), f"more was to come: {self}"


class Guesses:
    """All that may be the case, after what was done and seen."""

    def __init__(self, model, misses):
        self.misses = misses
        self.all = {Guess(model().connect())}
        self.story = []

    def grow(self):
        new = set(self.all)
        while new:
            new = {after for guess in new for after in guess.after(self.misses)} - self.all
            self.all |= new

    def does(self, text, change):
        self.story.append(text)
        self.grow()
        # Signs of life come at any time, and mean nothing.
        heard = (replace(g, arriving=tuple(r for r in g.arriving if r != ALIVE)) for g in self.all)
        self.all = {changed for guess in heard if (changed := change(guess)) is not None}
        assert self.all, f"the model does not know: {', '.join(self.story)}"

    @staticmethod
    def sends(kind, guess):
        return replace(guess, to_robot=(*guess.to_robot, Task(kind)))

    @staticmethod
    def is_cut(_, guess):
        return replace(guess, is_up=False, arriving=())

    @staticmethod
    def connects(_, guess):
        if guess.robot.is_open or guess.robot.is_halting:
            return None
        return Guess(guess.robot.connect())

    @staticmethod
    def sees(report, guess):
        if guess.arriving[:1] != (report,):
            return None
        return replace(guess, arriving=guess.arriving[1:])


class Goal:
    """GOAL's end of the wire, in bare bits."""

    def __init__(self, listener):
        self.listener = listener
        self.stream = listener.accept()[0]
        self.buffered = b""

    def close(self):
        self.stream.shutdown(socket.SHUT_RDWR)
        self.stream.close()

    def reports(self, seconds):
        """Yield the replies and greetings that come within some time."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            if not select.select([self.stream], [], [], left)[0]:
                return
            data = self.stream.recv(4096)
            assert data, "the original has hung up"
            *lines, self.buffered = (self.buffered + data).split(b"\n")
            for line in lines:
                yield from self._report(line)

    @staticmethod
    def _report(line):
        if not line:
            return
        event = bytes(int(line[at : at + 8], 2) for at in range(0, len(line), 8))
        if len(line) % 8 or len(event) != LENGTHS.get(event[0], 5) or event[0] < 0x80:
            yield TORN
        elif event[0] in (0x81, 0x82):
            yield ("S" if event[0] == 0x81 else "F") + str(event[4])
        elif event[0] == 0x8E:
            yield GREETING


def record(number):
    """Carry out one schedule, and return what came of it."""
    chance = random.Random(number)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(60.0)
        command = ["mono", Path(BUILT) / "robot.exe", str(listener.getsockname()[1])]
        command.append(Path(BUILT) / "testmaze.map")
        told = Record(chance.random() < 0.5)
        if told.misses:
            command.append("missing")
        with Process(command, env=TIMES):
            goal = Goal(listener)

            def listen(seconds):
                before = len(told.steps)
                told.steps += [("sees", report) for report in goal.reports(seconds)]
                return len(told.steps) > before

            listen(0.5)
            for _ in range(chance.randrange(4, 12)):
                if chance.random() < 0.15:
                    goal.close()
                    told.steps.append(("is_cut", None))
                    goal = Goal(listener)
                    told.steps.append(("connects", None))
                else:
                    kind = chance.choice(list(COMMANDS))
                    told.steps.append(("sends", kind))
                    goal.stream.sendall(encode(COMMANDS[kind], LAST))
                listen(chance.choice((0.0, 0.05, 0.4)))
            listen(QUIET_S + 1.5)  # it reads nothing for a second after it has connected
            while listen(QUIET_S):
                pass
            goal.close()
            return told


class HaltFailsNothing(Original):
    """What waits is forgotten in silence."""

    def halt_on(self):
        return super().halt_on() if not self.waiting else replace(self, waiting=())


class HaltClearsNothing(Original):
    """What waits is carried out after a Halt."""

    def halt_on(self):
        return replace(Original.halt_on(replace(self, waiting=())), waiting=self.waiting)


class HaltWaits(Original):
    """A Halt waits its turn."""

    def read(self, task):
        return replace(self, waiting=(*self.waiting, task))


class HaltedWalkSucceeds(Original):
    """What runs is not marked by a Halt."""

    def read(self, task):
        return replace(super().read(task), running=self.running)


class PickUpReportsOnce(Original):
    """Its first reply is its only one."""

    def ends(self):
        for reply, then in super().ends():
            yield reply, then if self.running.rest is None else replace(self, running=None)


class ForgetsOverALink(Original):
    """What runs and waits ends with the link."""

    def connect(self):
        return replace(super().connect(), running=None, waiting=())


class KeepsNothing(Original):
    """What could not be written is lost."""

    def writes(self, *, link_is_up):
        for arriving, then in super().writes(link_is_up=link_is_up):
            yield arriving, replace(then, kept=())


class LosesNothing(Original):
    """What could not be written is kept whole."""

    def writes(self, *, link_is_up):
        for arriving, then in super().writes(link_is_up=link_is_up):
            if link_is_up or not self.is_open or then.kept[-1:] == self.posted[:1]:
                yield arriving, then


class ReportsWhileOff(Original):
    """It reports while it knows that the link is lost."""

    def _report(self, *replies):
        return replace(self, posted=self.posted + replies)


@pytest.fixture(scope="module")
def records():
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(record, range(SCHEDULES)))


def test_the_original_reports_what_the_model_says(records):
    for each in records:
        each.judge()
    assert sum(name == "sees" for each in records for name, _ in each.steps) > 3 * SCHEDULES


@pytest.mark.parametrize("broken", Original.__subclasses__())
def test_a_model_without_a_rule_is_noticed(records, broken):
    def judge():
        for each in records:
            each.judge(broken)

    with pytest.raises(AssertionError):
        judge()
