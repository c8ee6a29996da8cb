# SPDX-License-Identifier: Apache-2.0
"""A command on its way to the robot, and how it can end."""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass

from nao_goal_bridge.protocol import Command, PickUp, PutDown


class Outcome(enum.IntEnum):
    """How a command ended; the numbers are those of legacy_robots_msgs/NaoOutcome."""

    SUCCEEDED = 0
    FAILED = 1
    HALTED = 2
    QUEUE_FULL = 3
    LINK_LOST = 4
    TIMED_OUT = 5
    ROBOT_ERROR = 6
    INVALID = 7


class Phase(enum.IntEnum):
    """Where a command is; the numbers are those of the actions' feedback."""

    QUEUED = 0
    EXECUTING = 1
    HALTING = 2


class HaltAnswer(enum.Enum):
    """What came of a Halt."""

    HALTED = "halted"
    REFUSED = "refused"
    NO_ANSWER = "no answer"


OnHalt = Callable[[HaltAnswer, str], None]
"""Gets what came of a Halt, and the same in a sentence."""


@dataclass(frozen=True)
class Result:
    """How a command ended, and the same in a sentence."""

    outcome: Outcome
    message: str


@dataclass(frozen=True)
class TimeLimits:
    """Seconds that the robot may take to answer each command."""

    go_to: float = 300.0
    pick_up: float = 60.0
    put_down: float = 30.0
    halt: float = 2.0
    exit: float = 10.0

    def of(self, command: Command) -> float:
        """Return the limit of ``command``."""
        if isinstance(command, PickUp):
            return self.pick_up
        if isinstance(command, PutDown):
            return self.put_down
        return self.go_to


class InvalidCommandError(Exception):
    """A command that the profile in use cannot express; the message says why."""


@dataclass(eq=False)
class Ticket:
    """One command on its way. ``on_done`` is called exactly once, ``on_phase`` at each change.

    ``prepare`` returns the command when its turn comes, as a way depends on where the robot is
    then; it raises InvalidCommandError.
    """

    prepare: Callable[[], Command]
    on_done: Callable[[Result], None]
    on_phase: Callable[[Phase], None] = lambda phase: None
    finished: bool = False
    """``on_done`` has been called or is about to be; the robot may still owe its reply."""
