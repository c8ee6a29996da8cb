# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What Lua walks becomes cmd_vel, and the robot's odometry goes to Lua."""

from __future__ import annotations

import math
from contextlib import suppress
from pathlib import Path

from geometry_msgs.msg import Twist, TwistStamped
from nav_msgs.msg import Odometry
from std_msgs.msg import Header

from legacy_robots_common.node import qos
from legacy_robots_common.node.program_node import ProgramNode
from legacy_robots_geometry.rotations import roll_pitch_yaw
from luar_bridge.host.lua_segment import LuaGoneError, LuaSegment
from luar_bridge.host.parameters import Parameters
from luar_bridge.model.pose import Pose

STILL: Pose = (0.0, 0.0, 0.0)


class LuaWalk:
    """The segment rhmWalk at ``path``, and a robot that takes velocities. Of the executor."""

    def __init__(self, node: ProgramNode, path: Path, p: Parameters) -> None:
        self._node, self._settings = node, p
        self._segment = LuaSegment(path)
        self._limits = (p.max_forward, p.max_sideways, p.max_turn)
        self._odometry_at = -math.inf
        self._odometry_count = 0
        self._wanted = self._sent = STILL
        kind = TwistStamped if p.enable_stamped_cmd_vel else Twist
        self._cmd_vel = qos.publisher(node, kind, p.cmd_vel, qos.stream(5))
        qos.subscription(node, Odometry, p.odom, self._on_odometry, qos.stream(5))

    def look(self, now: float) -> str:
        """Read what Lua wants; return what the robot lacks, empty for nothing.

        Raises LuaGoneError.
        """
        timeout = self._settings.timeout
        snapshot = self._segment.read_counting(now, timeout)
        self._wanted = self._limited(snapshot.numbers("velocity", 3) or STILL)
        if now - self._odometry_at > timeout:
            return f"no odometry of the robot for {timeout:g} s"
        return ""

    def move(self) -> None:
        """Publish the velocity that Lua wants."""
        self._publish(self._wanted)

    def halt(self) -> bool:
        """Have the robot stand; return whether it did not."""
        moves = self._sent != STILL
        self._publish(STILL)
        return moves

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

    def _publish(self, velocity: Pose) -> None:
        if velocity == STILL == self._sent:
            return  # another node may drive the robot
        self._sent = velocity
        twist = Twist()
        twist.linear.x, twist.linear.y, twist.angular.z = velocity
        if self._settings.enable_stamped_cmd_vel:
            header = Header(stamp=self._node.stamp())
            self._cmd_vel.publish(TwistStamped(header=header, twist=twist))
        else:
            self._cmd_vel.publish(twist)

    def _on_odometry(self, message: Odometry) -> None:
        """Write to Lua where the robot is in its own odometry."""
        self._odometry_at = self._node.now()
        at, q = message.pose.pose.position, message.pose.pose.orientation
        yaw = roll_pitch_yaw((q.x, q.y, q.z, q.w))[2]
        self._odometry_count += 1
        with suppress(LuaGoneError):  # said on link_state
            self._segment.write(
                {"odometry": (at.x, at.y, yaw), "odometry_count": (self._odometry_count,)}
            )
