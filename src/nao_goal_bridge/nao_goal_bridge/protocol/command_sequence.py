# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The robot's end of the commands: which one runs, which wait, and what Halt and Exit end.

No ROS, no sockets, no clock: a :class:`Body` carries the commands out, a simulated Nao or a robot
in ROS. The rules are those of the document and of docs/originals/nao.md, "State machine":

- One command runs at a time; up to ``limit`` wait in order, one more is answered with Failure.
  Whether a command can be carried out is found out when its turn comes.
- Halt and Exit do not wait. Halt fails when the body refuses it. Otherwise whatever runs or waits
  fails, in order, and the State is 0. Commands that come before the body has answered are not
  halted. Exit lets what cannot be halted end, fails everything else, and then the robot sits down.
- The State is 1 while the robot walks. It is reported on change and on connection.
- After a fatal Error every command fails until the link is made anew.
- No command is answered on another connection than the one on which it came, unless the robot goes
  on over a lost link, as the last original does.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Protocol

from nao_goal_bridge.protocol.events import (
    Command,
    Error,
    Event,
    Exit,
    Failure,
    Halt,
    RobotState,
    State,
    Success,
)


class Body(Protocol):
    """Carries commands out, one at a time."""

    def begin(self, command: Command) -> None:
        """Begin ``command``; when it is over, now or later, call ``reply`` and then ``ended``.

        It is never Halt; at Exit the robot sits down.
        """

    def halt(self) -> None:
        """Stop the running command; when it has ended, now or later, report that as in ``begin``.

        A body that continues calls ``halt_refused`` instead, and one that will stop later, but
        lets the client know now, ``halt_accepted``.
        """


class CommandSequence:
    """Decides what a robot does with the commands of one client. Not thread-safe.

    Parameters
    ----------
    body
        Carries them out.
    emit
        Reports an event to the client.
    limit
        How many commands wait behind the one that runs.

    """

    def __init__(self, body: Body, emit: Callable[[Event], None], limit: int) -> None:
        self._body = body
        self._emit = emit
        self._limit = limit
        self._waiting: deque[Command] = deque()
        self._halted: list[Command] = []  # waited when a Halt came that is not answered
        self._halts = 0  # not answered
        self._stopping = False  # the body has not answered a Halt or Exit
        self._open = False
        self._broken = False
        self._silent = False  # the client of the command that runs is gone
        self._proceeding = False
        self.running: Command | None = None
        """The command that the body has."""
        self.state = RobotState.HALTED
        """Whether the robot walks."""
        self.exiting = False
        """Whether the client has sent Exit."""
        self.exited = False
        """Whether the robot sits: its program is to end the link and itself."""

    # --- for the link ----------------------------------------------------------------------

    def connect(self) -> None:
        """Handle a new connection with a client."""
        self._open, self._broken, self.exited = True, False, False

    def disconnect(self, *, goes_on: bool = False) -> None:
        """Forget the client and its commands; what runs gets no reply.

        ``goes_on``: what runs and waits stays, and is replied to over the next connection.
        """
        if not goes_on:
            self._waiting.clear()
        self._halted.clear()
        self._halts = 0
        self._open = self.exiting = self._stopping = False
        if not goes_on:
            self._silent = self.running is not None
            self.state = RobotState.HALTED

    def command(self, command: Command) -> None:
        """Take a command."""
        if self._broken or self.exiting or not self._open:
            self._emit(Failure(command.opcode))
        elif isinstance(command, Halt | Exit):
            self._stop(command)
        elif self.running is not None and len(self._waiting) >= self._limit:
            self._emit(Failure(command.opcode))
        else:
            self._waiting.append(command)
        self._proceed()

    def break_down(self) -> None:
        """Answer all commands with one Error, and refuse more until the next connection."""
        connected = self._open
        self.disconnect()
        if connected:
            self._open = self._broken = True
            self._emit(Error())

    # --- for the body ----------------------------------------------------------------------

    def set_state(self, state: RobotState) -> None:
        """Report the State if it has changed."""
        if state is not self.state:
            self.state = state
            if self._open:
                self._emit(State(int(state)))

    def report_state(self) -> None:
        """Report the State, as a greeting does."""
        self._emit(State(int(self.state)))

    def reply(self, succeeded: bool) -> None:
        """Report how the command ended that runs."""
        if self.running is not None and not self._silent:
            code = self.running.opcode
            self._emit(Success(code) if succeeded else Failure(code))

    def ended(self) -> None:
        """End the command that runs, after all that is reported of it."""
        self.exited |= isinstance(self.running, Exit) and not self._silent
        self.running = None
        self._silent = False
        if self._stopping:
            self._has_stopped()
        self._proceed()

    def halt_refused(self) -> None:
        """Go on with the command that runs."""
        self._stopping = False
        self._answer_halts(succeeded=False)
        if self.exiting:
            self._fail_halted()
            self.set_state(RobotState.HALTED)
        self._waiting.extendleft(reversed(self._halted))
        self._halted.clear()
        self._proceed()

    def halt_accepted(self) -> None:
        """Answer the Halt while the command that runs comes to its end, which is reported later.

        So does the last original: docs/originals/nao.md, "State machine".
        """
        self._stopping = False
        self._fail_halted()
        self._answer_halts(succeeded=True)

    # --- small parts -----------------------------------------------------------------------

    def _stop(self, command: Command) -> None:
        under_way, self._stopping = self._stopping, True
        self.exiting = isinstance(command, Exit)
        self._halts += not self.exiting
        self._halted += self._waiting
        self._waiting.clear()
        if self.running is None:
            self._has_stopped()
        elif not under_way:
            self._body.halt()

    def _has_stopped(self) -> None:
        self._stopping = False
        self._fail_halted()
        self.set_state(RobotState.HALTED)
        self._answer_halts(succeeded=True)

    def _fail_halted(self) -> None:
        for command in self._halted:
            self._emit(Failure(command.opcode))
        self._halted.clear()

    def _answer_halts(self, *, succeeded: bool) -> None:
        for _ in range(self._halts):
            self._emit(Success(Halt.opcode) if succeeded else Failure(Halt.opcode))
        self._halts = 0

    def _proceed(self) -> None:
        """When nothing runs, begin what is next."""
        if self._proceeding:
            return  # the body has ended a command at once: the loop below continues
        self._proceeding = True
        try:
            while self.running is None and not self._stopping and self._waiting:
                self.running = self._waiting.popleft()
                self._body.begin(self.running)
            if self.running is None and self.exiting and not self.exited:
                self.running = Exit()
                self._body.begin(self.running)
        finally:
            self._proceeding = False
