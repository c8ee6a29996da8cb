# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The server writes a record of every game, which can be replayed."""

from __future__ import annotations

import math
import os
import random
import signal
import time

import pytest
from ament_index_python.packages import get_package_prefix

from bw4t_study.record import read_game, records_in
from bw4t_study.replay import Replay
from legacy_robots_msgs.srv import Bw4tReset, Bw4tSendMessage
from legacy_robots_testing.process import Process
from legacy_robots_testing.ros_peer import RosPeer

pytestmark = pytest.mark.node

KILLS = int(os.environ.get("BW4T_KILLS", "2"))
"""Environment variable: how often the server is killed."""


def test_games_are_recorded(serve, tmp_path):
    server, peer = serve(paused=True, record=str(tmp_path))
    stream = server.runner.open_percepts("Bot_1", lambda cycle: None)
    server.runner.act("Bot_1", "goTo", "RoomC1")
    server.runner.step(500).result(20)
    (path,) = records_in(tmp_path)
    game = read_game(path)
    assert game.end is None
    assert [line["action"] for line in game.of_kind("act")] == ["goTo"]
    assert any("in(RoomC1)" in line["add"] for line in game.of_kind("percepts"))
    assert peer.call(Bw4tReset, "reset", Bw4tReset.Request()).success
    assert read_game(path).end["reason"] == "reset"
    stream.close()
    server.close()
    games = [read_game(path) for path in records_in(tmp_path)]
    assert sorted(game.end["reason"] for game in games) == ["closed", "reset"]
    for game in games:
        Replay(game).measures()


@pytest.mark.parametrize("number", range(KILLS))
def test_kill_9_loses_nothing_that_a_client_was_answered(number, tmp_path):
    arguments = ["--ros-args", "-r", "__ns:=/bw4t", "-p", f"record:={tmp_path}"]
    program = get_package_prefix("bw4t_bridge") + "/lib/bw4t_bridge/server"
    with Process([program, *arguments]) as server, RosPeer() as peer:
        server.wait_for_line("the world is up")
        killed_after, sent, begun = random.uniform(0.05, 2.0), 0, math.inf
        while time.monotonic() - begun < killed_after:
            request = Bw4tSendMessage.Request(receiver="all", text=str(sent))
            assert peer.call(Bw4tSendMessage, "/bw4t/Bot_1/send_message", request).effect.success
            begun = min(begun, time.monotonic())  # the first call waits until DDS has found it
            sent += 1
        print(f"killed after {killed_after:.3f} s and {sent} messages")
        server.signal(signal.SIGKILL)
        server.wait()
    (path,) = records_in(tmp_path)
    game = read_game(path)
    assert game.end is None
    assert [line["args"][1] for line in game.of_kind("act")] == [str(n) for n in range(sent)]
    Replay(game).measures()
