# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The simulated GTI server against an independent peer: bare sockets and bytes written by hand."""

from __future__ import annotations

import math
import struct
import sys
import time
from collections.abc import Callable

import pytest

from aibo_gti_bridge.model.room import Ball, Room
from aibo_gti_bridge.protocol.server_session import MAX_WAITING
from aibo_gti_bridge.simulator.gti import Simulator
from aibo_gti_bridge.simulator.program import main, make, parse_arguments
from aibo_gti_bridge.simulator.world import Press
from legacy_robots_testing.byte_peer import BytePeer
from legacy_robots_testing.process import Process

TIMEOUT = 40.0
AHEAD = Room(balls=[Ball("orange", 0.2, 0.0)])


def test_all_commands_in_bytes(make_simulator: Callable[..., Simulator]) -> None:
    simulator = make_simulator(room=AHEAD)
    dog = simulator.world
    with BytePeer(simulator.port) as peer:
        peer.send("iii3i", 1, 16, 3, 12, 103, 205)  # querySensors: tilt, right rear paw, DAccel
        tilt, paw, down = peer.read("3d")
        assert tilt == pytest.approx(math.radians(-5), abs=0.01)
        assert paw == 1.0
        assert down == pytest.approx(-9.8, abs=0.2)
        peer.send("iii", 2, 4, 4)  # queryBall orange
        x, y, area, visible, colour = peer.read("3dii")
        assert (visible, colour) == (1, 4)
        assert abs(x) < 0.05
        assert 0.0 < y < 0.5
        assert 0.0 < area < 0.1
        peer.send("iii", 2, 4, 0)  # queryBall pink
        assert peer.read("3dii") == (0.0, 0.0, 0.0, 0, 0)
        peer.send("iiiiiid", 4, 24, 1, 0, 13, 200, 30.0)  # moveJoints: pan to 30 degrees
        assert simulator.wait_for(
            lambda: dog.body.positions["neck_pan"] == pytest.approx(math.radians(30))
        )
        peer.send("iii", 3, 4, 4)  # searchBall orange
        assert peer.read("i") == (1,)
        peer.send("ii9s", 5, 9, b"wave.mot\0")  # motion
        assert simulator.wait_for(lambda: dog.body.playing == "wave.mot")
        peer.send("ii3dii", 6, 32, 100.0, 0.0, 0.0, -1, 0)  # walk
        assert simulator.wait_for(lambda: dog.walker.target == (0.1, 0.0, 0.0))
        peer.send("ii3dii", 7, 32, 0.0, 0.0, 0.1, 1, 0)  # walk_steps
        assert simulator.wait_for(lambda: dog.walker.target[2] == pytest.approx(0.2))


def test_commands_may_arrive_in_pieces_and_together(
    make_simulator: Callable[..., Simulator],
) -> None:
    simulator = make_simulator()
    with BytePeer(simulator.port) as peer:
        data = struct.pack("<iiii", 1, 8, 1, 17) * 3
        for byte in data[:20]:
            peer.sock.sendall(bytes([byte]))
        peer.sock.sendall(data[20:])
        assert len(set(peer.read("3d"))) <= 2  # of one or two sensor cycles
        peer.send("iiii", 1, 8, 1, 999)
        assert math.isnan(peer.read("d")[0])


def test_a_search_blocks_what_comes_after_it(make_simulator: Callable[..., Simulator]) -> None:
    simulator = make_simulator(room=Room(balls=[]), time_scale=8.0)
    with BytePeer(simulator.port) as peer:
        peer.send("iii" + "iiii", 3, 4, 0, 1, 8, 1, 17)
        begun = time.monotonic()
        assert peer.read("i") == (0,)
        assert time.monotonic() - begun > 0.5
        assert peer.read("d")[0] < 0.0


def test_what_the_robot_does_not_know_is_passed_over(
    make_simulator: Callable[..., Simulator], caplog: pytest.LogCaptureFixture
) -> None:
    simulator = make_simulator()
    with BytePeer(simulator.port) as peer:
        peer.send("ii4s", 5, 4, b"none")
        peer.send("iiiiiid", 4, 24, 1, 0, 99, 0, 0.0)
        peer.send("iii", 2, 4, 77)
        assert peer.read("3dii")[3:] == (0, 77)
    assert "there is no none in" in caplog.text
    assert "there is no joint 99" in caplog.text
    assert "77 is no colour" in caplog.text


@pytest.mark.parametrize(
    "data,sentence",
    [
        (b"\0" * 8, "0 is no command type"),
        (struct.pack("<ii", 1, 5), "cannot have a body of 5 bytes"),
        (struct.pack("<ii", 6, 28), "cannot have a body of 28 bytes"),
        (b"GET / HTTP/1.1\r\n\r\n", "is no command type"),
    ],
)
def test_what_is_no_command_ends_the_connection(
    make_simulator: Callable[..., Simulator], caplog: pytest.LogCaptureFixture, data: bytes,
    sentence: str,
) -> None:  # fmt: skip
    caplog.set_level("INFO")
    simulator = make_simulator()
    with BytePeer(simulator.port) as peer:
        peer.send("ii3dii", 6, 32, 100.0, 0.0, 0.0, -1, 0)
        peer.sock.sendall(data)
        assert peer.read_to_the_end() == b""
    assert sentence in caplog.text
    assert simulator.wait_for(lambda: not simulator.world.walker.walking)
    with BytePeer(simulator.port) as peer:
        peer.send("iiii", 1, 8, 1, 17)
        assert peer.read("d")


