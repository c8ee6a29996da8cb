# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What Lua commands the joints goes to a controller; what they and the IMU measure, to Lua."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from sensor_msgs.msg import Imu, JointState
from std_msgs.msg import Float64MultiArray
from std_srvs.srv import Trigger
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

from legacy_robots_common.node import qos
from legacy_robots_common.node.parameters import ParameterError
from legacy_robots_common.node.program_node import ProgramNode
from legacy_robots_common.node.times import seconds
from legacy_robots_geometry.rotations import roll_pitch_yaw
from luar_bridge.host.lua_segment import LuaGoneError, LuaSegment
from luar_bridge.host.parameters import Parameters
from luar_bridge.model.joint_limits import joint_limits
from luar_bridge.model.motion import HEAD_JOINTS, JOINTS

PERIOD_S = 0.01
"""Of the original's NaoQi module, too (docs/originals/luar.md, 2)."""
PRESSED_S = 0.3
"""How long the service press_button holds the button down."""
TOLD_AGAIN_RAD = 0.01
"""By how much further Lua has to go beyond a joint's limit until that is logged again."""
AHEAD_S = 0.02
"""Time of a trajectory's only point from its reception."""


def joint_names(texts: Sequence[str]) -> dict[str, str]:
    """Return the robot's name of each of its joints, from "HeadYaw" or "HeadYaw=head_pan".

    Raises ParameterError.
    """
    pairs = [text.partition("=") for text in texts if text]
    names = {lua: robot or lua for lua, _, robot in pairs}
    if unknown := [lua for lua in names if lua not in JOINTS]:
        raise ParameterError(f"parameter 'joints': {unknown[0]!r} is none of {', '.join(JOINTS)}")
    if len({*names.values()}) != len(pairs):
        raise ParameterError("parameter 'joints' names one twice")
    return names


class LuaJoints:
    """dcmSensor and dcmActuator below ``directory``. Of the executor. Raises ParameterError.

    A joint that the robot lacks follows its commands in Lua's eyes, and nowhere else.
    """

    def __init__(self, node: ProgramNode, directory: Path, p: Parameters) -> None:
        self._node, self._settings = node, p
        self._names = joint_names(p.joints)
        self._sensor = LuaSegment(directory / f"dcmSensor{p.joints_suffix}")
        self._actuator = LuaSegment(directory / f"dcmActuator{p.joints_suffix}")
        self._limits = joint_limits()
        self._measured: dict[str, float] = {}
        self._measured_at = -math.inf
        self._inclination = (0.0, 0.0)
        self._goal: dict[str, float] = {}
        self._told_beyond: dict[str, float] = {}
        self._count = 0
        self._heads: deque[tuple[float, tuple[float, ...]]] = deque(maxlen=200)
        kind = JointTrajectory if p.joint_trajectories else Float64MultiArray
        self._commands = qos.publisher(node, kind, p.joint_commands, qos.stream(5))
        qos.subscription(node, JointState, p.joint_states, self._on_state, qos.stream(5))
        self._released_at: float | None = None
        node.create_service(Trigger, "press_button", self._press)
        if p.imu:
            qos.subscription(node, Imu, p.imu, self._on_imu, qos.stream(5))

    def look(self, now: float) -> str:
        """Read what Lua commands; return what the robot lacks, empty for nothing.

        Raises LuaGoneError.
        """
        timeout = self._settings.timeout
        if now - self._measured_at > timeout:
            return f"no joint states of the robot for {timeout:g} s"
        self._tell()
        snapshot = self._actuator.read_counting(now, timeout, "command", "hardness")
        parts = [
            snapshot.numbers(name, len(JOINTS)) for name in ("command", "hardness", "velocity")
        ]
        rows = zip(*(part or (0.0,) * len(JOINTS) for part in parts), strict=True)
        for joint, (command, hardness, speed) in zip(JOINTS, rows, strict=True):
            if hardness > 0.0 and math.isfinite(command):
                self._step(joint, command, speed)
        return ""

    def move(self) -> None:
        """Publish where the joints should be."""
        goal = [self._goal[joint] for joint in self._names]
        if not self._settings.joint_trajectories:
            self._commands.publish(Float64MultiArray(data=goal))
            return
        point = JointTrajectoryPoint(positions=goal)
        point.time_from_start.nanosec = int(AHEAD_S * 1e9)
        names = list(self._names.values())
        self._commands.publish(JointTrajectory(joint_names=names, points=[point]))

    def halt(self) -> bool:
        """Have the joints stay where they are, as controllers of positions do by themselves."""
        for joint in self._names:
            self._goal.pop(joint, None)
        return False

    def head_at(self, stamp: float) -> tuple[float, ...]:
        """Return yaw and pitch of the head (rad) nearest to a Unix time."""
        return min(self._heads, key=lambda h: abs(h[0] - stamp))[1] if self._heads else (0.0, 0.0)

    def _step(self, joint: str, command: float, speed: float) -> None:
        """Move a joint's goal towards a command, as the original's module does."""
        limits, asked = self._limits[joint], command
        command = min(max(command, limits.lower), limits.upper)
        beyond = abs(asked - command)
        if beyond > self._told_beyond.get(joint, 0.0) + TOLD_AGAIN_RAD:
            self._told_beyond[joint] = beyond
            excess = f"{joint} is {beyond:.3f} rad beyond its limit of {command:.3f} rad"
            self._node.get_logger().warning(f"clamped: {excess}")
        if speed > 0.0:
            at = self._goal[joint]
            most = speed * PERIOD_S
            command = min(max(command, at - most), at + most)
        self._goal[joint] = command

    def _tell(self) -> None:
        """Write to Lua where the joints are."""
        for joint in JOINTS:
            self._goal.setdefault(joint, self._measured.get(joint, 0.0))
        self._count += 1
        button: dict[str, Sequence[float]] = {}
        if self._released_at is not None:
            is_down = self._node.now() < self._released_at
            button = {"button": (float(is_down),)}
            self._released_at = self._released_at if is_down else None
        with suppress(LuaGoneError):  # its actuators say so
            self._sensor.write(
                button
                | {
                    "position": [self._measured.get(j, self._goal[j]) for j in JOINTS],
                    "command": [self._goal[joint] for joint in JOINTS],
                    "imuAngle": self._inclination,
                    "time": (time.time(),),
                    "count": (self._count,),
                }
            )

    def _press(self, _: Any, response: Any) -> Any:
        """Press the button of the chest, as the service press_button asks for."""
        if self._released_at is None:
            self._released_at = self._node.now() + PRESSED_S
            response.success = True
        else:
            response.message = "the button is down already"
        return response

    def _on_state(self, message: JointState) -> None:
        at = dict(zip(message.name, message.position, strict=False))
        found = {lua: at[robot] for lua, robot in self._names.items() if robot in at}
        self._measured.update((j, v) for j, v in found.items() if math.isfinite(v))
        if self._measured.keys() == self._names.keys():
            self._measured_at = self._node.now()
        head = tuple(self._measured.get(joint, 0.0) for joint in HEAD_JOINTS)
        self._heads.append((seconds(message.header.stamp), head))

    def _on_imu(self, message: Imu) -> None:
        q = message.orientation
        if message.orientation_covariance[0] >= 0.0 and (q.x or q.y or q.z or q.w):
            roll, pitch, _ = roll_pitch_yaw((q.x, q.y, q.z, q.w))
            self._inclination = (roll, pitch)
