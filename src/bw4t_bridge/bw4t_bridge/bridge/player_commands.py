# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What a player can do: actions for ways, services for what takes no time.

Everything here runs on the executor, except feedback and ends, which come on the runner's thread.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from typing import Any

from bw4t_bridge.bridge import conversions
from bw4t_runner.trips import Progress, Trip, TripEnd, TripResult, Trips, progress_of
from bw4t_runner.world_runner import WorldRunner
from bw4t_world import WorldError
from bw4t_world.maps import ZoneType
from bw4t_world.messages import MessageError, Phrasing, format_text
from bw4t_world.simulation.snapshots import nearest_block
from legacy_robots_common.bridge.bridge_node import BridgeNode
from legacy_robots_common.drawing.menus import MenuItem
from legacy_robots_common.goals.drive import (
    Drive,
    Navigation,
    OutsideMapError,
    Place,
    offer_navigation,
)
from legacy_robots_common.goals.goal_server import Ending, Goal, GoalServer, LocalGoal
from legacy_robots_common.node.names import to_ros_name
from legacy_robots_common.node.threadsafe_future import ThreadsafeFuture, result_of
from legacy_robots_msgs.action import Bw4tGoTo, Bw4tGoToBlock, Bw4tNavigateObstacles
from legacy_robots_msgs.msg import Bw4tEffect
from legacy_robots_msgs.srv import Bw4tAct, Bw4tPickUp, Bw4tSendMessage, Bw4tUserRequest

MENU_PLACES = (ZoneType.ROOM, ZoneType.CHARGINGZONE)
"""Places to which a menu sends robots."""


class GoingGoal(Goal):
    """A goal that is a way of one robot."""

    trip: Trip | None = None


class GoingServer(GoalServer[GoingGoal]):
    """One action server whose goals are ways of one robot.

    ``to_call`` turns a goal into an action of BW4T and its arguments.
    """

    def __init__(
        self,
        node: BridgeNode,
        runner: WorldRunner,
        trips: Trips,
        player: str,
        action_type: type[Any],
        name: str,
        to_call: Callable[[Any], tuple[Any, ...]],
        on_order: Callable[[], None],
    ) -> None:
        super().__init__(node, action_type, name, TripEnd, goal_type=GoingGoal)
        self._runner = runner
        self._trips = trips
        self._player = player
        self._to_call = to_call
        self._on_order = on_order

    def begin(self, goal: GoingGoal) -> None:
        """Let the robot go."""
        self._on_order()

        def tell(progress: Progress) -> None:
            feedback = self.action_type.Feedback(place=progress.zone, remaining=progress.remaining)
            feedback.position = conversions.point(progress.x, progress.y)
            goal.publish_feedback(feedback)

        def end(done: Future[TripResult]) -> None:
            goal.end(done.result().end, done.result().text)

        call = self._to_call(goal.request)
        goal.trip = self._trips.begin(self._player, *call, on_progress=tell)
        goal.trip.result.add_done_callback(end)

    def cancel(self, goal: GoingGoal) -> ThreadsafeFuture[bool]:
        """Stop the robot where it is."""
        stopped: ThreadsafeFuture[bool] = ThreadsafeFuture(self.node.executor)

        def answer(done: Future[bool]) -> None:
            error = done.exception()
            if error is not None:
                self.node.on_problem("refused requests", f"{self._player}: {error}")
            stopped.set_result(error is None and done.result())

        assert goal.trip is not None
        self._trips.cancel(goal.trip).add_done_callback(answer)
        return stopped

    def on_end(self, goal: Goal) -> None:
        """Do not begin a way that waits for the runner's thread."""
        super().on_end(goal)
        if isinstance(goal, GoingGoal) and goal.trip is not None:
            goal.trip.is_wanted = False

    def result(self, goal: GoingGoal, ending: Ending) -> Any:
        """Return how it ended and where the robot was then."""
        way = TripResult(TripEnd(ending.outcome), ending.message, "", None)
        if goal.trip is not None and goal.trip.result.done():
            reported = goal.trip.result.result()
            if reported.end is way.end:
                way = reported
        if way.progress is None:
            way = replace(way, progress=progress_of(self._runner.snapshot, self._player))
        message = self.action_type.Result(outcome=conversions.going(way))
        if way.progress is not None:
            message.position = conversions.point(way.progress.x, way.progress.y)
        return message

    def log_end(self, text: str) -> None:
        """Log how a goal ended, not as loud as elsewhere: agents send several a second."""
        self.node.get_logger().debug(text)


