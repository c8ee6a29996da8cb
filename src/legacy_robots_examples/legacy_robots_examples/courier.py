# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""An agent of one's own for the blocks world: one robot delivers the whole sequence.

    ros2 run legacy_robots_examples courier --ros-args -r __ns:=/bw4t -p player:=Bot_1

It knows the world by topics, actions and services only, as an agent in any language would.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile

from legacy_robots_common.node.parameters import parameter
from legacy_robots_examples.goals import (
    Action,
    MissionFailed,
    check,
    run,
    spin_once,
    wait_for,
    wait_for_server,
)
from legacy_robots_msgs.action import Bw4tGoTo, Bw4tGoToBlock
from legacy_robots_msgs.msg import Bw4tBlocks, Bw4tEffect, Bw4tGoing, Bw4tMap, Bw4tTask, Bw4tZone
from legacy_robots_msgs.srv import Bw4tAct, Bw4tPickUp

LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
"""What the world knows at the moment: who subscribes gets the last message at once."""


@dataclass(frozen=True)
class Parameters:
    """The agent's parameters."""

    player: str = parameter("Bot_1", "name of its robot")


class Courier:
    """One robot and what it has learnt."""

    def __init__(self, node: Node, player: str) -> None:
        self._node = node
        self._latest: dict[str, Any] = {}
        self._follow(Bw4tMap, "map")
        self._follow(Bw4tTask, "task")
        self._follow(Bw4tBlocks, f"{player}/visible_blocks", "blocks")
        self._go_to = Action(node, Bw4tGoTo, f"{player}/go_to")
        self._go_to_block = Action(node, Bw4tGoToBlock, f"{player}/go_to_block")
        self._pick_up = node.create_client(Bw4tPickUp, f"{player}/pick_up")
        self._put_down = node.create_client(Bw4tAct, f"{player}/put_down")
        self._colours: dict[str, set[str]] = {}
        """What was seen in each room that it has been in."""

    def deliver_all(self) -> None:
        """Deliver block after block until the sequence is complete."""
        self._spin_until(lambda: {"map", "task", "blocks"} <= self._latest.keys(), "the world")
        zones = self._latest["map"].zones
        rooms = [z.name for z in zones if z.type == Bw4tZone.ROOM and not z.is_drop_zone]
        drop_zone = next(z.name for z in zones if z.is_drop_zone)
        while not self._latest["task"].done:
            task: Bw4tTask = self._latest["task"]
            self._fetch(task.sequence[task.index], rooms)
            self._go(drop_zone)
            effect = self._call(self._put_down, Bw4tAct.Request())
            if effect.code != Bw4tEffect.DELIVERED:
                raise MissionFailed(f"put down: {effect.message}")
            self._node.get_logger().info(f"delivered {task.sequence[task.index]}")
            self._spin_until(lambda i=task.index: self._latest["task"].index > i, "the task")

    def _fetch(self, colour: str, rooms: list[str]) -> None:
        """Pick up a block of that colour, looking for it where it was seen or not looked yet."""
        known = [room for room in rooms if colour in self._colours.get(room, ())]
        unknown = [room for room in rooms if room not in self._colours]
        for room in known + unknown:
            blocks = self._look_into(room)
            wanted = [block for block in blocks if block.color == colour]
            if wanted:
                goal = Bw4tGoToBlock.Goal(block_id=wanted[0].id)
                check(self._go_to_block.carry_out(goal).outcome, "go to the block")
                effect = self._call(self._pick_up, Bw4tPickUp.Request())
                if not effect.success:
                    raise MissionFailed(f"pick up: {effect.message}")
                self._colours[room] = {b.color for b in blocks if b.id != wanted[0].id}
                return
        raise MissionFailed(f"there is no {colour} block in any room")

    def _look_into(self, room: str) -> list[Any]:
        self._go(room)
        self._spin_for(0.1)  # what it sees came before the end of its way; let it be received
        blocks = list(self._latest["blocks"].blocks)
        self._colours[room] = {block.color for block in blocks}
        return blocks

    def _go(self, place: str) -> None:
        while True:
            ended = self._go_to.carry_out(Bw4tGoTo.Goal(place=place)).outcome
            if ended.code != Bw4tGoing.CLOSED_DOOR:
                break
            self._spin_for(0.5)  # the room is occupied: try again
        check(ended, f"go to {place}")

    # --- small change ----------------------------------------------------------------------

    def _follow(self, kind: type[Any], topic: str, key: str = "") -> None:
        def keep(message: Any) -> None:
            self._latest[key or topic] = message

        self._node.create_subscription(kind, topic, keep, LATCHED)

    def _call(self, client: Any, request: Any) -> Bw4tEffect:
        wait_for_server(self._node, client.service_is_ready, f"service {client.srv_name}")
        return wait_for(self._node, client.call_async(request)).effect

    def _spin_for(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0.0:
            spin_once(self._node, left)

    def _spin_until(self, condition: Any, what: str, seconds: float = 10.0) -> None:
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                raise MissionFailed(f"{what} is not heard of")
            spin_once(self._node)


def deliver(node: Node, parameters: Parameters) -> None:
    """Deliver the whole sequence of the blocks world with one robot."""
    Courier(node, parameters.player).deliver_all()


def main() -> None:
    """Run the agent until the sequence is complete."""
    run("courier", deliver, Parameters)
