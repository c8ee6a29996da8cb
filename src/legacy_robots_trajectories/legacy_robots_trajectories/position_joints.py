# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The joints of a robot that is sent positions, with the limits of its URDF. No ROS."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from legacy_robots_geometry.robot_model import RobotModel
from legacy_robots_trajectories.joint_trajectory import JointLimits, Tracker
from legacy_robots_trajectories.trajectory_server import Joints

__all__ = ["PositionJoints"]


class PositionJoints(Joints):
    """All joints of ``model`` that move. ``send`` has the robot go to positions (rad, by name).

    The owner calls ``seen`` with each measurement, and then ``follow_all`` of the server.
    """

    start_tolerance = 0.1

    def __init__(self, model: RobotModel, send: Callable[[Mapping[str, float]], None]) -> None:
        moving = [joint for joint in model.joints if joint.moves]
        self.names = {joint.name: joint.name for joint in moving}
        self.limits = {j.name: JointLimits(j.lower, j.upper, j.max_speed) for j in moving}
        self._send = send
        self._positions: dict[str, float] = {}

    @property
    def positions(self) -> Mapping[str, float]:
        """Where the joints were last seen."""
        return self._positions

    def seen(self, positions: Mapping[str, float]) -> None:
        """Take measured positions; empty: they are not known any more."""
        self._positions = dict(positions)

    def command(self, tracker: Tracker, now: float) -> None:
        """Send where the joints are to be now."""
        self._send(dict(zip(tracker.trajectory.joints, tracker.desired(now), strict=True)))

    def hold(self, joints: Collection[str]) -> None:
        """Send the positions where the joints are."""
        self._send({name: self._positions[name] for name in joints if name in self._positions})
