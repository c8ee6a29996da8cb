# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The document's tcm session, with the original Lua software as one terminal and us as the other.

Needs the original beside the checkout: see the fixture lua_peer. Where it is not present the same
is tested with the compiled helper (test_writer.py) and the captures (test_protocol.py).
"""

from __future__ import annotations

import contextlib
import math
import os
import subprocess
from bisect import bisect_left
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
from tf2_msgs.msg import TFMessage

import luar_bridge
from legacy_robots_common.node import qos
from legacy_robots_msgs.action import LuarGetUp, LuarKick
from legacy_robots_msgs.msg import LinkState, LuarOutcome, LuarSegment
from legacy_robots_testing.polling import until
from legacy_robots_testing.ros_peer import RosPeer, unix
from legacy_robots_testing.running_node import RunningNode
from luar_bridge.accessors import Robot
from luar_bridge.bridge.node import LuarBridge
from luar_bridge.host.node import LuarHost
from luar_bridge.model.motion import JOINTS
from luar_bridge.protocol import layout_table
from luar_bridge.protocol.naming import DIRECTORY, UNSUFFIXED
from luar_bridge.protocol.ros_body import Motion
from luar_bridge.protocol.team_message import TeamMessage
from luar_bridge.protocol.team_message import decode as decode_team
from luar_bridge.protocol.team_message import encode as encode_team
from luar_bridge.protocol.writer import WriteRefusedError, write_numbers
from luar_bridge.simulator.segment_owner import SegmentOwner

pytestmark = pytest.mark.node

TCM = """
module(..., package.seeall);
shared = {};
shsize = {};
shared.segment1 = {};
shared.segment1.number_a = vector.zeros(1);
shared.segment1.vector_b = vector.zeros(3);
shared.segment1.string_c = ' ';
shared.segment2 = {};
shared.segment2.number_a = vector.zeros(1);
shsize.segment2 = 2^12;
util.init_shm_segment(getfenv(), _NAME, shared, shsize);
"""
"""The document's example of a communication manager (specification)."""

READ_AND_RUN = """
io.stdout:setvbuf('no')
for line in io.lines() do
  local done, why = pcall(assert(loadstring(line)))
  if not done then print(why) end
end
"""
"""An interactive Lua without its prompt and echo."""


