# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The original's unchanged player, with our body and camera, and robots in ROS that it drives.

Needs the original beside the checkout: see the fixture lua_peer.
"""

from __future__ import annotations

import math
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from nav_msgs.msg import Odometry
from numpy.typing import NDArray
from sensor_msgs.msg import Image

import luar_bridge
from legacy_robots_common.node import qos
from legacy_robots_msgs.msg import LinkState
from legacy_robots_testing.polling import until
from legacy_robots_testing.ros_peer import RosPeer
from legacy_robots_testing.running_node import RunningNode
from luar_bridge import label_table
from luar_bridge.demonstration.field_robot import STEP_S, FieldRobot
from luar_bridge.host.lua_camera import rgb_of
from luar_bridge.model.motion import HEAD_JOINTS, JOINTS
from luar_tools.color_table.learn import learn
from luar_tools.color_table.packing import FROM_RGB, TO_RGB
from luar_tools.color_table.picks import Picks, in_flood
from luar_tools.color_table.table import LABELS, label_a

pytestmark = pytest.mark.node

LUA = Path(luar_bridge.__file__).parent / "lua"
ROBOT = "/field_robot"
START, BALL = (-1.0, 0.0), (0.0, 0.1)
NEAR_M = 0.45
"""As near as the original's bodyPosition goes before it walks around the ball."""
STOP_S = 0.5
FAR_S = 240.0
"""Longer than the way takes on a busy machine."""


class Match:
    """A robot at START, the host as a program, and the original's Lua."""

    def __init__(
        self, stack: ExitStack, peer_place: Path, user: str, labels: Path, legs: bool
    ) -> None:
        player = peer_place / "Player"
        self.peer = stack.enter_context(RosPeer())
        parameters = {"legs": legs, "start": [*START, 0.0], "ball": list(BALL)}
        stack.enter_context(RunningNode(FieldRobot, parameters))
        self.odometry = self.peer.subscribe(Odometry, f"{ROBOT}/odom", qos.stream(1000))
        self.link = self.peer.subscribe(LinkState, "/luar_host/link_state", qos.LATCHED)
        self.sees = True
        images = self.peer.node.create_publisher(Image, "/seen", qos.stream(5))
        self.peer.subscribe_with(
            Image, f"{ROBOT}/image", lambda m: self.sees and images.publish(m), qos.stream(5)
        )
        joints = JOINTS if legs else HEAD_JOINTS
        given = {
            "user": user, "joints_suffix": user, "cmd_vel": "''" if legs else f"{ROBOT}/cmd_vel",
            "odom": f"{ROBOT}/odom", "joints": f"[{', '.join(joints)}]", "image": "/seen",
            "joint_states": f"{ROBOT}/joint_states", "imu": f"{ROBOT}/imu", "speed_factor": 4.0,
            "timeout": 2.0 if legs else 0.3,
            "joint_commands": f"{ROBOT}/joint_group_position_controller/commands",
        }  # fmt: skip
        settings = [word for name, value in given.items() for word in ("-p", f"{name}:={value}")]
        module = [sys.executable, "-m", "luar_bridge.host.node", "--ros-args"]
        self.host = subprocess.Popen([*module, *settings])
        stack.callback(self.host.kill)
        environment = {"USER": user, "PWD": str(player), "COMPUTER": "Linux", "PLAYER_ID": "0"}
        environment |= {"LUAR_DCM_SUFFIX": user}
        configuration = LUA / ("ros_legs.lua" if legs else "ros_wheels.lua")
        command = [peer_place / "bin" / "lua5.1", LUA / "ros_player.lua", configuration, labels]
        self.lua = subprocess.Popen(
            command, cwd=player, env={**os.environ, **environment}, stdout=subprocess.DEVNULL
        )
        stack.callback(self.lua.kill)

    def place(self) -> tuple[float, float]:
        """Return where the robot is on the field, m."""
        at = self.odometry.wait_for().pose.pose.position if not self.odometry.items else None
        at = at or self.odometry.last.pose.pose.position
        return START[0] + at.x, START[1] + at.y

    def steps_until_it_stands(self) -> float:
        """Return for how many seconds of its own the robot moves on."""
        self.odometry.clear()
        until(lambda: self._stands() is not None, "the robot does not stand")
        return STEP_S * (self._stands() or 0)

    def _stands(self) -> int | None:
        """Return after how many steps the last 100 ones are at one place."""
        places = [m.pose.pose.position for m in self.odometry.items]
        where = [(p.x, p.y) for p in places]
        if len(where) < 100 or len(set(where[-100:])) > 1:
            return None
        return where.index(where[-1])


@pytest.fixture
def match(lua_peer: Path, user: str, tmp_path: Path) -> Iterator[Any]:
    labels = tmp_path / "labels.raw"

    def played(legs: bool, table: NDArray[np.uint8] | None = None) -> Match:
        made = label_table.label_table("webots") if table is None else table
        labels.write_bytes(made.tobytes())
        return Match(stack, lua_peer, user, labels, legs)

    with ExitStack() as stack:
        yield played


def learnt_table() -> NDArray[np.uint8]:
    """Learn a table of three pictures of the robot's, of each class what is like one pixel."""
    usual, picks = label_table.label_table("webots"), Picks()
    for start in ([-1.0, 0.0, 0.0], [0.0, 0.0, 3.1], [-1.0, 0.5, 0.6]):
        parameters = {"start": start, "ball": list(BALL)}
        with RosPeer() as peer, RunningNode(FieldRobot, parameters):
            image = peer.subscribe(Image, f"{ROBOT}/image", qos.stream(5)).wait_for()
        yuyv = FROM_RGB["webots"](rgb_of(image))
        labels = label_a(usual, yuyv)
        for name, label in LABELS.items():
            rows, columns = np.nonzero(labels == label)
            if len(rows) > 3:
                middle = len(rows) // 2
                at = (2 * int(columns[middle]), 2 * int(rows[middle]))
                picks.add(name, in_flood(yuyv, TO_RGB["webots"](yuyv), at))
    return learn(picks)


@pytest.mark.timeout(1.5 * FAR_S)
def test_the_originals_vision_finds_the_ball_by_a_table_that_was_learnt(match: Any) -> None:
    played = match(False, learnt_table())
    until(lambda: math.dist(played.place(), BALL) < NEAR_M, "it does not get there", FAR_S)


@pytest.mark.timeout(1.5 * FAR_S)
@pytest.mark.parametrize("legs", [False, True], ids=["wheels", "legs"])
def test_the_originals_player_walks_to_the_ball_that_its_vision_sees(
    match: Any, legs: bool
) -> None:
    played = match(legs)
    assert math.dist(played.place(), BALL) > 2 * NEAR_M
    until(lambda: math.dist(played.place(), BALL) < NEAR_M, "it does not get there", FAR_S)


@pytest.mark.parametrize("lost", ["host", "Lua", "image"])
def test_a_robot_on_wheels_stands_when_a_part_is_lost_on_its_way(match: Any, lost: str) -> None:
    played = match(False)
    begun = math.dist(played.place(), BALL)
    until(lambda: math.dist(played.place(), BALL) < begun - 0.1, "it does not set out", FAR_S)
    if lost == "image":
        played.sees = False
    else:
        (played.host if lost == "host" else played.lua).kill()
    taken = played.steps_until_it_stands()
    print(f"{lost} lost: {taken:.2f} s")
    assert taken < STOP_S
