# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The exchange of commands and replies with the robot: no ROS, no sockets.

Replies carry no request id, so the robot gets one command at a time: its Success or Failure can
belong to no other. Only Halt and Exit overtake a command.

A robot may answer a Halt at once and report the end of the halted command later: it gets no
further command before that reply. Without it within ``owed_reply`` the connection begins anew.

A robot that ``walks_on`` carries on over a lost link, and replies over the next one, be it to
another program; after each PickUp it reports a second time. It carries out one command after the
other, and NO_WAY, which no map has, fails at once: a barrier, whose Failure comes when all before
it has ended. The rules; :mod:`nao_goal_bridge.schedules` searches for exceptions:

1. What the robot reports before it greets is of an earlier connection and is ignored.
2. It is halted when it has greeted. A Halt has what waits in the robot fail, such as an earlier
   NO_WAY, and is answered after that: NO_WAY is sent after the answer, never before.
3. NO_WAY follows the answer to each Halt that halted something, and each PickUp. The robot is free
   when it has failed.
4. A halted walk fails, too, and its Failure looks like that of NO_WAY. Either says that nothing
   runs, but one more Failure may come: it is *loose*.
5. A Failure that comes for a walk while one is loose is asked about: NO_WAY is sent, and the next
   reply decides. A Success is the walk's; with a second Failure the walk has failed, whichever of
   them was its own.
