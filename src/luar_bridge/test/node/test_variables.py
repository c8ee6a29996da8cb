# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Segments and variables by name, and what the referee writes into them."""

from __future__ import annotations

import dataclasses
import math
import os
import struct
from ipaddress import IPv4Address
from pathlib import Path
from typing import Any

import pytest
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from game_controller_spl_interfaces.msg import RCGCD16
from soccer_model_msgs.msg import RobotArray
from soccer_vision_3d_msgs.msg import BallArray

from legacy_robots_common.node import qos
from legacy_robots_msgs.msg import LinkState, LuarReferee, LuarSegment
from legacy_robots_msgs.srv import LuarGet, LuarSet
from legacy_robots_testing.machine import free_ports
from legacy_robots_testing.polling import until
from luar_bridge.bridge.fresh_memory import FreshMemory
from luar_bridge.parts.robot_answer import RobotAnswer, is_fallen
from luar_bridge.protocol import layout_table, team_packet
from luar_bridge.protocol.datagrams import datagrams, udp_socket
from luar_bridge.protocol.game_control import (
    GameData,
    GameState,
    PlayerInfo,
    TeamInfo,
    encode,
)
from luar_bridge.protocol.game_return import RETURN_PORT
from luar_bridge.protocol.naming import DIRECTORY, RobotIdentity
from luar_bridge.protocol.segment import Segment
from luar_bridge.protocol.standard_message import decode as decode_standard
from luar_bridge.protocol.standard_message import encode as encode_standard
from luar_bridge.protocol.team_message import TeamMessage
from luar_bridge.protocol.team_message import decode as decode_team
from luar_bridge.protocol.team_message import encode as encode_team
from luar_bridge.simulator.match_rules import Match
from luar_bridge.simulator.segment_owner import SegmentOwner
from luar_bridge.simulator.shared_ball import BROADCAST

pytestmark = pytest.mark.node

STREAM = qos.stream(50)


def test_the_mirror_tells_every_segment_known_or_not(make_world: Any, user: str) -> None:
    with make_world(mirror_length=600) as w:
        mirror = w.peer.subscribe(LuarSegment, "/luar/segments/vcmImage")
        message = mirror.wait_for(lambda m: m.header.stamp.sec > 0)
        assert message.segment == "vcmImage"
        assert message.file == f"vcmImage01{user}"
        assert message.heartbeat == "count"
        assert message.abi == 1
        lengths = dict(zip(message.names, message.lengths, strict=True))
        given = dict(zip(message.names, message.given, strict=True))
        assert (lengths["yuyv"], given["yuyv"]) == (4800, 0)
        assert (lengths["labelA"], given["labelA"]) == (600, 600)
        assert len(message.values) == sum(given.values())
        at = 0
        for name in message.names:
            if name == "width":
                assert message.values[at] == 160.0
            at += given[name]
        name = f"xcmThing01{user}"
        with SegmentOwner() as owner:
            owner.create(name)
            owner.set(name, "unheard_of", [1.0, 2.0])
            owner.sync()
            unknown = w.peer.subscribe(LuarSegment, "/luar/segments/xcmThing")
            assert list(unknown.wait_for(lambda m: m.names).values) == [1.0, 2.0]
            owner.remove(name)
            owner.sync()
        unknown.wait_for(lambda m: not m.names and m.inode == 0)


