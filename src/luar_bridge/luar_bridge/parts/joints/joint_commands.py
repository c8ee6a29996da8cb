# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""ROS moves a robot's joints: dcmActuator as FollowJointTrajectory and as topics of positions."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from control_msgs.action import FollowJointTrajectory
from std_msgs.msg import Float64MultiArray
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

from legacy_robots_common.bridge.bridge_node import BridgeNode
from legacy_robots_common.goals.goal_server import LocalGoal
from legacy_robots_common.node import qos
from legacy_robots_common.node.parameters import ParameterError
from legacy_robots_core.link.base import NotConnectedError
from legacy_robots_trajectories.claims import PartClaims
from legacy_robots_trajectories.joint_trajectory import Outcome
from legacy_robots_trajectories.trajectory_server import (
    NEWER,
    AtOnce,
    DefaultTolerances,
    TrajectoryGoal,
    TrajectoryServer,
)
from luar_bridge.model.joint_limits import GROUPS, group
from luar_bridge.parts.joints.joint_memory import MemoryJoints
from luar_bridge.protocol.naming import RobotIdentity
from luar_bridge.protocol.writer import AllowList

STEP_PERIOD_S = 0.02
"""Between two commands while a trajectory is followed."""
POSITIONS = "joint_group_position_controller/commands"
"""Positions (rad) of all joints in their order, as ros2_control's controller has the topic.

Those of a group have it with the group's name in the place of joint_group.
"""
WATCH_PERIOD_S = 0.1
"""Between two looks at who writes dcmActuator while none is."""
OTHERS = "dcmActuator is written by another program, such as Lua's motion process"


class JointCommands(TrajectoryServer):
    """The action ``follow_joint_trajectory``, the topics ``joint_trajectory`` and ``POSITIONS``.

    It gives way, in words, to a motion process of Lua that writes dcmActuator. Raises
    ParameterError when the allow-list does not name the commands.
    """

    def __init__(
        self,
        node: BridgeNode,
        identity: RobotIdentity,
        directory: Path,
        writable: AllowList,
        defaults: DefaultTolerances,
        stale_after: float,
        platform: str,
    ) -> None:
        if not writable.allows("dcmActuator", "command"):
            raise ParameterError(
                "parameter 'joint_commands': 'writable' does not name dcmActuator.command"
            )
        self.memory = self._memory = MemoryJoints(identity, directory, stale_after, platform)
        self._guard = self.lock = threading.RLock()
        """Guards memory and claims."""
        self.claims = PartClaims()
        self._bridge = node
        super().__init__(
            node,
            self._memory,
            defaults,
            lock=self._guard,
            claims=self.claims,
            needs_link=False,  # the joints are there without Lua's processes
        )
        qos.subscription(
            node, JointTrajectory, "joint_trajectory", self._on_trajectory, qos.stream(5)
        )
        for name in ("joint_group", *GROUPS):
            topic = POSITIONS.replace("joint_group", name)
            joints = group("body" if name == "joint_group" else name, self.joints.names)
            taken = partial(self._on_positions, topic, joints)
            qos.subscription(node, Float64MultiArray, topic, taken, qos.stream(5))
        node.timer(WATCH_PERIOD_S, self._watch)
        self._stepping = node.timer(STEP_PERIOD_S, self._step)
        self._stepping.cancel()

    def close(self) -> None:
        """Release the memory. Idempotent."""
        with self._guard:
            self._memory.close()

    def set_hardness(self, joints: Sequence[str], hardness: float) -> None:
        """Set the hardness of joints; with 0 their goals end. Raises NotConnectedError."""
        with self._guard:
            now = self.node.now()
            self._memory.look(now)
            if self._memory.driven_by_others(now):
                raise NotConnectedError(OTHERS)
            self._memory.set_hardness(dict.fromkeys(joints, hardness))
            for goal in self.goals if hardness <= 0.0 else ():
                if goal.tracker and set(joints).intersection(goal.tracker.trajectory.joints):
                    goal.interrupt("set_hardness has let go of its joints", joints)

    # --- TrajectoryServer ------------------------------------------------------------------

    def refusal(self, request: FollowJointTrajectory.Goal) -> str | None:
        """Return what is wrong with a goal, judged from where the joints are now."""
        with self._guard:
            self._look()
            return super().refusal(request)

    def missing(self) -> str:
        """Return why there are no joints, while Lua's processes are not there either."""
        try:
            with self._guard:
                if self.node.connected:
                    return ""
                now = self.node.now()
                self._memory.look(now)
                return "" if self._memory.free(now) else "dcmActuator has just been made"
        except NotConnectedError as error:
            return str(error)

    def begin(self, goal: TrajectoryGoal) -> None:
        """Begin once dcmActuator is seen to stand still."""
        self._memory.look(goal.began)  # opened now, it is the memory that the goal has begun with
        super().begin(goal)
        self._stepping.reset()

    def follow(self, goal: TrajectoryGoal, now: float) -> None:
        """Write the next command, unless another program does."""
        memory = self._memory
        memory.look(now)
        if memory.opened_at > goal.began:
            raise NotConnectedError("the robot has started again: its joints were made anew")
        if memory.others_at > goal.began:
            goal.end(
                Outcome.INVALID if goal.tracker is None else Outcome.INTERRUPTED,
                OTHERS,
            )
        elif goal.tracker is not None or memory.free(now):
            super().follow(goal, now)

    # --- on the executor -------------------------------------------------------------------

    def _look(self) -> None:
        try:
            self._memory.look(self.node.now())
        except NotConnectedError:
            pass  # a trajectory that is sent is answered with it

    def _watch(self) -> None:
        with self._guard:
            if not self.goals:
                self._look()

    def _step(self) -> None:
        with self._guard:
            self.follow_all(self.node.now())
            if not self.goals:
                self._stepping.cancel()

    def _on_trajectory(self, message: JointTrajectory) -> None:
        if message.points:
            self.node.call_soon(self._carry_out, message)
            return
        with self._guard:
            for goal in self.goals:
                goal.interrupt("an empty trajectory stops the joints", ())

    def _on_positions(self, topic: str, names: list[str], message: Float64MultiArray) -> None:
        positions = list(message.data)
        if len(positions) != len(names):
            self._bridge.on_problem(
                "refused trajectories",
                f"{topic}: {len(positions)} positions for {len(names)} joints",
            )
            return
        points = [JointTrajectoryPoint(positions=positions)]
        self._on_trajectory(JointTrajectory(joint_names=names, points=points))

    async def _carry_out(self, message: JointTrajectory) -> None:
        """Follow a trajectory of the topic as one of the action; warn where it ends otherwise."""
        request = AtOnce(trajectory=message)
        ending = await self.carry_out(LocalGoal(request, lambda feedback: None))
        if ending.outcome in (Outcome.SUCCEEDED, Outcome.SHUTDOWN) or ending.message == NEWER:
            return
        kind = "refused" if ending.outcome is Outcome.INVALID else "interrupted"
        self._bridge.on_problem(f"{kind} trajectories", f"joint_trajectory: {ending.message}")
