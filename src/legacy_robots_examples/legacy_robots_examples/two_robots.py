# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""One mission, two robots: when the AIBO has found its ball, the Nao fetches an object.

Run it with ``ros2 run legacy_robots_examples two_robots``, beside both launch files.
"""

from __future__ import annotations

from rclpy.node import Node

from legacy_robots_examples.fetch_object import Nao
from legacy_robots_examples.goals import Action, NoParameters, check, run
from legacy_robots_msgs.action import AiboPlayMotion, AiboSearchBall


def mission(node: Node, parameters: NoParameters) -> None:
    """Find the ball, fetch the object, wave. The first step that fails ends it."""
    search = Action(node, AiboSearchBall, "/aibo/search_ball")
    play = Action(node, AiboPlayMotion, "/aibo/play_motion")
    nao = Nao(node)

    found = search.carry_out(AiboSearchBall.Goal(colour="pink"))
    check(found.outcome, "search for the pink ball")
    node.get_logger().info(f"the ball is {found.ball.azimuth:.2f} rad to the left of the AIBO")

    nao.go_to(114)
    nao.pick_up(1)

    waved = play.carry_out(AiboPlayMotion.Goal(name="wave"))
    check(waved.outcome, "wave")
    node.get_logger().info("mission accomplished")


def main() -> None:
    """Run the mission."""
    run("two_robots", mission)
