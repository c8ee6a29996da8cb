# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The campaign with the AIBO: its launch, its faults, its errands."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import ClassVar

from control_msgs.action import FollowJointTrajectory
from sensor_msgs.msg import JointState
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

from legacy_robots_common.node import qos
from legacy_robots_msgs.action import (
    AiboPlayMotion,
    AiboSearchBall,
    AiboWalkSteps,
)
from legacy_robots_testing.process import Process
from legacy_robots_testing.ros_peer import RosPeer
from measure.faults.errands import ActionErrand, Errand
from measure.faults.observer import Observer, Stream
from measure.faults.system import CLIENT, ON_A_LINK, System, becomes_true


class Aibo(System):
    """Moves its head, walks, plays and searches at once."""

    name = "aibo"
    main_stream = ((JointState, "joint_states"),)
    faults: ClassVar[Mapping[str, str]] = {**ON_A_LINK, CLIENT: "nothing"}
    instant = frozenset({"cut", "flood", "garbage"})
    actions: tuple[str, ...] = (
        "follow_joint_trajectory", "walk_steps", "play_motion", "search_ball",
    )  # fmt: skip

    def arguments(self) -> list[str]:
        """Return launch arguments."""
        self._way = itertools.cycle((0.15, -0.15))
        self._side = itertools.cycle((0.3, -0.3))
        return [f"port:={self._ports()}"]

    def watch(self, peer: RosPeer, observer: Observer, launch: Process) -> list[Stream]:
        """Watch the goals too, and the joints."""
        streams = super().watch(peer, observer, launch)
        for action in self.actions:
            observer.watch_action(f"{self.namespace}/{action}")
        self._states = peer.subscribe(
            JointState, f"{self.namespace}/joint_states", qos.stream(100)
        )
        return streams

    def before_fault(self) -> None:
        """Forget what was seen before."""
        self._states.clear()

    def under_way(self) -> list[Errand]:
        """Turn the head slowly, and do something else beside it."""
        mark = self._mark()
        step = next(self._way)
        other = self._chance.choice(("walk", "play", "search"))
        if other == "search":
            goal = AiboSearchBall.Goal(colour="pink")
            return [self._action(AiboSearchBall, "search_ball", goal, lambda: True)]
        mouth = self._turn("mouth", -0.5, 6.0)
        if other == "play":
            goal = AiboPlayMotion.Goal(name="stretch")
            return [
                mouth,
                self._action(
                    AiboPlayMotion, "play_motion", goal,
                    lambda: self._logged(mark, r"<- Motion\("),
                ),
            ]  # fmt: skip
        goal = AiboWalkSteps.Goal(x=step)
        return [
            mouth,
            self._action(
                AiboWalkSteps, "walk_steps", goal, lambda: self._logged(mark, r"<- WalkSteps\(")
            ),
        ]

    def client_goal(self) -> tuple[str, str, str]:
        """Walk."""
        return "walk_steps", "legacy_robots_msgs/action/AiboWalkSteps", f"{{x: {next(self._way)}}}"

    def proof(self) -> Errand:
        """Turn the head."""
        return self._turn("neck_pan", next(self._side), 0.4)

    def _turn(self, joint: str, angle: float, seconds: float) -> ActionErrand:
        point = JointTrajectoryPoint(positions=[angle])
        point.time_from_start.sec = int(seconds)
        point.time_from_start.nanosec = int(seconds % 1 * 1e9)
        trajectory = JointTrajectory(joint_names=[joint], points=[point])
        mark = len(self._states.items)

        def has_been_there() -> bool:  # another goal may have moved it on by now
            return any(
                abs(state.position[state.name.index(joint)] - angle) < 0.1
                for state in self._states.items[mark:]
            )

        return self._action(
            FollowJointTrajectory, "follow_joint_trajectory",
            FollowJointTrajectory.Goal(trajectory=trajectory),
            lambda: becomes_true(has_been_there), succeeded=lambda result: result.error_code == 0,
        )  # fmt: skip


SYSTEM = Aibo
