# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Motion sequence files: the action ``play_motion``, and what the bridge knows of the files."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Any

from std_msgs.msg import Header

from aibo_gti_bridge.bridge import conversions
from aibo_gti_bridge.bridge.goals import Outcome, RobotGoal, RobotServer
from aibo_gti_bridge.bridge.link import Priority
from aibo_gti_bridge.bridge.parameters import Parameters
from aibo_gti_bridge.bridge.robot import Robot
from aibo_gti_bridge.model.joints import NAMES
from aibo_gti_bridge.model.mot_statements import Severity
from aibo_gti_bridge.model.motion_library import MotionLibrary, file_name
from aibo_gti_bridge.model.motions import Motion, MotionError
from aibo_gti_bridge.model.poses import STANDING
from aibo_gti_bridge.protocol.commands import Motion as MotionCommand
from aibo_gti_bridge.protocol.sensors import Reading
from legacy_robots_common.bridge.bridge_node import BridgeNode
from legacy_robots_common.goals.goal_server import GoalRefusedError
from legacy_robots_msgs.action import AiboPlayMotion
from legacy_robots_msgs.srv import AiboListMotions, AiboPreviewMotion

POSE_TOLERANCE_RAD = 0.15
"""By how much a joint may miss the last pose of a motion."""
POSE_TIMEOUT_S = 1.0
"""How late the last pose may come."""


class _MotionGoal(RobotGoal):
    motion: Motion | None = None
    """None: the bridge has no copy of the file."""
    duration = 0.0

    @property
    def joints(self) -> tuple[str, ...]:
        """Names of the joints it moves; all, where that is not known."""
        return self.motion.joints if self.motion is not None else NAMES

    def stop_joints(self, but: Collection[str] = ()) -> None:
        """Take the joints from the motion, which the protocol cannot end."""
        self.server.robot.hold(self.joints, but)


class PlayMotionAction(RobotServer[_MotionGoal]):
    """The action ``play_motion`` and the services ``list_motions`` and ``preview_motion``.

    The robot reports neither the end of a motion nor a missing file: the end is
    known from a local copy's duration, and its last pose must then be seen.
    """

    canceled = "the joints of the motion were told to stay where they are"

    def __init__(self, node: BridgeNode, robot: Robot, parameters: Parameters) -> None:
        super().__init__(node, robot, AiboPlayMotion, "play_motion", _MotionGoal)
        self._library = MotionLibrary(
            parameters.motion_directory, full_rotor_range=parameters.full_rotor_range
        )
        self._unknown_duration = parameters.unknown_motion_duration
        node.create_service(AiboListMotions, "list_motions", self._list)
        node.create_service(AiboPreviewMotion, "preview_motion", self._preview)

    def begin(self, goal: _MotionGoal) -> None:
        """Send the robot the file's name; the joints that it moves are claimed."""
        name = file_name(goal.request.name)
        try:
            goal.motion = self._library.motion(name)
            goal.duration = goal.motion.duration
        except MotionError as error:
            if not self._unknown_duration or name in self._names():
                raise GoalRefusedError(str(error)) from error
            goal.duration = self._unknown_duration
        command = MotionCommand(name)
        self.robot.check(command)
        self.robot.claims.claim(goal, goal.joints, f"the motion {name} moves the same joints")
        self.robot.send(command, Priority.ACTION)

    def follow(self, goal: _MotionGoal, reading: Reading) -> None:
        """Report how far it is; end when the last pose is reached."""
        elapsed = reading.time - goal.began
        goal.publish_feedback(
            AiboPlayMotion.Feedback(elapsed=max(0.0, elapsed), duration=goal.duration)
        )
        if elapsed < goal.duration:
            return
        away = self._away(goal, reading)
        if not away:
            goal.end(Outcome.SUCCEEDED, f"played for {goal.duration:.1f} s")
        elif elapsed > goal.duration + POSE_TIMEOUT_S:
            goal.end(
                Outcome.TIMED_OUT,
                f"the last pose is not reached ({away}); the robot may not have the file",
            )

    def _away(self, goal: _MotionGoal, reading: Reading) -> str:
        """Return which joints have not reached the last pose."""
        if goal.motion is None:
            return ""
        last = {
            name: frames[-1].position
            for name, frames in goal.motion.keyframes.items()
            if frames[-1].weight >= 1.0
        }
        return ", ".join(
            name
            for name, position in last.items()
            if abs(reading.positions.get(name, position) - position) > POSE_TOLERANCE_RAD
        )

    def _names(self) -> list[str]:
        try:
            return self._library.names()
        except OSError as error:
            self.node.get_logger().error(
                f"the motion directory {self._library} cannot be read: {error.strerror}"
            )
            return []

    def _list(self, request: AiboListMotions.Request, response: Any) -> Any:
        for name in self._names():
            motion, issues = self._library.check(name)
            playable = not any(issue.severity is Severity.ERROR for issue in issues)
            response.names.append(name)
            response.durations.append(motion.duration if playable else math.nan)
            response.descriptions.append(self._library.description(name))
            response.problems.append("\n".join(map(str, issues)))
        return response

    def _preview(self, request: AiboPreviewMotion.Request, response: Any) -> Any:
        try:
            motion, issues = self._library.check(request.name)
            motion = self._library.motion(request.name)
        except (MotionError, OSError) as error:
            missing = f"there is no motion {file_name(request.name)!r} in {self._library}"
            response.message = str(error) if isinstance(error, MotionError) else missing
            return response
        start = {**STANDING, **self.robot.positions}
        header = Header(stamp=self.node.stamp())
        response.trajectory = conversions.motion_trajectory(motion, start, header)
        response.message = "\n".join(map(str, issues))
        response.success = True
        return response
