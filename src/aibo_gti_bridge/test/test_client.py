# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The predicates as Python functions, against the simulator and against broken servers."""

from __future__ import annotations

import math
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest

from aibo_gti_bridge.client import AiboClient, AiboError, RefusedError
from aibo_gti_bridge.model.joints import NAMES
from aibo_gti_bridge.model.poses import STANDING
from aibo_gti_bridge.model.room import Ball, Room
from aibo_gti_bridge.protocol import wire_table as w
from aibo_gti_bridge.simulator.gti import Simulator

AHEAD = Room(balls=[Ball("pink", 0.0, 0.0)])
ALL_OPTIONS: list[list[str]] = [[], ["ball-int-first-32"], ["acknowledged"]]


@pytest.mark.parametrize("overlays", ALL_OPTIONS, ids=lambda names: "+".join(names) or "default")
def test_all_predicates_with_every_option_of_the_wire(
    make_simulator: Callable[..., Simulator], overlays: list[str]
) -> None:
    wire = w.load(overlays)
    simulator = make_simulator(wire=wire, room=AHEAD)
    world = simulator.world
    with AiboClient(port=simulator.port, wire=wire) as aibo:
        values = aibo.query_sensors([*NAMES, "ChestIRDist", "DAccel", "LFrPaw"])
        assert values["ChestIRDist"] == pytest.approx(264.0, rel=0.1)
        assert values["DAccel"] == pytest.approx(-9.8, abs=0.2)
        assert values["LFrPaw"] == 1.0
        for name in NAMES:
            assert values[name] == pytest.approx(STANDING[name], abs=0.01)
        ball = aibo.query_ball("pink")
        assert ball.visible
        assert abs(ball.x) < 0.05
        assert 0.0 < ball.y < 0.4
        assert aibo.query_ball("orange") == aibo.query_ball("blue")
        assert not aibo.query_ball("orange").visible
        assert aibo.search_ball("pink") is True
        assert abs(aibo.query_ball("pink").y) < 0.1
        aibo.move_joints({"neckPan": 0.5, "NECK:tilt": -0.2}, 0.1)
        assert simulator.wait_for(
            lambda: (
                abs(world.body.positions["neck_pan"] - 0.5) < 1e-6
                and abs(world.body.positions["neck_tilt"] + 0.2) < 1e-6
            )
        )
        aibo.walk(0.1, 0.0, 0.0)
        assert simulator.wait_for(lambda: world.walker.velocity[0] == pytest.approx(0.1))
        aibo.walk(0.0, 0.0, 0.0)
        assert simulator.wait_for(lambda: not world.walker.walking)
        aibo.walk_steps(0.0, 0.05, 0.0, 1)
        assert simulator.wait_for(lambda: world.y == pytest.approx(0.05, abs=1e-6))
        aibo.motion("wave")
        assert simulator.wait_for(lambda: world.body.playing == "wave.mot")


def test_a_ball_that_is_not_there_is_searched_for_and_not_found(
    make_simulator: Callable[..., Simulator],
) -> None:
    simulator = make_simulator(room=AHEAD, time_scale=8.0)
    with AiboClient(port=simulator.port) as aibo:
        assert aibo.search_ball("green") is False


def test_what_the_robot_does_not_measure_is_nan(make_simulator: Callable[..., Simulator]) -> None:
    simulator = make_simulator()
    wire = w.load()
    with socket.create_connection(("127.0.0.1", simulator.port)) as peer:
        peer.sendall(bytes.fromhex("01000000 08000000 01000000 12000000"))  # an LED
        assert math.isnan(w.Layout("sensor_value", ["value float64"], "little").unpack(
            peer.recv(8))["value"])  # fmt: skip
    assert 18 not in wire.names_of_ids


def test_an_acknowledging_robot_says_what_it_refused(
    make_simulator: Callable[..., Simulator],
) -> None:
    wire = w.load(["acknowledged"])
    simulator = make_simulator(wire=wire)
    with AiboClient(port=simulator.port, wire=wire) as aibo:
        with pytest.raises(RefusedError, match="motion: the robot answered with status 1"):
            aibo.motion("nothing")
        assert not aibo.query_ball("pink").visible  # the connection stays


@pytest.mark.parametrize(
    "call,sentence",
    [
        (lambda aibo: aibo.query_sensors(["wing"]), "'wing' is no sensor of an ERS-7"),
        (lambda aibo: aibo.query_sensors([]), "query_sensors is about 0 items"),
        (lambda aibo: aibo.query_ball("red"), "'red' is none of pink, blue"),
        (lambda aibo: aibo.search_ball("red"), "'red' is none of"),
        (lambda aibo: aibo.move_joints({"wing": 1.0}), "'wing' is no joint"),
        (lambda aibo: aibo.move_joints({"neckPan": 0, "NECK:pan": 0}), "neck_pan is named twice"),
        (lambda aibo: aibo.move_joints({"neckPan": 2.0}), "neck_pan at 2.0000 rad is outside"),
        (lambda aibo: aibo.move_joints({}), "move_joints is about 0 items"),
        (lambda aibo: aibo.motion("../etc/passwd"), "no file name"),
        (lambda aibo: aibo.walk(math.nan, 0, 0), "dx is nan"),
        (lambda aibo: aibo.walk_steps(0, 0, 0, 0), "0 steps"),
    ],
)
def test_a_wrong_argument_is_named_and_nothing_is_sent(
    make_simulator: Callable[..., Simulator], call: Callable[[AiboClient], object], sentence: str
) -> None:
    simulator = make_simulator()
    with AiboClient(port=simulator.port) as aibo:
        with pytest.raises(ValueError, match=sentence):
            call(aibo)
        assert aibo.query_ball("pink").x == 0.0


def test_no_server() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with pytest.raises(AiboError, match=f"cannot reach 127.0.0.1:{port}: Connection refused"):
        AiboClient(port=port)


@pytest.fixture
def serve() -> Iterator[Callable[[bytes], int]]:
    """Return a function that serves one connection with a fixed answer, then closes it."""
    sockets: list[socket.socket] = []

    def start(answer: bytes, *, close: bool = True) -> int:
        server = socket.create_server(("127.0.0.1", 0))
        sockets.append(server)

        def run() -> None:
            stream, _ = server.accept()
            sockets.append(stream)
            with suppress(OSError):  # the test may be over before
                stream.recv(1000)
                stream.sendall(answer)
                if close:
                    stream.shutdown(socket.SHUT_WR)

        threading.Thread(target=run, daemon=True).start()
        return int(server.getsockname()[1])

    yield start
    for each in sockets:
        each.close()


@pytest.mark.parametrize(
    "answer,sentence",
    [
        (b"", "query_ball: .* has closed the connection"),
        (b"\0" * 5, "query_ball: the stream ended inside the reply to query_ball, after 5 of 32"),
        (b"\0" * 33, "query_ball: 1 bytes that answer no command"),
        (b"\xff" * 32, "query_ball: visible must be 0 or 1, not -1"),
    ],
)
def test_a_server_that_breaks_the_protocol(
    serve: Callable[..., int], answer: bytes, sentence: str
) -> None:
    with AiboClient(port=serve(answer)) as aibo:
        with pytest.raises(AiboError, match=sentence):
            aibo.query_ball("pink")
        with pytest.raises(AiboError, match="is closed"):
            aibo.query_ball("pink")


def test_a_server_that_does_not_answer(serve: Callable[..., int]) -> None:
    with (
        AiboClient(port=serve(b"", close=False), timeout=0.1) as aibo,
        pytest.raises(AiboError, match="does not answer query_ball"),
    ):
        aibo.query_ball("pink")
