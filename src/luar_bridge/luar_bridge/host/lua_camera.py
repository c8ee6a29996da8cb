# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Images of the robot's camera go into the segment of Lua's, in the original's packing."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from rclpy.qos import ReliabilityPolicy
from sensor_msgs.msg import Image

from legacy_robots_common.node import qos
from legacy_robots_common.node.program_node import ProgramNode
from legacy_robots_common.node.times import seconds
from luar_bridge.host.lua_segment import LuaGoneError, LuaSegment
from luar_bridge.host.parameters import Parameters
from luar_bridge.protocol.host_image import BUFFERS
from luar_bridge.protocol.labels import rgb_to_webots_yuyv, rgb_to_yuyv, yuyv_to_rgb

_TO_RGB: dict[str, tuple[int, Callable[[NDArray[np.uint8]], NDArray[np.uint8]]]] = {
    "rgb8": (3, lambda image: image),
    "bgr8": (3, lambda image: np.ascontiguousarray(image[..., ::-1])),
    "rgba8": (4, lambda image: np.ascontiguousarray(image[..., :3])),
    "bgra8": (4, lambda image: np.ascontiguousarray(image[..., 2::-1])),
    "yuv422_yuy2": (2, yuyv_to_rgb),
}
"""Bytes of a pixel and how an image becomes RGB, by encoding."""


class LuaCamera:
    """The segment rhmImage at ``path``. Of the executor.

    ``head_at`` returns yaw and pitch of the head at a Unix time.
    """

    def __init__(
        self,
        node: ProgramNode,
        path: Path,
        p: Parameters,
        head_at: Callable[[float], tuple[float, ...]],
    ) -> None:
        self._node, self._settings, self._head_at = node, p, head_at
        self._segment = LuaSegment(path)
        self._came_at = -math.inf
        self._problem = ""
        # A camera's topic may be best effort: such a subscription takes every one.
        profile = qos.stream(2)
        profile.reliability = ReliabilityPolicy.BEST_EFFORT
        qos.subscription(node, Image, p.image, self._on_image, profile)

    def look(self, now: float) -> str:
        """Return what the robot lacks, empty for nothing."""
        if self._problem:
            return self._problem
        if now - self._came_at > self._settings.timeout:
            return f"no image of the robot for {self._settings.timeout:g} s"
        return ""

    def move(self) -> None:
        """Do nothing: images go to Lua as they come."""

    def halt(self) -> bool:
        """Do nothing."""
        return False

    def _on_image(self, message: Image) -> None:
        self._problem = ""
        try:
            self._write(message)
        except LuaGoneError as error:
            self._problem = str(error)
        except ValueError as error:
            self._problem = f"image: {error}"
        else:
            self._came_at = self._node.now()

    def _write(self, message: Image) -> None:
        """Write an image to Lua. Raises LuaGoneError and ValueError."""
        snapshot = self._segment.read()
        size = snapshot.number("width") or 0.0, snapshot.number("height") or 0.0
        width, height = map(int, size)
        if snapshot.length(BUFFERS[0]) * 8 < 2 * width * height or width < 2 or height < 1:
            raise LuaGoneError("rhmImage: its images are not of its width and height")
        rgb = cv2.resize(rgb_of(message), (width, height), interpolation=cv2.INTER_AREA)
        pack = rgb_to_webots_yuyv if self._settings.colors == "webots" else rgb_to_yuyv
        count = (snapshot.number("count") or 0.0) + 1.0
        stamp = seconds(message.header.stamp)
        self._segment.write(
            {
                BUFFERS[int(count) % 2]: pack(np.asarray(rgb, np.uint8)).tobytes(),
                "time": (stamp,),
                "headAngles": self._head_at(stamp),
                "count": (count,),
            }
        )


def rgb_of(message: Image) -> NDArray[np.uint8]:
    """Return an image's pixels, shape (height, width, 3). Raises ValueError."""
    if message.encoding not in _TO_RGB:
        raise ValueError(f"encoding {message.encoding!r} is none of {', '.join(_TO_RGB)}")
    depth, to_rgb = _TO_RGB[message.encoding]
    height, width, step = message.height, message.width, message.step
    if min(height, width) < 1 or step < depth * width or len(message.data) < step * height:
        raise ValueError(f"{len(message.data)} bytes are no {width} x {height} pixels")
    rows = np.frombuffer(message.data, np.uint8, step * height).reshape(height, step)
    return to_rgb(rows[:, : depth * width].reshape(height, width, depth))
