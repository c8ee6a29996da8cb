# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What ROS sets, and what the memory of the original's Lua then holds: it prints the table.

Needs the original beside the checkout: see the fixture lua_peer.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from geometry_msgs.msg import PoseArray
from rcl_interfaces.msg import Parameter, ParameterType, ParameterValue
from rcl_interfaces.srv import SetParameters
from std_msgs.msg import Float64MultiArray
from std_srvs.srv import Trigger

import luar_bridge
from legacy_robots_common.node import qos
from legacy_robots_msgs.msg import LinkState
from legacy_robots_msgs.srv import LuarCameraSetting, LuarHardness, LuarSet
from legacy_robots_testing.polling import until
from legacy_robots_testing.ros_peer import RosPeer
from legacy_robots_testing.running_node import RunningNode
from luar_bridge.bridge.node import LuarBridge
from luar_bridge.model.joint_limits import GROUPS, group, joint_limits
from luar_bridge.model.motion import JOINTS
from luar_bridge.protocol.naming import DIRECTORY
from luar_bridge.protocol.ros_body import WALK_PARAMETERS
from luar_bridge.protocol.segment import Segment

pytestmark = pytest.mark.node

LUA = Path(luar_bridge.__file__).parent / "lua"
CONFIGURED = {"exposure": 150, "gain": 61, "brightness": 100, "contrast": 75, "saturation": 200,
              "red_balance": 100, "blue_balance": 120}  # fmt: skip
"""Of the original's Config_Nao_Camera_Webots.lua."""


def row(sent: str, held: object) -> None:
    print(f"| {sent} | {held} |")


def number(value: float) -> str:
    return f"{value:g}"


@contextmanager
def original(place: Path, user: str, script: str, *arguments: str) -> Iterator[Any]:
    """Run a script of ours in the original's Player."""
    player = place / "Player"
    environment = {"USER": user, "PWD": str(player), "COMPUTER": "Linux"}
    environment |= {"LUAR_DCM_SUFFIX": user, "LUA_INIT": f"@{LUA / 'ros_camera.lua'}"}
    command = [place / "bin" / "lua5.1", Path(__file__).with_name(script), LUA, *arguments]
    with subprocess.Popen(
        command, cwd=player, env={**os.environ, **environment}, stdout=subprocess.PIPE, text=True
    ) as lua:
        try:
            yield lua
        finally:
            lua.kill()


class Memory:
    """The segments that the original has made, where dcm is named as on a Nao."""

    def __init__(self, directory: Path, user: str) -> None:
        self.directory, self._user = directory, user
        for path in DIRECTORY.glob(f"*{user}"):
            name = path.name.removesuffix(user) if path.name.startswith("dcm") else path.name
            os.link(path, directory / name)

    def values(self, segment: str, variable: str) -> list[float]:
        name = segment if segment.startswith("dcm") else f"{segment}01{self._user}"
        with Segment(self.directory / name) as opened:
            return list(opened.snapshot.all_numbers(variable))


@contextmanager
def tools(place: Path, user: str, camera: str) -> Iterator[tuple[RosPeer, Memory]]:
    """Run Vision, body and game control of the original, and a bridge at its memory."""
    with (
        original(place, user, "settings.lua", camera) as lua,
        TemporaryDirectory(dir=DIRECTORY) as directory,
    ):
        assert any(line == "ready\n" for line in lua.stdout)
        memory = Memory(Path(directory), user)
        parameters = {
            "user": user,
            "memory_directory": directory,
            "tables": ["document", "upenn_2013"],
            "joint_commands": True,
            "writable": ["dcmActuator.*", "dcmSensor.button", "rcmCamera.*", "vcmCamera.command"],
        }
        with RosPeer() as peer, RunningNode(LuarBridge, parameters):
            link = peer.subscribe(LinkState, "/luar/link_state", qos.LATCHED)
            link.wait_for(lambda m: m.state == LinkState.CONNECTED)
            yield peer, memory


def set_camera(peer: RosPeer, name: str, camera: int, value: float) -> Any:
    request = LuarCameraSetting.Request(name=name, camera=camera, value=[value])
    return peer.call(LuarCameraSetting, "/luar/camera_setting", request)


