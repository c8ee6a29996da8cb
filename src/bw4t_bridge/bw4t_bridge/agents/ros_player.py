# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The link of an agent to its robot over ROS: percepts from a topic, actions to the server."""

from __future__ import annotations

import threading
import time
from typing import Any

from rclpy.task import Future

from bw4t_bridge.agents.merging import Merger
from bw4t_bridge.bridge import conversions
from bw4t_bridge.bridge.publishing import PERCEPT_DEPTH
from bw4t_world import ActionError, PerceptUpdate
from bw4t_world.agents import Player
from legacy_robots_common.goals.remote import RemoteAction
from legacy_robots_common.goals.requests import End, Observer
from legacy_robots_common.node import qos
from legacy_robots_common.node.names import to_ros_name
from legacy_robots_common.node.program_node import ProgramNode
from legacy_robots_msgs.action import Bw4tGoTo, Bw4tGoToBlock, Bw4tNavigateObstacles
from legacy_robots_msgs.msg import Bw4tEffect, Bw4tGoing, Bw4tPercepts
from legacy_robots_msgs.srv import Bw4tAct, Bw4tPickUp, Bw4tSendMessage

ANSWER_TIMEOUT_S = 10.0
"""How long the server may take to answer."""

_SERVICES = {
    "putDown": ("put_down", Bw4tAct),
    "pickUpEPartner": ("pick_up_epartner", Bw4tAct),
    "putDownEPartner": ("put_down_epartner", Bw4tAct),
    "pickUp": ("pick_up", Bw4tPickUp),
    "sendMessage": ("send_message", Bw4tSendMessage),
}
_ACTIONS = {
    "goTo": ("go_to", Bw4tGoTo),
    "goToBlock": ("go_to_block", Bw4tGoToBlock),
    "navigateObstacles": ("navigate_obstacles", Bw4tNavigateObstacles),
}


class Stopped(Exception):  # noqa: N818 - an event in the life of an agent, not an error
    """The agent's node is being closed."""


