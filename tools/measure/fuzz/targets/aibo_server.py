# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The server side of GTI as gti_host has it: bytes, and what becomes of them on a mapped robot."""

import math
from collections.abc import Mapping

from aibo_gti_bridge.host import robot_map as host_map
from aibo_gti_bridge.host.base import Base, Pose
from aibo_gti_bridge.host.joints import Joints, Move
from aibo_gti_bridge.model.motion_library import MotionLibrary
from aibo_gti_bridge.protocol import wire_table as wire
from aibo_gti_bridge.protocol.codec import ProtocolError, encode_command
from aibo_gti_bridge.protocol.commands import (
    Motion,
    QueryBall,
    QuerySensors,
    SearchBall,
    Walk,
    WalkSteps,
)
from aibo_gti_bridge.protocol.sensors import BallView
from aibo_gti_bridge.protocol.server_session import Session

TABLE = wire.load(["acknowledged"])
MAPS = [host_map.load(name) for name in host_map.names()]
MOTIONS = MotionLibrary()
STEP = 0.025


class Robot:
    """A backend that records its commands."""

    def __init__(self, robot_map: host_map.HostMap) -> None:
        self._joints = Joints(robot_map)
        self.base = Base(robot_map.walk, lambda text: None)
        self.base.pose = Pose(0.0, 0.0, 0.0)
        self._robot = dict.fromkeys(self._joints.robot_names, 0.0)
        self.ordered: list[object] = []
        self._left = 0
        self.now = 0.0

    @property
    def joints(self) -> frozenset[str]:
        return self._joints.movable

    def sensor(self, name: str) -> float:
        return math.nan

    def sees(self, colour: str) -> bool:
        return True

    def ball(self, colour: str) -> BallView:
        return BallView(bool(colour), 0.5, -0.25, 0.125)

    def search(self, colour: str) -> None:
        self._left = 3

    @property
    def searching(self) -> bool:
        return self._left > 0

    def search_result(self) -> bool | None:
        if self._left != 1:
            return None
        self._left = 0
        return True

    def move_joints(self, targets: Mapping[str, tuple[float, float]]) -> None:
        self._check(self._joints.moves(self.now, targets, self._robot))

    def play_file(self, file: str) -> bool:
        motion = MOTIONS.playable(file, lambda text: None)
        if motion is not None:
            self._check(self._joints.trajectory(self.now, motion, self._robot))
        return motion is not None

    def _check(self, moves: list[Move]) -> None:
        for move in moves:
            times = [time for time, _ in move.points]
            assert times == sorted(set(times))
            assert times[0] > 0.0
            for time, positions in move.points:
                assert len(positions) == len(move.joints)
                assert all(map(math.isfinite, (time, *positions)))
                assert all(abs(position) < 7.0 for position in positions)
        self.ordered += moves

    def walk(self, dx: float, dy: float, da: float, steps: int = -1) -> None:
        self.base.walk(self.now, (dx, dy, da), steps)

    def walk_steps(self, dx: float, dy: float, da: float, steps: int) -> None:
        self.base.walk_steps(self.now, (dx, dy, da), steps)

    def stop_everything(self) -> None:
        self._left = 0
        self.base.stop()
        self._joints.hold(self._robot)

    @property
    def active(self) -> bool:
        return self.base.walking or self.searching

    def step(self, seconds: float) -> None:
        self.now += seconds
        self._left = max(0, self._left - 1)
        self.base.step(self.now)
        for speed, most in zip(self.base.velocity, self.base._limits, strict=True):
            assert abs(speed) <= most


def seeds() -> list[bytes]:
    commands = [
        QuerySensors((0, 1, 2)), QueryBall(0), SearchBall(1), Motion("look.mot"),
        Walk(100.0, 0.0, 0.5, -1), Walk(0.0, 0.0, 0.0), WalkSteps(100.0, 20.0, 1.0, 4),
    ]  # fmt: skip
    data = [encode_command(command, TABLE) for command in commands]
    move = b"\4\0\0\0\30\0\0\0\1\0\0\0\0\0\0\0\15\0\0\0\144\0\0\0\0\0\0\0\0\0\x3e\x40"
    return [bytes([n, 3]) + d for n in range(len(MAPS)) for d in (*data, move, b"".join(data))]


def outcome(pieces: list[bytes], robot_map: host_map.HostMap) -> tuple[bytes, list[object], bool]:
    """Return all replies, what the robot was told, and whether the client was sent away."""
    robot, replies = Robot(robot_map), bytearray()
    session = Session(TABLE, robot, replies.extend, lambda text: None, lambda text: None)
    refused = False
    try:
        for piece in pieces:
            session.receive(piece)
    except ProtocolError:
        refused = True
    for _ in range(1000):
        if refused or not session.active:
            break
        session.advance(STEP)
    try:
        session.end()
    except ProtocolError:
        refused = True
    assert not robot.base.walking
    return bytes(replies), robot.ordered, refused


def one_input(data: bytes) -> None:
    if len(data) < 2:
        return
    robot_map, size, stream = MAPS[data[0] % len(MAPS)], 1 + data[1], data[2:]
    pieces = [stream[at : at + size] for at in range(0, len(stream), size)]
    assert outcome(pieces, robot_map) == outcome([stream], robot_map)
