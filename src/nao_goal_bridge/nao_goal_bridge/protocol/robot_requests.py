# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What is asked of the robot: a command, a halt or an exit, how long it may take, how it ends."""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass, field

from nao_goal_bridge.protocol import events


class Outcome(enum.IntEnum):
    """How a command ended; the numbers are those of legacy_robots_msgs/NaoOutcome."""

    SUCCEEDED = 0
    FAILED = 1
    HALTED = 2
    CANCELED = 2
    QUEUE_FULL = 3
    LINK_LOST = 4
    TIMED_OUT = 5
    ROBOT_ERROR = 6
    INVALID = 7
    SHUTDOWN = 8
    PLACE_UNKNOWN = 9


class Phase(enum.IntEnum):
    """Progress of a command; the numbers are those of the actions' feedback."""

    QUEUED = 0
    EXECUTING = 1
    HALTING = 2


@dataclass(frozen=True)
class TimeLimits:
    """Seconds that the robot may take to answer each command."""

    go_to: float = 300.0
    pick_up: float = 60.0
    put_down: float = 30.0
    halt: float = 2.0
    exit: float = 10.0
    owed_reply: float = 60.0
    """From the answer to a Halt to the reply of the command that it halted."""

    def of(self, command: events.Command) -> float:
        """Return the limit of ``command`` (s)."""
        if isinstance(command, events.PickUp):
            return self.pick_up
        if isinstance(command, events.PutDown):
            return self.put_down
        return self.go_to


OnAnswer = Callable[[bool, str], object]
"""Gets whether the robot obeys Halt or Exit, and the same in a sentence."""


@dataclass(eq=False)
class CommandRequest:
    """The command that the robot has. ``on_end`` is called exactly once."""

    command: events.Command
    on_end: Callable[[Outcome, str], object]
    on_phase: Callable[[Phase], object]
    deadline: float
    failed: bool = False
    """The robot reported Failure while a Halt was under way: its answer says what that means."""
    asked: int = 0
    """How often it was asked whether a Failure was of this command."""
    refused_halt: bool = False
    ended: bool = False
    """``on_end`` was called; the robot may still owe its reply."""

    def end(self, outcome: Outcome, message: str) -> None:
        """Call ``on_end``, unless it was called."""
        if not self.ended:
            self.ended = True
            self.on_end(outcome, message)

    def phase(self, phase: Phase) -> None:
        """Call ``on_phase``, unless it has ended."""
        if not self.ended:
            self.on_phase(phase)


@dataclass(eq=False)
class HaltRequest:
    """Halts the command under way."""

    deadline: float
    outcome: Outcome
    """How the command under way ends when the robot halts, and ``reason`` says why."""
    reason: str
    waiting: list[OnAnswer] = field(default_factory=list)
    owed: int = 1
    """How many answers must come: all but the last may be of Halts of earlier connections."""


@dataclass(frozen=True)
class ExitRequest:
    """Ends the robot's program."""

    deadline: float
    on_answer: OnAnswer