def test_many_queries_at_once_are_answered(make_simulator: Callable[..., Simulator]) -> None:
    with BytePeer(make_simulator().port) as peer:
        count = 2 * MAX_WAITING
        peer.sock.sendall(struct.pack("<iiii", 1, 8, 1, 17) * count)
        assert all(value < 0.0 for value in peer.read(f"{count}d"))


def test_too_many_commands_behind_a_search(
    make_simulator: Callable[..., Simulator], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    simulator = make_simulator(room=Room(balls=[]))
    with BytePeer(simulator.port) as peer:
        peer.send("iii", 3, 4, 0)
        peer.sock.sendall(struct.pack("<iii", 2, 4, 0) * (MAX_WAITING + 1))
        assert peer.read_to_the_end() == b""
    assert f"{MAX_WAITING + 1} commands wait behind a search" in caplog.text


def test_a_second_client_is_turned_away(make_simulator: Callable[..., Simulator]) -> None:
    simulator = make_simulator()
    with BytePeer(simulator.port) as peer:
        assert simulator.wait_for(lambda: simulator.connected)
        with BytePeer(simulator.port) as second:
            assert second.read_to_the_end() == b""
        peer.send("iiii", 1, 8, 1, 17)
        assert peer.read("d")


def test_the_dog_stops_when_its_client_goes(make_simulator: Callable[..., Simulator]) -> None:
    simulator = make_simulator()
    dog = simulator.world
    with BytePeer(simulator.port) as peer:
        peer.send("ii3dii", 6, 32, 100.0, 0.0, 0.0, -1, 0)
        peer.send("iiiiiid", 4, 24, 1, 0, 13, 9000, 80.0)
        assert simulator.wait_for(lambda: dog.walker.walking and dog.body.moving)
    assert simulator.wait_for(lambda: not simulator.connected)
    assert not dog.active


@pytest.mark.parametrize("fault", ["cut", "flood", "garbage"])
def test_faults_in_bytes(make_simulator: Callable[..., Simulator], fault: str) -> None:
    simulator = make_simulator(seed=7)
    with BytePeer(simulator.port) as peer:
        assert simulator.wait_for(lambda: simulator.connected)
        simulator.inject(fault)
        if fault == "cut":
            assert len(peer.read_to_the_end()) == 12  # half of three doubles
        elif fault == "flood":
            assert len(peer.read("720000s")[0]) == 720_000
        else:
            again = make_simulator(seed=7)
            with BytePeer(again.port) as other:
                assert again.wait_for(lambda: again.connected)
                again.inject(fault)
                assert peer.read("997s") == other.read("997s")


# --- the program ---------------------------------------------------------------------------


def test_arguments() -> None:
    config, level = parse_arguments(
        [
            "--port", "0", "--seed", "5", "--overlays", "acknowledged, ball-int-first-32",
            "--ball", "green,1,-0.5", "--ball", "pink,0,0.5", "--start", "0.1,0.2,0.3", "--press",
            "HeadBut,1,2", "--charge", "0.5", "--log-level", "warning", "--fault", "cut",
            "--ros-args", "-r", "__ns:=/aibo",
        ]
    )  # fmt: skip
    assert level == "warning"
    assert "walk" in config.wire.acknowledged
    assert config.wire.layouts["ball"].names == ("visible", "x", "y", "area")
    assert config.room is not None
    assert [(b.colour, b.x, b.y) for b in config.room.balls] == [
        ("green", 1.0, -0.5), ("pink", 0.0, 0.5)
    ]  # fmt: skip
    assert (config.settings.x, config.settings.y, config.settings.yaw) == (0.1, 0.2, 0.3)
    assert config.settings.presses == (Press("HeadBut", 1.0, 2.0),)
    assert (config.port, config.seed, config.faults) == (0, 5, ("cut",))
    assert make(parse_arguments([])[0]).port == 10100
    assert make(parse_arguments(["--profile", "tekkotsu"])[0]).port == 10020
    assert parse_arguments(["--start", "-0.8,0,0"])[0].settings.x == -0.8


@pytest.mark.parametrize(
    "arguments,sentence",
    [
        (["--ball", "red,1,1"], "'red' is none of pink"),
        (["--ball", "pink,1"], "must be COLOUR,X,Y in metres, not 'pink,1'"),
        (["--ball", "pink"], "must be COLOUR,X,Y in metres, not 'pink'"),
        (["--press", "HeadBut"], "must be BUTTON,AT,SECONDS, not 'HeadBut'"),
        (["--start", "1,2"], "must be X,Y,YAW"),
        (["--press", "Nose,1,1"], "'Nose' is no button"),
        (["--overlays", "tcpcomm"], "wire table 'tcpcomm' cannot be read"),
        (["--charge", "2"], "must be a probability"),
        (["--fault", "fire"], "must be of cut"),
        (["--bite"], "unrecognized arguments: --bite"),
    ],
)
def test_wrong_arguments_are_a_sentence(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert sentence in capsys.readouterr().err


@pytest.mark.node
def test_a_port_in_use_is_a_sentence(make_simulator: Callable[..., Simulator]) -> None:
    port = make_simulator().port
    command = [sys.executable, "-m", "aibo_gti_bridge.simulator.program", "--port", str(port)]
    with Process(command) as program:
        program.wait_for_line(f"port {port} of 127.0.0.1 is in use")
        assert program.wait() == 1
