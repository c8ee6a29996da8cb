# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""rclpy's action server with true answers, which are sent when their client can get them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from action_msgs.msg import GoalStatus
from action_msgs.srv import CancelGoal
from rclpy.action import ActionServer, CancelResponse, GoalResponse
from rclpy.action.server import GoalEvent, RCLError, ServerGoalHandle
from rclpy.executors import await_or_execute

from legacy_robots_common.goals.result_watch import ResultWatch
from legacy_robots_common.node.client_discovery import ClientDiscovery
from legacy_robots_common.node.program_node import ProgramNode

PRIVATE = ("_lock", "_handle", "_action_type", "_goal_handles", "_cancel_callback")
"""What this needs of rclpy's action server; without one of them rclpy answers as it does."""


class TruthfulActionServer(ActionServer):
    """Asks about every goal that is to be cancelled, and says where none is.

    rclpy (seen in 7.1) takes refused goals out of the list over which it iterates: the goal
    after each of them is reported as being cancelled without having been asked about, and an
    answer that names no goal has the code of success.

    A goal begins, and a result is sent, when the client can be answered. A cancellation takes
    effect at once. ``on_result_request`` gets each goal whose result a client asks for; the other
    arguments are those of rclpy's action server. Results that no client gets are logged, see
    ResultWatch.
    """

    def __init__(
        self,
        node: ProgramNode,
        action_type: type[Any],
        name: str,
        *arguments: Any,
        goal_callback: Callable[[Any], GoalResponse],
        on_result_request: Callable[[ServerGoalHandle], None],
        **keywords: Any,
    ) -> None:
        def discovery(service: str) -> ClientDiscovery:
            return ClientDiscovery(node, node.resolve_service_name(f"{name}/_action/{service}"))

        self._of_goals = discovery("send_goal")
        self._of_cancellations = discovery("cancel_goal")
        self._of_results = discovery("get_result")
        self._on_result_request = on_result_request
        self._watch = ResultWatch(node, name)

        async def answer(goal: Any) -> GoalResponse:
            await self._of_goals.wait()
            return goal_callback(goal)

        super().__init__(node, action_type, name, *arguments, goal_callback=answer, **keywords)

    async def _execute_get_result_request(self, request_header_and_message: Any) -> None:
        header, request = request_header_and_message
        goal_id = bytes(request.goal_id.uuid)
        if goal_id in self._goal_handles:
            self._watch.asked(goal_id, header)
        await self._of_results.wait()
        handle = self._goal_handles.get(goal_id)
        if handle is not None:
            self._on_result_request(handle)
        await super()._execute_get_result_request(request_header_and_message)

    def _send_result_response(self, request_header: Any, future: Any) -> None:
        super()._send_result_response(request_header, future)
        self._watch.written(request_header)

    async def _execute_goal(self, execute_callback: Any, goal_handle: ServerGoalHandle) -> None:
        goal_id = bytes(goal_handle.goal_id.uuid)
        try:
            await super()._execute_goal(execute_callback, goal_handle)
        finally:
            self._watch.ended(goal_id)

    async def _execute_expire_goals(self, expired_goals: Any) -> None:
        for goal in expired_goals:
            self._watch.expired(bytes(goal.goal_id.uuid))
        await super()._execute_expire_goals(expired_goals)

    async def _execute_cancel_request(self, request_header_and_message: Any) -> None:
        if not all(hasattr(self, name) for name in PRIVATE):
            await super()._execute_cancel_request(request_header_and_message)
            return
        header, request = request_header_and_message
        await self._of_goals.finish()  # one of those that wait may be meant
        with self._lock:
            response = self._handle.process_cancel_request(
                request, self._action_type.Impl.CancelGoalService.Response
            )
        asked = list(response.goals_canceling)
        # The latest first: those that wait are withdrawn before the end of another begins them.
        response.goals_canceling = [
            info for info in reversed(asked) if await self._cancels(bytes(info.goal_id.uuid))
        ]
        if asked and not response.goals_canceling:
            response.return_code = CancelGoal.Response.ERROR_REJECTED
        await self._of_cancellations.wait()
        try:
            self._handle.send_cancel_response(header, response)
        except RCLError:
            self._logger.warning("the client of a cancellation has gone away")

    async def _cancels(self, goal_id: bytes) -> bool:
        """Return whether a goal is being cancelled now."""
        handle = self._goal_handles.get(goal_id)
        if handle is None:
            return False
        answer = await await_or_execute(self._cancel_callback, handle)
        if answer != CancelResponse.ACCEPT:
            return False
        try:
            handle._update_state(GoalEvent.CANCEL_GOAL)
        except RCLError:  # it has ended meanwhile, or another request has cancelled it
            return handle.status in (GoalStatus.STATUS_CANCELING, GoalStatus.STATUS_CANCELED)
        return True
