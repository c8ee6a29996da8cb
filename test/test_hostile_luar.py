# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Hostile texts in Luar's shared memory and at its UDP ports: nothing dies, nothing is logged."""

import contextlib
import os
import socket
import struct
import uuid
from pathlib import Path

import pytest
from ament_index_python.packages import get_package_prefix
from diagnostic_msgs.msg import DiagnosticArray
from soccer_model_msgs.msg import RobotArray

from legacy_robots_common.node import qos
from legacy_robots_msgs.msg import LinkState, LuarReferee
from legacy_robots_msgs.srv import LuarGet
from legacy_robots_testing import hostile
from legacy_robots_testing.machine import free_ports
from legacy_robots_testing.polling import until
from legacy_robots_testing.process import Process
from legacy_robots_testing.ros_peer import RosPeer
from luar_bridge.protocol.game_control import encode
from luar_bridge.protocol.game_layouts import LAYOUTS
from luar_bridge.protocol.naming import DIRECTORY
from luar_bridge.protocol.standard_message import HEADER as STANDARD
from luar_bridge.protocol.team_message import TeamMessage
from luar_bridge.protocol.team_message import encode as encode_team
from luar_bridge.simulator.match_rules import Match
from luar_bridge.simulator.segment_owner import SegmentOwner

TEXT = hostile.CONTROLS.encode()
LATIN = "".join(map(chr, range(1, 256))) + hostile.CONTROLS.replace("\u202e", "")
BROADCASTS = (
    b"",
    TEXT,
    b"\x1b[3m" + TEXT,
    b"RGme",
    b"RGme" + TEXT,
    65_000 * b"\x1b",
    *(b"RGme" + bytes([v]) + bytes(range(256)) * 4 for v in range(256)),
)


def program(name):
    return f"{get_package_prefix('luar_bridge')}/lib/luar_bridge/{name}"


@pytest.fixture
def user():
    name = f"test{uuid.uuid4().hex[:12]}"
    yield name
    for path in os.listdir(os.fsencode(DIRECTORY)):
        if path.endswith(name.encode()):
            os.unlink(os.fsencode(DIRECTORY) + b"/" + path)


@pytest.fixture
def memory(user):
    """The memory of player 1 of team 0, by a simulator."""
    given = ["--profile", "webots", "--user", user, "--ball-port", "0"]
    with Process([program("simulator"), *given]) as simulator:
        simulator.wait_for_line(".")
        yield simulator
        simulator.interrupt_group()
        assert simulator.wait() == 0
        hostile.assert_clean(simulator.lines.items)


@contextlib.contextmanager
def bridge(user, *parameters):
    given = [f"user:={user}", "joints:=false", "tables:=[document,example_tcm]", *parameters]
    words = [word for p in given for word in ("-p", p)]
    command = [program("bridge"), "--ros-args", "-r", "__ns:=/luar", *words]
    with Process(command) as process, RosPeer() as peer:
        link = peer.subscribe(LinkState, "/luar/link_state")
        reported = peer.subscribe(DiagnosticArray, "/diagnostics", qos.stream(50))
        link.wait_for(lambda m: m.state == LinkState.CONNECTED)
        yield process, peer, link
        count = len(reported.items)
        reported.wait_for_count(count + 2)
        process.interrupt_group()
        assert process.wait() == 0
        hostile.assert_clean(process.lines.items)
        hostile.assert_clean(state.detail for state in link.items)
        for status in (s for array in reported.items for s in array.status):
            hostile.assert_clean([status.message, *(v.key for v in status.values)])
            hostile.assert_clean(v.value for v in status.values)
        assert not [line for line in process.lines.items if "Traceback" in line]


def forge_name(path, name, forged):
    """Put other bytes in the place of the name of a variable."""
    data = path.read_bytes()
    at = data.rindex(name)
    with path.open("r+b") as file:
        file.seek(at)
        file.write(forged)