def test_get_and_set_by_name(make_world: Any) -> None:
    with make_world(writable=["vcmCamera.command", "tcmSegment1.*"]) as w:
        w.wait_for_link(LinkState.CONNECTED)
        got = w.call(LuarGet, "get_variable", segment="vcmImage", variable="width")
        assert (got.success, got.kind, list(got.values)) == (True, got.NUMBER, [160.0])
        got = w.call(LuarGet, "get_variable", segment="wcmRobot", variable="pose")
        assert (got.kind, len(got.values)) == (got.VECTOR, 3)
        got = w.call(LuarGet, "get_variable", segment="vcmImage", variable="labelB")
        assert (got.kind, len(got.data)) == (got.CARRAY, 304)

        done = w.call(
            LuarSet, "set_variable", segment="vcmCamera", variable="command", values=[1.0]
        )
        assert done.success, done.message
        got = w.call(LuarGet, "get_variable", segment="vcmCamera", variable="command")
        assert list(got.values) == [1.0]
        for request, reason in (
            ({"segment": "wcmRobot", "variable": "pose", "values": [0.0] * 3}, "allow-list"),
            ({"segment": "vcmCamera", "variable": "command", "values": []}, "holds 1 numbers"),
            ({"segment": "vcmCamera", "variable": "command", "values": [math.nan]}, "finite"),
            ({"segment": "vcmCamera", "variable": "command", "kind": 9}, "none of NUMBERS"),
            ({"segment": "tcmSegment1", "variable": "a", "values": [1.0]}, "no segment"),
        ):
            refused = w.call(LuarSet, "set_variable", **request)
            assert not refused.success
            assert reason in refused.message
        for segment, variable, reason in (
            ("vcmImage", "absent", "no variable absent"),
            ("absent", "x", "no segment"),
            ("../etc/passwd", "x", "no name of a segment"),
        ):
            missing = w.call(LuarGet, "get_variable", segment=segment, variable=variable)
            assert not missing.success
            assert reason in missing.message


def test_strings_by_name(make_world: Any, user: str) -> None:
    with make_world(tables=["document", "example_tcm"], writable=["tcmSegment1.*"]) as w:
        name = f"tcmSegment101{user}"
        with SegmentOwner() as owner:
            owner.create(name)
            owner.set_text(name, "string_c", "hello")
            owner.sync()
        w.peer.subscribe(LuarSegment, "/luar/segments/tcmSegment1").wait_for()
        got = w.call(LuarGet, "get_variable", segment="tcmSegment1", variable="string_c")
        assert (got.kind, got.text) == (got.STRING, "hello")
        request = {"segment": "tcmSegment1", "variable": "string_c", "kind": 1}
        assert w.call(LuarSet, "set_variable", **request, text="howdy").success
        assert "3 were given" in w.call(LuarSet, "set_variable", **request, text="bye").message
        assert "one character" in w.call(LuarSet, "set_variable", **request, text="x").message


def test_the_referee_is_a_topic_and_writes_only_what_is_allowed(
    make_world: Any, user: str
) -> None:
    (port,) = free_ports(1)
    match = Match((0, 9), 4)
    match.penalise(0, 2)
    while match.state is not match.state.PLAYING:
        match.advance(1.0)
    with (
        udp_socket() as sender,
        make_world(
            game_controller=f"{BROADCAST}:{port}",
            writable=["gcmGame.penalty", "gcmGame.half"],
        ) as w,
    ):
        w.wait_for_link(LinkState.CONNECTED)
        referee = w.peer.subscribe(LuarReferee, "/luar/referee")
        assert not referee.wait_for().valid
        for packet in (b"garbage", encode(match.data(9))[:-1], encode(match.data(9))):
            sender.sendto(packet, (BROADCAST, port))
        reported = referee.wait_for(lambda m: m.valid)
        assert (reported.version, reported.state) == (9, 3)
        assert (reported.kicking_team, reported.seconds_remaining) == (0, 600)
        assert [team.number for team in reported.teams] == [0, 9]
        assert list(reported.teams[0].penalties) == [0, 15, 0, 0]
        with Segment(DIRECTORY / f"gcmGame01{user}") as segment:
            assert segment.snapshot.numbers("last_update", 1) == (0.0,)  # not allowed
        status = w.peer.subscribe(DiagnosticArray, "/diagnostics", STREAM).wait_for(
            lambda m: {v.key: v.value for v in m.status[0].values}.get("refused broadcasts") == "2"
        )
        assert status.status[0].level == DiagnosticStatus.WARN


