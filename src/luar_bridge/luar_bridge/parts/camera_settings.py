# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The service ``camera_setting``: exposure, gain and the others, by our Lua in the robot."""

from __future__ import annotations

from typing import Any

from legacy_robots_common.node.parts import NodePart
from legacy_robots_msgs.srv import LuarCameraSetting
from luar_bridge.bridge.part_context import PartContext
from luar_bridge.parts.lua_orders import ORDER_ERRORS, LuaOrders
from luar_bridge.protocol.ros_camera import DIFFERS, DONE, SEGMENT, SETTINGS
from luar_bridge.protocol.writer import WriteRefusedError

ORDER_TIMEOUT_S = 3.0
"""The robot looks once an image; changing the camera and setting it take 0.2 s."""


class CameraSettings(NodePart):
    """Sets and reads one setting of one camera; of the executor."""

    def __init__(self, context: PartContext) -> None:
        self._orders = LuaOrders(context.node, context.path(SEGMENT), ORDER_TIMEOUT_S)
        context.node.create_service(LuarCameraSetting, "camera_setting", self._answer)

    async def _answer(self, request: Any, response: Any) -> Any:
        try:
            response.value = await self._carry_out(request)
        except ORDER_ERRORS as error:
            response.message = str(error)
            return response
        response.success = True
        return response

    async def _carry_out(self, request: Any) -> float:
        """Return what the camera has afterwards. Raises ORDER_ERRORS."""
        name, cameras = request.name, (request.TOP, request.BOTTOM)
        if name not in SETTINGS:
            raise WriteRefusedError(f"{name!r} is none of the settings {', '.join(SETTINGS)}")
        if request.camera not in cameras or len(request.value) > 1:
            raise WriteRefusedError("there are camera 0 and 1, and one value or none")
        wanted = list(request.value)
        order = (request.camera, SETTINGS.index(name) + 1, len(wanted), *(wanted or [0.0]))
        found = await self._orders.carry_out({"order": [float(number) for number in order]})
        if found is None:
            raise WriteRefusedError("the robot's Vision stands still: the order was not taken")
        result, value = found.number("order_result"), found.number("value") or 0.0
        if result == DONE:
            return value
        if result == DIFFERS:
            told = f" after it was set to {wanted[0]:g}" if wanted else ": it tells no settings"
            raise WriteRefusedError(f"{name}: the camera of the robot says {value:g}{told}")
        raise WriteRefusedError(f"{name}: the robot's camera module refuses it")
