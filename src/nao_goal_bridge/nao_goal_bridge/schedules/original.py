# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A model of how the original queues commands and replies, without times.

Its rules were read in the original and are compared with it (docs/originals/nao.md):

- A reader takes commands from the link. All wait in one queue, except Halt: the reader carries it
  out at once. It marks what runs as halted, has all that waits fail, one after the other, and then
  succeeds. Meanwhile what runs may end, and nothing begins.
- A worker carries out one command after the other. A halted walk fails when its leg ends. A PickUp
  reports Success, or Failure and Success, or Success twice.
- A writer sends the replies in order. What it writes into a lost link is lost, or torn, or kept
  for the next one, ahead of all else; then it is known that the link is lost.
- While that is known nothing new is reported, but for the Failures of what a Halt clears. The
  reader connects anew: it forgets what it has not read, and greets. What runs or waits stays. It
  reads no command before the greeting is written, as it sleeps for a second first.

An early one, of 31 May to 5 June 2013, has a Halt wait its turn, reports a PickUp once, and need
not greet.

Every function returns new states; none changes one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum

GREETING = "agent"
ALIVE = "alive"
TORN = "torn"


class Kind(Enum):
    """Commands; the values are the codes in their replies."""

    WALK = 1
    NO_WAY = -1
    """A way that cannot be planned; its code is that of a walk."""
    PICK_UP = 2
    PUT_DOWN = 3
    HALT = 4

    @property
    def code(self) -> int:
        """The code in replies."""
        return abs(self.value)


@dataclass(frozen=True)
class Task:
    """A command that runs or waits. ``goal`` names whose it is."""

    kind: Kind
    goal: int | None = None
    halted: bool = False
    rest: tuple[str, ...] | None = None
    """Replies that are still to be reported; None: it has not ended."""


@dataclass(frozen=True)
class Original:
    """The robot between two steps."""

    running: Task | None = None
    waiting: tuple[Task, ...] = ()
    posted: tuple[str, ...] = ()
    """Replies that the writer has not written."""
    kept: tuple[str, ...] = ()
    """What the writer could not write."""
    is_open: bool = True
    """Whether it takes its link for usable."""
    is_halting: bool = False
    """Whether its reader carries out a Halt."""
    is_early: bool = False

    @property
    def reads(self) -> bool:
        """Whether it takes commands from its link."""
        return self.is_open and GREETING not in self.posted and not self.is_halting

    @property
    def begins(self) -> bool:
        """Whether it may begin the next command."""
        return self.running is None and bool(self.waiting) and not self.is_halting

    def _report(self, *replies: str) -> Original:
        return replace(self, posted=self.posted + replies) if self.is_open else self

    def connect(self) -> Original:
        """Greet over a new link, if it does so at all."""
        greeting = () if self.is_early else (GREETING,)
        return replace(self, is_open=True, posted=self.posted + greeting)

    def keep_alive(self) -> Original:
        """Report a sign of life, which is written over a link that is known to be lost, too."""
        return replace(self, posted=(*self.posted, ALIVE))

    def read(self, task: Task) -> Original:
        """Take a command from the link."""
        if task.kind is not Kind.HALT or self.is_early:
            return replace(self, waiting=(*self.waiting, task))
        running = self.running and replace(self.running, halted=True)
        return replace(self, running=running, is_halting=True)

    def halt_on(self) -> Original:
        """Take one step further in the Halt."""
        if not self.waiting:
            return replace(self, is_halting=False)._report(f"S{Kind.HALT.code}")
        first, *rest = self.waiting
        posted = (*self.posted, f"F{first.kind.code}")
        return replace(self, waiting=tuple(rest), posted=posted)

    def begin(self) -> Original:
        """Begin the next command; nothing may run."""
        return replace(self, running=self.waiting[0], waiting=self.waiting[1:])

    def ends(self) -> Iterator[tuple[str, Original]]:
        """Yield each way in which what runs may end or report further: how, and the robot then."""
        task = self.running
        assert task is not None
        if task.rest is None:
            for replies in _replies(task, self.is_early):
                yield replies[0], self._report_first(task, replies)
        else:
            yield task.rest[0], self._report_first(task, task.rest)

    def _report_first(self, task: Task, replies: tuple[str, ...]) -> Original:
        rest = replies[1:]
        return replace(
            self._report(replies[0]), running=replace(task, rest=rest) if rest else None
        )

    def writes(self, *, link_is_up: bool) -> Iterator[tuple[tuple[str, ...], Original]]:
        """Yield each way in which the next reply may be written: what arrives, and the robot."""
        first, rest = self.posted[0], self.posted[1:]
        if link_is_up:
            yield (*self.kept, first), replace(self, kept=(), posted=rest)
        elif self.is_open:
            for kept in ((first,), (TORN,), ()):
                yield (), replace(self, kept=self.kept + kept, posted=rest, is_open=False)
            yield (), replace(self, kept=(), posted=rest)  # the link's end is not known yet
        else:
            yield (), replace(self, kept=(*self.kept, first), posted=rest)


def _replies(task: Task, is_early: bool) -> tuple[tuple[str, ...], ...]:
    success, failure = f"S{task.kind.code}", f"F{task.kind.code}"
    if task.kind is Kind.HALT:
        return ((success,),)
    if task.kind is Kind.NO_WAY or (task.kind is Kind.WALK and task.halted):
        return ((failure,),)
    if task.kind is Kind.PICK_UP and not is_early:
        return (success, success), (failure, success), (success,)
    return (success,), (failure,)