def test_the_referee_in_full_is_answered_and_others_are_not_heard(
    make_world: Any, user: str
) -> None:
    port, own_port = free_ports(2)
    # An address of loopback of its own: the port of answers is fixed.
    address = str(IPv4Address("127.64.0.1") + os.getpid() % 2**20)
    robots = (PlayerInfo(), PlayerInfo(300, 40000), *[PlayerInfo()] * 9)
    teams = TeamInfo(3, 1, 2, robots), TeamInfo(9, 0, 0, robots)
    first = GameData(7, 0, 4, GameState.PLAYING, False, 1, 100000, teams)
    later = match_of(18)
    with (
        udp_socket(address, own_port) as sender,
        udp_socket(address, RETURN_PORT) as answers_to_referee,
        make_world(
            *("--team", "3", "--color", "1"),
            team=3,
            game_controller=f"{BROADCAST}:{port}",
            game_controller_senders=["127.0.0.0/8"],
            game_controller_return=True,
            game_controller_relay="RCGCD16",
        ) as w,
    ):
        w.wait_for_link(LinkState.CONNECTED)
        referee = w.peer.subscribe(LuarReferee, "/luar/referee")
        data = w.peer.subscribe(RCGCD16, "/luar/gc/data", STREAM)
        sender.sendto(encode(first), (BROADCAST, port))
        reported = referee.wait_for(lambda m: m.valid)
        assert (reported.seconds_remaining, reported.kicking_team) == (100000, 9)
        assert list(reported.teams[0].penalties) == [0, 300, 0, 0]
        assert list(reported.teams[0].seconds_penalised) == [0, 40000, 0, 0]
        assert reported.teams[0].message_budget == -1
        answers: list[bytes] = []

        def answered() -> object:
            sender.sendto(encode(later), (BROADCAST, port))
            answers.extend(d for d, _ in datagrams(answers_to_referee, 64) if len(d) == 32)
            if not (answers and data.items):  # not one to the first broadcast
                return False
            (age,) = struct.unpack_from("<f", answers[-1], 20)
            return age >= 0.0  # of the ball that was there first it is not known

        until(answered, "no answer to the GameController, or none with a ball")
        x, y, a, age, ball_x, ball_y = struct.unpack_from("<6f", answers[-1], 8)
        with Segment(DIRECTORY / f"wcmRobot31{user}") as segment:
            place = segment.snapshot.vector("pose")
        assert (x, y) == pytest.approx([-1000.0 * v for v in place[:2]], abs=500.0)
        assert abs(a) < 0.3 * math.pi  # red: in the memory about pi
        assert 0.0 <= age < 2.0
        assert math.hypot(ball_x, ball_y) > 500.0
        header, version, player, team, fallen = struct.unpack_from("<4s4B", answers[-1])
        assert (header, version, player, team, fallen) == (b"RGrt", 4, 1, 3, 0)
        reported = referee.wait_for(lambda m: m.version == 18)
        assert (reported.set_play, reported.secondary_time) == (4, 12)
        assert [team.message_budget for team in reported.teams] == [1200, 900]
        assert [team.keeper for team in reported.teams] == [1, 1]
        relayed = data.wait_for(lambda m: m.players_per_team == 5)
        assert (relayed.set_play, relayed.kicking_team, relayed.secondary_time) == (4, 3, 12)
        assert [team.message_budget for team in relayed.teams] == [1200, 900]


def test_only_the_named_senders_are_heard(make_world: Any) -> None:
    (port,) = free_ports(1)
    with (
        udp_socket() as sender,
        make_world(
            game_controller=f"{BROADCAST}:{port}", game_controller_senders=["10.1.0.0/16"]
        ) as w,
    ):
        diagnostics = w.peer.subscribe(DiagnosticArray, "/diagnostics", STREAM)
        sender.sendto(encode(match_of(18)), (BROADCAST, port))
        diagnostics.wait_for(
            lambda m: (
                {v.key: v.value for v in m.status[0].values}.get("broadcasts of others") == "1"
            )
        )
        assert not w.peer.subscribe(LuarReferee, "/luar/referee").wait_for().valid


def match_of(version: int) -> GameData:
    teams = [
        TeamInfo(n, 0, 0, (PlayerInfo(),) * 20, keeper=1, message_budget=budget)
        for n, budget in ((3, 1200), (9, 900))
    ]
    return GameData(
        version, 1, 5, GameState.PLAYING, True, 0, 600, (teams[0], teams[1]),
        secondary_time=12, set_play=4,
    )  # fmt: skip


ENCODE = {
    "lua": lambda message: encode_team(message, 100.0),
    "standard": encode_standard,
    "r2r": team_packet.encode,
}
DECODE = {"lua": decode_team, "standard": decode_standard, "r2r": team_packet.decode}


