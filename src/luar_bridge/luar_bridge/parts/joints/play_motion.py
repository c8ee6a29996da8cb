# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Keyframe motions by dcmActuator: the action ``play_motion``, the service ``list_motions``."""

from __future__ import annotations

import math
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from typing import Any

from legacy_robots_common.bridge.bridge_node import BridgeNode
from legacy_robots_common.goals.goal_server import Ending, Goal, GoalRefusedError, GoalServer
from legacy_robots_core.link.base import NotConnectedError
from legacy_robots_msgs.action import LuarPlayMotion
from legacy_robots_msgs.srv import LuarListMotions
from luar_bridge.parts.joints.joint_commands import OTHERS, JointCommands
from luar_bridge.parts.outcome import Outcome, outcome
from luar_bridge.protocol.writer import AllowList, WriteRefusedError
from luar_tools.keyframes.limits import (
    POSITION_MODES,
    SPEED_MODES,
    Limits,
    LimitsError,
    excesses,
    joints_of,
    within,
)
from luar_tools.keyframes.motion import KeyframeMotion
from luar_tools.keyframes.motion_library import OWN, MotionLibrary
from luar_tools.keyframes.player import KeyframePlayer
from luar_tools.keyframes.reader import MotionFileError

CYCLE_S = 0.01
"""Between two commands, as on a Nao."""
POSE_TOLERANCE_RAD = 0.15
"""By how much a joint may miss the last pose of a motion."""
POSE_TIMEOUT_S = 1.0
"""How late the last pose may come."""


class MotionGoal(Goal):
    """A goal of PlayMotionAction, from ``begin`` on; its methods need the joints' lock."""

    motion: KeyframeMotion
    joints: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    player: KeyframePlayer | None = None
    """Once the joints move."""
    started = 0.0
    played_at: float | None = None
    """When the last keyframe was reached."""

    def interrupt(self, reason: str, taken: Collection[str]) -> None:
        """End it because another command takes joints of it; the others stay where they are."""
        self.end(Outcome.PREEMPTED, reason)


