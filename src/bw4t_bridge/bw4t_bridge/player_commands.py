# SPDX-License-Identifier: Apache-2.0
"""What a player can do: actions for ways, services for what takes no time.

Everything here runs on the executor, except the feedback, which comes on the host's thread.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from legacy_robots_msgs.action import Bw4tGoTo, Bw4tGoToBlock, Bw4tNavigateObstacles
from legacy_robots_msgs.msg import Bw4tEffect
from legacy_robots_msgs.srv import Bw4tAct, Bw4tPickUp, Bw4tSendMessage
from rclpy.action import ActionServer, CancelResponse
from rclpy.action.server import ServerGoalHandle
from rclpy.node import Node

from bw4t_bridge import conversions
from bw4t_bridge.host import WorldHost
from bw4t_bridge.trips import Progress, Trip, TripEnd, TripResult, Trips
from bw4t_bridge.waiting import done
from bw4t_world import WorldError
from bw4t_world.messages import MessageError, Phrasing, format_text
from legacy_robots_common.names import to_ros_name

RESULT_SECONDS = 30
"""How long results are kept for those who ask late; agents send several goals a second."""


class GoingAction:
    """One action server whose goals are ways of one robot.

    ``to_call`` turns a goal into an action of BW4T and its arguments.
    """

    def __init__(
        self,
        node: Node,
        trips: Trips,
        player: str,
        action_type: type[Any],
        name: str,
        to_call: Callable[[Any], tuple[Any, ...]],
    ) -> None:
        self._node = node
        self._trips = trips
        self._player = player
        self._type = action_type
        self._name = name
        self._to_call = to_call
        self._going: dict[bytes, Trip] = {}
        self._server = ActionServer(
            node,
            action_type,
            name,
            self._execute,
            cancel_callback=self._cancel,
            result_timeout=RESULT_SECONDS,
        )

    def destroy(self) -> None:
        """Give the server back."""
        self._server.destroy()

    async def _execute(self, handle: ServerGoalHandle) -> Any:
        feedback = self._type.Feedback()

        def tell(progress: Progress) -> None:
            feedback.position = conversions.point(progress.x, progress.y)
            feedback.place = progress.zone
            feedback.remaining = progress.remaining
            handle.publish_feedback(feedback)

        call = self._to_call(handle.request)
        trip = self._trips.begin(self._player, *call, on_progress=tell)
        key = bytes(handle.goal_id.uuid)
        self._going[key] = trip
        try:
            result = await done(self._node, trip.result)
        finally:
            del self._going[key]
        if result.end is TripEnd.ARRIVED:
            handle.succeed()
        elif result.end is TripEnd.CANCELED and handle.is_cancel_requested:
            handle.canceled()
        else:
            handle.abort()
        self._node.get_logger().debug(f"{self._name}: {result.text}")
        return self._result(result)

    def _result(self, result: TripResult) -> Any:
        message = self._type.Result(outcome=conversions.going(result))
        if result.progress is not None:
            message.position = conversions.point(result.progress.x, result.progress.y)
        return message

    async def _cancel(self, handle: ServerGoalHandle) -> CancelResponse:
        """Accept, and stop the robot, as long as the way has not ended."""
        trip = self._going.get(bytes(handle.goal_id.uuid))
        if trip is None or trip.result.done():
            return CancelResponse.REJECT
        # The goal must be in the state CANCELING before its trip ends; see _stop.
        self._node.executor.create_task(self._stop, trip)
        return CancelResponse.ACCEPT

    async def _stop(self, trip: Trip) -> None:
        await done(self._node, self._trips.cancel(trip))


class PlayerCommands:
    """The services of a player, and of a robot the actions too."""

    def __init__(
        self,
        node: Node,
        host: WorldHost,
        trips: Trips,
        name: str,
        phrasing: Phrasing,
        *,
        is_robot: bool,
        pick_up_by_id: bool,
    ) -> None:
        self._node = node
        self._host = host
        self._name = name
        self._phrasing = phrasing
        self._pick_up_by_id = pick_up_by_id
        token = to_ros_name(name)
        self._services = [
            node.create_service(Bw4tSendMessage, f"{token}/send_message", self._send_message)
        ]
        self._actions: list[GoingAction] = []
        if not is_robot:
            return
        self._services.append(node.create_service(Bw4tPickUp, f"{token}/pick_up", self._pick_up))
        for service, action in (
            ("put_down", "putDown"),
            ("pick_up_epartner", "pickUpEPartner"),
            ("put_down_epartner", "putDownEPartner"),
        ):
            self._services.append(
                node.create_service(Bw4tAct, f"{token}/{service}", self._doing(action))
            )
        self._actions = [
            GoingAction(node, trips, name, Bw4tGoTo, f"{token}/go_to", _go_to),
            GoingAction(
                node, trips, name, Bw4tGoToBlock, f"{token}/go_to_block",
                lambda goal: ("goToBlock", goal.block_id),
            ),
            GoingAction(
                node, trips, name, Bw4tNavigateObstacles, f"{token}/navigate_obstacles",
                lambda goal: ("navigateObstacles",),
            ),
        ]  # fmt: skip

    def destroy(self) -> None:
        """Take services and actions away."""
        for action in self._actions:
            action.destroy()
        for service in self._services:
            self._node.destroy_service(service)
        self._actions, self._services = [], []

    async def _act(self, action: str, *args: Any) -> Bw4tEffect:
        try:
            outcome = await done(self._node, self._host.act_soon(self._name, action, *args))
        except WorldError as error:
            return conversions.rejected(str(error))
        return conversions.effect(outcome)

    def _doing(self, action: str) -> Callable[[Any, Any], Any]:
        async def act(request: Bw4tAct.Request, response: Bw4tAct.Response) -> Any:
            response.effect = await self._act(action)
            return response

        return act

    async def _pick_up(self, request: Bw4tPickUp.Request, response: Bw4tPickUp.Response) -> Any:
        if self._pick_up_by_id == (request.block_id == Bw4tPickUp.Request.NEAREST):
            response.effect = conversions.rejected(
                "in this profile pickUp takes the id of a block"
                if self._pick_up_by_id
                else "in this profile pickUp takes the nearest block: it cannot be chosen by id"
            )
        elif self._pick_up_by_id:
            response.effect = await self._act("pickUp", request.block_id)
        else:
            response.effect = await self._act("pickUp")
        return response

    async def _send_message(
        self, request: Bw4tSendMessage.Request, response: Bw4tSendMessage.Response
    ) -> Any:
        text = request.text
        try:
            if not text:
                text = format_text(conversions.to_message(request.message), self._phrasing)
        except (MessageError, conversions.ConversionError) as error:
            response.effect = conversions.rejected(str(error))
        else:
            response.effect = await self._act("sendMessage", request.receiver, text)
        return response


def _go_to(goal: Bw4tGoTo.Goal) -> tuple[Any, ...]:
    if goal.place:
        return "goTo", goal.place
    return "goTo", *conversions.map_units(goal.x, goal.y)
