# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The original's gen_motion.lua and test_keyframe.lua move a robot in ROS by luar_host.

Needs the original beside the checkout: see the fixture lua_peer.
"""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest
from sensor_msgs.msg import JointState

import luar_bridge
from legacy_robots_common.node import qos
from legacy_robots_msgs.msg import LinkState
from legacy_robots_testing.polling import until
from legacy_robots_testing.ros_peer import RosPeer
from legacy_robots_testing.running_node import RunningNode
from luar_bridge.demonstration.field_robot import FieldRobot
from luar_bridge.model.motion import JOINTS
from luar_bridge.protocol.naming import DIRECTORY
from luar_bridge.protocol.segment import Segment
from luar_tools.keyframes.reader import read_motion

pytestmark = pytest.mark.node

LUA = Path(luar_bridge.__file__).parent / "lua"
ROBOT = "/field_robot"
INIT = """
package.path = package.path .. ';{lua}/?.lua'
local original = require
function require(name)
  local module = original(name)
  if name == 'Config' then Config.dev.body = 'RosBody' end
  if name == 'unix' and not Config then require('Config') end
  return module
end
"""


class Workshop:
    """A robot on legs, the host as a program, and one of the original's tools in a terminal."""

    def __init__(self, stack: ExitStack, place: Path, user: str) -> None:
        self._stack, self._place, self._user = stack, place, user
        self._peer = stack.enter_context(RosPeer())
        stack.enter_context(RunningNode(FieldRobot, {"legs": True}))
        states = self._peer.subscribe(JointState, f"{ROBOT}/joint_states", qos.stream(10))
        self.link = self._peer.subscribe(LinkState, "/luar_host/link_state", qos.LATCHED)
        self._states, self._printed = states, ""
        given = {
            "user": user, "joints_suffix": user, "cmd_vel": "''", "timeout": 2.0,
            "joints": f"[{', '.join(JOINTS)}]", "joint_states": f"{ROBOT}/joint_states",
            "joint_commands": f"{ROBOT}/joint_group_position_controller/commands",
        }  # fmt: skip
        settings = [word for name, value in given.items() for word in ("-p", f"{name}:={value}")]
        module = [sys.executable, "-m", "luar_bridge.host.node", "--ros-args"]
        host = subprocess.Popen([*module, *settings])
        stack.callback(host.wait)
        stack.callback(host.kill)

    def joint(self, name: str) -> float:
        message = self._states.wait_for() if not self._states.items else self._states.last
        return float(message.position[list(message.name).index(name)])

    def start(self, script: str, *arguments: str) -> None:
        """Run a tool in a terminal."""
        player = self._place / "Player"
        paths = f"package.path = '{player}/Config/?.lua;{player}/Util/?.lua;' .. package.path"
        paths += f" package.cpath = '{player}/Lib/?.so;' .. package.cpath"
        environment = {
            **os.environ, "USER": self._user, "PWD": str(player / "Test"), "COMPUTER": "Linux",
            "PLAYER_ID": "0", "LUAR_DCM_SUFFIX": self._user,
            "LUA_INIT": paths + INIT.format(lua=LUA),
        }  # fmt: skip
        self._keys, terminal = pty.openpty()
        os.set_blocking(self._keys, False)
        command = [self._place / "bin" / "lua5.1", script, *arguments]
        self.tool = subprocess.Popen(
            command, cwd=player / "Test", env=environment, stdin=terminal, stdout=terminal,
            stderr=terminal,
        )  # fmt: skip
        os.close(terminal)
        self._stack.callback(self.tool.wait)
        self._stack.callback(self.tool.kill)

    def press(self, keys: str) -> None:
        os.write(self._keys, keys.encode())

    def said(self) -> str:
        """Return what the tool has printed."""
        with suppress(BlockingIOError):
            self._printed += os.read(self._keys, 100_000).decode(errors="replace")
        return self._printed

    def measured(self, joint: int) -> float:
        """Return where Lua has a joint (rad), counted from 0."""
        with Segment(DIRECTORY / f"dcmSensor{self._user}") as sensor:
            return float(sensor.snapshot.vector("position")[joint])


@pytest.fixture
def workshop(lua_peer: Path, user: str) -> Iterator[Any]:
    with ExitStack() as stack:
        yield Workshop(stack, lua_peer, user)


def test_gen_motion_moves_a_joint_and_writes_a_motion(workshop: Any, lua_peer: Path) -> None:
    written = lua_peer / "Player" / "generated_keyframe.lua"
    written.unlink(missing_ok=True)
    begun = workshop.joint("HeadYaw")
    workshop.start("gen_motion.lua")
    workshop.link.wait_for(lambda m: "dcmActuator" in m.detail or m.state == LinkState.CONNECTED)
    for step in range(1, 6):
        workshop.press("z")
        until(lambda step=step: workshop.measured(0) > begun + 0.019 * step, workshop.said)
    workshop.press("\n")
    until(lambda: "rame" in workshop.said())
    workshop.press("\x1b")
    try:
        assert workshop.tool.wait(30) == 0
        motion = read_motion(written)
    finally:
        written.unlink(missing_ok=True)
    assert motion.servos == tuple(range(1, 23))
    assert motion.keyframes[0].angles[0] == pytest.approx(begun + 0.1, abs=0.02)


def test_test_keyframe_plays_a_motion(workshop: Any, lua_peer: Path, tmp_path: Path) -> None:
    file = tmp_path / "nod.lua"
    file.write_text("return {servos={1,2}, keyframes={{angles={0.4,0.2}, duration=0.5}}}")
    workshop.joint("HeadYaw")
    workshop.start("test_keyframe.lua", str(file))
    workshop.link.wait_for(lambda m: "dcmActuator" in m.detail)
    until(lambda: "quit testing." in workshop.said())
    told = len(workshop.said())
    workshop.press("r")
    until(lambda: "\r\n\r\n" in workshop.said()[told:])  # played: a key would stop it before
    until(lambda: workshop.measured(0) == pytest.approx(0.4, abs=0.02))
    assert workshop.measured(1) == pytest.approx(0.2, abs=0.05)
    workshop.press("q")
    until(lambda: "(y/n)" in workshop.said())
    workshop.press("n")
    assert workshop.tool.wait(30) == 0
