# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A robot, an exchange, a link that can be cut between them, and clients: one step at a time.

Which step comes next is chosen from outside. After each step what the exchange has said of the
goals is compared with what the robot has done: see ``_check``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial

from legacy_robots_core.link.base import LinkObserver
from nao_goal_bridge.protocol import events
from nao_goal_bridge.protocol.exchange import NO_WAY, CommandExchange
from nao_goal_bridge.protocol.robot_requests import Outcome, TimeLimits
from nao_goal_bridge.schedules.original import ALIVE, GREETING, TORN, Kind, Original, Task

Step = tuple[str, Callable[[], object]]

_COMMANDS: dict[Kind, events.Command] = {
    Kind.WALK: events.GoToTiles(((0, 0), (1, 0))),
    Kind.PICK_UP: events.PickUp(),
    Kind.PUT_DOWN: events.PutDown(),
}
_FOREIGN = -1
"""The goal of a command that another program has sent."""
_LIMITS = TimeLimits()
LONG_S = 1e6
"""Longer than every time limit."""


class Violation(Exception):  # noqa: N818 - what the search looks for
    """Raised when a goal gets an end that is not the robot's; the message says which."""


@dataclass
class Budget:
    """How often each of these may happen in a schedule."""

    goals: int = 2
    cuts: int = 2
    halts: int = 2
    expiries: int = 1
    losses: int = 2
    """Replies that are lost or torn with a link."""


@dataclass
class _Link:
    to_robot: list[Task] = field(default_factory=list)
    to_bridge: list[str] = field(default_factory=list)


@dataclass
class _Goal:
    kind: Kind
    outcome: Outcome | None = None
    fate: str = ""
    """The robot's first reply."""
    is_halted: bool = False
    is_begun: bool = False