class RobotDrive(Drive):
    """Goes to a point; the world's own planner finds the way, and robots have no heading."""

    def __init__(self, frame: str, server: GoingServer, runner: WorldRunner, player: str) -> None:
        super().__init__(frame, server)
        self._runner = runner
        self._player = player

    def legs(self, goal: Place) -> Iterator[Bw4tGoTo.Goal]:
        """Yield one ``go_to``."""
        area = self._runner.snapshot.map.area
        x, y = conversions.map_units(goal.x, goal.y)
        if not (0.0 <= x <= area.x and 0.0 <= y <= area.y):
            raise OutsideMapError(
                f"({goal.x:g}, {goal.y:g}) is outside of the map, which is "
                f"{area.x:g} m wide and {area.y:g} m high"
            )
        yield Bw4tGoTo.Goal(x=goal.x, y=goal.y)

    def place(self) -> Place | None:
        """Return where the robot is."""
        progress = progress_of(self._runner.snapshot, self._player)
        return None if progress is None else Place(*conversions.map_units(progress.x, progress.y))

    def remaining(self, goal: Place, feedback: Bw4tGoTo.Feedback | None) -> float:
        """Return the length of the way that is left."""
        return super().remaining(goal, feedback) if feedback is None else feedback.remaining


class PlayerCommands:
    """The services of a player, and of a robot the actions too.

    ``on_order`` is called for each order that is given by them.
    """

    def __init__(
        self,
        node: BridgeNode,
        runner: WorldRunner,
        trips: Trips,
        name: str,
        phrasing: Phrasing,
        *,
        is_robot: bool,
        pick_up_by_id: bool,
        map_frame: str,
        on_order: Callable[[], None],
    ) -> None:
        self._node = node
        self._on_order = on_order
        self._runner = runner
        self._name = name
        self._phrasing = phrasing
        self._pick_up_by_id = pick_up_by_id
        token = to_ros_name(name)
        self._services = [
            node.create_service(Bw4tSendMessage, f"{token}/send_message", self._send_message)
        ]
        self._actions: list[GoingServer] = []
        self._navigation: Navigation | None = None
        if not is_robot:
            return
        self._services.append(node.create_service(Bw4tPickUp, f"{token}/pick_up", self._pick_up))
        self._services.append(
            node.create_service(Bw4tUserRequest, f"{token}/user_request", self._user_request)
        )
        for service, action in (
            ("put_down", "putDown"),
            ("pick_up_epartner", "pickUpEPartner"),
            ("put_down_epartner", "putDownEPartner"),
        ):
            self._services.append(
                node.create_service(Bw4tAct, f"{token}/{service}", self._doing(action))
            )
        actions: tuple[tuple[type[Any], str, Callable[[Any], tuple[Any, ...]]], ...] = (
            (Bw4tGoTo, "go_to", _go_to),
            (Bw4tGoToBlock, "go_to_block", lambda goal: ("goToBlock", goal.block_id)),
            (Bw4tNavigateObstacles, "navigate_obstacles", lambda goal: ("navigateObstacles",)),
        )
        self._actions = [
            GoingServer(
                node, runner, trips, name, action_type, f"{token}/{action}", to_call, on_order
            )
            for action_type, action, to_call in actions
        ]
        drive = RobotDrive(map_frame, self._actions[0], runner, name)
        self._navigation = offer_navigation(node, drive, f"{token}/")

    def retire(self, reason: str, on_retired: Callable[[], None]) -> None:
        """Take services and actions away, once all goals have ended; then call ``on_retired``."""
        for service in self._services:
            self._node.destroy_service(service)
        left = len(self._actions) + (self._navigation is not None)

        def on_action_retired() -> None:
            nonlocal left
            left -= 1
            if not left:
                on_retired()

        for action in self._actions:
            action.retire("WORLD_RESET", reason, on_action_retired)
        if self._navigation is not None:
            self._navigation.retire(reason, on_action_retired)
        if not left:
            on_retired()

    def menu(self) -> list[MenuItem]:
        """Return what a robot can be ordered to do by a menu, on the present map."""
        zones = self._runner.snapshot.map.zones
        places = [zone.name for zone in zones if zone.type in MENU_PLACES]
        going = [MenuItem(name, partial(self._go_by_menu, name)) for name in places]
        return [
            MenuItem("Go to", items=going),
            MenuItem("Pick up", self._pick_up_by_menu),
            MenuItem("Put down", partial(self._act_by_menu, "putDown")),
        ]

    async def _go_by_menu(self, place: str) -> str:
        inner = LocalGoal(Bw4tGoTo.Goal(place=place), lambda feedback: None)
        return (await self._actions[0].carry_out(inner)).message

    async def _pick_up_by_menu(self) -> str:
        """Go to the nearest block of the room, and pick it up."""
        block = nearest_block(self._runner.snapshot, self._name)
        if block is None:
            return "no block lies in the same place"
        inner = LocalGoal(Bw4tGoToBlock.Goal(block_id=block), lambda feedback: None)
        ending = await self._actions[1].carry_out(inner)
        if ending.outcome is not TripEnd.ARRIVED:
            return ending.message
        return await self._act_by_menu("pickUp", *([block] if self._pick_up_by_id else []))

    async def _act_by_menu(self, action: str, *args: Any) -> str:
        return str((await self._act(action, *args)).message)

    async def _act(self, action: str, *args: Any) -> Bw4tEffect:
        self._on_order()
        try:
            future = self._runner.act_soon(self._name, action, *args)
            outcome = await result_of(self._node.executor, future)
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
        if not text and not request.message.type:
            response.effect = conversions.rejected("nothing to send: text and message are empty")
            return response
        try:
            if not text:
                text = format_text(conversions.to_message(request.message), self._phrasing)
        except (MessageError, conversions.ConversionError) as error:
            response.effect = conversions.rejected(str(error))
        else:
            response.effect = await self._act("sendMessage", request.receiver, text)
        return response

    async def _user_request(
        self, request: Bw4tUserRequest.Request, response: Bw4tUserRequest.Response
    ) -> Any:
        try:
            arguments = user_arguments(request.request, request.arguments)
            future = self._runner.user_request(self._name, request.request, *arguments)
            await result_of(self._node.executor, future)
        except (WorldError, ValueError) as error:
            response.success, response.message = False, str(error)
        else:
            response.success = True
        return response


def user_arguments(request: str, texts: Sequence[str]) -> tuple[Any, ...]:
    """Return the arguments of a user's request as percepts have them: ids and points as numbers.

    Raises ValueError, naming the argument that is no number.
    """
    kind: Callable[[str], Any] = str
    if request in ("goToBlock", "pickUp"):
        kind = int
    elif request == "goTo" and len(texts) > 1:
        kind = float
    values = []
    for text in texts:
        try:
            values.append(kind(text))
        except ValueError:
            raise ValueError(f"{request}: {text!r} is no number") from None
    return tuple(values)


def _go_to(goal: Bw4tGoTo.Goal) -> tuple[Any, ...]:
    if goal.place:
        return "goTo", goal.place
    return "goTo", *conversions.map_units(goal.x, goal.y)
