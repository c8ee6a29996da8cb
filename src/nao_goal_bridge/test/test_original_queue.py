# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The model of the original's queue against the original itself: opt-in, see docs/nao.md.

Commands and cuts come at random moments. The model says what may be reported, in which order; the
original must report one of these, and nothing may be missing in the end.
"""

import os
import random
import select
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
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
        "docs/nao.md says what they do",
    ),
]


@dataclass(frozen=True)
class Guess:
    """What may be the state of the robot and of its link."""

    robot: Original
    to_robot: tuple[Task, ...] = ()
    arriving: tuple[str, ...] = ()
    is_up: bool = True

    def after(self):
        """Yield the states to which one step of the robot leads."""
        robot = self.robot
        if robot.posted:
            for arriving, then in robot.writes(link_is_up=self.is_up):
                yield replace(self, robot=then, arriving=self.arriving + arriving)
        if robot.running is not None:
            for _, then in robot.ends():
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


class Guesses:
    """All that may be the case, after what was done and seen."""

    def __init__(self):
        self.all = {Guess(Original().connect())}
        self.story = []

    def _grow(self):
        new = set(self.all)
        while new:
            new = {after for guess in new for after in guess.after()} - self.all
            self.all |= new

    def does(self, text, change):
        self.story.append(text)
        self._grow()
        self.all = {changed for guess in self.all if (changed := change(guess)) is not None}
        assert self.all, f"the model does not know: {', '.join(self.story)}"

    def sends(self, kind):
        task = Task(kind)
        self.does(kind.name, lambda g: replace(g, to_robot=(*g.to_robot, task)))

    def is_cut(self):
        self.does("cut", lambda g: replace(g, is_up=False, arriving=()))

    def connects(self):
        def connected(guess):
            if guess.robot.is_open or guess.robot.is_halting:
                return None
            return Guess(guess.robot.connect())

        self.does("connects", connected)

    def sees(self, report):
        def taken(guess):
            if guess.arriving[:1] != (report,):
                return None
            return replace(guess, arriving=guess.arriving[1:])

        self._grow()  # signs of life come at any time, and mean nothing
        self.all = {
            replace(g, arriving=tuple(r for r in g.arriving if r != ALIVE)) for g in self.all
        }
        self.does(report, taken)


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


def compare(number):
    """Carry out one schedule; return how many reports were as the model says."""
    chance = random.Random(number)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(60.0)
        command = ["mono", Path(BUILT) / "robot.exe", str(listener.getsockname()[1])]
        command.append(Path(BUILT) / "testmaze.map")
        if chance.random() < 0.5:
            command.append("missing")
        with Process(command, env=TIMES):
            goal, guesses, seen = Goal(listener), Guesses(), 0

            def listen(seconds):
                nonlocal seen
                for report in goal.reports(seconds):
                    guesses.sees(report)
                    seen += 1

            listen(0.5)
            for _ in range(chance.randrange(4, 12)):
                if chance.random() < 0.15:
                    goal.close()
                    guesses.is_cut()
                    goal = Goal(listener)
                    guesses.connects()
                else:
                    kind = chance.choice(list(COMMANDS))
                    guesses.sends(kind)
                    goal.stream.sendall(encode(COMMANDS[kind], LAST))
                listen(chance.choice((0.0, 0.05, 0.4)))
            listen(QUIET_S + 1.5)  # it reads nothing for a second after it has connected
            while not any(guess.is_at_rest for guess in guesses.all):
                before = seen
                listen(QUIET_S)
                assert seen > before, f"more was to come: {', '.join(guesses.story)}"
            goal.close()
            return seen


def test_the_original_reports_what_the_model_says():
    with ThreadPoolExecutor(AT_ONCE) as pool:
        seen = list(pool.map(compare, range(SCHEDULES)))
    assert sum(seen) > 3 * SCHEDULES