class LuaTerminal:
    """A Lua 5.1 that runs what it is told, in the original's Player directory."""

    def __init__(self, peer: Path, user: str, tcm: Path) -> None:
        player = peer / "Player"
        self._process = subprocess.Popen(
            [peer / "bin" / "lua5.1", "-e", READ_AND_RUN],
            cwd=player,
            env={**os.environ, "USER": user, "PWD": str(player), "COMPUTER": "Linux"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            bufsize=1,
        )
        self.run("dofile('init.lua')")
        self.run(f"package.path = '{tcm}/?.lua;' .. package.path")
        self.run("Config = {game = {teamNumber = 1, playerID = 2}}")

    def run(self, command: str) -> str:
        """Run one line; return what it prints."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{command}\nprint('<' .. 'done>')\n")
        lines: list[str] = []
        for line in self._process.stdout:
            text = line.rstrip()
            if text == "<done>":
                return "\n".join(lines)
            lines.append(text)
        raise AssertionError("Lua has ended: " + "\n".join(lines))

    def kill(self) -> None:
        """Kill it, as a crash would."""
        self._process.kill()
        self._process.wait(10)

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.close()
        self._process.wait(10)
        self._process.stdout.close()


@pytest.fixture
def lua(lua_peer: Path, user: str, tmp_path: Path) -> Iterator[LuaTerminal]:
    (tmp_path / "tcm.lua").write_text(TCM)
    terminal = LuaTerminal(lua_peer, user, tmp_path)
    yield terminal
    terminal.close()


def test_the_session_of_the_document(lua: LuaTerminal, user: str) -> None:
    lua.run("require('tcm')")
    lua.run("tcm.set_segment1_number_a(4)")
    assert lua.run("print(tcm.get_segment1_number_a())") == "4"
    lua.run("tcm.set_segment1_vector_b({1,2,3})")
    lua.run("tcm.set_segment1_string_c('hello')")

    table = layout_table.load_all(["document", "example_tcm"])
    robot = Robot(1, 2, user, writable=["tcmSegment1.*", "tcmSegment2.number_a"], table=table)
    assert set(robot.segments()) - UNSUFFIXED == {"tcmSegment1", "tcmSegment2"}
    assert robot.tcm.get_segment1_number_a() == 4.0
    robot.tcm.set_segment1_number_a(1)
    assert robot.tcm.get_segment1_number_a() == 1.0
    assert lua.run("print(tcm.get_segment1_number_a())") == "1"
    assert np.array_equal(robot.tcm.get_segment1_vector_b(), [1, 2, 3])  # type: ignore[arg-type]
    assert robot.tcm.get_segment1_string_c() == "hello"
    assert lua.run("print(tcm.get_segment1_string_c())") == "hello"

    # The document's second terminal resizes the string; that is its owner's right alone.
    with pytest.raises(WriteRefusedError, match="only its owner can change its length"):
        robot.tcm.set_segment1_string_c("bye")
    robot.tcm.set_segment1_string_c("howdy")
    assert lua.run("print(tcm.get_segment1_string_c())") == "howdy"
    assert "current block size 5" in lua.run("tcm.set_segment1_string_c('bye')")
    assert robot.tcm.get_segment1_string_c() == "bye"

    robot.tcm.set_segment2_number_a(2)
    assert lua.run("print(tcm.get_segment2_number_a())") == "2"
    robot.close()


def test_the_managers_of_the_original(lua: LuaTerminal, user: str) -> None:
    lua.run("Config.game.nPlayers = 4; Config.camera = {width = 160, height = 120}")
    lua.run("Config.vision = {copy_image_to_shm = 1, scaleB = 4}; Config.world = {n = 10}")
    lua.run("package.loaded.Config = Config")
    for manager in ("gcm", "mcm", "wcm", "vcm"):
        assert lua.run(f"print(type(require('{manager}')))").endswith("table")
    lua.run("wcm.set_robot_pose({2.5, 0.25, -3}); vcm.set_camera_command(-1)")
    robot = Robot(1, 2, user, writable=["vcmCamera.command"])
    documented = layout_table.load("document").segments
    # A robot with joints that runs on this machine is everybody's.
    variables_of = {s: v for s, v in robot.variables().items() if s not in UNSUFFIXED}
    assert set(variables_of) == set(documented) - UNSUFFIXED - {"luarDebug"}
    for segment, variables in variables_of.items():
        known = documented[segment]
        assert set(variables) <= set(known)
        for name, length in variables.items():
            assert known[name].length in (None, length), (segment, name)
    assert robot.wcm.get_robot_pose().tolist() == [2.5, 0.25, -3.0]  # type: ignore[attr-defined]
    assert len(robot.vcm.get_image_yuyv()) == 2 * 160 * 120  # type: ignore[arg-type]
    robot.vcm.set_camera_command(1)
    assert lua.run("print(vcm.get_camera_command())") == "1"
    robot.close()


def test_values_survive_a_kill_and_a_restart_of_the_original(
    lua: LuaTerminal, lua_peer: Path, user: str, tmp_path: Path
) -> None:
    lua.run("require('tcm'); tcm.set_segment1_vector_b({1,2,3})")
    table = layout_table.load_all(["document", "example_tcm"])
    robot = Robot(1, 2, user, writable=["tcmSegment1.*"], table=table)
    lua.kill()
    assert np.array_equal(robot.tcm.get_segment1_vector_b(), [1, 2, 3])  # type: ignore[arg-type]
    robot.tcm.set_segment1_vector_b([4.0, 5.0, 6.0])
    again = LuaTerminal(lua_peer, user, tmp_path)
    again.run("require('tcm')")
    assert again.run("print(tcm.get_segment1_vector_b()[2])") == "5"
    again.run("tcm.set_segment1_vector_b({7,8,9})")
    assert np.array_equal(robot.tcm.get_segment1_vector_b(), [7, 8, 9])  # type: ignore[arg-type]
    robot.close()
    again.close()


READER = r"""
#include <boost/interprocess/managed_shared_memory.hpp>
#include <cstdio>
int main(int, char **words) {
  using namespace boost::interprocess;
  managed_shared_memory segment(open_read_only, words[1]);
  auto found = segment.find<double>(words[2]);
  for (std::size_t i = 0; i < found.second; ++i) std::printf("%.17g\n", found.first[i]);
}
"""
"""A bare reader by Boost, as the original's module for NaoQi is one."""


def test_a_bare_reader_in_cpp_sees_the_joints_that_are_written(
    lua_peer: Path, user: str, tmp_path: Path
) -> None:
    (tmp_path / "reader.cpp").write_text(READER)
    compile_it = ["g++", "-std=c++14", "-o", "reader", "reader.cpp", "-lrt", "-pthread"]
    subprocess.run(compile_it, cwd=tmp_path, check=True, timeout=300)
    file = f"dcmActuator{user}"
    angles = [0.1 * joint - 1.0 for joint in range(len(JOINTS))]
    with SegmentOwner() as owner:
        owner.create(file)
        owner.set(file, "command", [0.0] * len(JOINTS))
        owner.sync()
        write_numbers(DIRECTORY / file, "command", angles)
        seen = subprocess.run(
            [tmp_path / "reader", file, "command"], capture_output=True, check=True, text=True
        ).stdout
    assert [float(line) for line in seen.split()] == angles


STANDING_S = 2.0
"""So long Motion writes the same walk values again, at least: before and after it stands up."""


def test_frames_at_every_image_while_the_originals_motion_runs(lua_peer: Path, user: str) -> None:
    player = lua_peer / "Player"
    with RosPeer() as peer, RunningNode(LuarBridge, {"user": user, "joints": False}):
        tf = peer.subscribe(TFMessage, "/tf", qos.stream(1000))
        done = subprocess.run(
            [lua_peer / "bin" / "lua5.1", Path(__file__).with_name("motion.lua")],
            cwd=player,
            env={**os.environ, "USER": user, "PWD": str(player), "COMPUTER": "Linux"},
            capture_output=True, check=True, text=True, timeout=100,
        )  # fmt: skip
        lines = done.stdout.splitlines()
        states = [line.split()[1] for line in lines if line.startswith("state ")]
        assert states == ["relax", "stance", "NaoWalk", "falling", "standup", "stance", "NaoWalk"]
        stamps = [float(line.split()[1]) for line in lines if line.startswith("image ")]
        assert len(stamps) == 500
        moved: dict[str, list[float]] = {}  # stamps of each frame that moves

        def collected() -> bool:
            moved.clear()
            for message in tf.items:
                for t in message.transforms:
                    moved.setdefault(t.child_frame_id, []).append(unix(t.header.stamp))
            body = moved.get("base_footprint")
            return body is not None and body[-1] > stamps[-1] - 1e-5

        tf.wait_for(lambda _: collected())
    assert {"base_footprint", "base_link"} <= set(moved)
    for frame, times in moved.items():
        # Until a robot is found and has counted, it is not known to live. Links have a rate of
        # their own: theirs may end a little before the robot does.
        assert times[-1] > stamps[-1] - STANDING_S / 4, frame
        known = [at for at in stamps if times[0] < at <= times[-1]]
        assert len(known) > 400, frame
        for at in known:
            after = bisect_left(times, at - 1e-5)
            exact = abs(times[after] - at) < 1e-5
            assert exact or times[after] - times[after - 1] < STANDING_S / 4, (frame, at)


def test_team_messages_are_those_of_the_original(
    lua_peer: Path, user: str, tmp_path: Path
) -> None:
    lua = LuaTerminal(lua_peer, user, tmp_path)
    try:
        lua.run("require('serialization'); require('vector')")
        lua.run("state = {teamNumber=1, id=3, teamColor=1, role=0, time=50.5, penalty=0}")
        lua.run("state.pose = {x=2.5, y=-0.125, a=-1e-7}; state.ball = {t=50, x=0.5, y=1e20}")
        reported = decode_team(lua.run("print(serialization.serialize(state))").encode())
        pose, ball = (2.5, -0.125, -1e-7), (0.5, 1e20)
        assert reported == TeamMessage(1, 3, 1, 0, pose, ball, 0.5, penalised=False)
        ours = encode_team(TeamMessage(1, 2, 0, 2, (1.5, 0.25, 0.5), (1.0, 2.0), 1.0, True), 80.0)
        lua.run(f"t = loadstring([[return {ours.decode()}]])()")
        said = lua.run("print(t.teamNumber, t.id, t.role, t.pose.x, t.pose.a, t.ball.y, t.ball.t)")
        assert said.split() == ["1", "2", "2", "1.5", "0.5", "2", "79"]
    finally:
        lua.close()


def value_of(message: LuarSegment, variable: str) -> float:
    """Return a number of a mirrored segment."""
    at = list(message.names).index(variable)
    return float(message.values[sum(message.given[:at])])


def test_ros_walks_kicks_and_gets_up_with_the_originals_motion(lua_peer: Path, user: str) -> None:
    player = lua_peer / "Player"
    body = Path(luar_bridge.__file__).parent / "lua"
    script = Path(__file__).with_name("walk.lua")
    parameters = {
        "user": user, "joints": False, "walk_commands": True, "writable": ["rcmBody.*"],
    }  # fmt: skip
    with (
        subprocess.Popen(
            [lua_peer / "bin" / "lua5.1", script, body],
            cwd=player,
            env={**os.environ, "USER": user, "PWD": str(player), "COMPUTER": "Linux"},
            stdout=subprocess.PIPE,
            text=True,
        ) as robot,
        RosPeer() as peer,
        RunningNode(LuarBridge, parameters),
    ):
        try:
            link = peer.subscribe(LinkState, "/luar/link_state")
            link.wait_for(lambda m: m.state == LinkState.CONNECTED)

            def ends(kind: type[Any], name: str) -> Any:
                end = peer.send_goal(kind, f"/luar/{name}", kind.Goal()).end(60.0)
                return end.result.outcome.message, end.result.outcome.code

            assert ends(LuarGetUp, "get_up") == ("done", LuarOutcome.SUCCEEDED)
            odometry = peer.subscribe(Odometry, "/luar/odom", qos.stream(10))
            publisher = peer.node.create_publisher(Twist, "/luar/cmd_vel", qos.stream(5))
            begun = odometry.wait_for().pose.pose.position.x

            def walked() -> bool:
                twist = Twist()
                twist.linear.x = 0.1
                publisher.publish(twist)
                return bool(odometry.last.pose.pose.position.x > begun + 0.15)

            until(walked, "the original's Motion does not walk")
            assert ends(LuarKick, "kick") == ("done", LuarOutcome.SUCCEEDED)
            motion = peer.subscribe(LuarSegment, "/luar/segments/rcmBody")
            motion.wait_for(lambda m: m.values and value_of(m, "motion") == Motion.FALLING)
            assert ends(LuarGetUp, "get_up") == ("done", LuarOutcome.SUCCEEDED)
        finally:
            robot.kill()
            assert robot.stdout is not None
            states = [line.split()[1] for line in robot.stdout if line.startswith("state ")]
    assert states[:3] == ["relax", "stance", "NaoWalk"]
    assert states[-4:] == ["falling", "standup", "stance", "NaoWalk"]


def test_a_behaviour_of_the_original_walks_a_wheeled_robot_to_the_ball(
    lua_peer: Path, user: str
) -> None:
    player = lua_peer / "Player"
    script = Path(__file__).with_name("host.lua")
    x = y = a = 0.0
    parameters = {"user": user, "speed_factor": 4.0}
    with (
        subprocess.Popen(
            [lua_peer / "bin" / "lua5.1", script, Path(luar_bridge.__file__).parent / "lua"],
            cwd=player,
            env={**os.environ, "USER": user, "PWD": str(player), "COMPUTER": "Linux"},
            stdout=subprocess.DEVNULL,
        ) as lua,
        RosPeer() as peer,
        RunningNode(LuarHost, parameters),
    ):
        try:
            velocities = peer.subscribe(Twist, "/luar_host/cmd_vel", qos.stream(50))
            odometry = peer.node.create_publisher(Odometry, "/luar_host/odom", qos.stream(5))

            def moved() -> bool:
                nonlocal x, y, a
                if velocities.items:  # a wheeled robot: 20 ms of it at each look
                    twist = velocities.last
                    a += 0.02 * twist.angular.z
                    x += 0.02 * twist.linear.x * math.cos(a)
                    y += 0.02 * twist.linear.x * math.sin(a)
                message = Odometry()
                message.pose.pose.position.x, message.pose.pose.position.y = x, y
                message.pose.pose.orientation.z = math.sin(a / 2)
                message.pose.pose.orientation.w = math.cos(a / 2)
                odometry.publish(message)
                return math.hypot(1.2 - x, 0.3 - y) < 0.25

            until(moved, "the robot does not get to the ball")
            lua.kill()
            until(lambda: (moved(), velocities.last.linear.x == 0.0)[1], "it does not stop")
        finally:
            lua.kill()
