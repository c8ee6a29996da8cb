# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""RoboSkate's messages, and the values that they stand for, as frozen dataclasses.

The shapes of the messages are those of the .proto and are the same on both transports; see
grpc_transport.py and http_transport.py. dialect.py says what their values mean. The units and axes
are those of the wire: coordinates.py turns them into ROS's.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from legacy_robots_core.link import base

Vector = tuple[float, float, float]

MAXIMUM_IMAGE_PIXELS = 3840 * 2160
"""4K: a bigger image is an error."""
MAXIMUM_MESSAGE_BYTES = 3 * MAXIMUM_IMAGE_PIXELS + 65536
"""What the transports let through: a raw 4K image and some room around it."""


class ProtocolError(base.ProtocolError):
    """What came over the wire is not what the profile says; the message names what is wrong."""


class WrongLengthError(ProtocolError):
    """A list of numbers has too few or too many of them."""


class CallFailedError(ProtocolError):
    """The game answered a call with another success value than that of success."""

    def __init__(self, call: str, success: bytes, hint: str = "") -> None:
        super().__init__(f"{call} failed: the game answered success = {bytes(success)!r}{hint}")
        self.call = call
        self.success = bytes(success)


class ImageError(ProtocolError):
    """The camera's bytes are no image, or not one of the size that was announced."""


# --- the messages as they are on the wire ---------------------------------------------------


@dataclass(frozen=True)
class InitializeReply:
    """Answer to initialize; sizes in pixels."""

    success: bytes
    image_width: int
    image_height: int


@dataclass(frozen=True)
class InfoReply:
    """Answer to get_info: three lists of floats, whose lengths and units depend on the profile."""

    success: bytes
    position: Sequence[float]
    rotation: Sequence[float]
    joints: Sequence[float]


@dataclass(frozen=True)
class CameraReply:
    """Answer to get_camera. ``image`` may be a view into the received message: not copied."""

    success: bytes
    image: bytes | memoryview


@dataclass(frozen=True)
class RunReply:
    """Answer to run_game; ``total_simulated_time`` in seconds, float32 on the gRPC wire."""

    success: bytes
    total_simulated_time: float


# --- what they mean -------------------------------------------------------------------------


@dataclass(frozen=True)
class ImageSize:
    """Size of the camera's images in pixels."""

    width: int
    height: int


@dataclass(frozen=True)
class RotationMatrix:
    """The document's rotation: 9 floats, as ``rows`` (3 x 3), columns right, up and forward."""

    rows: tuple[Vector, Vector, Vector]


@dataclass(frozen=True)
class RotationVectors:
    """The real game's rotation: 13 floats, of which only the last six are known to work.

    ``euler`` in degrees; ``quaternion`` is x, y, z, w; ``forward`` and ``up`` are unit vectors in
    the game's axes.
    """

    euler: Vector
    quaternion: tuple[float, float, float, float]
    forward: Vector
    up: Vector


Rotation = RotationMatrix | RotationVectors


@dataclass(frozen=True)
class BoardState:
    """The board and its crane (specification, 3.0.3), in the game's axes and the wire's units.

    ``position`` in m, ``linear_velocity`` in m/s, ``angular_velocity`` in rad/s, in Unity's
    left-handed axes with Y up. ``joint_angles`` and ``joint_velocities`` in rad and rad/s in
    profile ``spec``, in degrees and degrees/s in profile ``game``.
    """

    position: Vector
    linear_velocity: Vector
    angular_velocity: Vector
    rotation: Rotation
    joint_angles: Vector
    joint_velocities: Vector


@dataclass(frozen=True)
class Keys:
    """Fractions of time, -1 to 1, for which keys are held down (specification, 3.0.4).

    ``right_left``: 1 is "Right" all the time, -1 is "Left"; ``a_d``: 1 is "A", -1 is "D";
    ``w_e``: 1 is "W", -1 is "E". They turn crane joints 1, 2 and 3.
    """

    right_left: float = 0.0
    a_d: float = 0.0
    w_e: float = 0.0

    def values(self) -> Vector:
        """Return the three fractions in the order of the wire."""
        return (self.right_left, self.a_d, self.w_e)

    def clamped(self) -> Keys:
        """Return the same within -1 and 1. Raises ProtocolError for what is no number."""
        values = self.values()
        if not all(map(math.isfinite, values)):
            raise ProtocolError(f"key fractions must be numbers, not {values}")
        return Keys(*(min(1.0, max(-1.0, value)) for value in values))


NO_KEYS = Keys()


def check_image_size(size: ImageSize) -> ImageSize:
    """Return ``size`` if an image may have it. Raises ProtocolError."""
    area = size.width * size.height
    if size.width <= 0 or size.height <= 0 or area > MAXIMUM_IMAGE_PIXELS:
        raise ProtocolError(f"an image of {size.width} x {size.height} pixels is not possible")
    return size
