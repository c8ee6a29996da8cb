# SPDX-License-Identifier: Apache-2.0
"""Segments and variables by name, and what the referee writes into them."""

from __future__ import annotations

import math
from typing import Any

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from legacy_robots_msgs.msg import LinkState, LuarReferee, LuarSegment
from legacy_robots_msgs.srv import LuarGet, LuarSet

from legacy_robots_common.node import qos
from legacy_robots_common.testing.machine import free_ports
from luar_bridge.protocol.datagrams import udp_socket
from luar_bridge.protocol.game_control import encode
from luar_bridge.protocol.naming import DIRECTORY
from luar_bridge.protocol.segment import Segment
from luar_bridge.simulator.match_rules import Match
from luar_bridge.simulator.segment_owner import SegmentOwner
from luar_bridge.simulator.shared_ball import BROADCAST

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
        told = referee.wait_for(lambda m: m.valid)
        assert (told.version, told.state) == (9, 3)
        assert (told.kicking_team, told.seconds_remaining) == (0, 600)
        assert [team.number for team in told.teams] == [0, 9]
        assert list(told.teams[0].penalties) == [0, 15, 0, 0]
        with Segment(DIRECTORY / f"gcmGame01{user}") as segment:
            assert segment.snapshot.numbers("last_update", 1) == (0.0,)  # not allowed
        status = w.peer.subscribe(DiagnosticArray, "/diagnostics", STREAM).wait_for(
            lambda m: {v.key: v.value for v in m.status[0].values}.get("refused broadcasts") == "2"
        )
        assert status.status[0].level == DiagnosticStatus.WARN
