# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Publish images only while there is a subscriber, and without copying a pixel twice."""

from __future__ import annotations

import numpy as np
from builtin_interfaces.msg import Time
from numpy.typing import NDArray
from rclpy.node import Node
from sensor_msgs.msg import CompressedImage, Image
from std_msgs.msg import Header

from legacy_robots_common.node.lazy_publisher import LazyPublisher

CHANNELS = {"rgb8": 3, "bgr8": 3, "mono8": 1, "yuv422_yuy2": 2}
"""Bytes a pixel of the encodings that the bridges publish."""


def image_message(
    pixels: bytes | NDArray[np.uint8], width: int, height: int, encoding: str, header: Header
) -> Image:
    """Return an Image of ``height`` rows of ``width`` pixels, top row first, without padding.

    Raises ValueError when ``pixels`` is not exactly that long or the encoding is not in CHANNELS.
    """
    if encoding not in CHANNELS:
        raise ValueError(f"encoding {encoding!r} is none of {', '.join(CHANNELS)}")
    step = width * CHANNELS[encoding]
    # A memoryview would cost a Python object a byte when assigned; frombytes copies once.
    # cv_bridge copies twice; that of PyPI knows no yuv422_yuy2.
    buffer = pixels if isinstance(pixels, bytes) else np.ascontiguousarray(pixels).data.cast("B")
    if len(buffer) != step * height:
        raise ValueError(
            f"{len(buffer)} bytes are not an image of {width} x {height} in {encoding}, "
            f"which has {step * height}"
        )
    message = Image(header=header, height=height, width=width, encoding=encoding, step=step)
    message.data.frombytes(buffer)
    return message


class ImagePublisher(LazyPublisher):
    """Publishes raw images on ``topic``."""

    def __init__(self, node: Node, topic: str) -> None:
        super().__init__(node, Image, topic)

    def publish_pixels(
        self,
        pixels: bytes | NDArray[np.uint8],
        width: int,
        height: int,
        encoding: str,
        stamp: Time,
        frame_id: str,
    ) -> None:
        """Publish ``pixels``, see image_message; ``stamp`` is the time of acquisition."""
        header = Header(stamp=stamp, frame_id=frame_id)
        self.publish(image_message(pixels, width, height, encoding, header))


class CompressedImagePublisher(LazyPublisher):
    """Publishes images that are compressed already on ``topic``."""

    def __init__(self, node: Node, topic: str) -> None:
        super().__init__(node, CompressedImage, topic)

    def publish_encoded(self, data: bytes, format_: str, stamp: Time, frame_id: str) -> None:
        """Publish ``data`` untouched; ``format_`` is such as ``rgb8; jpeg compressed bgr8``."""
        message = CompressedImage(header=Header(stamp=stamp, frame_id=frame_id), format=format_)
        message.data.frombytes(data)
        self.publish(message)
