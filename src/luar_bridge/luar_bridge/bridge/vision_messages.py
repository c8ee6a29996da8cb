# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What the robot sees in an image to messages: pure functions, as those of conversions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from geometry_msgs.msg import Vector3
from sensor_msgs.msg import CameraInfo
from soccer_vision_2d_msgs.msg import Ball as PixelBall
from soccer_vision_2d_msgs.msg import BallArray as PixelBallArray
from soccer_vision_2d_msgs.msg import Goalpost as PixelGoalpost
from soccer_vision_2d_msgs.msg import GoalpostArray as PixelGoalpostArray
from soccer_vision_2d_msgs.msg import MarkingArray as PixelMarkingArray
from soccer_vision_2d_msgs.msg import MarkingSegment as PixelSegment
from soccer_vision_3d_msgs.msg import Ball as SeenBallMessage
from soccer_vision_3d_msgs.msg import BallArray, GoalpostArray, MarkingArray, MarkingSegment
from soccer_vision_3d_msgs.msg import Goalpost as GoalpostMessage
from soccer_vision_attribute_msgs.msg import Confidence
from soccer_vision_attribute_msgs.msg import Goalpost as GoalpostAttributes
from std_msgs.msg import Header

from luar_bridge.bridge.serialized import SerializedForm
from luar_bridge.model import field
from luar_bridge.model.vision import SeenGoal

PostAttributes: TypeAlias = tuple[tuple[int, int], ...]
"""Side and team of each goal post that is seen, as soccer_vision_attribute_msgs has them."""

CAMERA_FRAMES = ("CameraTop_optical_frame", "CameraBottom_optical_frame")
_CENTER = ("bb.center.position.x", "bb.center.position.y")
_SIZE = ("bb.size_x", "bb.size_y")


def camera_info(frame: str, width: int, height: int, focal_widths: float) -> SerializedForm:
    """Return an ideal camera whose focal length is ``focal_widths`` times its image's width."""
    focal = focal_widths * width
    cx, cy = (width - 1) / 2.0, (height - 1) / 2.0
    message = CameraInfo(
        header=Header(frame_id=frame),
        width=width,
        height=height,
        distortion_model="plumb_bob",
        d=[0.0] * 5,
        k=[focal, 0.0, cx, 0.0, focal, cy, 0.0, 0.0, 1.0],
        r=[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
        p=[focal, 0.0, cx, 0.0, 0.0, focal, cy, 0.0, 0.0, 0.0, 1.0, 0.0],
    )
    return SerializedForm(message)


def _unknown() -> Confidence:
    return Confidence(confidence=Confidence.CONFIDENCE_UNKNOWN)


def ball_detection(frame: str, count: int) -> SerializedForm:
    """Return the form of no ball or of one in an image, with its centre (x, y, z) to fill."""
    balls = [SeenBallMessage(confidence=_unknown()) for _ in range(count)]
    message = BallArray(header=Header(frame_id=frame), balls=balls)
    return SerializedForm(message, *_each("balls", count, *(f"center.{axis}" for axis in "xyz")))


def goal_posts(frame: str, posts: PostAttributes) -> SerializedForm:
    """Return the form of the goal posts of an image, with x and y of each to fill.

    Only their places are reported; they are given the size that the rules of 2011 prescribe.
    """
    message = GoalpostArray(header=Header(frame_id=frame))
    for side, team in posts:
        post = GoalpostMessage(confidence=_unknown())
        post.attributes.side, post.attributes.team = side, team
        post.bb.center.position.z = field.GOAL_HEIGHT / 2
        width = 2.0 * field.POST_RADIUS
        post.bb.size = Vector3(x=width, y=width, z=field.GOAL_HEIGHT)
        message.posts.append(post)
    return SerializedForm(message, *_each("posts", len(posts), *_CENTER))


def post_attributes(goal: SeenGoal | None, own_color: int | None) -> PostAttributes:
    """Return side and team of each post.

    Blue (``own_color`` 0) defends the cyan goal, red (1) the yellow one.
    """
    if goal is None:
        return ()
    team = GoalpostAttributes.TEAM_UNKNOWN
    if goal.yellow is not None and own_color in (0, 1):
        own = goal.yellow == (own_color == 1)
        team = GoalpostAttributes.TEAM_OWN if own else GoalpostAttributes.TEAM_OPPONENT
    return tuple((post.side, team) for post in goal.posts)


def markings(frame: str, count: int) -> SerializedForm:
    """Return the form of the lines of an image, with start and end (x, y, z) of each to fill."""
    message = MarkingArray(header=Header(frame_id=frame))
    for _ in range(count):
        message.segments.append(MarkingSegment(confidence=_unknown()))
    ends = (f"{end}.{axis}" for end in ("start", "end") for axis in "xyz")
    return SerializedForm(message, *_each("segments", count, *ends))


def _each(sequence: str, count: int, *fields: str) -> Iterator[str]:
    """Yield the fields of each of the first ``count`` items of a sequence."""
    every = tuple(fields)
    return (f"{sequence}.{n}.{field}" for n in range(count) for field in every)


# --- in pixels of the image; integers are the centres of pixels ------------------------------


def pixel_balls(frame: str, count: int) -> SerializedForm:
    """Return the form of no ball or of one, with centre (x, y), the same and size of its box."""
    balls = [PixelBall(confidence=_unknown()) for _ in range(count)]
    message = PixelBallArray(header=Header(frame_id=frame), balls=balls)
    return SerializedForm(
        message, *_each("balls", count, "center.x", "center.y", *_CENTER, *_SIZE)
    )


def pixel_posts(frame: str, posts: PostAttributes) -> SerializedForm:
    """Return the form of goal posts, with centre (x, y) and size (x, y) of each one's box."""
    message = PixelGoalpostArray(header=Header(frame_id=frame))
    for side, team in posts:
        attributes = GoalpostAttributes(side=side, team=team)
        message.posts.append(PixelGoalpost(attributes=attributes, confidence=_unknown()))
    return SerializedForm(message, *_each("posts", len(posts), *_CENTER, *_SIZE))


def pixel_lines(frame: str, count: int) -> SerializedForm:
    """Return the form of lines, with start (x, y) and end (x, y) of each."""
    message = PixelMarkingArray(header=Header(frame_id=frame))
    message.segments = [PixelSegment(confidence=_unknown()) for _ in range(count)]
    ends = (f"{end}.{axis}" for end in ("start", "end") for axis in "xy")
    return SerializedForm(message, *_each("segments", count, *ends))
