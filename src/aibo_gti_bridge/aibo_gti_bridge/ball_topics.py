# SPDX-License-Identifier: Apache-2.0
"""Publishes what the camera sees of the balls, on ``ball/<colour>``, while somebody wants it."""

from __future__ import annotations

from collections.abc import Callable

from legacy_robots_msgs.msg import AiboBall
from std_msgs.msg import Header

from aibo_gti_bridge import conversions
from aibo_gti_bridge.commands import Ball, QueryBall
from aibo_gti_bridge.kinematics import IMAGE_TOP
from aibo_gti_bridge.link import Answer, ImplausibleReplyError, Poll
from aibo_gti_bridge.robot import Robot
from legacy_robots_common import qos

MARGIN = 0.5
"""Generalised image units beyond the image's edge that are still believed."""

OnBall = Callable[[float, AiboBall], None]
"""Gets the time (monotonic clock, s) at which a ball was looked at, and what was seen."""


class BallTopics:
    """One topic and one poll for each colour. ``wanted`` asks whether a search needs a colour."""

    def __init__(
        self,
        robot: Robot,
        rate: float,
        prefix: str,
        wanted: Callable[[str], bool],
        on_ball: OnBall,
    ) -> None:
        self._robot = robot
        self._frame = prefix + "camera_optical_frame"
        self._wanted = wanted
        self._on_ball = on_ball
        self._publishers = {
            colour: qos.publisher(robot.node, AiboBall, f"ball/{colour}", qos.stream())
            for colour in robot.wire.colours
        }
        self.polls = [self._poll(colour, 1.0 / rate) for colour in robot.wire.colours]

    def _poll(self, colour: str, period: float) -> Poll:
        query = QueryBall(self._robot.wire.colours[colour])
        publisher = self._publishers[colour]

        def command() -> QueryBall | None:
            wanted = publisher.get_subscription_count() or self._wanted(colour)
            return query if wanted else None

        return Poll(f"ball {colour}", period, command, lambda a: self.answer(colour, a))

    def answer(self, colour: str, answer: Answer) -> AiboBall:
        """Publish a reply and return it as a message. Called on the link's thread."""
        assert isinstance(answer.reply, Ball)
        if answer.reply.visible:
            x, y, area = conversions.ball_in_image(answer.reply, self._robot.wire)
            if abs(x) > 1.0 + MARGIN or abs(y) > IMAGE_TOP + MARGIN or area > 8.0:
                raise ImplausibleReplyError(f"a ball cannot be at ({x:g}, {y:g}), area {area:g}")
        time = (answer.sent + answer.received) / 2.0
        header = Header(stamp=self._robot.stamp(time), frame_id=self._frame)
        message = conversions.ball(
            answer.reply, colour, self._robot.wire, self._robot.positions, header
        )
        self._publishers[colour].publish(message)
        self._on_ball(time, message)
        return message