6. A robot that need not greet may answer Halts of earlier connections first: a new one is halted
   once more often than Halts are unanswered. As it answers in order, the last answer is a new one.
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
NO_WAY = events.GoToTiles(((-1, -1), (-2, -1)))
"""What a robot fails to do at once, wherever it is.

Not the empty way: before 17 June 2013 the original succeeds in that (docs/originals/nao.md).
"""


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
    ``greets``: each connection begins with an Agent, for which ``greeted`` is called.
    """

    def __init__(
        self,
        send: Callable[[events.Command], None],
        observer: LinkObserver,
        limits: TimeLimits | None = None,
        clock: Callable[[], float] = time.monotonic,
        *,
        walks_on: bool = False,
        greets: bool = False,
    ) -> None:
        self._walks_on = walks_on
        self._greets = greets
        self._send = send
        self._observer = observer
        self._limits = limits or TimeLimits()
        self._clock = clock
        self._lock = threading.RLock()
        self._open = False
        self._request: CommandRequest | None = None
        self._halt: HaltRequest | None = None
        self._exit: ExitRequest | None = None
        self._owed: CommandRequest | None = None  # halted, or NO_WAY; its reply is to come
        self._loose = 0  # Failures of NO_WAY that may come besides
        self._is_greeted = False
        self._halts = 0  # not answered, of all connections

    # --- for the owner ---------------------------------------------------------------------

    @property
    def is_free(self) -> bool:
        """Whether the robot can take a command now. Takes no lock."""
        idle = self._request is None and self._halt is None and self._exit is None
        return self._open and idle and self._owed is None

    @property
    def has_command(self) -> bool:
        """Whether the robot carries out a command, as far as is known. Takes no lock."""
        return self._request is not None or self._owed is not None

    @property
    def owes_reply(self) -> bool:
        """Whether something may still run that no request waits for. Takes no lock."""
        return self._owed is not None

    @property
    def due(self) -> float:
        """When ``tick`` is to be called, on the clock (s). Takes no lock."""
        awaited = (self._owed, self._halt or self._request, self._exit)
        return min((request.deadline for request in awaited if request), default=math.inf)

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
            if self._greets or not self._walks_on:
                self._halts = 0
            if self._walks_on:
                self._owe_no_way()
                self._halt = HaltRequest(self._owed_until(), Outcome.HALTED, "")
            if not self._greets:
                self.greeted()

    def greeted(self) -> None:
        """Take what the robot reports from now on as of this connection."""
        with self._lock:
            if self._open and not self._is_greeted:
                self._is_greeted = True
                if self._walks_on and self._halt is not None:
                    self._halt.owed = self._halts + 1
                    with contextlib.suppress(NotConnectedError):
                        self._tell(events.Halt())

    def close(self, outcome: Outcome, reason: str) -> None:
        """End everything: LINK_LOST when the robot is gone, SHUTDOWN when we go.

        A robot that can still be reached is halted. Idempotent.
        """
        with self._lock:
            request, halt, exiting = self._request, self._halt, self._exit
            if request is not None and halt is None:
                with contextlib.suppress(NotConnectedError):
                    self._tell(events.Halt())
            self._open = self._is_greeted = False
            self._request = self._halt = self._exit = self._owed = None
            self._loose = 0
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
            if not self._is_greeted:
                return
            self._reply(reply.code, isinstance(reply, events.Success))
            if self.is_free:
                self._observer.on_event(Ready())

    def tick(self) -> str | None:
        """Act on passed time limits; return the reason if the connection is to be ended."""
        with self._lock:
            now, request, halt, exiting = self._clock(), self._request, self._halt, self._exit
            if exiting is not None and now >= exiting.deadline:
                text = f"the robot did not exit within {self._limits.exit:g} s"
                self._exit_answered(exiting, False, text)
                if self.is_free:
                    self._observer.on_event(Ready())
            if (owed := self._owed) is not None and now >= owed.deadline:
                what = "report that it has ended all commands"
                if not self._is_greeted:
                    what = "greet"
                elif owed.command is not NO_WAY:
                    what = f"report how {owed.command} ended, which was halted,"
                return f"the robot did not {what} within {self._limits.owed_reply:g} s"
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
        request, owed = self._request, self._owed
        is_failed_way = code == NO_WAY.opcode and not succeeded
        if request is not None and code == request.command.opcode:
            self._request_replied(request, succeeded)
        elif self._halt is not None and code == events.Halt.opcode:
            self._halts -= 1
            self._halt.owed -= 1
            if self._halt.owed:
                with contextlib.suppress(NotConnectedError):
                    self._tell(events.Halt())
            else:
                self._halt_answered(self._halt, succeeded)
        elif code == events.Halt.opcode and self._halts:
            self._halts -= 1  # the answers before were those of earlier connections
        elif self._exit is not None and code == events.Exit.opcode:
            text = "the robot sits and exits" if succeeded else "the robot refused to exit"
            self._exit_answered(self._exit, succeeded, text)
        elif owed is not None and owed.command is NO_WAY:
            if self._halt is None and is_failed_way:  # else it is of what ran or waited
                self._owed = None
                self._loose -= 1
                self._halts = 0
        elif owed is not None and code == owed.command.opcode:
            self._owed = None
        elif is_failed_way and self._loose:
            self._loose -= 1
        else:
            kind = "success" if succeeded else "failure"
            text = f"the robot reported {kind} of 0x{code:02x}, which it had not been told to do"
            self._observer.on_problem("stray replies", text)

    def _is_unsure(self, request: CommandRequest) -> bool:
        """Whether a Failure may be of NO_WAY instead."""
        return request.command.opcode == NO_WAY.opcode and self._loose > 0

    def _request_replied(self, request: CommandRequest, succeeded: bool) -> None:
        if request.failed and not self._is_unsure(request):
            return  # it reports a second time
        if succeeded:
            self._conclude(request, True)
        elif self._halt is not None:
            request.failed = True  # by the Halt or by itself: the answer to the Halt decides
        elif self._is_unsure(request) and request.asked < self._loose:
            request.asked += 1
            self._tell_no_way()
        else:
            self._conclude(request, False)

    def _conclude(self, request: CommandRequest, succeeded: bool) -> None:
        note = "; it had refused to halt" if request.refused_halt else ""
        if succeeded:
            request.end(Outcome.SUCCEEDED, f"the robot reported success{note}")
        elif self._exit is not None:
            request.end(Outcome.HALTED, EXITING)
        else:
            text = f"the robot reported failure of {request.command}{note}"
            request.end(Outcome.FAILED, text)
        if self._walks_on and isinstance(request.command, events.PickUp):
            self._send_no_way()
        self._request = None

    def _halt_answered(self, halt: HaltRequest, halted: bool) -> None:
        # The robot becomes free only after the callbacks: they may end goals that wait for it.
        request = self._request
        refused = "the robot refused to halt: it is grabbing or putting down an object"
        text = "the robot has halted" if halted else refused
        for on_answer in halt.waiting:
            on_answer(halted, text)
        self._halt = None
        if request is None:
            if self._owed is not None and self._owed.command is NO_WAY:
                self._send_no_way(loose=1)
        elif halted:
            self._has_halted(request, halt, text)
        else:
            self._goes_on(request, halt)

    def _has_halted(self, request: CommandRequest, halt: HaltRequest, text: str) -> None:
        request.end(halt.outcome, f"{halt.reason}; {text}")
        has_ended = request.failed and not self._is_unsure(request)
        if self._walks_on:
            if not has_ended or isinstance(request.command, events.PickUp):  # it reports twice
                self._send_no_way(loose=1)
        elif not has_ended:
            request.deadline = self._owed_until()
            self._owed = request
        self._request = None

    def _goes_on(self, request: CommandRequest, halt: HaltRequest) -> None:
        request.refused_halt = True
        if request.failed:
            request.failed = False
            self._request_replied(request, False)
        elif halt.outcome is Outcome.TIMED_OUT:
            # It has ended for its owner; the robot keeps its place until it replies.
            request.end(Outcome.TIMED_OUT, f"{halt.reason} and refused to halt")
            request.deadline = self._clock() + self._limits.of(request.command)
        else:
            request.phase(Phase.EXECUTING)

    def _owed_until(self) -> float:
        return self._clock() + self._limits.owed_reply

    def _owe_no_way(self) -> None:
        self._owed = CommandRequest(
            NO_WAY, lambda outcome, text: None, lambda phase: None, self._owed_until()
        )

    def _send_no_way(self, loose: int = 0) -> None:
        """Let the robot be free when NO_WAY has failed; ``loose`` Failures may come before.

        While a Halt is not answered that is left to its answer.
        """
        self._loose = loose + 1
        self._owe_no_way()
        if self._halt is None:
            self._tell_no_way()

    def _tell_no_way(self) -> None:
        with contextlib.suppress(NotConnectedError):  # the connection ends, and with it all
            self._tell(NO_WAY)

    def _exit_answered(self, exiting: ExitRequest, succeeded: bool, text: str) -> None:
        exiting.on_answer(succeeded, text)
        self._exit = None

    def _begin_halt(self, outcome: Outcome, reason: str, on_answer: OnAnswer) -> None:
        if self._halt is None:
            try:
                self._tell(events.Halt())
            except NotConnectedError as error:
                on_answer(False, str(error))
                return
            self._halt = HaltRequest(self._clock() + self._limits.halt, outcome, reason)
            self._halt.owed = self._halts
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
        self._halts += isinstance(command, events.Halt)
        self._send(command)