@pytest.mark.parametrize("form, color", [("lua", 0), ("standard", 1), ("r2r", 1)])
def test_mates_of_the_network_are_heard_and_hear_the_robot(
    make_world: Any, form: str, color: int
) -> None:
    own_port, mates_port = free_ports(2)
    sign = -1.0 if color else 1.0  # red: its x axis is the world's, turned by half
    mate = TeamMessage(0, 3, 0, 2, (1.0, 0.5, math.pi / 2), (0.5, 0.0), 0.5, False, True)
    with (
        udp_socket(BROADCAST, mates_port) as mates_socket,
        make_world(
            "--color",
            str(color),
            team_messages=f"{BROADCAST}:{own_port}",
            team_messages_to=f"{BROADCAST}:{mates_port}",
            team_messages_form=form,
        ) as w,
    ):
        w.wait_for_link(LinkState.CONNECTED)
        mates = w.peer.subscribe(RobotArray, "/luar/team/mates", STREAM)
        balls = w.peer.subscribe(BallArray, "/luar/team/balls", STREAM)
        others = [dataclasses.replace(mate, team=9), dataclasses.replace(mate, player=1)]
        heard: list[bytes] = []

        def exchanged() -> object:
            for message in (*others, mate):
                data = ENCODE[form](message)
                mates_socket.sendto(data, (BROADCAST, own_port))
            mates_socket.sendto(b"{rubbish", (BROADCAST, own_port))
            heard.extend(data for data, _ in datagrams(mates_socket, 2000))
            return heard and mates.items and balls.items

        until(exchanged, "nothing is heard")
        (robot,) = mates.last.robots
        assert mates.last.header.frame_id == "map"
        assert robot.attributes.player_number == 3
        assert robot.attributes.state == robot.attributes.STATE_FALLEN
        assert (robot.pose.pose.position.x, robot.pose.pose.position.y) == (sign, sign / 2)
        (ball,) = balls.last.balls
        assert (ball.center.x, ball.center.y) == pytest.approx((sign, sign), abs=1e-3)
        said = DECODE[form](heard[-1])
        color_said = -1 if form != "lua" else color
        assert (said.team, said.player, said.color, said.role) == (0, 1, color_said, 0)
        at = [sign * metres for metres in w.robot.scene.pose[:2]]
        assert said.pose[:2] == pytest.approx(at, abs=0.3)


def test_the_body_of_another_robot_is_not_read(user: str, tmp_path: Path) -> None:
    with SegmentOwner() as robot:
        robot.create(f"dcmSensor{user}")
        robot.set(f"dcmSensor{user}", "imuAngle", [1.5, 0.0])
        robot.sync()
        (tmp_path / "dcmSensor").write_bytes((DIRECTORY / f"dcmSensor{user}").read_bytes())
    table, identity = layout_table.load("document"), RobotIdentity(0, 1, user)
    without = {name: table.segments[name] for name in ("wcmRobot", "mcmWalk")}
    own = FreshMemory(identity, tmp_path, table)
    other = FreshMemory(identity, tmp_path, dataclasses.replace(table, segments=without))
    assert is_fallen(own.read("dcmSensor"))
    assert not is_fallen(other.read("dcmSensor"))


@pytest.mark.parametrize("last_seen_before", [0.0, 60.0], ids=["never", "before Lua ended"])
def test_the_age_of_a_ball_is_known_once_the_robot_sees_it_anew(
    user: str, last_seen_before: float
) -> None:
    identity, ball = RobotIdentity(0, 1, user), f"wcmBall01{user}"
    answer = RobotAnswer(identity, FreshMemory(identity, DIRECTORY, layout_table.load("document")))
    with SegmentOwner() as robot:

        def ball_age(last_seen: float, now: float) -> float | None:
            robot.create(ball)
            robot.set(ball, "xy", [1.0, 0.0])
            robot.set(ball, "t", last_seen)
            robot.sync()
            answer.look(now)
            return answer.ball_age(now + 0.5)

        assert ball_age(last_seen_before, now=100.0) is None
        assert ball_age(61.0, now=102.0) == 0.5
        robot.remove(ball)
        robot.sync()
        answer.look(103.0)  # it cannot be read
        assert ball_age(61.0, now=104.0) == 2.5
        assert ball_age(0.0, now=105.0) == 3.5  # Lua is started anew
        assert ball_age(1.0, now=106.0) == 0.5
