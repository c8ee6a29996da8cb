# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""An AIBO looks for a ball, walks up to it and waves: a behaviour tree of py_trees.

Run it with ``ros2 run legacy_robots_examples find_ball``, beside aibo.launch.py.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rclpy.node import Node

from legacy_robots_common.goals.remote import RemoteAction
from legacy_robots_common.goals.requests import End, GoalRequest, Observer
from legacy_robots_common.node.parameters import parameter
from legacy_robots_examples.goals import MissionFailed, run, spin_once, wait_for_server
from legacy_robots_msgs.action import AiboPlayMotion, AiboSearchBall, AiboWalkSteps
from legacy_robots_msgs.msg import AiboBall

try:
    import py_trees
    from py_trees.common import Status
except ImportError:
    sys.exit("find_ball needs py_trees: pip install py_trees, or rosdep install py_trees")

BALL_RADIUS = 0.045
HALF_IMAGE = math.tan(math.radians(56.9) / 2.0)
"""Half the image's width at a distance of 1 m: a generalised image unit."""
NEAR = 0.35
"""Metres from camera to ball at which the dog has arrived."""
LONGEST_WALK = 0.4
SMALL_ANGLE = 0.3


def distance(ball: AiboBall) -> float:
    """Return how far a ball is from the camera, in m, by its size in the image."""
    radius = math.sqrt(max(ball.area, 1e-6) / math.pi)
    return BALL_RADIUS / (radius * HALF_IMAGE)


class Do(py_trees.behaviour.Behaviour):
    """Sends a goal when it begins, is RUNNING until that ends, and cancels it when interrupted.

    Parameters
    ----------
    action
        The robot's.
    make_goal
        Returns the goal when the behaviour begins.
    on_result
        Gets the result message of a goal that succeeded.

    """

    def __init__(
        self,
        name: str,
        action: RemoteAction,
        make_goal: Callable[[], Any],
        on_result: Callable[[Any], None] = lambda result: None,
    ) -> None:
        super().__init__(name)
        self._action = action
        self._make_goal = make_goal
        self._on_result = on_result
        self._request: GoalRequest | None = None
        self._end: End | None = None

    def initialise(self) -> None:
        """Send the goal."""
        self.feedback_message = ""
        self._end = None
        self._request = self._action.send(self._make_goal(), Observer(self._ended))

    def _ended(self, end: End) -> None:
        self._end = end

    def update(self) -> Status:
        """Look how far it is."""
        if self._end is None:
            return Status.RUNNING
        self.feedback_message = self._end.message or self._end.reason
        if not self._end.succeeded:
            return Status.FAILURE
        self._on_result(self._end.result)
        return Status.SUCCESS

    def terminate(self, new_status: Status) -> None:
        """Cancel what still runs when the tree goes elsewhere."""
        if new_status is Status.INVALID and self._request is not None:
            self._request.cancel()

    def wait_until_cancelled(self, node: Node) -> None:
        """Spin ``node`` until the goal that was cancelled last has ended."""
        while self._request is not None and not self._request.over:
            spin_once(node)


class BallIsNear(py_trees.behaviour.Behaviour):
    """SUCCESS when the ball that was seen last is near enough."""

    def __init__(self, seen: Callable[[], AiboBall]) -> None:
        super().__init__("near enough?")
        self._seen = seen

    def update(self) -> Status:
        """Succeed when the robot is near."""
        away = distance(self._seen())
        self.feedback_message = f"{away:.2f} m away"
        return Status.SUCCESS if away <= NEAR else Status.FAILURE


def make_tree(node: Node, colour: str) -> py_trees.trees.BehaviourTree:
    """Return the tree: until the ball is near, look for it and walk a part of the way; wave."""
    search = RemoteAction(node, AiboSearchBall, "/aibo/search_ball")
    walk = RemoteAction(node, AiboWalkSteps, "/aibo/walk_steps")
    play = RemoteAction(node, AiboPlayMotion, "/aibo/play_motion")
    for client in (search, walk, play):
        wait_for_server(node, client.is_ready, "AIBO with its actions below /aibo")
    ball = AiboBall()

    def remember(result: AiboSearchBall.Result) -> None:
        nonlocal ball
        ball = result.ball

    def next_walk() -> AiboWalkSteps.Goal:
        if abs(ball.azimuth) > SMALL_ANGLE:  # turn to it first
            return AiboWalkSteps.Goal(theta=ball.azimuth)
        forward = max(0.05, min(LONGEST_WALK, distance(ball) - NEAR + 0.05))
        return AiboWalkSteps.Goal(x=forward, theta=ball.azimuth)

    walk_on = Do("walk towards it", walk, next_walk)
    arrive = py_trees.composites.Selector(
        "arrive",
        memory=True,
        children=[
            BallIsNear(lambda: ball),
            py_trees.decorators.SuccessIsFailure("go on", walk_on),
        ],
    )
    look = Do("look for it", search, lambda: AiboSearchBall.Goal(colour=colour), remember)
    approach = py_trees.composites.Sequence("approach", memory=True, children=[look, arrive])
    root = py_trees.composites.Sequence(
        "greet the ball",
        memory=True,
        children=[
            py_trees.decorators.Retry("again", approach, num_failures=12),
            Do("wave", play, lambda: AiboPlayMotion.Goal(name="wave")),
        ],
    )
    return py_trees.trees.BehaviourTree(root)


@dataclass(frozen=True)
class Parameters:
    """The program's parameters."""

    colour: str = parameter("pink", "colour of the ball")


def find_ball(node: Node, parameters: Parameters) -> None:
    """Tick the tree until it succeeds or fails."""
    tree = make_tree(node, parameters.colour)
    said = ""
    try:
        while True:
            tree.tick()
            tip = tree.tip()
            if tip is not None and said != (said := f"{tip.name} {tip.feedback_message}"):
                node.get_logger().info(said)
            if tree.root.status is not Status.RUNNING:
                break
            spin_once(node)
    except KeyboardInterrupt:
        tree.root.stop(Status.INVALID)
        for behaviour in tree.root.iterate():
            if isinstance(behaviour, Do):
                behaviour.wait_until_cancelled(node)
        raise
    if tree.root.status is not Status.SUCCESS:
        raise MissionFailed(f"the tree has failed: {said}")


def main() -> None:
    """Run the tree."""
    run("find_ball", find_ball, Parameters)
