# SPDX-License-Identifier: Apache-2.0
"""One camera's images and labels as topics, converted only for subscribers."""

from __future__ import annotations

from rclpy.node import Node
from sensor_msgs.msg import CameraInfo
from std_msgs.msg import Header
from vision_msgs.msg import LabelInfo, VisionClass

from legacy_robots_common import qos
from legacy_robots_common.images import ImagePublisher
from legacy_robots_common.lazy_publisher import LazyPublisher
from luar_bridge import conversions, labels
from luar_bridge.bridge_parameters import Parameters
from luar_bridge.frames import Frame
from luar_bridge.labels import Label


def label_info(head: Header) -> LabelInfo:
    """Return the names of the masks in labels_a and labels_b."""
    names = [
        VisionClass(class_id=int(label), class_name=str(label.name).lower()) for label in Label
    ]
    return LabelInfo(header=head, class_map=[VisionClass(class_id=0, class_name="none"), *names])


class ImageTopics:
    """Topics of one camera; ``prefix`` comes before their names, empty where there is just one."""

    def __init__(self, node: Node, prefix: str, settings: Parameters) -> None:
        at = f"{prefix}/" if prefix else ""
        self._settings = settings
        self._image = ImagePublisher(node, f"{at}image")
        self._rgb = ImagePublisher(node, f"{at}image_rgb")
        self._info = LazyPublisher(node, CameraInfo, f"{at}camera_info")
        self._labels = [ImagePublisher(node, f"{at}labels_{name}") for name in "ab"]
        self._drawn = [ImagePublisher(node, f"{at}labels_{name}_rgb") for name in "ab"]
        self._publishers = [self._image, self._rgb, self._info, *self._labels, *self._drawn]
        self._names = qos.publisher(node, LabelInfo, f"{at}label_info", qos.LATCHED)
        self._names.publish(label_info(Header()))

    @property
    def wanted(self) -> bool:
        """True while any of them has a subscriber."""
        return any(publisher.wanted for publisher in self._publishers)

    def publish(self, frame: Frame, stamp: float) -> None:
        """Publish ``frame``, which the robot finished at ``stamp`` (Unix seconds)."""
        time = conversions.time_message(stamp)
        optical = conversions.CAMERA_FRAMES[1 if frame.camera == 1 else 0]
        name = self._settings.frame_prefix + optical
        width, height = frame.width, frame.height
        if self._image.wanted:
            self._image.publish_pixels(frame.yuyv, width, height, "yuv422_yuy2", time, name)
        if self._rgb.wanted:
            webots = self._settings.colors == "webots"
            rgb = (labels.webots_yuyv_to_rgb if webots else labels.yuyv_to_rgb)(frame.yuyv)
            self._rgb.publish_pixels(rgb, width, height, "rgb8", time, name)
        if self._info.wanted:
            head = Header(stamp=time, frame_id=name)
            focal = self._settings.focal_widths
            self._info.publish(conversions.camera_info(width, height, focal, head))
        for masks, plain, drawn in zip(
            (frame.label_a, frame.label_b), self._labels, self._drawn, strict=True
        ):
            if masks is None:
                continue
            rows, columns = masks.shape
            if plain.wanted:
                plain.publish_pixels(masks, columns, rows, "mono8", time, name)
            if drawn.wanted:
                painted = labels.colourised(masks)
                drawn.publish_pixels(painted, columns, rows, "rgb8", time, name)
