# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""One camera's images and labels as topics, converted only for subscribers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from rclpy.node import Node
from sensor_msgs.msg import CameraInfo, Image
from std_msgs.msg import Header
from vision_msgs.msg import LabelInfo, VisionClass

from legacy_robots_common.node import qos
from legacy_robots_common.node.images import CHANNELS, image_message
from luar_bridge.bridge import vision_messages
from luar_bridge.bridge.parameters import Parameters
from luar_bridge.bridge.serialized import FormPublisher, SerializedForm
from luar_bridge.protocol import labels
from luar_bridge.protocol.camera_frames import Frame
from luar_bridge.protocol.labels import Label


def label_info(head: Header) -> LabelInfo:
    """Return the names of the masks in labels_a and labels_b."""
    names = [
        VisionClass(class_id=int(label), class_name=str(label.name).lower()) for label in Label
    ]
    return LabelInfo(header=head, class_map=[VisionClass(class_id=0, class_name="none"), *names])


class _ImagePublisher(FormPublisher):
    """Publishes images of one encoding."""

    def __init__(self, node: Node, topic: str, encoding: str, frames: Sequence[str]) -> None:
        super().__init__(node, Image, topic, self._form)
        self._encoding = encoding
        self._frames = frames

    def _form(self, shape: tuple[int, int, int]) -> SerializedForm:
        height, width, camera = shape
        size = CHANNELS[self._encoding] * width * height
        head = Header(frame_id=self._frames[camera])
        message = image_message(bytes(size), width, height, self._encoding, head)
        return SerializedForm(message, tail=size)

    def send(self, pixels: NDArray[np.uint8], camera: int, stamp: float) -> None:
        """Publish pixels of shape (height, width, ...), copied once."""
        shape = (*pixels.shape[:2], camera)
        self.fill(stamp, shape=shape, tail=np.ascontiguousarray(pixels).data.cast("B"))


class ImageTopics:
    """Topics of one camera; ``prefix`` comes before their names, empty where there is just one."""

    def __init__(self, node: Node, prefix: str, settings: Parameters) -> None:
        at = f"{prefix}/" if prefix else ""
        frames = [settings.frame_prefix + frame for frame in vision_messages.CAMERA_FRAMES]

        def images(topic: str, encoding: str) -> _ImagePublisher:
            return _ImagePublisher(node, at + topic, encoding, frames)

        def info(shape: tuple[int, int, int]) -> SerializedForm:
            height, width, camera = shape
            focal = settings.focal_widths
            return vision_messages.camera_info(frames[camera], width, height, focal)

        webots = settings.colors == "webots"
        self._to_rgb = labels.webots_yuyv_to_rgb if webots else labels.yuyv_to_rgb
        self._image = images("image", "yuv422_yuy2")
        self._rgb = images("image_rgb", "rgb8")
        self._info = FormPublisher(node, CameraInfo, f"{at}camera_info", info)
        self._labels = [images(f"labels_{name}", "mono8") for name in "ab"]
        self._drawn = [images(f"labels_{name}_rgb", "rgb8") for name in "ab"]
        self._publishers = [self._image, self._rgb, self._info, *self._labels, *self._drawn]
        self._names = qos.publisher(node, LabelInfo, f"{at}label_info", qos.LATCHED)
        self._names.publish(label_info(Header()))

    @property
    def wanted(self) -> bool:
        """True while any of them has a subscriber."""
        return any(publisher.wanted for publisher in self._publishers)

    def publish(self, frame: Frame, stamp: float) -> None:
        """Publish ``frame``, which the robot finished at ``stamp`` (Unix seconds)."""
        camera = 1 if frame.camera == 1 else 0
        if self._image.wanted:
            self._image.send(frame.yuyv, camera, stamp)
        if self._rgb.wanted:
            self._rgb.send(self._to_rgb(frame.yuyv), camera, stamp)
        if self._info.wanted:
            self._info.fill(stamp, shape=(frame.height, frame.width, camera))
        for masks, plain, drawn in zip(
            (frame.label_a, frame.label_b), self._labels, self._drawn, strict=True
        ):
            if masks is None:
                continue
            if plain.wanted:
                plain.send(masks, camera, stamp)
            if drawn.wanted:
                drawn.send(labels.colourised(masks), camera, stamp)