class Bench(LinkObserver):
    """One schedule. ``exchange_type`` is CommandExchange, or one without some rule.

    Of an early robot it cannot be known which Halt is answered. No goal may suffer from that; one
    more answer, and one more Halt that waits its turn, do no harm.
    """

    def __init__(
        self,
        budget: Budget,
        exchange_type: type[CommandExchange] = CommandExchange,
        *,
        is_early: bool = False,
    ) -> None:
        self._left = budget
        self._now = 0.0
        self._robot = Original(is_early=is_early)
        self._robots_link = self._link = _Link()
        self._is_up = False  # the link, for the bridge
        self._goals: list[_Goal] = []
        self._queue: list[int] = []
        self._sent: int | None = None
        self.exchange = exchange_type(
            self._send, self, _LIMITS, lambda: self._now, walks_on=True, greets=not is_early
        )

    # --- the exchange's owner --------------------------------------------------------------

    def on_problem(self, counter: str, text: str) -> None:
        """Take a reply to nothing as a wrong count."""
        raise Violation(f"{counter}: {text}")

    def _send(self, command: events.Command) -> None:
        kinds = {
            events.Halt: Kind.HALT,
            events.PickUp: Kind.PICK_UP,
            events.PutDown: Kind.PUT_DOWN,
        }
        kind = kinds.get(type(command), Kind.NO_WAY if command is NO_WAY else Kind.WALK)
        own = self._sent if kind in _COMMANDS else None
        self._link.to_robot.append(Task(kind, own))

    def _send_next(self) -> None:
        number = self._queue.pop(0)
        goal = self._goals[number]
        self._sent = number
        self.exchange.send_command(
            _COMMANDS[goal.kind], lambda outcome, text: self._end(goal, outcome)
        )

    def _end(self, goal: _Goal, outcome: Outcome) -> None:
        if goal.outcome is not None:
            raise Violation("a goal ended twice")
        goal.outcome = outcome

    def _lose(self) -> None:
        self._is_up = False
        self.exchange.close(Outcome.LINK_LOST, "cut")

    def _receive(self) -> None:
        reply = self._link.to_bridge.pop(0)
        if reply == TORN:
            self._lose()
        elif reply == GREETING:
            self.exchange.greeted()
        elif reply != ALIVE:
            kind = events.Success if reply[0] == "S" else events.Failure
            self.exchange.handle(kind(int(reply[1:])))

    def _expire(self) -> None:
        self._now += LONG_S
        if self.exchange.tick() is not None:
            self._lose()

    # --- steps -----------------------------------------------------------------------------

    def start(self, running: Kind | None) -> None:
        """Connect a robot in which a command of another program may run."""
        if running is not None:
            self._robot = replace(self._robot, running=Task(running, _FOREIGN))
        self._connect()

    def _connect(self) -> None:
        self._robots_link = self._link = _Link()
        self._is_up = True
        self._robot = self._robot.connect()
        self.exchange.open()

    def steps(self) -> list[Step]:
        """Return what can happen next, in an order that depends on the state alone."""
        return [*self.robot_steps(), *self._other_steps()]

    def robot_steps(self) -> Iterator[Step]:
        """Yield what happens by itself, sooner or later."""
        robot = self._robot
        if self._is_up and self._link.to_bridge:
            yield "receive", self._receive
        if robot.posted:
            up = self._is_up and self._robots_link is self._link
            for number, (arriving, then) in enumerate(robot.writes(link_is_up=up)):
                if number == 0 or self._left.losses:
                    loss = number > 0
                    yield "write", partial(self._write, arriving, then, loss)
        if robot.running is not None:
            for reply, then in robot.ends():
                yield f"end {reply}", partial(self._ran, reply, then)
        elif robot.begins:
            yield "begin", self._begin
        if robot.is_halting:
            yield "halts", self._halt_on
        elif not robot.is_open:
            yield "redial", self._connect
        elif self._robots_link.to_robot and robot.reads:
            yield "read", self._read
        if not self._is_up and robot.is_open and not robot.posted:
            yield "keep alive", self._keep_alive
        if self._queue and self.exchange.is_free:
            yield "send", self._send_next

    def _other_steps(self) -> Iterator[Step]:
        left = self._left
        if left.goals:
            for kind in _COMMANDS:
                yield f"goal {kind.name}", partial(self._new_goal, kind)
        if self._is_up and left.cuts:
            yield "cut", lambda: self._cut(forgets=False)
            if self._robots_link.to_robot:
                yield "cut with what is on the way", lambda: self._cut(forgets=True)
        if self._is_up and left.halts:
            yield "halt", self._halt
        if self._is_up and left.expiries and self.exchange.has_command:
            yield "expire", self._use_expiry

    def _write(self, arriving: tuple[str, ...], then: Original, loss: bool) -> None:
        self._left.losses -= loss
        self._robot = then
        self._robots_link.to_bridge += arriving

    def _ran(self, reply: str, then: Original) -> None:
        task = self._robot.running
        assert task is not None
        if task.goal is not None and task.goal >= 0 and not self._goals[task.goal].fate:
            self._goals[task.goal].fate = reply
        self._robot = then

    def _begin(self) -> None:
        self._robot = self._robot.begin()
        task = self._robot.running
        assert task is not None
        if task.goal is not None:
            goal = self._goals[task.goal]
            goal.is_begun = True
            if goal.outcome not in (None, Outcome.LINK_LOST, Outcome.TIMED_OUT):
                raise Violation(f"the robot begins a goal that has ended as {goal.outcome!r}")

    def _read(self) -> None:
        task = self._robots_link.to_robot.pop(0)
        robot = self._robot
        if task.kind is Kind.HALT:
            for halted in (robot.running, *robot.waiting):
                if halted is not None and halted.goal is not None and halted.goal >= 0:
                    self._goals[halted.goal].is_halted = True
        self._robot = robot.read(task)

    def _halt_on(self) -> None:
        self._robot = self._robot.halt_on()

    def _keep_alive(self) -> None:
        self._robot = self._robot.keep_alive()

    def _new_goal(self, kind: Kind) -> None:
        self._left.goals -= 1
        self._queue.append(len(self._goals))
        self._goals.append(_Goal(kind))

    def _cut(self, *, forgets: bool) -> None:
        self._left.cuts -= 1
        if forgets:
            self._robots_link.to_robot.clear()
        self._lose()

    def _halt(self) -> None:
        self._left.halts -= 1
        self.exchange.halt("halted")

    def _use_expiry(self) -> None:
        self._left.expiries -= 1
        self._expire()

    # --- what must hold --------------------------------------------------------------------

    def check(self) -> None:
        """Compare what was said with what was done. Raises Violation."""
        for number, goal in enumerate(self._goals):
            told = goal.outcome
            if told is Outcome.SUCCEEDED and goal.fate[:1] != "S":
                raise Violation(
                    f"goal {number} SUCCEEDED, the robot has {goal.fate or 'not ended'}"
                )
            if told is Outcome.FAILED and goal.fate[:1] != "F":
                raise Violation(f"goal {number} FAILED, the robot has {goal.fate or 'not ended'}")
            if told is Outcome.HALTED and not (goal.is_halted or goal.fate):
                raise Violation(f"goal {number} is HALTED, the robot carries on")
        if self.exchange.is_free:
            robot = self._robot
            tasks = [robot.running, *robot.waiting, *self._robots_link.to_robot]
            busy = [task for task in tasks if task is not None and task.kind is not Kind.NO_WAY]
            if busy:
                raise Violation(f"the robot is taken for free, and has {busy}")

    def drain(self) -> None:
        """Let all come that comes by itself; then every goal must have ended."""
        for _ in range(1000):
            step = next(self.robot_steps(), None)
            if step is None:
                break
            step[1]()
            self.check()
        waiting = [goal for goal in self._goals if goal.outcome is None]
        if waiting or self._robot.running or not self.exchange.is_free:
            raise Violation(f"nothing goes on any more, with {waiting}")