@pytest.mark.timeout(120)
def test_hostile_texts_in_the_memory_reach_no_log(memory, user):
    files = (
        b"\x1b]0;title\x07", b"tcm\x1b[31m\r\n[ERROR] [forged]: x", b"vcm\xff\x9b2J", b"tcm\x80",
        "tcm\u202eb".encode(), b"tcm" + 200 * b"x",
    )  # fmt: skip
    with SegmentOwner() as owner, bridge(user) as (process, peer, link):
        for file in files:
            end = f"01{user}".encode()
            Path(os.fsdecode(os.fsencode(DIRECTORY) + b"/" + file + end)).write_bytes(TEXT)
        texts, names = f"tcmSegment101{user}", f"tcmNames01{user}"
        owner.create(texts)
        owner.set_text(texts, "string_c", LATIN)
        owner.create(names)
        owner.set(names, hostile.CONTROLS, 1.0)
        owner.set(names, "plain", 2.0)
        owner.set(names, "twelve_bytes", 3.0)
        owner.sync()
        forge_name(DIRECTORY / names, b"twelve_bytes", b"\x1b[31m\r\n\xff\x9b2J")
        for name, size in (("gcmTeam", 10), ("wcmBall", 65536)):  # no segments any more
            path = DIRECTORY / f"{name}01{user}"
            data = path.read_bytes()
            path.unlink()
            path.write_bytes((TEXT * 2000)[:size] if size < len(data) else TEXT * 2000)
        process.wait_for_line(r"tcmNames: the name of a variable is not text: .*\\x1b")
        link.wait_for(lambda m: "gcmTeam" in m.detail and "wcmBall" in m.detail)
        got = peer.call(
            LuarGet,
            "/luar/get_variable",
            LuarGet.Request(segment="tcmSegment1", variable="string_c"),
        )
        assert got.text == LATIN  # what a robot says is passed on as it is
        given = ["--user", user, "--table", "document", "--table", "example_tcm", "--once"]
        with Process([program("monitor"), *given]) as monitor:
            assert monitor.wait() == 0
            hostile.assert_clean(monitor.lines.items)
            assert any("string_c" in line for line in monitor.lines.items)


@pytest.mark.timeout(120)
def test_hostile_datagrams_reach_no_log(memory, user):
    game, team = free_ports(2)
    sound = [Match((0, 1), 3).data(version) for version in LAYOUTS]
    wrong = [
        data for reported in map(encode, sound) for data in (reported[:-1], reported + b"\x1b")
    ]
    wrong += [
        reported[:5] + bytes([0x1B]) * (len(reported) - 5) for reported in map(encode, sound)
    ]
    mate = TeamMessage(0, 2, 0, 1, (1.0, 0.5, 0.0), (0.0, 0.0), None, False)
    lua = encode_team(mate, 1.0)
    teams = (
        *BROADCASTS[:3],
        65_000 * b"\x1b",
        b'{["%b"]=1,}' % TEXT,
        b'{["id"]="%b",}' % TEXT,
        b'{["id"]=%b,}' % TEXT,
        lua.replace(b"{", b'{["%b"]="%b",' % (TEXT, TEXT), 1),
        lua.replace(b'["pose"]', b'["%b"]' % TEXT),
        200 * b"{[1]=",
        STANDARD,
        STANDARD + TEXT,
        STANDARD + 848 * b"\x1b",
        STANDARD + struct.pack("<BBB", 6, 2, 0) + 800 * b"\xff",
    )
    addresses = [f"game_controller:=127.0.0.1:{game}", f"team_messages:=127.0.0.1:{team}"]
    with (
        bridge(user, *addresses, "game_controller_return:=true") as (process, peer, _),
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender,
    ):
        referee = peer.subscribe(LuarReferee, "/luar/referee", qos.LATCHED)
        mates = peer.subscribe(RobotArray, "/luar/team/mates", qos.stream(5))
        for port, datagrams in ((game, (*BROADCASTS, *wrong)), (team, teams)):
            for data in datagrams:
                sender.sendto(data, ("127.0.0.1", port))
        process.wait_for_line(r"GameController: ")
        process.wait_for_line("team message: ")

        def hears() -> bool:
            """Send once more: a datagram is lost where the socket's buffer is still full."""
            sender.sendto(encode(sound[-1]), ("127.0.0.1", game))
            sender.sendto(lua, ("127.0.0.1", team))
            return any(m.valid for m in referee.items) and any(m.robots for m in mates.items)

        until(hears, "the bridge does not hear who is not hostile")
        assert referee.last.version == sound[-1].version


def test_hostile_datagrams_do_not_end_the_referee():
    port, ball = free_ports(2)
    kicks = [struct.pack("<4sBB2d", b"Kick", 0, 1, v, v) for v in (1e308, -1e308, 5e-324)]
    hostile_ones = (*BROADCASTS[:6], b"Kick" + TEXT, b"Kick" + 18 * b"\xff", *kicks)
    given = ["--host", "127.0.0.1", "--port", str(port), "--ball-port", str(ball)]
    with (
        Process([program("referee"), *given]) as referee,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as receiver,
    ):
        receiver.settimeout(20.0)
        receiver.bind(("127.0.0.1", port))
        receiver.recv(2048)
        for data in hostile_ones:
            receiver.sendto(data, ("127.0.0.1", ball + 1))
        for _ in range(3):
            assert receiver.recv(2048)[:4] == b"RGme"
        referee.interrupt_group()
        assert referee.wait() == 0
        hostile.assert_clean(referee.lines.items)
