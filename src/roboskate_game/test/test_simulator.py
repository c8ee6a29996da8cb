# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The simulator as a program: its command line, its end, and its faults on the wire."""

from __future__ import annotations

import json
import re
import signal
import sys
import urllib.request

import pytest

from legacy_robots_testing.process import Process
from roboskate_game.client.client import GameClient, open_transport
from roboskate_game.client.transport import DeadlineError, Timeouts, TransportError, TransportKind
from roboskate_game.protocol.dialect import Dialect, Profile
from roboskate_game.protocol.messages import CallFailedError, ImageSize, Keys, WrongLengthError
from roboskate_game.simulator.program import parse_arguments

COMMAND = [
    sys.executable,
    "-m",
    "roboskate_game.simulator.program",
    "--port",
    "0",
    "--http-port",
    "0",
]


def started(process):
    """Return the two ports that a simulator says it listens on."""
    line = process.wait_for_line("gRPC on")
    found = re.search(r"gRPC on 127\.0\.0\.1:(\d+), HTTP on 127\.0\.0\.1:(\d+)", line)
    return int(found[1]), int(found[2])


def client_of(port, kind=TransportKind.GRPC, profile=Profile.SPEC, **timeouts):
    return GameClient(
        open_transport(kind, "127.0.0.1", port), Dialect(profile), Timeouts(**timeouts)
    )


@pytest.mark.node
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_serves_both_wires_and_ends_well(number):
    with Process([*COMMAND, "--width", "64", "--height", "36"]) as process:
        grpc_port, http_port = started(process)
        for kind, port in ((TransportKind.GRPC, grpc_port), (TransportKind.HTTP, http_port)):
            client = client_of(port, kind)
            assert client.initialize(0, ImageSize(1, 1)) == ImageSize(64, 36)
            assert client.run_game(0.5) == 0.5
            client.get_camera(ImageSize(64, 36))
            client.close()
        process.signal(number)
        assert process.wait() == 0


@pytest.mark.node
def test_a_port_in_use_is_one_sentence(make_game):
    game = make_game()
    for option, port in (("--port", game.port), ("--http-port", game.http_port)):
        with Process([*COMMAND, option, str(port)]) as process:
            process.wait_for_line(rf"cannot listen on 127\.0\.0\.1:{port}")
            assert process.wait() == 1


@pytest.mark.parametrize(
    "arguments", [["--profile", "guess"], ["--port", "70000"], ["--width", "0"], ["--fault", "no"],
                  ["--width", "7680", "--height", "4320"], ["--nothing"], ["--sub-steps", "0"],
                  ["--physics", "wind=1"], ["--physics", "tip_friction=nan"],
                  ["--image-format", "gif"]],
)  # fmt: skip
def test_bad_arguments_are_one_sentence(arguments, capsys):
    with pytest.raises(SystemExit) as caught:
        parse_arguments(arguments)
    assert caught.value.code == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_ros_arguments_are_passed_over():
    config, _ = parse_arguments(["--port", "0", "--ros-args", "-r", "__ns:=/skate"])
    assert config.port == 0


def wait_for_lines(process, words, count):
    process.lines.wait_for(lambda _: sum(words in x for x in process.lines.items) == count)


@pytest.mark.node
def test_a_fault_happens_when_its_time_has_come_and_at_the_signal():
    with Process(
        [*COMMAND, "--fault", "wrong_length", "--fault-after", "0", "--fault-seconds", "5.0"]
    ) as process:
        port, _ = started(process)
        client = client_of(port)
        client.initialize(0, ImageSize(1, 1))
        client.run_game(0.02)
        for count in (1, 2):
            wait_for_lines(process, "fault: wrong_length", count)
            with pytest.raises(WrongLengthError):
                client.get_info()
            wait_for_lines(process, "well again", count)
            client.get_info()
            process.signal(signal.SIGUSR1)
        client.close()


@pytest.mark.parametrize("kind", list(TransportKind))
def test_every_call_has_a_deadline(make_game, kind):
    game = make_game(fault_seconds=60.0)
    port = game.port if kind is TransportKind.GRPC else game.http_port
    client = client_of(port, kind, initialize=0.2, call=0.2, camera=0.2)
    client.initialize(0, ImageSize(1, 1))
    game.inject("stall")
    for call in (
        lambda: client.initialize(0, ImageSize(1, 1)), client.shutdown, client.get_info,
        lambda: client.run_game(0.1), lambda: client.get_camera(ImageSize(64, 36)),
    ):  # fmt: skip
        with pytest.raises(DeadlineError, match=r"did not answer within 0\.[23] s"):
            call()
    client.close()


@pytest.mark.parametrize("kind", list(TransportKind))
def test_nobody_there(free_port, kind):
    client = client_of(free_port, kind)
    with pytest.raises(TransportError, match="cannot be reached"):
        client.get_info()
    client.close()
    with pytest.raises(TransportError, match="closed"):
        client.get_info()


@pytest.mark.parametrize("kind", list(TransportKind))
def test_two_clients_play_games_of_their_own(make_game, kind):
    game = make_game("game")
    port = game.port if kind is TransportKind.GRPC else game.http_port
    first, second, third = (client_of(port, kind, Profile.GAME) for _ in range(3))
    size = ImageSize(64, 36)
    first.initialize(0, size)
    second.initialize(2, size)
    second.set_info(Keys(1.0, 0.0, 0.0))
    first.run_game(0.1)
    second.run_game(0.5)
    assert first.get_info().position == pytest.approx((0.0, 0.0, 0.0), abs=1e-6)
    assert first.get_info().joint_angles == (0.0, 0.0, 0.0)
    assert second.get_info().position[0] == pytest.approx(80.0, abs=0.5)
    assert second.get_info().joint_angles[0] > 10.0
    # One that loads nothing sees the game that was begun last.
    assert third.get_info().joint_angles == second.get_info().joint_angles
    # Loading a level again is no new game.
    first.initialize(1, size)
    assert third.get_info().position == first.get_info().position
    for client in (first, second, third):
        client.close()


def test_a_refused_level_leaves_the_games_of_all_clients(make_game, our_client):
    game = make_game("game")
    with (
        our_client(game.port, Profile.GAME) as player,
        our_client(game.port, Profile.GAME) as wrong,
        our_client(game.port, Profile.GAME) as watcher,
    ):
        player.initialize(1, ImageSize(16, 9))
        seen = watcher.get_info()
        with pytest.raises(CallFailedError):
            wrong.initialize(99, ImageSize(16, 9))
        assert watcher.get_info() == wrong.get_info() == player.get_info() == seen


def test_get_info_answers_get(make_game):
    game = make_game("spec")
    address = f"http://127.0.0.1:{game.http_port}/get_info"
    with urllib.request.urlopen(address, timeout=20) as answer:
        assert json.load(answer) == [1]  # no level
