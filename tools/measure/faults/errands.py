# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Goals and calls that are under way while something goes wrong, and how each of them ends."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Protocol

from action_msgs.msg import GoalStatus

from legacy_robots_testing.machine import ros2
from legacy_robots_testing.process import Process
from legacy_robots_testing.ros_peer import Goal, RosPeer, wait
from measure.faults.observer import Observer

Truth = Callable[[], bool]
"""Returns whether the simulator's own world says that what was asked for has been done."""
ASK_AGAIN = 3.0
"""Seconds that the answer may take when a goal is asked for once more."""


@dataclass(frozen=True)
class End:
    """How an errand ended."""

    lost: bool = False
    """It has not ended, or in two ways."""
    succeeded: bool = False
    false: bool = False
    """It was said to have succeeded, and that is not true."""
    reason: str = ""
    unknown: bool = False
    """Its bridge was ended, and the one started after it knows nothing of it."""


def _seen_at_once(answer: Any, truth: Callable[[Any], bool]) -> Truth:
    """Look at the truth when ``answer``, a future, comes; what is returned waits for that."""
    seen: Future[bool] = Future()

    def look(done: Any) -> None:
        try:
            seen.set_result(truth(done.result()))
        except Exception as error:  # who waits for it would wait for ever
            seen.set_exception(error)

    answer.add_done_callback(look)
    return seen.result


class Errand(Protocol):
    """Something that was asked of a bridge."""

    name: str

    def end(self, timeout: float) -> End:
        """Wait for the end."""


class ActionErrand:
    """A goal of an action.

    A bridge that was killed and started again knows no goals of before: asked for one, it answers
    that it is unknown. That is an end too, for who asked. ``at_once``: the truth is looked at when
    the result comes, since the world goes on. ``succeeded`` reads the result; None: it does not
    say.
    """

    def __init__(
        self,
        observer: Observer,
        goal: Goal,
        name: str,
        truth: Truth,
        succeeded: Callable[[Any], bool | None] = lambda result: result.outcome.code == 0,
        *,
        at_once: bool = False,
    ) -> None:
        self.name = name
        self._observer = observer
        self._goal = goal
        self._truth = truth
        self._succeeded = succeeded
        if at_once:
            self._truth = _seen_at_once(goal.ended, lambda _: truth())

    def cancel(self) -> None:
        """Ask to cancel it, whether it has ended or not."""
        try:
            self._goal.cancel(ASK_AGAIN)
        except TimeoutError:
            pass  # there is no server to cancel it

    def end(self, timeout: float) -> End:
        """Wait for the end."""
        try:
            answer = self._goal.end(timeout + ASK_AGAIN)
        except TimeoutError:
            return End(lost=True, reason=f"{self.name}: no result")
        if self._observer.ends_of(self._goal.id) > 1:
            return End(lost=True, reason=f"{self.name}: ended twice")
        succeeded = answer.status == GoalStatus.STATUS_SUCCEEDED
        if answer.status == GoalStatus.STATUS_UNKNOWN:
            return End(reason="unknown to the bridge that was started again", unknown=True)
        canceled = answer.status == GoalStatus.STATUS_CANCELED
        # A cancelled trajectory has the error code of success, as in ros2_controllers.
        stopped = canceled and getattr(answer.result, "error_code", None) == 0
        if not stopped and self._succeeded(answer.result) not in (succeeded, None):
            said = f"status {answer.status} and {answer.result} contradict each other"
            return End(lost=True, reason=f"{self.name}: {said}")
        false = succeeded and not self._truth()
        return End(succeeded=succeeded, false=false, reason=f"{self.name} {answer.result}")


class KilledClientErrand:
    """A goal whose client, ``ros2 action send_goal`` in a terminal, is killed on the way.

    Nothing is left that would ask for the result: the action's status topic reports the end.
    """

    def __init__(self, observer: Observer, action: str, kind: str, goal: str) -> None:
        self.name = f"{action} of the killed client"
        self._observer = observer
        with Process(ros2("action", "send_goal", action, kind, goal)) as terminal:
            line = terminal.wait_for_line("Goal accepted with ID: ")
            self._goal = bytes.fromhex(line.split()[-1])
            os.kill(terminal.pid, signal.SIGKILL)

    def end(self, timeout: float) -> End:
        """Wait for the end."""
        self._observer.wait_until(lambda: self._observer.ends_of(self._goal) > 0, timeout)
        ends = self._observer.ends_of(self._goal)
        return End(lost=ends != 1, reason=f"{self.name}: ended {ends} times")


class ServiceErrand:
    """A call of a service whose response has ``success``.

    A call is not answered when the bridge itself is killed; ROS has no other way. ``may_die``
    says that this is happening. ``at_once``: the truth is looked at when the answer comes, since
    the world goes on.
    """

    def __init__(
        self,
        peer: RosPeer,
        kind: type[Any],
        service: str,
        request: Any,
        truth: Truth,
        *,
        may_die: bool = False,
        at_once: bool = False,
    ) -> None:
        self.name = service
        self._truth = truth
        self._may_die = may_die
        self._future = peer.call_later(kind, service, request)
        if at_once:
            self._truth = _seen_at_once(
                self._future, lambda response: not response.success or truth()
            )

    @property
    def answered(self) -> bool:
        """Whether the answer is there."""
        return bool(self._future.done())

    def end(self, timeout: float) -> End:
        """Wait for the end."""
        try:
            response = wait(self._future, self.name, timeout)
        except TimeoutError:
            return End(lost=not self._may_die, reason=f"{self.name}: no answer")
        false = response.success and not self._truth()
        return End(
            succeeded=response.success, false=false, reason=f"{self.name}: {response.message}"
        )
