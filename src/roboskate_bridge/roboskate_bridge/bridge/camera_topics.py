# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The camera's topics, each published only while it has a subscriber."""

from __future__ import annotations

from rclpy.node import Node
from sensor_msgs.msg import CameraInfo

from legacy_robots_common.node.images import CompressedImagePublisher, ImagePublisher
from legacy_robots_common.node.lazy_publisher import LazyPublisher
from roboskate_bridge.bridge import conversions
from roboskate_bridge.bridge.calibration import load_calibration
from roboskate_bridge.bridge.parameters import Parameters
from roboskate_game.protocol.image import EncodedPicture, Picture, decode, encode_jpeg
from roboskate_game.protocol.messages import ImageSize

OPTICAL_FRAME = "camera_optical_frame"


class CameraTopics:
    """Publishes images with their calibration. ``publish_picture`` is to be used on one thread.

    Raises CalibrationError for a ``camera_info_url`` that cannot be used.
    """

    def __init__(self, node: Node, parameters: Parameters) -> None:
        self._node = node
        self._frame_id = parameters.frame_prefix + OPTICAL_FRAME
        self._vertical_fov = parameters.vertical_fov
        self._jpeg_quality = parameters.jpeg_quality
        url = parameters.camera_info_url
        self._calibration = load_calibration(url) if url else None
        self._info: CameraInfo | None = None
        self._raw = ImagePublisher(node, "camera/image_raw")
        self._compressed = CompressedImagePublisher(node, "camera/image_raw/compressed")
        self._info_publisher = LazyPublisher(node, CameraInfo, "camera/camera_info")

    @property
    def wanted(self) -> bool:
        """Whether an image or its calibration has a subscriber."""
        return self._raw.wanted or self._compressed.wanted or self._info_publisher.wanted

    def begin_level(self, size: ImageSize) -> None:
        """Images are of ``size`` from now on."""
        if self._calibration is None:
            self._info = conversions.camera_info(size, self._vertical_fov)
            return
        calibrated = ImageSize(self._calibration.width, self._calibration.height)
        self._info = self._calibration if calibrated == size else None
        if self._info is None:
            self._node.get_logger().error(
                f"camera_info_url: the calibration is for images of {calibrated.width} x "
                f"{calibrated.height}, but the game's are {size.width} x {size.height}: "
                "camera_info is not published"
            )

    def publish_picture(self, picture: Picture, nanoseconds: int) -> None:
        """Publish an image of that simulated time. Raises ImageError when it is none."""
        stamp = conversions.time_message(nanoseconds)
        size = picture.size
        # Decoded before anything is published: half of a bad image is none.
        pixels = decode(picture) if self._raw.wanted else None
        if self._compressed.wanted:
            if isinstance(picture, EncodedPicture):
                data, format_ = bytes(picture.data), picture.format
            else:
                data, format_ = encode_jpeg(decode(picture), self._jpeg_quality), "jpeg"
            self._compressed.publish_encoded(
                data, f"rgb8; {format_} compressed bgr8", stamp, self._frame_id
            )
        if pixels is not None:
            self._raw.publish_pixels(
                pixels, size.width, size.height, "rgb8", stamp, self._frame_id
            )
        if self._info is not None and self._info_publisher.wanted:
            info = self._info
            info.header.stamp = stamp
            info.header.frame_id = self._frame_id
            self._info_publisher.publish(info)
