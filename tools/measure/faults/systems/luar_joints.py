# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The campaign with a Luar robot whose joints ROS moves: goals before, during and after faults."""

from __future__ import annotations

import itertools
import uuid
from collections.abc import Mapping
from contextlib import ExitStack
from typing import ClassVar

from control_msgs.action import FollowJointTrajectory
from control_msgs.msg import JointTolerance
from sensor_msgs.msg import JointState
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

from legacy_robots_testing.machine import machine_wide
from legacy_robots_testing.process import Process
from legacy_robots_testing.ros_peer import RosPeer
from luar_bridge.model.joint_limits import joint_limits
from luar_bridge.model.motion import JOINTS
from luar_bridge.protocol.boost_layout import ProtocolError
from luar_bridge.protocol.naming import DIRECTORY, RobotIdentity
from luar_bridge.protocol.segment import Segment, SegmentBusyError, SegmentUnavailableError
from luar_bridge.system import SYSTEM as DECLARED
from measure.faults.errands import ActionErrand, Errand
from measure.faults.observer import Observer, Stream
from measure.faults.system import CLIENT, System
from measure.faults.systems.luar import Luar

ACTION = "follow_joint_trajectory"
TOLERANCE = 0.1
"""rad, the goals' own: the bridge judges by it, and so does the truth."""
SHORTEST_S = 0.3
"""In which each joint can turn from any pose of the robot to its target."""
READINGS = 5


class LuarJoints(System):
    """Moves each of its 22 joints in turn; the truth is dcmSensor when the result comes."""

    name = "luar_joints"
    launch = "legacy_robots_bringup/luar.launch.py"
    simulator = Luar.simulator
    main_stream = ((JointState, "joint_states"),)
    faults: ClassVar[Mapping[str, str]] = {**Luar.faults, CLIENT: "nothing"}
    instant = Luar.instant

    def arguments(self) -> list[str]:
        """Wait until no other robot of this machine has joints; return launch arguments."""
        self._held = ExitStack()
        self._held.enter_context(machine_wide(DECLARED.exclusive))
        user = f"faults{uuid.uuid4().hex[:8]}"
        self._sensor = DIRECTORY / RobotIdentity(0, 1, user).file_name("dcmSensor")
        # A joint stays where a goal has put it until all others had their turn.
        middles = {n: (limit.lower + limit.upper) / 2.0 for n, limit in joint_limits().items()}
        self._targets = itertools.cycle(
            [(joint, middles[joint] + turn) for turn in (0.2, -0.2) for joint in JOINTS]
        )
        return [
            f"namespace:={self.name}", f"user:={user}", "profile:=nao", "joint_commands:=true",
        ]  # fmt: skip

    def close(self) -> None:
        """Let others have joints."""
        self._held.close()

    def watch(self, peer: RosPeer, observer: Observer, launch: Process) -> list[Stream]:
        """Watch the goals too."""
        observer.watch_action(f"{self.namespace}/{ACTION}")
        return super().watch(peer, observer, launch)

    def under_way(self) -> list[Errand]:
        """Move a joint slowly; a second goal interrupts the first, and ends around the fault."""
        return [self._move(6.0), self._move(self._chance.uniform(SHORTEST_S, 3.0))]

    def while_away(self) -> list[Errand]:
        """Ask three times: each goal ends the one before, or there are no joints."""
        return [] if self.bridge_is_away else [self._move(0.4) for _ in range(3)]

    def client_goal(self) -> tuple[str, str, str]:
        """Move the head."""
        point = "{positions: [0.2], time_from_start: {sec: 3}}"
        goal = f"{{trajectory: {{joint_names: [HeadYaw], points: [{point}]}}}}"
        return ACTION, "control_msgs/action/FollowJointTrajectory", goal

    def proof(self) -> Errand:
        """Move a joint."""
        return self._move(0.4)

    def _move(self, seconds: float) -> ActionErrand:
        joint, angle = next(self._targets)
        point = JointTrajectoryPoint(positions=[angle])
        point.time_from_start.sec = int(seconds)
        point.time_from_start.nanosec = int(seconds % 1 * 1e9)
        goal = FollowJointTrajectory.Goal(
            trajectory=JointTrajectory(joint_names=[joint], points=[point])
        )
        goal.goal_tolerance = [JointTolerance(name=joint, position=TOLERANCE)]
        return self._action(
            FollowJointTrajectory, ACTION, goal, lambda: self._is_at(joint, angle),
            succeeded=lambda result: result.error_code == 0, at_once=True,
        )  # fmt: skip

    def _is_at(self, joint: str, angle: float) -> bool:
        """Return whether the robot's own memory has a joint at an angle, within TOLERANCE."""
        for _ in range(READINGS):
            try:
                with Segment(self._sensor) as segment:
                    found = segment.read().numbers("position", len(JOINTS))
            except (ProtocolError, SegmentBusyError, SegmentUnavailableError):
                continue  # it is being written, or made anew
            return found is not None and abs(found[JOINTS.index(joint)] - angle) <= TOLERANCE
        return False


SYSTEM = LuarJoints
