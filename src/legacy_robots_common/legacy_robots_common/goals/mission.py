# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
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

from abc import abstractmethod
from collections.abc import Callable, Coroutine, Generator
from typing import Any

from rclpy.client import Client
from rclpy.task import Future
from rclpy.timer import Timer

from legacy_robots_common.goals.remote import RemoteAction
from legacy_robots_common.goals.requests import End, GoalRequest, Limits, Observer
from legacy_robots_common.node.program_node import ProgramNode


class _Until:
    """Waits for a future: hands it to the mission, which goes on when it is done."""

    def __init__(self, future: Future) -> None:
        self._future = future

    def __await__(self) -> Generator[Future, None, Any]:
        yield self._future
        return self._future.result()


class Mission(ProgramNode):
    """A node that carries out ``plan`` once its executor spins."""

    limits = Limits()
    """How long its goals wait for servers; by default without end until they are found."""

    def __init__(self, name: str, **node_arguments: Any) -> None:
        super().__init__(name, **node_arguments)
        self._running: Coroutine[Future, None, None] | None = None
        self._has_begun = False
        self._goal: GoalRequest | None = None

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
            self._goal.cancel()
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
        return self._goal is None or self._goal.settled

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
        """Wait, in real time, for a server: rclpy does not report when it comes."""
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

    async def achieve(self, action: RemoteAction, goal: Any) -> End:
        """Wait for the action's server, send the goal and return how it ended."""
        ended = Future(executor=self.executor)
        self._goal = action.send(goal, Observer(ended.set_result), self.limits)
        end: End = await _Until(ended)
        return end
