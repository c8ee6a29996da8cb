# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A Nao patrols some rooms, fetches an object and puts it down elsewhere.

Run it with ``ros2 run legacy_robots_examples fetch_object``, beside nao.launch.py.
"""

from __future__ import annotations

from dataclasses import dataclass

from rclpy.node import Node

from legacy_robots_common.node.parameters import parameter
from legacy_robots_examples.goals import Action, check, run
from legacy_robots_msgs.action import NaoGoTo, NaoPickUp, NaoPutDown


@dataclass(frozen=True)
class Parameters:
    """The mission's parameters: ids of markers and of an object."""

    waypoints: list[int] = parameter(
        [80, 114], "markers that it walks to first", minimum=0, maximum=2**31 - 1
    )
    object_id: int = parameter(1, "object that it picks up there", minimum=0, maximum=2**31 - 1)
    destination: int = parameter(
        146, "marker where it puts the object down", minimum=0, maximum=2**31 - 1
    )


class Nao:
    """The actions of a Nao as blocking calls; each raises MissionFailed with the reason."""

    def __init__(self, node: Node, namespace: str = "/nao") -> None:
        self._log = node.get_logger().info
        self._go_to = Action(node, NaoGoTo, f"{namespace}/go_to")
        self._pick_up = Action(node, NaoPickUp, f"{namespace}/pick_up")
        self._put_down = Action(node, NaoPutDown, f"{namespace}/put_down")

    def go_to(self, marker_id: int) -> None:
        """Walk to a marker."""
        goal = NaoGoTo.Goal(marker_id=marker_id)
        result = self._go_to.carry_out(goal, self._on_the_way)
        check(result.outcome, f"go to {marker_id}")
        self._log(f"at marker {marker_id}")

    def _on_the_way(self, feedback: NaoGoTo.Feedback) -> None:
        if feedback.marker_seen:
            self._log(f"{feedback.sighting.distance} rooms before it")

    def pick_up(self, object_id: int) -> None:
        """Pick up an object."""
        result = self._pick_up.carry_out(NaoPickUp.Goal(object_id=object_id))
        check(result.outcome, f"pick up {object_id}")
        self._log(f"holding object {object_id}")

    def put_down(self) -> None:
        """Put down what it holds."""
        check(self._put_down.carry_out(NaoPutDown.Goal()).outcome, "put down")
        self._log("put it down")


def fetch(node: Node, parameters: Parameters) -> None:
    """Carry out the mission that the parameters describe."""
    nao = Nao(node)
    for marker_id in parameters.waypoints:
        nao.go_to(marker_id)
    nao.pick_up(parameters.object_id)
    nao.go_to(parameters.destination)
    nao.put_down()


def main() -> None:
    """Run the mission."""
    run("fetch_object", fetch, Parameters)
