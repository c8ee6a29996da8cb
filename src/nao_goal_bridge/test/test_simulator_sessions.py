# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The simulator against an independent peer: bare sockets and bytes written by hand."""

from __future__ import annotations

import socket
import time
from typing import Any

import pytest

from legacy_robots_core.link.tcp import Role
from nao_goal_bridge.protocol import Dialect, Profile
from nao_goal_bridge.simulator.nao_settings import NaoSettings
from nao_goal_bridge.simulator.program import Simulator, SimulatorConfig

WALK = (
    "8F 00000001 8F 00000000 81 01 89 00000020"
    "8A 00000020 00000000 8A 00000010 00000001 8A 00000030 00000001"
)


# --- sessions ------------------------------------------------------------------------------


def test_a_session_byte_for_byte(stage: Any, role: Role) -> None:
    _, goal = stage.set_up(role)
    peer = goal.meet()
    peer.expect(stage.GREETING)
    peer.send("02 00000005")  # PickUp 5
    peer.expect("81 02 8D 00000005")  # Success, Holding
    peer.send("01 00000020 00000000")  # GoTo 32
    peer.expect(WALK)
    peer.send("03")  # PutDown
    peer.expect("81 03 8C 00000005")  # Success, Dropped
    peer.send("03")
    peer.expect("82 03")  # Failure: it holds nothing
    peer.send("01 00000064 00000000")
    peer.expect("82 01")  # Failure: there is no marker 100
    peer.send("04")  # Halt
    peer.expect("81 04")
    peer.send("00")  # Exit
    assert peer.read_to_the_end().hex(" ") == "81 00"


def test_the_same_session_in_the_late_dialect(stage: Any, role: Role) -> None:
    def spoken(*hex_events: str) -> bytes:
        return b"".join(
            "".join(f"{byte:08b}" for byte in bytes.fromhex(event)).encode() + b"\n"
            for event in hex_events
        )

    _, goal = stage.set_up(role, dialect=Dialect(Profile.NAOVIGATE))
    peer = goal.meet()
    for command, answers in (
        (None, ["8E 0000001F", "89 00000010"]),
        ("01 00000000", ["82 00000001"]),
        ("02", ["81 00000002", "8D 00000005", "81 00000002"]),
        ("01 00000002 00000005 00000005 0000000F 00000005",  # from tile (0, 0) to (1, 0)
         ["8F 00000001", "8F 00000000", "81 00000001", "89 00000020"]),
        ("01 00000001 00000005 00000005", ["82 00000001"]),  # the own tile alone is no way
        ("03", ["81 00000003", "8C"]),
        ("04", ["81 00000004"]),
    ):  # fmt: skip
        if command is not None:
            peer.sock.sendall(spoken(command))
        expected = spoken(*answers)
        assert peer.read(len(expected)) == expected
    peer.sock.sendall(b"0000\r\n0101")  # Say, whose argument is not known
    assert peer.read_to_the_end() == spoken("82 00000005")


def test_a_sign_of_life_from_goal_is_a_failure(stage: Any) -> None:
    _, goal = stage.set_up(dialect=Dialect(Profile.NAOVIGATE))
    peer = goal.meet()
    peer.sock.sendall(b"11111111")
    assert peer.read_to_the_end().endswith(b"10000010" + b"0" * 24 + b"11111111\n")


def test_wide_codes(stage: Any) -> None:
    _, goal = stage.set_up(dialect=Dialect(code_width=4))
    peer = goal.meet()
    peer.expect(stage.GREETING)
    peer.send("04 03")
    peer.expect("81 00000004 82 00000003")


def test_one_byte_at_a_time_is_the_same(stage: Any) -> None:
    _, goal = stage.set_up()
    peer = goal.meet()
    peer.expect(stage.GREETING)
    for byte in bytes.fromhex("03 01 00000020 00000000"):
        peer.sock.sendall(bytes([byte]))
    peer.expect("82 03" + WALK)


def test_markers_are_reported_again_and_again(stage: Any) -> None:
    _, goal = stage.set_up(settings=NaoSettings(agent_id=31, see_rate=100.0))
    peer = goal.meet()
    peer.expect(stage.GREETING + "8A 00000010 00000000 8A 00000020 00000001" * 5)


