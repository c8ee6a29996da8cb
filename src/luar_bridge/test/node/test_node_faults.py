# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A robot that stops, loses segments or writes nonsense; wrong parameters; its reports."""

from __future__ import annotations

import math
import mmap
import random
import struct
import time
from typing import Any

import pytest
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from geometry_msgs.msg import PoseWithCovarianceStamped
from nav_msgs.msg import Odometry
from sensor_msgs.msg import Image
from soccer_model_msgs.msg import Ball, RobotArray
from soccer_vision_3d_msgs.msg import BallArray, GoalpostArray, MarkingArray
from visualization_msgs.msg import MarkerArray

from legacy_robots_common.node import qos
from legacy_robots_common.node.names import to_ros_name
from legacy_robots_common.node.parameters import ParameterError
from legacy_robots_msgs.msg import LinkState, LuarGameState, LuarSegment, LuarWalk
from legacy_robots_msgs.srv import LuarGet
from legacy_robots_testing.ros_peer import RosPeer, unix
from legacy_robots_testing.running_node import RunningNode
from luar_bridge.bridge.mirror import SegmentMirror
from luar_bridge.bridge.node import LuarBridge
from luar_bridge.protocol.naming import DIRECTORY
from luar_bridge.protocol.segment import Segment
from luar_bridge.simulator.segment_owner import SegmentOwner

pytestmark = pytest.mark.node

STREAM = qos.stream(50)


def test_without_a_robot_the_bridge_waits(user: str) -> None:
    with RosPeer() as peer, RunningNode(LuarBridge, {"user": user, "joints": False}):
        link = peer.subscribe(LinkState, "/luar/link_state")
        link.wait_for(lambda m: m.state == LinkState.CONNECTING and "no segments of" in m.detail)
        game = peer.subscribe(LuarGameState, "/luar/game_state")
        assert not game.wait_for().valid


