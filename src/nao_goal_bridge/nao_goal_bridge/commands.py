# SPDX-License-Identifier: Apache-2.0
"""Which command the robot has, which wait, and which reply belongs to which: no ROS, no sockets.

Replies carry no request id (docs/originals/nao.md, "State machine"), so the robot gets one command
at a time: its Success or Failure can belong to no other. Only Halt and Exit overtake. The owner
calls ``tick`` now and then while the queue is ``busy``, so that time limits are kept.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from legacy_robots_common.link import NotConnectedError
from nao_goal_bridge.protocol import (
    Command,
    Error,
    Exit,
    Failure,
    Halt,
    ProtocolError,
    Report,
    Success,
)
from nao_goal_bridge.tickets import (
    HaltAnswer,
    InvalidCommandError,
    OnHalt,
    Outcome,
    Phase,
    Result,
    Ticket,
    TimeLimits,
)


@dataclass(eq=False)
class _Active:
    """The command that the robot has, and whose it is."""

    ticket: Ticket
    command: Command
    deadline: float
    failed: bool = False
    """The robot reported Failure while a Halt was under way: its answer says what that means."""
    refused_halt: bool = False


@dataclass(eq=False)
class _PendingHalt:
    """A Halt that the robot has not answered; what is to become of the commands when it does."""

    deadline: float
    outcome: Outcome
    reason: str
    flush: bool
    waiting: list[OnHalt] = field(default_factory=list)


@dataclass(frozen=True)
class _PendingExit:
    deadline: float
    on_answer: Callable[[bool, str], None]


class CommandQueue:
    """Gives the robot one command at a time and tells each how it ended. Thread-safe.

    Callbacks come from the thread that caused them, never two at once, and may call the queue.

    Parameters
    ----------
    send
        Puts a command on the wire; raises NotConnectedError or ProtocolError.
    limit
        How many commands may wait behind the one that the robot has.
    limits
        How long the robot may take.
    on_silent
        Called when the robot neither finishes nor halts; the owner drops the link.
    on_stray
        Called with a sentence for a reply that belongs to no command.
    clock
        Returns the time in seconds.

    """

    def __init__(
        self,
        send: Callable[[Command], None],
        *,
        limit: int = 8,
        limits: TimeLimits | None = None,
        on_silent: Callable[[str], None] = lambda reason: None,
        on_stray: Callable[[str], None] = lambda text: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._send = send
        self._limit = limit
        self._limits = limits or TimeLimits()
        self._on_silent = on_silent
        self._on_stray = on_stray
        self._clock = clock
        self._lock = threading.Lock()
        self._outbox: deque[Callable[[], None]] = deque()
        self._delivering = False
        self._connected = False
        self._error: str | None = None
        self._waiting: deque[Ticket] = deque()
        self._active: _Active | None = None
        self._halt: _PendingHalt | None = None
        self._exit: _PendingExit | None = None

    # --- what the owner asks ---------------------------------------------------------------

    @property
    def busy(self) -> bool:
        """True while an answer of the robot is awaited, so that ``tick`` must be called."""
        return not (self._active is None and self._halt is None and self._exit is None)

    @property
    def waiting(self) -> int:
        """How many commands wait behind the one that the robot has."""
        return len(self._waiting)

    def submit(self, ticket: Ticket) -> None:
        """Queue ``ticket``; it may be done at once, with the reason."""
        with self._lock:
            if not self._connected:
                self._finish(ticket, Outcome.LINK_LOST, "no robot is connected")
            elif self._error is not None:
                self._finish(ticket, Outcome.ROBOT_ERROR, self._error)
            elif self._active is not None and len(self._waiting) >= self._limit:
                waiting = f"{len(self._waiting)} commands are waiting already"
                self._finish(ticket, Outcome.QUEUE_FULL, f"{waiting}, no more may wait")
            else:
                self._waiting.append(ticket)
                self._phase(ticket, Phase.QUEUED)
                self._advance()
        self._deliver()

    def cancel(self, ticket: Ticket, on_answer: OnHalt) -> None:
        """Take ``ticket`` back: out of the queue, or by a Halt when the robot has it already.

        ``on_answer`` gets HALTED when the command is over; its ``on_done`` is called just after.
        """
        with self._lock:
            if ticket.finished:
                self._answer(on_answer, HaltAnswer.REFUSED, "it was over already")
            elif ticket in self._waiting:
                self._waiting.remove(ticket)
                self._answer(on_answer, HaltAnswer.HALTED, "it had not begun")
                self._finish(ticket, Outcome.HALTED, "cancelled before the robot was told")
            else:
                self._begin_halt(Outcome.HALTED, "cancelled", on_answer)
        self._deliver()

    def halt(self, on_answer: OnHalt) -> None:
        """Halt the robot; when it does, everything that waits is over too."""
        with self._lock:
            self._begin_halt(Outcome.HALTED, "halted on request", on_answer, flush=True)
        self._deliver()

    def probe(self) -> None:
        """Ask an idle robot for a sign of life: a Halt changes nothing where nothing moves."""
        with self._lock:
            if self._connected and not self.busy:
                self._begin_halt(Outcome.HALTED, "asked for a sign of life", None)
        self._deliver()

    def exit(self, on_answer: Callable[[bool, str], None]) -> None:
        """Send the robot to sit down and exit; done when it answers or hangs up."""
        with self._lock:
            if self._exit is not None:
                text = "the robot has been told to exit already"
                self._outbox.append(lambda: on_answer(False, text))
            elif (problem := self._try_send(Exit())) is not None:
                self._outbox.append(lambda: on_answer(False, problem.message))
            else:
                self._exit = _PendingExit(self._clock() + self._limits.exit, on_answer)
                self._flush(Outcome.HALTED, "the robot was told to exit")
        self._deliver()

    # --- what happens ----------------------------------------------------------------------

    def link_up(self) -> None:
        """Begin afresh with a robot that has just connected."""
        with self._lock:
            self._connected = True
            self._error = None

    def link_lost(self, reason: str) -> None:
        """End everything that a robot had or waited for, as it is gone for ``reason``."""
        with self._lock:
            self._connected = False
            if self._exit is not None:
                self._exited(True, "the robot has ended the connection")
                self._fail_all(Outcome.HALTED, "the robot was told to exit")
            else:
                self._fail_all(Outcome.LINK_LOST, reason)
        self._deliver()

    def handle(self, report: Report) -> None:
        """Take an event of the robot; others than Success, Failure and Error are passed over."""
        with self._lock:
            if isinstance(report, (Success, Failure)):
                self._reply(report.code, isinstance(report, Success))
            elif isinstance(report, Error):
                self._error = "the robot reported a fatal error; its state is unknown"
                self._fail_all(Outcome.ROBOT_ERROR, self._error)
        self._deliver()

    def tick(self) -> None:
        """Act on time limits that have passed."""
        with self._lock:
            now, active = self._clock(), self._active
            if self._exit is not None and now >= self._exit.deadline:
                self._exited(False, f"the robot did not exit within {self._limits.exit:g} s")
            if self._halt is not None:
                if now >= self._halt.deadline:
                    text = f"the robot did not answer a Halt within {self._limits.halt:g} s"
                    self._give_up(text)
            elif active is not None and now >= active.deadline:
                limit = self._limits.of(active.command)
                text = f"the robot did not finish {active.command} within {limit:g} s"
                if active.ticket.finished:  # given up already, and it refuses to halt as well
                    self._give_up(text)
                else:
                    self._begin_halt(Outcome.TIMED_OUT, text, None)
        self._deliver()

    # --- replies ---------------------------------------------------------------------------

    def _reply(self, code: int, succeeded: bool) -> None:
        active = self._active
        if active is not None and not active.failed and code == active.command.opcode:
            if not succeeded and self._halt is not None:
                active.failed = True  # by the Halt or by itself: the answer to the Halt tells
                return
            self._conclude(active, succeeded)
            self._advance()
        elif self._halt is not None and code == Halt.opcode:
            self._halt_answered(self._halt, succeeded)
            self._advance()
        elif self._exit is not None and code == Exit.opcode:
            text = "the robot sits and exits" if succeeded else "the robot refused to exit"
            self._exited(succeeded, text)
        else:
            kind = "success" if succeeded else "failure"
            text = f"the robot reported {kind} of 0x{code:02x}, which it had not been told to do"
            self._outbox.append(lambda: self._on_stray(text))

    def _conclude(self, active: _Active, succeeded: bool) -> None:
        self._active = None
        note = "; it had refused to halt" if active.refused_halt else ""
        if succeeded:
            self._finish(active.ticket, Outcome.SUCCEEDED, f"the robot reported success{note}")
        else:
            text = f"the robot reported failure of {active.command}{note}"
            self._finish(active.ticket, Outcome.FAILED, text)

    def _halt_answered(self, halt: _PendingHalt, succeeded: bool) -> None:
        self._halt = None
        active = self._active
        if succeeded:
            self._answer_all(halt, HaltAnswer.HALTED, "the robot has halted")
            self._active = None
            if active is not None:
                self._finish(active.ticket, halt.outcome, f"{halt.reason}; the robot has halted")
            if halt.flush:
                self._flush(Outcome.HALTED, "halted before the robot was told")
            return
        text = "the robot refused to halt: it is grabbing or putting down an object"
        self._answer_all(halt, HaltAnswer.REFUSED, text)
        if active is None:
            return
        active.refused_halt = True
        if active.failed:
            self._conclude(active, False)
        elif halt.outcome is Outcome.TIMED_OUT:
            # It is over for whoever asked; the robot keeps the place until it replies.
            self._finish(active.ticket, Outcome.TIMED_OUT, f"{halt.reason} and refused to halt")
            active.deadline = self._clock() + self._limits.of(active.command)
        else:
            self._phase(active.ticket, Phase.EXECUTING)

    def _begin_halt(
        self, outcome: Outcome, reason: str, on_answer: OnHalt | None, *, flush: bool = False
    ) -> None:
        if self._halt is None:
            problem = self._try_send(Halt())
            if problem is not None:
                if on_answer is not None:
                    self._answer(on_answer, HaltAnswer.NO_ANSWER, problem.message)
                return
            deadline = self._clock() + self._limits.halt
            self._halt = _PendingHalt(deadline, outcome, reason, flush)
            if self._active is not None and not self._active.ticket.finished:
                self._phase(self._active.ticket, Phase.HALTING)
        self._halt.flush |= flush
        if on_answer is not None:
            self._halt.waiting.append(on_answer)

    def _give_up(self, text: str) -> None:
        self._fail_all(Outcome.TIMED_OUT, text)
        self._outbox.append(lambda: self._on_silent(text))

    # --- small parts -----------------------------------------------------------------------

    def _advance(self) -> None:
        """Give the robot the next command, if it is free."""
        while self._waiting and not self.busy:
            ticket = self._waiting.popleft()
            try:
                command = ticket.prepare()
            except InvalidCommandError as error:
                self._finish(ticket, Outcome.INVALID, str(error))
                continue
            problem = self._try_send(command)
            if problem is not None:
                self._finish(ticket, problem.outcome, problem.message)
                continue
            deadline = self._clock() + self._limits.of(command)
            self._active = _Active(ticket, command, deadline)
            self._phase(ticket, Phase.EXECUTING)

    def _try_send(self, command: Command) -> Result | None:
        """Send ``command``; return what became of it where that was not possible."""
        if not self._connected:
            return Result(Outcome.LINK_LOST, "no robot is connected")
        try:
            self._send(command)
        except NotConnectedError as error:
            return Result(Outcome.LINK_LOST, str(error))
        except ProtocolError as error:
            return Result(Outcome.INVALID, str(error))
        return None

    def _fail_all(self, outcome: Outcome, message: str) -> None:
        if self._halt is not None:
            halt, self._halt = self._halt, None
            self._answer_all(halt, HaltAnswer.NO_ANSWER, message)
        if self._active is not None:
            active, self._active = self._active, None
            self._finish(active.ticket, outcome, message)
        self._flush(outcome, message)

    def _flush(self, outcome: Outcome, message: str) -> None:
        while self._waiting:
            self._finish(self._waiting.popleft(), outcome, message)

    def _finish(self, ticket: Ticket, outcome: Outcome, message: str) -> None:
        if not ticket.finished:
            ticket.finished = True
            self._outbox.append(lambda: ticket.on_done(Result(outcome, message)))

    def _phase(self, ticket: Ticket, phase: Phase) -> None:
        self._outbox.append(lambda: ticket.on_phase(phase))

    def _answer(self, on_answer: OnHalt, answer: HaltAnswer, text: str) -> None:
        self._outbox.append(lambda: on_answer(answer, text))

    def _answer_all(self, halt: _PendingHalt, answer: HaltAnswer, text: str) -> None:
        for on_answer in halt.waiting:
            self._answer(on_answer, answer, text)

    def _exited(self, succeeded: bool, text: str) -> None:
        assert self._exit is not None
        pending, self._exit = self._exit, None
        self._outbox.append(lambda: pending.on_answer(succeeded, text))

    def _deliver(self) -> None:
        """Make the calls that have gathered, in order, without the lock, one thread at a time."""
        while True:
            with self._lock:
                if self._delivering or not self._outbox:
                    return
                self._delivering = True
                call = self._outbox.popleft()
            try:
                call()
            finally:
                with self._lock:
                    self._delivering = False
