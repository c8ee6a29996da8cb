# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The menu on the Nao in rviz: rooms to go to, objects to pick up, and putting down."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from geometry_msgs.msg import Point

from legacy_robots_common.bridge.bridge_node import BridgeNode
from legacy_robots_common.drawing.menus import MenuItem, MenuServer, handle
from legacy_robots_common.goals.goal_server import GoalServer, LocalGoal
from legacy_robots_msgs.action import NaoGoTo, NaoPickUp, NaoPutDown
from legacy_robots_msgs.msg import NaoLocation
from nao_goal_bridge.model.room_map import RoomMap

NAME = "nao"
HANDLE_WIDTH = 0.4
"""Of what is clicked, in widths of a room."""
HANDLE_HEIGHT_M = 0.6


class RobotMenu:
    """Shows the menu where the robot is, while that is known. Thread-safe.

    ``names_objects``: the robot's dialect can name what is picked up, and the menu offers the
    objects of the map.
    """

    def __init__(
        self,
        node: BridgeNode,
        room_map: RoomMap,
        servers: Iterable[GoalServer[Any]],
        *,
        names_objects: bool,
    ) -> None:
        self._menus = MenuServer(node)
        self._room_map = room_map
        go_to, pick_up, put_down = servers

        def item(title: str, server: GoalServer[Any], goal: Any) -> MenuItem:
            return MenuItem(title, partial(_carry_out, server, goal))

        rooms = [item(f"room {n}", go_to, NaoGoTo.Goal(marker_id=n)) for n in room_map.rooms]
        objects = sorted(n for room in room_map.rooms.values() for n in room.objects)
        things = [item(f"object {n}", pick_up, NaoPickUp.Goal(object_id=n)) for n in objects]
        picking = MenuItem("Pick up", items=things)
        if not names_objects:
            picking = item("Pick up", pick_up, NaoPickUp.Goal())
        self._menu = [
            MenuItem("Go to", items=rooms),
            *([picking] if things or not names_objects else []),
            item("Put down", put_down, NaoPutDown.Goal()),
        ]

    def show(self, place: NaoLocation) -> None:
        """Show the menu in the room of ``place``; take it away if that is none of the map."""
        room = self._room_map.rooms.get(place.marker_id) if place.valid else None
        if room is None:
            self._menus.remove(NAME)
            return
        shape = handle(HANDLE_WIDTH * self._room_map.room_size, HANDLE_HEIGHT_M)
        self._menus.put(NAME, place.header, Point(x=room.x, y=room.y), shape, self._menu)


async def _carry_out(server: GoalServer[Any], goal: Any) -> str:
    return (await server.carry_out(LocalGoal(goal, lambda feedback: None))).message