class PlayMotionAction(GoalServer[MotionGoal]):
    """Plays motions as the original's keyframe.lua does, a cycle each CYCLE_S.

    It shares the joints with trajectories: the newer command takes them.
    """

    def __init__(
        self, node: BridgeNode, commands: JointCommands, writable: AllowList, directory: str
    ) -> None:
        self._commands = commands
        self._memory, self._claims, self._guard = commands.memory, commands.claims, commands.lock
        self._writable = writable
        own = [Path(directory)] if directory else []
        self._library = MotionLibrary([*own, OWN])
        self._limits = {
            name: Limits(limit.lower, limit.upper, limit.max_speed)
            for name, limit in self._memory.limits.items()
        }
        super().__init__(
            node,
            LuarPlayMotion,
            "play_motion",
            Outcome,
            goal_type=MotionGoal,
            lock=self._guard,
            needs_link=False,  # the joints are there without Lua's processes
        )
        node.create_service(LuarListMotions, "list_motions", self._list)
        self._timer = node.timer(CYCLE_S, self._cycle)
        self._timer.cancel()

    # --- GoalServer ------------------------------------------------------------------------

    def refusal(self, request: LuarPlayMotion.Goal) -> str | None:
        """Look at the joints, so that what is seen of them is older than the goal."""
        with self._guard, suppress(NotConnectedError):  # a goal that begins is answered with it
            self._memory.look(self.node.now())
        return None

    def missing(self) -> str:
        """Return why there are no joints, while Lua's processes are not there either."""
        return self._commands.missing()

    def begin(self, goal: MotionGoal) -> None:
        """Take the joints; they move once dcmActuator is seen to stand still."""
        self._memory.look(goal.began)  # opened now, it is the memory that the goal has begun with
        request = goal.request
        positions, speeds = request.positions or "clamp", request.speeds or "keep"
        if positions not in POSITION_MODES or speeds not in SPEED_MODES:
            raise GoalRefusedError(
                f"positions {positions!r} is none of {', '.join(POSITION_MODES)}, or speeds "
                f"{speeds!r} none of {', '.join(SPEED_MODES)}"
            )
        if not 0.0 <= request.hardness <= 1.0:
            raise GoalRefusedError(f"hardness {request.hardness:g} is not from 0 to 1")
        try:
            motion = self._library.motion(request.name)
            goal.joints = joints_of(motion, self._limits)
            start = [self._memory.positions[joint] for joint in goal.joints]
            goal.motion, remarks = within(
                motion, self._limits, positions=positions, speeds=speeds, start=start
            )
            if request.hardness or any(frame.stiffness for frame in motion.keyframes):
                self._writable.check("dcmActuator", "hardness")
        except (MotionFileError, LimitsError, WriteRefusedError) as error:
            raise GoalRefusedError(str(error)) from error
        goal.remarks = tuple(remarks)
        sets_hardness = request.hardness or motion.keyframes[0].stiffness
        if not sets_hardness and (reason := self._memory.unwilling(goal.joints)):
            raise GoalRefusedError(reason)
        self._claims.claim(goal, goal.joints, f"the motion {request.name} moves the same joints")
        self._timer.reset()

    def cancel(self, goal: MotionGoal) -> bool:
        """Leave the joints where they were sent."""
        return goal.end(Outcome.CANCELED, "the joints stay where they were sent last")

    def on_end(self, goal: Goal) -> None:
        """Give back the goal's joints."""
        with self._guard:
            self._claims.release(goal)  # type: ignore[arg-type]
        super().on_end(goal)

    def result(self, goal: MotionGoal, ending: Ending) -> LuarPlayMotion.Result:
        """Return the result message."""
        return LuarPlayMotion.Result(outcome=outcome(ending), remarks=list(goal.remarks))

    # --- on the executor -------------------------------------------------------------------

    def _cycle(self) -> None:
        with self._guard:
            for goal in self.goals:
                if goal.joints:
                    self.guarded(goal, self._follow, goal)
            if not self.goals:
                self._timer.cancel()

    def _follow(self, goal: MotionGoal) -> None:
        """Start a motion or write its next command, unless another program writes commands."""
        memory, now = self._memory, self.node.now()
        memory.look(now)
        if memory.opened_at > goal.began:
            raise NotConnectedError("the robot has started again: its joints were made anew")
        if memory.others_at > goal.began:
            goal.end(Outcome.INVALID if goal.player is None else Outcome.PREEMPTED, OTHERS)
            return
        if goal.player is None:
            if not memory.free(now):
                return
            self._start(goal, now)
        assert goal.player is not None
        if goal.played_at is not None:
            self._check_end(goal, now)
            return
        frame = goal.player.number + 1
        command = goal.player.update(now)
        if command.stiffness:
            memory.set_hardness(dict(zip(goal.joints, command.stiffness, strict=True)))
        elif reason := memory.unwilling(goal.joints):
            goal.end(Outcome.FAILED, reason)
            return
        memory.send(dict(zip(goal.joints, command.angles, strict=True)))
        goal.publish_feedback(
            LuarPlayMotion.Feedback(
                elapsed=now - goal.started,
                duration=goal.motion.duration,
                keyframe=frame,
                keyframes=len(goal.motion.keyframes),
            )
        )
        if goal.player.frame is None:
            goal.played_at = now

    def _start(self, goal: MotionGoal, now: float) -> None:
        memory = self._memory
        if goal.request.hardness:
            memory.set_hardness(dict.fromkeys(goal.joints, goal.request.hardness))
        if self._writable.allows("dcmActuator", "velocity"):
            memory.free_speeds()
        start = [memory.positions[joint] for joint in goal.joints]
        goal.player, goal.started = KeyframePlayer(goal.motion, start, now), now

    def _check_end(self, goal: MotionGoal, now: float) -> None:
        assert goal.played_at is not None
        last = dict(zip(goal.joints, goal.motion.keyframes[-1].angles, strict=True))
        off = {joint: abs(self._memory.positions[joint] - angle) for joint, angle in last.items()}
        away = ", ".join(f"{j} by {d:.2f} rad" for j, d in off.items() if d > POSE_TOLERANCE_RAD)
        if not away:
            goal.end(Outcome.SUCCEEDED, f"played in {goal.played_at - goal.started:.2f} s")
        elif now - goal.played_at > POSE_TIMEOUT_S:
            goal.end(Outcome.FAILED, f"the last pose is not reached: {away}")

    def _list(self, request: LuarListMotions.Request, response: Any) -> Any:
        try:
            names = self._library.names()
        except OSError as error:
            text = f"the motion directory cannot be read: {error}"
            self.node.get_logger().error(text)
            return response
        for name in names:
            duration, keyframes, problems = math.nan, 0, ""
            try:
                motion = self._library.motion(name)
                keyframes = len(motion.keyframes)
                problems = "\n".join(map(str, excesses(motion, self._limits)))
                duration = motion.duration
            except (MotionFileError, LimitsError) as error:
                problems = str(error)
            response.names.append(name)
            response.durations.append(duration)
            response.keyframes.append(keyframes)
            response.problems.append(problems)
        return response
