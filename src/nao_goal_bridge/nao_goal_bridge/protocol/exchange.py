# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The exchange of commands and replies with the robot: no ROS, no sockets.

Replies carry no request id, so the robot gets one command at a time: its Success or Failure can
belong to no other. Only Halt and Exit overtake a command.

A reply may be owed. The last original answers a Halt at once, and reports the end of the halted
command later: a turn and the leg after it are walked to their end. The robot gets no further
command before that reply; without it within ``owed_reply`` the connection begins anew. It also
reports a further Success after each PickUp: for SECOND_REPLY_S after one no further command is
sent.

A lost link does not stop it: it walks on, and replies over the next connection, be it to another
program. So it is halted when it connects, and sent an empty way, NO_WAY. It carries out one
command after the other, so the Failure of that one comes when nothing runs.
"""

from __future__ import annotations

import contextlib
import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from legacy_robots_core.link.base import LinkObserver, NotConnectedError
from nao_goal_bridge.protocol import events
from nao_goal_bridge.protocol.robot_requests import (
    CommandRequest,
    ExitRequest,
    HaltRequest,
    OnAnswer,
    Outcome,
    Phase,
    TimeLimits,
)

EXITING = "the robot was told to exit"
"""Why goals are HALTED by the service ``exit``."""
SECOND_REPLY_S = 0.2
NO_WAY = events.GoToTiles(())
"""What a robot fails to do at once, wherever it is."""


@dataclass(frozen=True)
class Ready:
    """The robot can take the next command."""


class CommandExchange:
    """Sends the robot one command at a time and finds out how each ends. Thread-safe.

    Its observer gets the event Ready, and replies that belong to nothing as the problem "stray
    replies". The owner calls ``tick`` when ``due``. Callbacks are called with the lock held, so
    they must not wait for another thread.

    ``send`` puts a command on the wire; it may raise NotConnectedError or ProtocolError.
    ``limits`` are the times that the robot may take; ``clock`` returns seconds. ``walks_on``: a
    lost link does not stop the robot, which therefore may have a command when it connects.
    """

    def __init__(
        self,
        send: Callable[[events.Command], None],
        observer: LinkObserver,
        limits: TimeLimits | None = None,
        clock: Callable[[], float] = time.monotonic,
        *,
        walks_on: bool = False,
    ) -> None:
        self._walks_on = walks_on
        self._send = send
        self._observer = observer
        self._limits = limits or TimeLimits()
        self._clock = clock
        self._lock = threading.RLock()
        self._open = False
        self._request: CommandRequest | None = None
        self._halt: HaltRequest | None = None
        self._exit: ExitRequest | None = None
        self._owed: CommandRequest | None = None  # halted; its reply is still to come
        self._late_code = 0  # replies of this code until this time are second ones
        self._late_until: float | None = None

    # --- for the owner ---------------------------------------------------------------------

    @property
    def is_free(self) -> bool:
        """Whether the robot can take a command now. Takes no lock."""
        idle = self._request is None and self._halt is None and self._exit is None
        return self._open and idle and self._late_until is None and self._owed is None

    @property
    def has_command(self) -> bool:
        """Whether the robot carries out a command, as far as is known. Takes no lock."""
        return self._request is not None or self._owed is not None

    @property
    def owes_reply(self) -> bool:
        """Whether a command was halted whose own reply is still to come. Takes no lock."""
        return self._owed is not None

    @property
    def due(self) -> float:
        """When ``tick`` is to be called, on the clock (s). Takes no lock."""
        late, awaited = self._late_until, (self._owed, self._halt or self._request, self._exit)
        deadlines = [request.deadline for request in awaited if request is not None]
        return min([math.inf if late is None else late, *deadlines])

    def send_command(
        self,
        command: events.Command,
        on_end: Callable[[Outcome, str], object],
        on_phase: Callable[[Phase], object] = lambda phase: None,
    ) -> None:
        """Send ``command``. To be called while the robot is free, never on two threads at once.

        Raises NotConnectedError, and ProtocolError for a command that the dialect cannot express.
        """
        with self._lock:
            self._tell(command)
            deadline = self._clock() + self._limits.of(command)
            self._request = CommandRequest(command, on_end, on_phase, deadline)
            self._request.phase(Phase.EXECUTING)

    def halt(self, reason: str, on_answer: OnAnswer = lambda halted, text: None) -> None:
        """Halt the robot, which ends the command under way as HALTED for ``reason``."""
        with self._lock:
            self._begin_halt(Outcome.HALTED, reason, on_answer)

    def exit(self, on_answer: OnAnswer) -> bool:
        """Send Exit: the robot sits down and exits; it may hang up instead of answering.

        Returns False, after a call of ``on_answer``, where Exit could not be sent.
        """
        with self._lock:
            if self._exit is not None:
                on_answer(False, "the robot has been told to exit already")
                return False
            try:
                self._tell(events.Exit())
            except NotConnectedError as error:
                on_answer(False, str(error))
                return False
            self._exit = ExitRequest(self._clock() + self._limits.exit, on_answer)
            return True

    # --- what happens ----------------------------------------------------------------------

    def open(self) -> None:
        """Accept commands for a robot that has just connected."""
        with self._lock:
            self._open = True
            if self._walks_on:
                deadline = self._clock() + self._limits.owed_reply
                self._owed = CommandRequest(
                    NO_WAY, lambda outcome, text: None, lambda phase: None, deadline
                )
                with contextlib.suppress(NotConnectedError):
                    self._tell(events.Halt())
                    self._halt = HaltRequest(deadline, Outcome.HALTED, "")
                    self._tell(NO_WAY)

    def close(self, outcome: Outcome, reason: str) -> None:
        """End everything: LINK_LOST when the robot is gone, SHUTDOWN when we go.

        A robot that can still be reached is halted. Idempotent.
        """
        with self._lock:
            request, halt, exiting = self._request, self._halt, self._exit
            if request is not None and halt is None:
                with contextlib.suppress(NotConnectedError):
                    self._tell(events.Halt())
            self._open = False
            self._request = self._halt = self._exit = self._late_until = self._owed = None
            for on_answer in halt.waiting if halt is not None else ():
                on_answer(False, reason)
            if exiting is not None and outcome is Outcome.LINK_LOST:
                exiting.on_answer(True, "the robot has ended the connection")
                outcome, reason = Outcome.HALTED, EXITING
            elif exiting is not None:
                exiting.on_answer(False, reason)
            if request is not None:
                request.end(outcome, reason)

    def handle(self, reply: events.Success | events.Failure) -> None:
        """Find out what a reply belongs to, and end that."""
        with self._lock:
            if not self._open:
                return
            self._reply(reply.code, isinstance(reply, events.Success))
            if self.is_free:
                self._observer.on_event(Ready())

    def tick(self) -> str | None:
        """Act on passed time limits; return the reason if the connection is to be ended."""
        with self._lock:
            now, request, halt, exiting = self._clock(), self._request, self._halt, self._exit
            late, was_free = self._late_until, self.is_free
            if late is not None and now >= late:
                self._late_until = None
            if exiting is not None and now >= exiting.deadline:
                text = f"the robot did not exit within {self._limits.exit:g} s"
                self._exit_answered(exiting, False, text)
            if self.is_free and not was_free:
                self._observer.on_event(Ready())
            if (owed := self._owed) is not None and now >= owed.deadline:
                ended = f"how {owed.command} ended, which was halted,"
                what = "that it has halted" if owed.command is NO_WAY else ended
                return f"the robot did not report {what} within {self._limits.owed_reply:g} s"
            if halt is not None and now >= halt.deadline:
                text = f"the robot did not answer a Halt within {self._limits.halt:g} s"
                return self._give_up(text)
            if halt is None and request is not None and now >= request.deadline:
                limit = self._limits.of(request.command)
                text = f"the robot did not finish {request.command} within {limit:g} s"
                if request.ended:  # it has refused to halt as well
                    return self._give_up(text)
                self._begin_halt(Outcome.TIMED_OUT, text, lambda halted, text: None)
            return None

    def _reply(self, code: int, succeeded: bool) -> None:
        request = self._request
        if request is not None and not request.failed and code == request.command.opcode:
            if not succeeded and self._halt is not None:
                request.failed = True  # by the Halt or by itself: the answer to the Halt decides
            else:
                self._conclude(request, succeeded)
        elif self._halt is not None and code == events.Halt.opcode:
            self._halt_answered(self._halt, succeeded)
        elif self._exit is not None and code == events.Exit.opcode:
            text = "the robot sits and exits" if succeeded else "the robot refused to exit"
            self._exit_answered(self._exit, succeeded, text)
        elif self._owed is not None and self._owed.command is NO_WAY:
            if code == NO_WAY.opcode and not succeeded:
                # It may be that of a walk, which that of NO_WAY follows.
                self._owed = None
                self._await_no_more(code)
        elif self._owed is not None and code == self._owed.command.opcode:
            self._await_second_reply(self._owed)
            self._owed = None
        elif self._late_until is None or code != self._late_code:
            kind = "success" if succeeded else "failure"
            text = f"the robot reported {kind} of 0x{code:02x}, which it had not been told to do"
            self._observer.on_problem("stray replies", text)

    def _conclude(self, request: CommandRequest, succeeded: bool) -> None:
        note = "; it had refused to halt" if request.refused_halt else ""
        if succeeded:
            request.end(Outcome.SUCCEEDED, f"the robot reported success{note}")
        elif self._exit is not None:
            request.end(Outcome.HALTED, EXITING)
        else:
            text = f"the robot reported failure of {request.command}{note}"
            request.end(Outcome.FAILED, text)
        self._request = None
        self._await_second_reply(request)

    def _halt_answered(self, halt: HaltRequest, halted: bool) -> None:
        # The robot becomes free only after the callbacks: they may end goals that wait for it.
        request = self._request
        refused = "the robot refused to halt: it is grabbing or putting down an object"
        text = "the robot has halted" if halted else refused
        for on_answer in halt.waiting:
            on_answer(halted, text)
        if request is not None and halted:
            request.end(halt.outcome, f"{halt.reason}; {text}")
            self._request = None
            if not request.failed:
                request.deadline = self._clock() + self._limits.owed_reply
                self._owed = request
        elif request is not None:
            request.refused_halt = True
            if request.failed:
                self._conclude(request, False)
            elif halt.outcome is Outcome.TIMED_OUT:
                # It has ended for its owner; the robot keeps its place until it replies.
                request.end(Outcome.TIMED_OUT, f"{halt.reason} and refused to halt")
                request.deadline = self._clock() + self._limits.of(request.command)
            else:
                request.phase(Phase.EXECUTING)
        self._halt = None

    def _exit_answered(self, exiting: ExitRequest, succeeded: bool, text: str) -> None:
        exiting.on_answer(succeeded, text)
        self._exit = None

    def _await_second_reply(self, request: CommandRequest) -> None:
        if isinstance(request.command, events.PickUp):
            self._await_no_more(request.command.opcode)

    def _await_no_more(self, code: int) -> None:
        self._late_code = code
        self._late_until = self._clock() + SECOND_REPLY_S

    def _begin_halt(self, outcome: Outcome, reason: str, on_answer: OnAnswer) -> None:
        if self._halt is None:
            try:
                self._tell(events.Halt())
            except NotConnectedError as error:
                on_answer(False, str(error))
                return
            self._halt = HaltRequest(self._clock() + self._limits.halt, outcome, reason)
            if self._request is not None:
                self._request.phase(Phase.HALTING)
        self._halt.waiting.append(on_answer)

    def _give_up(self, text: str) -> str:
        if self._request is not None:
            self._request.end(Outcome.TIMED_OUT, text)
        return text

    def _tell(self, command: events.Command) -> None:
        if not self._open:
            raise NotConnectedError("no robot is connected")
        self._send(command)
