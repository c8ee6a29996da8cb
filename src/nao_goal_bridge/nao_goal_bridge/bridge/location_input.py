# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Where a person or a localization says that the robot is: ``set_location``, ``initialpose``."""

from __future__ import annotations

from collections.abc import Callable

from geometry_msgs.msg import PoseStamped, PoseWithCovarianceStamped

from legacy_robots_common.bridge.bridge_node import BridgeNode
from legacy_robots_common.frames.transform_tree import FrameError, pose_in
from legacy_robots_common.goals.drive import OutsideMapError, Place
from legacy_robots_common.node import qos
from legacy_robots_msgs.srv import NaoSetLocation
from nao_goal_bridge.bridge.actions import RoomDrive
from nao_goal_bridge.model.room_map import RoomMap


class LocationInput:
    """Takes rooms on the executor.

    ``set_location`` believes in a room, or in none for None, and returns why not, or "".
    """

    def __init__(
        self,
        node: BridgeNode,
        drive: RoomDrive,
        room_map: RoomMap,
        set_location: Callable[[int | None], str],
    ) -> None:
        self._node = node
        self._drive = drive
        self._map = room_map
        self._set = set_location
        node.create_service(NaoSetLocation, "set_location", self._on_request)
        qos.subscription(
            node, PoseWithCovarianceStamped, "initialpose", self._on_pose, qos.stream(1)
        )

    async def _on_request(
        self, request: NaoSetLocation.Request, response: NaoSetLocation.Response
    ) -> NaoSetLocation.Response:
        if request.known and request.marker_id not in self._map.rooms:
            response.message = f"no room of the map has marker {request.marker_id}"
        else:
            await self._node.first_connection.wait()
            response.message = self._set(request.marker_id if request.known else None)
        response.success = not response.message
        return response

    def _on_pose(self, message: PoseWithCovarianceStamped) -> None:
        async def take() -> None:
            pose = PoseStamped(header=message.header, pose=message.pose.pose)
            try:
                x, y, _ = (await pose_in(self._node, pose, self._drive.frame)).translation
                refusal = self._set(self._drive.room(Place(x, y)).marker_id)
            except (FrameError, OutsideMapError) as error:
                refusal = str(error)
            if refusal:
                self._node.get_logger().warning(f"initialpose is not taken: {refusal}")

        self._node.call_soon(take)