class RosPlayer(Player):
    """One robot, as its agent sees it over ROS.

    The agent's thread calls :meth:`wait`, :meth:`percepts` and :meth:`act`, which block until the
    node's executor, on another thread, has got what they wait for. An e-partner only speaks:
    ``is_robot`` says which interface the player has.
    """

    def __init__(self, node: ProgramNode, player: str, *, is_robot: bool = True) -> None:
        self._node = node
        self._token = to_ros_name(player)
        self._merger = Merger()
        self._changed = threading.Condition()
        self._stopped = False
        self._tick = 0
        self._clients = {
            action: node.create_client(kind, f"{self._token}/{name}")
            for action, (name, kind) in _SERVICES.items()
            if is_robot or action == "sendMessage"
        }
        self._goals = {
            action: RemoteAction(node, kind, f"{self._token}/{name}")
            for action, (name, kind) in _ACTIONS.items()
            if is_robot
        }
        self._subscribe()

    # --- For the agent's thread ------------------------------------------------------------

    def wait_for_server(self) -> None:
        """Wait until all services and actions are there; raises Stopped."""
        for client in (*self._clients.values(), *self._goals.values()):
            is_there = getattr(client, "is_ready", None) or client.service_is_ready
            while not is_there():
                with self._changed:
                    # rclpy does not report changes of the graph: it has to be polled.
                    self._changed.wait_for(lambda: self._stopped, 0.1)
                self._check()

    def wait(self, ticks: int, turn: int | None = None) -> int:
        """Wait until ``ticks`` have passed since the last percepts; return the world's run.

        With ``turn`` then for a tick that is greater by it than a multiple of ``ticks``. Raises
        Stopped.
        """

        def is_over() -> bool:
            if self._stopped:
                return True
            return self._merger.ticks >= ticks and turn in (None, self._tick % ticks)

        with self._changed:
            self._changed.wait_for(is_over)
        self._check()
        return self._merger.run

    @property
    def missed(self) -> int:
        """Percept messages that were lost."""
        return self._merger.missed

    def percepts(self) -> PerceptUpdate:
        """Return what has been perceived since the last call."""
        with self._changed:
            return self._merger.take()

    def act(self, action: str, *arguments: Any) -> None:
        """Start an action; raises ActionError for what the environment rejects, or Stopped."""
        if action in self._clients:
            self._do(action, arguments)
        elif action in self._goals:
            self._go(action, arguments)
        else:
            raise ActionError(f"there is no action {action}")

    # --- For the node ----------------------------------------------------------------------

    def stop(self) -> None:
        """Have the methods that wait raise Stopped. Idempotent."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()

    def destroy(self) -> None:
        """Destroy the action clients, of which the node does not know."""
        for client in self._goals.values():
            client.destroy()

    # --- Within ----------------------------------------------------------------------------

    def _subscribe(self) -> None:
        self._subscription = self._node.create_subscription(
            Bw4tPercepts,
            f"{self._token}/percepts",
            self._on_percepts,
            qos.stream(PERCEPT_DEPTH),
        )

    def _on_percepts(self, message: Bw4tPercepts) -> None:
        try:
            update = conversions.percept_update(message)
        except conversions.ConversionError as error:
            self._node.get_logger().warning(f"percepts are ignored: {error}")
            return
        with self._changed:
            missed = self._merger.missed
            self._tick = message.tick
            self._merger.feed(message.cycle, message.tick, update)
            self._changed.notify_all()
            lost = self._merger.missed > missed
        if lost:
            # A new subscription makes the stream begin anew, with everything.
            self._node.get_logger().warning("percepts were lost; beginning anew")
            self._node.destroy_subscription(self._subscription)
            self._subscribe()

    def _check(self) -> None:
        if self._stopped:
            raise Stopped

    def _wait_for(self, event: threading.Event, what: str) -> None:
        deadline = time.monotonic() + ANSWER_TIMEOUT_S
        while not event.wait(0.2):
            self._check()
            if time.monotonic() > deadline:
                raise ActionError(f"{what}: the server does not answer")

    def _do(self, action: str, arguments: tuple[Any, ...]) -> None:
        kind = _SERVICES[action][1]
        request = kind.Request()
        if action == "pickUp" and arguments:
            request.block_id = arguments[0]
        elif action == "sendMessage":
            request.receiver, request.text = arguments
        answered = threading.Event()
        future: Future = self._clients[action].call_async(request)
        future.add_done_callback(lambda _: answered.set())
        self._wait_for(answered, action)
        effect = future.result().effect
        if effect.code == Bw4tEffect.REJECTED:
            raise ActionError(effect.message)

    def _go(self, action: str, arguments: tuple[Any, ...]) -> None:
        """Begin a way: it has begun with its first feedback, or ended with its result."""
        begun = threading.Event()
        rejection: list[str] = []

        def on_end(end: End) -> None:
            outcome = getattr(end.result, "outcome", None)
            if outcome is None:
                rejection.append(end.reason)
            elif outcome.code in (Bw4tGoing.REJECTED, Bw4tGoing.UNREACHABLE):
                rejection.append(outcome.message)
            begun.set()

        goal = _ACTIONS[action][1].Goal()
        if action == "goToBlock":
            goal.block_id = arguments[0]
        elif action == "goTo" and len(arguments) == 1:
            goal.place = arguments[0]
        elif action == "goTo":
            at = conversions.point(*arguments)
            goal.x, goal.y = at.x, at.y
        observer = Observer(on_end, on_feedback=lambda _: begun.set())
        self._node.call_soon(self._goals[action].send, goal, observer)
        self._wait_for(begun, action)
        # UNREACHABLE of navigateObstacles is no error in BW4T: it comes as a percept.
        if rejection and action != "navigateObstacles":
            raise ActionError(rejection[0])
