# SPDX-License-Identifier: Apache-2.0
"""The host node: what the original's Lua walks becomes cmd_vel of a robot in ROS."""

from __future__ import annotations

import math
import sys
import time
from pathlib import Path
from typing import Any

from geometry_msgs.msg import Twist, TwistStamped
from legacy_robots_msgs.msg import LinkState
from nav_msgs.msg import Odometry
from std_msgs.msg import Header

from legacy_robots_common.node import qos
from legacy_robots_common.node.main import run
from legacy_robots_common.node.parameters import ParameterError, declare_parameters
from legacy_robots_common.node.program_node import ProgramNode
from luar_bridge.host.parameters import Parameters
from luar_bridge.model.pose import Pose
from luar_bridge.protocol import writer
from luar_bridge.protocol.boost_layout import ProtocolError
from luar_bridge.protocol.host_walk import SEGMENT
from luar_bridge.protocol.naming import RobotIdentity
from luar_bridge.protocol.segment import Segment, SegmentBusyError, SegmentUnavailableError
from luar_bridge.protocol.writer import WriteRefusedError

PERIOD_S = 0.02
_ERRORS = (SegmentUnavailableError, SegmentBusyError, ProtocolError, WriteRefusedError)
STILL: Pose = (0.0, 0.0, 0.0)


class LuarHost(ProgramNode):
    """Publishes velocities while Lua's count goes up and odometry comes; else the robot stands.

    Of the executor. Raises ParameterError.
    """

    def __init__(self, **node_arguments: Any) -> None:
        super().__init__("host", **{"namespace": "luar_host", **node_arguments})
        p = self._settings = declare_parameters(self, Parameters)
        try:
            identity = RobotIdentity(p.team, p.player, p.user)
        except ValueError as error:
            raise ParameterError(f"parameter 'user': {error}") from error
        self._path = Path(p.memory_directory) / identity.file_name(SEGMENT)
        self._peer = str(identity)
        self._limits = (p.max_forward, p.max_sideways, p.max_turn)
        self._count: float | None = None
        self._counted_at = self._odometry_at = -math.inf
        self._odometry_count = 0
        self._velocity: Pose = STILL
        kind = TwistStamped if p.enable_stamped_cmd_vel else Twist
        self._cmd_vel = qos.publisher(self, kind, p.cmd_vel, qos.stream(5))
        self._link_state = qos.publisher(self, LinkState, "link_state", qos.LATCHED)
        self._told = (-1, "")
        self._connections = 0
        qos.subscription(self, Odometry, p.odom, self._on_odometry, qos.stream(5))
        self.timer(PERIOD_S, self._follow)

    def stop(self) -> None:
        """Have the robot stand."""
        self._publish(STILL)
        super().stop()

    def _follow(self) -> None:
        now, timeout = time.monotonic(), self._settings.timeout
        try:
            with Segment(self._path) as segment:
                told = segment.snapshot
        except _ERRORS as error:
            self._count, self._counted_at = None, -math.inf
            self._stand(LinkState.CONNECTING, str(error))
            return
        count = told.number("count")
        if count is not None and math.isfinite(count) and count != self._count:
            if self._count is not None:
                self._counted_at = now
            self._count = count
        if now - self._counted_at > timeout:
            self._stand(LinkState.FAULT, f"{SEGMENT}.count stands still")
        elif now - self._odometry_at > timeout:
            self._stand(LinkState.FAULT, f"no odometry of the robot for {timeout:g} s")
        else:
            self._tell(LinkState.CONNECTED, "Lua walks the robot")
            self._publish(self._limited(told.numbers("velocity", 3) or STILL))

    def _limited(self, velocity: tuple[float, ...]) -> Pose:
        """Return a velocity of Lua within the robot's limits; one that is not finite is none."""
        if not all(map(math.isfinite, velocity)):
            return STILL
        factors = (self._settings.speed_factor, self._settings.speed_factor, 1.0)
        forward, left, turn = (
            min(max(factor * wanted, -most), most)
            for factor, wanted, most in zip(factors, velocity, self._limits, strict=True)
        )
        return forward, left, turn

    def _stand(self, state: int, detail: str) -> None:
        self._tell(state, detail)
        if self._velocity != STILL:
            self.get_logger().warning(f"the robot is stopped: {detail}")
            self._publish(STILL)

    def _publish(self, velocity: Pose) -> None:
        if velocity == STILL == self._velocity:
            return  # another node may drive the robot
        self._velocity = velocity
        twist = Twist()
        twist.linear.x, twist.linear.y, twist.angular.z = velocity
        if self._settings.enable_stamped_cmd_vel:
            self._cmd_vel.publish(TwistStamped(header=Header(stamp=self.stamp()), twist=twist))
        else:
            self._cmd_vel.publish(twist)

    def _on_odometry(self, message: Odometry) -> None:
        """Tell Lua where the robot is in its own odometry."""
        self._odometry_at = time.monotonic()
        pose = message.pose.pose
        q = pose.orientation
        yaw = math.atan2(2.0 * (q.w * q.z + q.x * q.y), 1.0 - 2.0 * (q.y**2 + q.z**2))
        self._odometry_count += 1
        try:
            place = (pose.position.x, pose.position.y, yaw)
            writer.write_numbers(self._path, "odometry", place)
            writer.write_numbers(self._path, "odometry_count", [self._odometry_count])
        except _ERRORS:
            return  # said on link_state

    def _tell(self, state: int, detail: str) -> None:
        """Publish the state of the link to Lua where it has changed."""
        if (state, detail) == self._told:
            return
        if state == LinkState.CONNECTED != self._told[0]:
            self._connections += 1
        self._told = state, detail
        self._link_state.publish(
            LinkState(
                header=Header(stamp=self.stamp()),
                state=state,
                peer=self._peer,
                detail=detail,
                connections=self._connections,
            )
        )


def main() -> None:
    """Run the host as a program."""
    sys.exit(run(LuarHost, Parameters))


if __name__ == "__main__":
    main()