@pytest.mark.timeout(150)
def test_what_is_sent_and_what_the_memory_then_holds(lua_peer: Path, user: str) -> None:
    with tools(lua_peer, user, "DeskCam") as (peer, memory):
        for press in range(1, 6):
            before = memory.values("gcmGame", "state"), memory.values("gcmGame", "penalty")
            assert peer.call(Trigger, "/luar/press_button", Trigger.Request()).success

            def changed(before: Any = before) -> bool:
                now = memory.values("gcmGame", "state"), memory.values("gcmGame", "penalty")
                return now != before and memory.values("dcmSensor", "button") == [0.0]

            until(changed, f"press {press} changes nothing")
            (count,) = memory.values("dcmSensor", "count")  # Lua has to see the release
            until(lambda count=count: memory.values("dcmSensor", "count")[0] > count + 1)
            state, penalty = (memory.values("gcmGame", n)[0] for n in ("state", "penalty"))
            assert (state, penalty) == [(1, 0), (2, 0), (3, 0), (3, 1), (3, 0)][press - 1]
            row(f"press_button, {press}", f"gcmGame.state {state:g}, penalty {penalty:g}")

        for name, value in CONFIGURED.items():
            for camera in (0, 1):
                answer = set_camera(peer, name, camera, value + 1 + camera)
                assert (answer.success, answer.value) == (True, value + 1 + camera), answer
                row(f"camera_setting {name} of camera {camera}: {value + 1 + camera}",
                    f"rcmCamera.value {memory.values('rcmCamera', 'value')[0]:g}")  # fmt: skip
        for camera in (1, 0):
            request = LuarSet.Request(segment="vcmCamera", variable="command", values=[camera])
            assert peer.call(LuarSet, "/luar/set_variable", request).success
            until(lambda camera=camera: memory.values("vcmImage", "select") == [camera])
            row(f"set_variable vcmCamera.command {camera}", f"vcmImage.select {camera}")

        limits = joint_limits()
        for place, name in enumerate(GROUPS):
            joints = group(name, JOINTS)
            numbers = [JOINTS.index(joint) for joint in joints]
            hardness = 0.3 + 0.1 * place
            middles = [0.5 * (limits[j].lower + limits[j].upper) for j in joints]
            asked = LuarHardness.Request(joints=[name], hardness=hardness)
            assert peer.call(LuarHardness, "/luar/set_hardness", asked).success
            held = memory.values("dcmActuator", "hardness")
            assert [held[n] for n in numbers] == [hardness] * len(joints)
            of = f"of joints {numbers[0] + 1} to {numbers[-1] + 1}"
            row(f"set_hardness {name}: {hardness:g}", f"dcmActuator.hardness {hardness:g} {of}")
            topic = f"/luar/{name}_position_controller/commands"
            publisher = peer.node.create_publisher(Float64MultiArray, topic, qos.LATCHED)
            publisher.publish(Float64MultiArray(data=middles))

            def moved(numbers: list[int] = numbers, wanted: list[float] = middles) -> bool:
                command = memory.values("dcmActuator", "command")
                return [command[n] for n in numbers] == pytest.approx(wanted)

            until(moved, f"{name} is not commanded")
            angles = " ".join(f"{middle:.3f}" for middle in middles)
            row(f"{topic.removeprefix('/luar/')}: {angles}", f"dcmActuator.command {angles} {of}")

        poses = peer.subscribe(PoseArray, "/luar/particles", qos.stream(5)).wait_for().poses
        x = memory.values("wcmParticle", "x")
        assert [pose.position.x for pose in poses] == x == [0.5, 1.0]
        row("particles (read): " + ", ".join(f"x {p.position.x:g}" for p in poses),
            f"wcmParticle.x {', '.join(map(number, x))}")  # fmt: skip


@pytest.mark.timeout(100)
def test_our_camera_refuses_each_setting_by_name(lua_peer: Path, user: str) -> None:
    with tools(lua_peer, user, "RosCam") as (peer, _):
        for name in (*CONFIGURED, "hue", "autogain"):
            answer = set_camera(peer, name, 0, 0.0)
            assert not answer.success
            assert answer.message.startswith(f"{name}: the camera of the robot says 0")
            row(f"camera_setting {name} of RosCam: 0", f"refused: {answer.message}")


@pytest.mark.timeout(100)
def test_the_walk_of_the_original_has_the_parameters(lua_peer: Path, user: str) -> None:
    parameters = {
        "user": user, "joints": False, "walk_commands": True, "writable": ["rcmBody.*"],
    }  # fmt: skip
    with (
        original(lua_peer, user, "walk.lua"),
        RosPeer() as peer,
        RunningNode(LuarBridge, parameters),
    ):
        memory_of = DIRECTORY / f"mcmWalk01{user}"

        def held(name: str) -> float | None:
            with Segment(memory_of) as opened:
                return opened.snapshot.number(name)

        peer.subscribe(LinkState, "/luar/link_state", qos.LATCHED).wait_for(
            lambda m: m.state == LinkState.CONNECTED
        )
        for name, (variable, least, most) in WALK_PARAMETERS.items():
            until(lambda v=variable: held(v) not in (None, 0.0), f"{variable} is not told")
            own = held(variable)
            value = 0.5 * (least + most)
            send(peer, name, value)
            until(lambda v=variable, wanted=value: held(v) == wanted, f"{variable} is not taken")
            row(f"ros2 param set {name} {value:g}", f"mcmWalk.{variable} {value:g}")
            send(peer, name, 0.0)
            until(lambda v=variable, wanted=own: held(v) == wanted, f"{variable} stays")
            row(f"ros2 param set {name} 0.0", f"mcmWalk.{variable} {own:g}")


def send(peer: RosPeer, name: str, value: float) -> None:
    given = ParameterValue(type=ParameterType.PARAMETER_DOUBLE, double_value=value)
    request = SetParameters.Request(parameters=[Parameter(name=name, value=given)])
    (result,) = peer.call(SetParameters, "/luar/bridge/set_parameters", request).results
    assert result.successful, result.reason