@pytest.mark.parametrize(
    "parameters,message",
    [
        ({"tables": ["nowhere"]}, "parameter 'tables'"),
        ({"tables": [""]}, "at least one layout table"),
        ({"writable": ["vcmCamera"]}, "parameter 'writable'"),
        ({"user": "a/b"}, "parameter 'user'"),
        ({"colors": "nice"}, "parameter 'colors'"),
        ({"game_controller": "nowhere.invalid"}, "parameter 'game_controller'"),
        ({"game_controller": "127.0.0.1:http"}, "parameter 'game_controller'"),
        ({"game_controller": "192.0.2.1"}, "parameter 'game_controller'"),
        ({"game_controller_return": True}, "'game_controller_return' needs 'game_controller'"),
        ({"game_controller_relay": "RCGCD16"}, "'game_controller_relay' needs 'game_controller'"),
        ({"team_messages_to": "127.0.0.1"}, "'team_messages_to' needs 'team_messages'"),
        ({"scan_rate": 0.0}, "parameter 'scan_rate'"),
    ],
)
def test_wrong_parameters_are_named(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        RunningNode(LuarBridge, parameters)


@pytest.mark.parametrize("fault", ["restart", "crash", "stall"])
def test_a_robot_that_stops_is_stale_and_comes_back(make_world: Any, fault: str) -> None:
    with make_world("--fault", fault, "--fault-after", "60") as w:
        w.wait_for_link(LinkState.CONNECTED)
        game = w.peer.subscribe(LuarGameState, "/luar/game_state")
        valid = game.wait_for(lambda m: m.valid)
        pose = w.peer.subscribe(PoseWithCovarianceStamped, "/luar/pose", STREAM)
        pose.wait_for()
        w.robot.inject(fault)
        stale = w.wait_for_link(LinkState.FAULT, "stale: vcmImage.count has stood still")
        invalid = game.wait_for(lambda m: not m.valid and m.state == valid.state)
        assert invalid.header.stamp.sec <= stale.header.stamp.sec
        back = w.link.wait_for(lambda m: m.state == LinkState.CONNECTED and m.connections == 2)
        # Nothing that the dead robot left was published with a stamp of the silence.
        stamps = [unix(m.header.stamp) for m in pose.items]
        assert stamps == sorted(stamps)
        silence = unix(stale.header.stamp), unix(back.header.stamp) - 0.25
        assert not any(silence[0] < stamp < silence[1] for stamp in stamps)
        game.clear()
        again = w.peer.subscribe(LuarGameState, "/luar/game_state")
        again.wait_for(lambda m: m.valid)


@pytest.mark.parametrize("fault", ["removed", "wrong_size"])
def test_a_lost_segment_is_reported_and_found_again(make_world: Any, fault: str) -> None:
    with make_world("--fault", fault, "--fault-after", "60") as w:
        w.wait_for_link(LinkState.CONNECTED)
        mirror = w.peer.subscribe(LuarSegment, "/luar/segments/wcmBall")
        first = mirror.wait_for(lambda m: m.names)
        w.robot.inject(fault)
        mirror.wait_for(lambda m: not m.names)
        mirror.wait_for(lambda m: m.names and m.inode not in (0, first.inode))


def test_a_shrunk_variable_disturbs_nobody(make_world: Any) -> None:
    with make_world("--fault", "resize", "--fault-after", "60") as w:
        mirror = w.peer.subscribe(LuarSegment, "/luar/segments/vcmLine")
        mirror.wait_for(lambda m: 4 in m.lengths[list(m.names).index("vendpoint") :][:1])
        w.robot.inject("resize")
        mirror.wait_for(lambda m: 2 in m.lengths[list(m.names).index("vendpoint") :][:1])


def test_no_value_that_a_robot_may_write_disturbs_the_bridge(make_world: Any, user: str) -> None:
    values = [math.nan, math.inf, -math.inf, -1.0, 1e300, 5e-324, 0.0, 1.0, 4.0, 2.0**31, 2.0**53]
    chance = random.Random(1)
    with make_world("--layout", "upenn_2013", tables=["upenn_2013"]) as w:
        kinds = {
            "pose": PoseWithCovarianceStamped, "odom": Odometry, "ball_detection": BallArray,
            "ball": Ball, "goals": GoalpostArray, "lines": MarkingArray, "obstacles": RobotArray,
            "markers": MarkerArray, "walk": LuarWalk, "image_rgb": Image,
        }  # fmt: skip
        heard = {n: w.peer.subscribe(t, f"/luar/{n}", STREAM) for n, t in kinds.items()}
        w.wait_for_link(LinkState.CONNECTED)
        places = []
        for path in DIRECTORY.glob(f"*{user}"):
            with Segment(path) as segment, path.open("r+b") as file:
                memory = mmap.mmap(file.fileno(), 0)
                places += [
                    (memory, at)
                    for v in segment.snapshot.directory.variables
                    if v.name not in ("count", "yuyv", "labelA", "labelB")
                    for at in range(v.offset, v.offset + v.size, 8)
                ]
        until = time.monotonic() + 3.0
        while time.monotonic() < until:
            for _ in range(100):
                memory, at = chance.choice(places)
                memory[at : at + 8] = struct.pack("<d", chance.choice(values))
            time.sleep(0.002)  # 3 s of values without end, as fast as a bridge may see them
        for recorder in heard.values():
            recorder.clear()
        # A thread that died of a value would have ended all of these.
        for name in ("pose", "odom", "walk", "goals", "lines"):
            heard[name].wait_for()


@pytest.mark.parametrize("segment", ["x" * 233 + "cm", "xcm__Thing", "_xcm"])
def test_a_segment_with_a_bad_name_costs_itself_alone(
    make_world: Any, user: str, segment: str
) -> None:
    with make_world() as w:
        w.wait_for_link(LinkState.CONNECTED)
        diagnostics = w.peer.subscribe(DiagnosticArray, "/diagnostics", qos.stream(10))
        image = w.peer.subscribe(LuarSegment, "/luar/segments/vcmImage")
        image.wait_for()
        file = f"{segment}01{user}"
        with SegmentOwner() as owner:
            owner.create(file)
            owner.set(file, "a", [1.0, 2.0])
            owner.sync()
            if len(segment) < 200:
                topic = f"/luar/segments/{to_ros_name(segment)}"
                mirrored = w.peer.subscribe(LuarSegment, topic)
                assert list(mirrored.wait_for(lambda m: m.names).values) == [1.0, 2.0]
            else:
                diagnostics.wait_for(lambda m: "1 unpublishable segments" in m.status[0].message)
            for value in (3.0, 4.0):  # each change is another chance to fail
                owner.set(file, "a", [value, value])
                owner.sync()
                image.clear()
                image.wait_for_count(5)
            got = w.call(LuarGet, "get_variable", segment=segment, variable="a")
            assert list(got.values) == [4.0, 4.0]
            owner.remove(file)
            owner.sync()
        values = {v.key: v.value for v in diagnostics.last.status[0].values}
        assert values.get("unpublishable segments", "1") == "1"
        assert {m.state for m in w.link.items} <= {LinkState.CONNECTING, LinkState.CONNECTED}


def test_an_exception_in_the_links_thread_is_a_fault_and_the_bridge_goes_on(
    make_world: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with make_world() as w:
        w.wait_for_link(LinkState.CONNECTED)
        game = w.peer.subscribe(LuarGameState, "/luar/game_state")
        game.wait_for(lambda m: m.valid)
        game.clear()

        def fail(*_: object) -> None:
            patch.undo()
            raise OverflowError("thrown by the test")

        with monkeypatch.context() as patch:
            patch.setattr(SegmentMirror, "on_change", fail)
            w.wait_for_link(LinkState.FAULT, "unexpected OverflowError: thrown by the test")
        w.link.wait_for(lambda m: m.state == LinkState.CONNECTED and m.connections == 2)
        game.wait_for(lambda m: not m.valid)
        game.wait_for(lambda m: m.valid)
        w.peer.subscribe(PoseWithCovarianceStamped, "/luar/pose", STREAM).wait_for()


def test_diagnostics_tell_heartbeats_and_segments(make_world: Any) -> None:
    with make_world() as w:
        w.wait_for_link(LinkState.CONNECTED)
        diagnostics = w.peer.subscribe(DiagnosticArray, "/diagnostics", qos.stream(10))

        def reported(message: DiagnosticArray) -> bool:
            (status,) = message.status
            values = {v.key: v.value for v in status.values}
            return (
                status.name == "luar/bridge"
                and status.level in (DiagnosticStatus.OK, DiagnosticStatus.WARN)
                and "Hz, counted" in values.get("heartbeat vcmImage.count", "")
                and "ABI 1" in values.get("segment gcmGame", "")
            )

        diagnostics.wait_for(reported)