def test_what_runs_and_what_waits_fails_at_a_halt(stage: Any) -> None:
    _, goal = stage.set_up(settings=stage.SLOW)
    peer = goal.meet()
    peer.expect(stage.GREETING)
    peer.send("01 00000020 00000000 03 02 00000005 04")
    peer.expect("8F 00000001 82 01 82 03 82 02 8F 00000000 81 04")


# --- what is not in order ------------------------------------------------------------------


def test_an_unknown_opcode_fails_and_ends_the_connection(stage: Any, role: Role) -> None:
    _, goal = stage.set_up(role)
    peer = goal.meet()
    peer.expect(stage.GREETING)
    peer.send("04 77 04 04 04")
    assert peer.read_to_the_end().hex(" ") == "81 04 82 77"
    peer.sock.close()
    goal.meet().expect(stage.GREETING)


def test_a_truncated_command_is_never_carried_out(
    stage: Any, caplog: pytest.LogCaptureFixture
) -> None:
    simulator, goal = stage.set_up()
    peer = goal.meet()
    peer.expect(stage.GREETING)
    peer.send("01 00000020 000000")
    peer.sock.close()
    goal.meet().expect(stage.GREETING)
    assert "connection ended inside a GoTo event, 8 of 9 bytes" in caplog.text
    assert simulator.wait_for(lambda: simulator.world.room == 16)


def test_a_second_client_is_refused_and_the_first_goes_on(stage: Any) -> None:
    _, goal = stage.set_up(Role.LISTEN)
    peer = goal.meet()
    peer.expect(stage.GREETING)
    assert goal.meet().read_to_the_end() == b""
    peer.send("04")
    peer.expect("81 04")


def test_a_lost_link_stops_the_nao(stage: Any, role: Role) -> None:
    simulator, goal = stage.set_up(role, settings=stage.SLOW)
    peer = goal.meet()
    peer.expect(stage.GREETING)
    peer.send("01 00000020 00000000 03")
    peer.expect("8F 00000001")
    peer.sock.close()
    assert simulator.wait_for(lambda: simulator.world.state == 0)
    peer = goal.meet()
    peer.expect(stage.GREETING)
    peer.send("04")
    peer.expect("81 04")  # neither the walk nor the PutDown is reported any more


def test_a_reset_connection_is_a_lost_link(stage: Any) -> None:
    _, goal = stage.set_up()
    peer = goal.meet()
    peer.expect(stage.GREETING)
    linger_zero = b"\1\0\0\0\0\0\0\0"  # closing resets
    peer.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger_zero)
    peer.sock.close()
    goal.meet().expect(stage.GREETING)


def test_it_dials_until_goal_is_there(stage: Any, peer_type: Any) -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))  # and does not listen yet: connections are refused
        config = SimulatorConfig(
            port=listener.getsockname()[1], room_map=stage.MAZE, settings=stage.QUICK
        )
        simulator = Simulator(config)
        simulator.start()
        try:
            assert not simulator.wait_for(lambda: simulator.connected, 0.1)
            listener.listen()
            listener.settimeout(stage.TIMEOUT)
            begun = time.monotonic()
            with listener.accept()[0] as sock:
                peer_type(sock).expect(stage.GREETING)
            assert time.monotonic() - begun < 4.0
        finally:
            simulator.close()


def test_a_peer_that_does_not_read_is_left(stage: Any) -> None:
    simulator, goal = stage.set_up()
    peer = goal.meet()
    peer.expect(stage.GREETING)
    for _ in range(200):  # 18 MB
        simulator.inject("flood")
    assert simulator.wait_for(lambda: simulator.connections >= 2)
    goal.meet().expect(stage.GREETING)


def test_it_can_be_closed_at_any_time(stage: Any) -> None:
    Simulator(SimulatorConfig(room_map=stage.MAZE)).close()
    simulator, goal = stage.set_up(Role.LISTEN)
    peer = goal.meet()
    peer.expect(stage.GREETING)
    simulator.close()
    simulator.close()
    assert peer.read_to_the_end() == b""
    assert not simulator.connected
    with pytest.raises(ConnectionRefusedError):
        goal.meet()


def test_goal_that_closes_and_dials_again_at_once_is_served_each_time(stage: Any) -> None:
    _, goal = stage.set_up(Role.LISTEN)
    peer = goal.meet()
    for _ in range(100):
        peer.expect(stage.GREETING)
        peer.send("04" * 100)
        peer.sock.close()
        peer = goal.meet()
    peer.expect(stage.GREETING)
