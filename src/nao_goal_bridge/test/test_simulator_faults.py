# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The simulator's faults, as an independent peer meets them."""

from __future__ import annotations

import time
from typing import Any

import pytest

from legacy_robots_core.link.tcp import Role
from legacy_robots_simulation.program import Fault
from nao_goal_bridge.protocol import Dialect, Holding, Profile, See
from nao_goal_bridge.simulator.nao_settings import NaoSettings


def test_cut(stage: Any, role: Role) -> None:
    simulator, goal = stage.set_up(role)
    peer = goal.meet()
    peer.expect(stage.GREETING)
    simulator.inject(Fault.CUT)
    assert peer.read_to_the_end().hex(" ") == "8e 00", "the beginning of an Agent event"
    peer.sock.close()
    begun = time.monotonic()
    goal.meet().expect(stage.GREETING)
    assert time.monotonic() - begun < 4.0


def test_stall(stage: Any) -> None:
    simulator, goal = stage.set_up(fault_seconds=0.3)
    peer = goal.meet()
    peer.expect(stage.GREETING)
    begun = time.monotonic()
    simulator.inject("stall")
    assert simulator.wait_for(lambda: simulator.stalled)
    peer.send("04")
    peer.expect("81 04")
    assert time.monotonic() - begun >= 0.3


def test_nothing_moves_during_a_stall(stage: Any) -> None:
    settings = NaoSettings(agent_id=31, speed=5.0, see_rate=0.0)
    simulator, goal = stage.set_up(settings=settings, fault_seconds=0.5)
    peer = goal.meet()
    peer.expect(stage.GREETING)
    peer.send("01 00000020 00000000")
    peer.expect("8F 00000001")
    begun = time.monotonic()
    simulator.inject("stall")
    peer.expect("8F 00000000 81 01 89 00000020")
    assert time.monotonic() - begun >= 0.5 + 0.1, "0.2 s of walking, begun before the stall"


def test_flood(stage: Any) -> None:
    simulator, goal = stage.set_up()
    peer = goal.meet()
    peer.expect(stage.GREETING)
    simulator.inject("flood")
    peer.expect("8A 00000010 00000000 8A 00000020 00000001" * 5000)
    peer.send("04")
    peer.expect("81 04")


@pytest.mark.parametrize("profile", list(Profile), ids=lambda profile: profile.value)
def test_garbage(stage: Any, profile: Profile) -> None:
    simulator, goal = stage.set_up(dialect=Dialect(profile))
    peer = goal.meet()
    reports = len([kind for kind in Dialect(profile).greeting if kind is not Holding])
    sights = 2 if Dialect(profile).has(See) else 0
    if Dialect(profile).grammar.in_bits:
        peer.read(reports * (8 * 5 + 1) + sights * (8 * 9 + 1))
    else:
        peer.read(reports * 5 + sights * 9)
    simulator.inject("garbage")
    assert peer.read(64)[0] == 0x7F


def test_restart(stage: Any, role: Role) -> None:
    simulator, goal = stage.set_up(role, fault_seconds=0.3)
    peer = goal.meet()
    peer.expect(stage.GREETING)
    begun = time.monotonic()
    simulator.inject("restart")
    assert peer.read_to_the_end() == b""
    peer.sock.close()
    if role is Role.LISTEN:
        assert simulator.wait_for(lambda: not simulator.connected)
        with pytest.raises(ConnectionRefusedError):
            goal.meet()
        assert simulator.wait_for(lambda: simulator.listening)
    goal.meet().expect(stage.GREETING)
    assert 0.3 <= time.monotonic() - begun < 4.0


def test_error(stage: Any) -> None:
    simulator, goal = stage.set_up(settings=stage.SLOW)
    peer = goal.meet()
    peer.expect(stage.GREETING)
    peer.send("01 00000020 00000000")
    peer.expect("8F 00000001")
    simulator.inject("error")
    peer.expect("80")
    peer.send("04 03")
    peer.expect("82 04 82 03")
    peer.sock.close()
    peer = goal.meet()
    peer.expect(stage.GREETING)
    peer.send("04")
    peer.expect("81 04")


def test_a_flap_is_two_short_connections(stage: Any) -> None:
    simulator, goal = stage.set_up()
    peer = goal.meet()
    peer.expect(stage.GREETING)
    simulator.inject("flap")
    assert peer.read_to_the_end() == b""
    peer.sock.close()
    peer = goal.meet()
    peer.expect(stage.GREETING)
    assert peer.read_to_the_end() == b""
    peer.sock.close()
    goal.meet().expect(stage.GREETING)
    assert simulator.connections == 3


def test_a_delayed_segment_arrives_with_what_follows_it(
    stage: Any, caplog: pytest.LogCaptureFixture
) -> None:
    simulator, goal = stage.set_up(fault_seconds=0.3)
    peer = goal.meet()
    peer.expect(stage.GREETING)
    begun = time.monotonic()
    simulator.inject("delay")
    assert simulator.wait_for(lambda: "fault: delay" in caplog.text)
    peer.send("04 04")
    peer.expect("81 04 81 04")
    assert time.monotonic() - begun >= 0.3
    peer.send("04")
    peer.expect("81 04")


def test_a_long_leg_takes_longer(stage: Any) -> None:
    simulator, goal = stage.set_up(settings=stage.SLOW, fault_seconds=1000.0)
    peer = goal.meet()
    peer.expect(stage.GREETING)
    simulator.inject("long-leg")  # nothing runs, and nothing comes of it
    peer.send("01 00000020 00000000")
    peer.expect("8F 00000001")
    before = simulator.world.next_due()
    simulator.inject("long-leg")
    assert simulator.wait_for(lambda: simulator.world.next_due() > before + 900.0)


def test_a_fault_without_a_link_waits_for_one(stage: Any) -> None:
    simulator, goal = stage.set_up(Role.LISTEN)
    simulator.inject("cut")
    assert goal.meet().read_to_the_end() == bytes.fromhex(stage.GREETING + "8E 00")


def test_an_unknown_fault_is_refused(stage: Any) -> None:
    simulator, _ = stage.set_up(Role.LISTEN)
    with pytest.raises(ValueError, match=r"unknown fault 'fire', known are cut, stall, .*, error"):
        simulator.inject("fire")
