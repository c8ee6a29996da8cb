# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The joints of the action ``follow_joint_trajectory``: how GTI commands and reads them."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from aibo_gti_bridge.bridge.parameters import Parameters
from aibo_gti_bridge.bridge.robot import Robot
from aibo_gti_bridge.model.joints import BY_ANY_NAME, JOINTS, limit_error, limits
from legacy_robots_common.bridge.bridge_node import BridgeNode
from legacy_robots_trajectories.joint_trajectory import JointLimits, Tracker
from legacy_robots_trajectories.trajectory_server import (
    DefaultTolerances,
    Joints,
    TrajectoryServer,
)

START_TOLERANCE_RAD = 0.02
"""Error of a joint's measured position: a trajectory starts there."""


class GtiJoints(Joints):
    """Joints that moveJoints sends to one target within one time: segment by segment."""

    start_tolerance = START_TOLERANCE_RAD

    def __init__(self, robot: Robot, *, full_rotor_range: bool) -> None:
        self.names = {
            name: joint.name for name, joint in BY_ANY_NAME.items() if joint.name in robot.movable
        }
        self.limits = {
            joint.name: JointLimits(
                *limits(joint, full_rotor_range=full_rotor_range), joint.max_speed
            )
            for joint in JOINTS
            if joint.name in robot.movable
        }
        self._full_rotor_range = full_rotor_range
        self._robot = robot

    @property
    def positions(self) -> Mapping[str, float]:
        """The latest reading."""
        return self._robot.positions

    def pose_error(self, pose: Mapping[str, float]) -> str | None:
        """Return how a leg is pressed to the body, with its joints that do not move as read."""
        present, completed = self.positions, dict(pose)
        for name in pose:
            rotor, elevator = f"{name[:3]}rotor", f"{name[:3]}elevator"
            if name == elevator and rotor in present:
                completed.setdefault(rotor, present[rotor])
            elif name == rotor and present.get(elevator, 0.0) < -START_TOLERANCE_RAD:
                completed.setdefault(elevator, present[elevator])
        return limit_error(completed, full_rotor_range=self._full_rotor_range)

    def unwilling(self, joints: Collection[str]) -> str | None:
        """Return why the robot takes no commands now, if it does not."""
        return self._robot.refusal or None

    def command(self, tracker: Tracker, now: float) -> None:
        """Send the segment that begins."""
        if (segment := tracker.segment(now)) is not None:
            self._robot.move(segment.targets, segment.duration)

    def hold(self, joints: Collection[str]) -> None:
        """Send the joints to where they were last seen."""
        self._robot.hold(joints)


def trajectory_action(node: BridgeNode, robot: Robot, parameters: Parameters) -> TrajectoryServer:
    """Return the server of the action."""
    p = parameters
    return TrajectoryServer(
        node,
        GtiJoints(robot, full_rotor_range=p.full_rotor_range),
        DefaultTolerances(p.path_tolerance, p.goal_tolerance, p.goal_time_tolerance),
        lock=robot.lock,
        claims=robot.claims,
    )
