# SPDX-License-Identifier: Apache-2.0
"""A mission: a node whose plan reads as one sequence of goals, calls and pauses.

Example::

    class Patrol(Mission):
        async def plan(self) -> None:
            while True:
                for marker in (80, 114):
                    await self.achieve(self.go_to, NaoGoTo.Goal(marker_id=marker))
                await self.pause(2.0)

The plan runs on the node's executor, between its callbacks; it takes no thread and, unlike a
coroutine that the executor itself runs, no time while it waits.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Coroutine, Generator
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from action_msgs.msg import GoalStatus
from rclpy.action import ActionClient
from rclpy.action.client import ClientGoalHandle
from rclpy.client import Client
from rclpy.task import Future
from rclpy.timer import Timer
from unique_identifier_msgs.msg import UUID

from legacy_robots_common.program_node import ProgramNode

SERVER_TIMEOUT_S = 3.0
"""A goal ends as failed when its server has been missing for so long."""
ANSWER_TIMEOUT_S = 5.0
"""A goal that its server has not answered for so long is sent again.

A server that has not discovered all of its client yet cannot answer; rclpy's then drops the goal.
"""


@dataclass(frozen=True)
class Achieved:
    """How a goal ended. ``result`` is the action's result message, None without an answer."""

    succeeded: bool
    result: Any
    reason: str
    """Why it did not succeed; empty if it did."""


class _Until:
    """Waits for a future: hands it to the mission, which goes on when it is done."""

    def __init__(self, future: Future) -> None:
        self._future = future

    def __await__(self) -> Generator[Future, None, Any]:
        yield self._future
        return self._future.result()


class Mission(ProgramNode):
    """A node that carries out ``plan`` once its executor spins."""

    def __init__(self, name: str, **node_arguments: Any) -> None:
        super().__init__(name, **node_arguments)
        self._running: Coroutine[Future, None, None] | None = None
        self._has_begun = False
        self._goal: Any = None
        self._cancellation: Future | None = None

    @abstractmethod
    async def plan(self) -> None:
        """Do what the mission is for. An exception ends the program."""

    def start(self) -> None:
        """Begin the plan; where it follows /clock once time passes."""
        if self.follows_clock:
            self.on_clock(self._begin)  # all that is stepped with it is there by then
        else:
            self.call_soon(self._begin)

    def _begin(self) -> None:
        if not self._has_begun:
            self._has_begun = True
            self._running = self.plan()
            self._advance()

    def stop(self) -> None:
        """Cancel the goal that was asked for or runs, and end the plan."""
        self._has_begun = True
        if self._goal is not None:
            self._cancellation = self._goal.cancel_goal_async()
            self._goal = None
        if self._running is not None:
            self._running.close()
            self._running = None

    def on_exception(self, where: str, text: str) -> None:
        """End the program: the plan cannot go on."""
        super().on_exception(where, text)
        self.exit_code = 1

    @property
    def settled(self) -> bool:
        """Whether the cancellation, if there is one, has been answered."""
        return self._cancellation is None or self._cancellation.done()

    def _advance(self, _: Future | None = None) -> None:
        if self._running is None:
            return
        try:
            awaited = self._running.send(None)
        except StopIteration:
            self._running = None
        else:
            awaited.add_done_callback(self._advance)

    async def pause(self, seconds: float) -> None:
        """Wait, in the time of :meth:`now`."""
        await self._wait(seconds, self.timer)

    async def _look_again(self) -> None:
        """Wait, in real time, for a server: rclpy does not tell when it comes."""
        await self._wait(0.2, self.steady_timer)

    async def _wait(self, seconds: float, make_timer: Callable[..., Timer]) -> None:
        over = Future(executor=self.executor)
        timer = make_timer(seconds, lambda: over.set_result(None))
        await _Until(over)
        self.destroy_timer(timer)

    async def call(self, client: Client, request: Any) -> Any:
        """Wait for the service, call it and return its response."""
        while not client.service_is_ready():
            await self._look_again()
        return await _Until(client.call_async(request))

    async def achieve(self, client: ActionClient, goal: Any) -> Achieved:
        """Wait for the action's server, send the goal and tell how it ended.

        A server that goes away with the goal is waited for ``SERVER_TIMEOUT_S`` seconds.
        """
        while not client.server_is_ready():
            await self._look_again()
        handle = await self._send(client, goal)
        if handle is None or not handle.accepted:
            self._goal = None
            reason = "the server is gone" if handle is None else "the goal was rejected"
            return Achieved(False, None, reason)
        self._goal = handle
        ended = await self._answer(client, handle.get_result_async())
        self._goal = None
        if ended is None:
            return Achieved(False, None, "the server is gone")
        succeeded = ended.status == GoalStatus.STATUS_SUCCEEDED
        outcome = getattr(ended.result, "outcome", None)
        reason = "" if succeeded else getattr(outcome, "message", f"status {ended.status}")
        return Achieved(succeeded, ended.result, reason)

    async def _send(self, client: ActionClient, goal: Any) -> Any:
        """Send a goal until it is answered; return its handle, or None if the server is gone."""
        while True:
            goal_id = UUID(uuid=list(uuid4().bytes))
            # The server may have accepted before we know: what is asked for can be cancelled.
            self._goal = ClientGoalHandle(client, goal_id, None)
            asked = client.send_goal_async(goal, goal_uuid=goal_id)
            handle = await self._answer(client, asked, ANSWER_TIMEOUT_S)
            if handle is not None or not client.server_is_ready():
                return handle
            self.get_logger().warning("a goal was not answered: it is cancelled and sent again")
            self._goal.cancel_goal_async()

    async def _answer(
        self, client: ActionClient, future: Future, longest: float = math.inf
    ) -> Any:
        """Return the result of ``future``.

        None if the server has been missing too long, or it has taken ``longest`` seconds.
        """
        first = Future(executor=self.executor)

        def finish(value: Any) -> None:
            if not first.done():
                first.set_result(value)

        missing = passed = 0.0

        def look() -> None:
            nonlocal missing, passed
            passed += 0.5
            missing = 0.0 if client.server_is_ready() else missing + 0.5
            if missing >= SERVER_TIMEOUT_S or passed >= longest:
                finish(None)

        watch = self.steady_timer(0.5, look)
        future.add_done_callback(lambda done: finish(done.result()))
        answer = await _Until(first)
        self.destroy_timer(watch)
        return answer
