# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What one camera sees as topics in pixels, beside those in metres of TypedView."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from rclpy.node import Node
from soccer_vision_2d_msgs.msg import BallArray, GoalpostArray, MarkingArray

from luar_bridge.bridge import vision_messages
from luar_bridge.bridge.serialized import FormPublisher
from luar_bridge.bridge.vision_messages import CAMERA_FRAMES
from luar_bridge.model import pixels, vision
from luar_bridge.model.snapshots import Memory
from luar_bridge.protocol.layout_table import LayoutTable


class PixelTopics:
    """Topics of the camera whose images are in segment ``image``, below ``prefix``.

    Parameters
    ----------
    table
        Of two cameras each has segments of its own; what it has none for is no topic.
    team_color
        Returns the own team's colour, see vision_messages.post_attributes.

    """

    def __init__(
        self,
        node: Node,
        memory: Memory,
        table: LayoutTable,
        image: str,
        prefix: str,
        frame_prefix: str,
        team_color: Callable[[], int | None],
    ) -> None:
        self._memory = memory
        self._image = image
        self._team_color = team_color
        self.topics: list[tuple[tuple[str, ...], FormPublisher, Callable[[float], None]]] = []
        """Segments that each topic needs, its publisher, and what publishes it of a stamp."""
        frames = [frame_prefix + frame for frame in CAMERA_FRAMES]
        number = image.removeprefix("vcmImage")
        at = f"{prefix}/" if prefix else ""
        kinds: tuple[tuple[str, str, type[Any], Any, Any], ...] = (
            ("vcmBall", "ball_detection_2d", BallArray, _form_of(vision_messages.pixel_balls),
             self._publish_ball),
            ("vcmGoal", "goals_2d", GoalpostArray, _form_of(vision_messages.pixel_posts),
             self._publish_goals),
            ("vcmLine", "lines_2d", MarkingArray, _form_of(vision_messages.pixel_lines),
             self._publish_lines),
        )  # fmt: skip
        for base, topic, kind, form, publish in kinds:
            if (segment := base + number) in table.segments:
                publisher = FormPublisher(node, kind, at + topic, partial(form, frames))
                send = partial(publish, publisher, segment)
                self.topics.append(((image, segment), publisher, send))

    def _camera(self) -> int:
        return 1 if self._memory.number(self._image, "select") == 1.0 else 0

    def _publish_ball(self, publisher: FormPublisher, segment: str, stamp: float) -> None:
        if vision.detected(self._memory, segment) is not None:
            scale, _ = pixels.label_scales(self._memory, self._image)
            box = pixels.ball_box(self._memory, segment, scale)
            values = () if box is None else (*box[:2], *box)
            publisher.fill(stamp, values, (self._camera(), 0 if box is None else 1))

    def _publish_goals(self, publisher: FormPublisher, segment: str, stamp: float) -> None:
        if vision.detected(self._memory, segment) is None:
            return
        goal = vision.seen_goal(self._memory, 0.0)
        _, scale = pixels.label_scales(self._memory, self._image)
        boxes = pixels.post_boxes(self._memory, segment, scale) if goal is not None else ()
        posts = vision_messages.post_attributes(goal, self._team_color())
        if len(boxes) == len(posts):  # else the robot does not report where in the image
            values = [value for box in boxes for value in box]
            publisher.fill(stamp, values, (self._camera(), posts))

    def _publish_lines(self, publisher: FormPublisher, segment: str, stamp: float) -> None:
        _, scale = pixels.label_scales(self._memory, self._image)
        lines = pixels.line_ends(self._memory, segment, scale)
        if lines is not None:
            values = [value for line in lines for value in line]
            publisher.fill(stamp, values, (self._camera(), len(lines)))


def _form_of(make: Callable[[str, Any], Any]) -> Callable[[list[str], tuple[int, Any]], Any]:
    """Return what makes the form of a shape: the camera's number, and what is seen."""
    return lambda frames, shape: make(frames[shape[0]], shape[1])
