# SPDX-License-Identifier: Apache-2.0
"""The server writes a record of every game, which can be replayed."""

from __future__ import annotations

from legacy_robots_msgs.srv import Bw4tReset

from bw4t_study.record import read_game, records_in
from bw4t_study.replay import Replay


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
