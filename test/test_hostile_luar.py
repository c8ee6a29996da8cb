# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Hostile texts in Luar's shared memory: nothing dies, nothing is logged."""

import contextlib
import os
import uuid
from pathlib import Path

import pytest
from ament_index_python.packages import get_package_prefix
from diagnostic_msgs.msg import DiagnosticArray

from legacy_robots_common.node import qos
from legacy_robots_msgs.msg import LinkState
from legacy_robots_msgs.srv import LuarGet
from legacy_robots_testing import hostile
from legacy_robots_testing.process import Process
from legacy_robots_testing.ros_peer import RosPeer
from luar_bridge.protocol.naming import DIRECTORY
from luar_bridge.simulator.segment_owner import SegmentOwner

TEXT = hostile.CONTROLS.encode()
LATIN = "".join(map(chr, range(1, 256))) + hostile.CONTROLS.replace("\u202e", "")


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
