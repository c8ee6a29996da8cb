# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A node that has the Nao carry an object to and fro: a demonstration, and an example mission.

It knows the bridge by its actions and topics only. Where the object is it does not know: a robot
that was restarted has put it back. So it looks in both rooms.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

from legacy_robots_common.goals.mission import Mission
from legacy_robots_common.goals.remote import RemoteAction
from legacy_robots_common.node import qos
from legacy_robots_common.node.main import run
from legacy_robots_common.node.parameters import declare_parameters, parameter
from legacy_robots_msgs.action import NaoGoTo, NaoPickUp, NaoPutDown
from legacy_robots_msgs.msg import NaoHeldObject, NaoLocation, NaoRoomMap


@dataclass(frozen=True)
class Parameters:
    """The errand's parameters."""

    errand_object: int = parameter(1, "object that is carried", minimum=0, maximum=2**31 - 1)
    errand_rooms: list[int] = parameter([114, 146], "marker ids of the two rooms", items=2)
    errand_pause: float = parameter(
        1.0, "seconds between two errands", minimum=0.1, maximum=3600.0
    )


class Errand(Mission):
    """Fetches the object from one of two rooms and brings it to the other."""

    def __init__(self, **node_arguments: Any) -> None:
        super().__init__("errand", namespace="nao", **node_arguments)
        self._settings = declare_parameters(self, Parameters)
        self._go_to = RemoteAction(self, NaoGoTo, "go_to")
        self._pick_up = RemoteAction(self, NaoPickUp, "pick_up")
        self._put_down = RemoteAction(self, NaoPutDown, "put_down")
        self._held = NaoHeldObject()
        self._location = NaoLocation()
        self._rooms: list[int] = []
        self.create_subscription(NaoHeldObject, "held_object", self._on_held, qos.LATCHED)
        self.create_subscription(NaoLocation, "location", self._on_location, qos.LATCHED)
        self.create_subscription(NaoRoomMap, "rooms", self._on_rooms, qos.LATCHED)

    def _on_held(self, message: NaoHeldObject) -> None:
        self._held = message

    def _on_location(self, message: NaoLocation) -> None:
        self._location = message

    def _on_rooms(self, message: NaoRoomMap) -> None:
        self._rooms = [room.marker_id for room in message.rooms]

    async def plan(self) -> None:
        """Carry the object to and fro for ever, in rooms of the map."""
        first, second = self._settings.errand_rooms
        while not self._rooms:
            await self.pause(self._settings.errand_pause)
        if missing := {first, second}.difference(self._rooms):
            self.get_logger().error(
                f"there is no errand: of the errand_rooms {first} and {second} the map has not "
                f"{min(missing)}; its rooms are {', '.join(map(str, sorted(self._rooms)))}"
            )
            return
        while True:
            for source, target in ((first, second), (second, first)):
                if await self._fetch(source):
                    await self._bring(target)
                await self.pause(self._settings.errand_pause)

    async def _fetch(self, room: int) -> bool:
        """Return whether the object was taken up in ``room``, or is held already."""
        if self._held.valid and self._held.holding:
            return True
        if not await self._go(room):
            return False
        goal = NaoPickUp.Goal(object_id=self._settings.errand_object)
        return await self._done(self._pick_up, goal)

    async def _bring(self, room: int) -> None:
        if not await self._go(room):
            return
        if await self._done(self._put_down, NaoPutDown.Goal()):
            number = self._settings.errand_object
            self.get_logger().info(f"object {number} is in room {room}")

    async def _go(self, room: int) -> bool:
        """Walk once the robot's room is known; say once why it is not."""
        said = ""
        while not self._location.valid:
            if self._location.detail != said:
                said = self._location.detail
                self.get_logger().warning(
                    f"waiting for the robot's room: {said}; set_location sets it, and "
                    "greeting_location:=believed believes what the robot says when it connects"
                )
            await self.pause(self._settings.errand_pause)
        return await self._done(self._go_to, NaoGoTo.Goal(marker_id=room))

    async def _done(self, action: RemoteAction, goal: Any) -> bool:
        achieved = await self.achieve(action, goal)
        if not achieved.succeeded:
            self.get_logger().warning(achieved.reason)
        return achieved.succeeded


def main() -> None:
    """Run the errand until SIGINT or SIGTERM."""
    sys.exit(run(Errand, Parameters))
