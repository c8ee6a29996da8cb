# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""All by which ROS moves the joints: opt-in by ``joint_commands`` and the allow-list."""

from __future__ import annotations

from legacy_robots_common.node.parameters import ParameterError
from legacy_robots_common.node.parts import NodePart
from legacy_robots_trajectories.trajectory_server import DefaultTolerances
from luar_bridge.bridge.part_context import PartContext
from luar_bridge.parts.joints.body_outputs import HardnessService, LedTopics
from luar_bridge.parts.joints.joint_commands import JointCommands
from luar_bridge.parts.joints.play_motion import PlayMotionAction


class JointsPart(NodePart):
    """Trajectories, positions, keyframe motions, hardness, and the topics ``leds/NAME``.

    Raises ParameterError when the joints are not this robot's, or may not be written.
    """

    def __init__(self, context: PartContext) -> None:
        p = context.settings
        if not p.joints:
            raise ParameterError("parameter 'joint_commands' needs 'joints'")
        defaults = DefaultTolerances(
            p.joint_path_tolerance, p.joint_goal_tolerance, p.joint_goal_time_tolerance
        )
        self._joints = JointCommands(
            context.node,
            context.identity,
            context.directory,
            context.writable,
            defaults,
            p.stale_after,
            p.platform,
        )
        self._motions = PlayMotionAction(
            context.node, self._joints, context.writable, p.motion_directory
        )
        HardnessService(context.node, self._joints, context.writable)
        LedTopics(context.node, context.path("dcmActuator"), context.writable)

    def close(self) -> None:
        """Release the memory. Idempotent."""
        self._joints.close()
