# SPDX-License-Identifier: Apache-2.0
"""The tables say what happened in a game."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

from bw4t_study.analysis import TABLES, tables_of
from bw4t_study.record import Game, RecordedWorld, read_game, records_in
from bw4t_world.console import main
from bw4t_world.messages import Message, MessageType, format_text

Make = Callable[..., RecordedWorld]


def say(world: RecordedWorld, sender: str, receiver: str, message: Message) -> None:
    world.act(sender, "sendMessage", receiver, format_text(message))


@pytest.mark.parametrize("collisions", [False, True])
def test_a_whole_game(played: Callable[..., Game], collisions: bool) -> None:
    game = played(robots=3, map="nine_rooms_random", collisions=collisions)
    tables = tables_of(game)
    assert tuple(tables) == TABLES
    (row,) = tables["games"]
    assert row["good_drops"] == 6 == sum(drop["due"] for drop in tables["deliveries"])
    assert [drop["color"] for drop in tables["deliveries"] if drop["due"]] == game.header[
        "sequence"
    ]
    assert row["messages"] == len(tables["messages"])
    for player in tables["players"]:
        causes = sum(value for name, value in player.items() if name.startswith("idle_"))
        assert causes - player["idle_seconds"] == pytest.approx(player["idle_seconds"], abs=1e-6)
        said = sum(value for name, value in player.items() if name.startswith("said_"))
        assert said == player["messages"]
        visits = [v for v in tables["visits"] if v["player"] == player["player"]]
        assert len(visits) <= player["rooms_entered"]
    assert not any(message["type"] == "unknown" for message in tables["messages"])


def test_idle_time_has_its_cause(make: Make, tmp_path: Path) -> None:
    world = make(robots=1)
    world.tick(100)
    world.act("Bot_1", "goTo", "RoomC1")
    world.tick(2000)
    arrival = world.measures().robots[0].idle_seconds - 2.0
    world.close()
    (player,) = tables_of(read_game(records_in(tmp_path)[0]))["players"]
    assert player["idle_start_s"] == pytest.approx(2.0)
    assert player["idle_arrived_s"] == pytest.approx(arrival)


def test_response_latency(make: Make, tmp_path: Path) -> None:
    world = make(robots=3)
    say(world, "Bot_1", "Bot_2", Message(MessageType.WHAT_IS_IN_ROOM, room="RoomC1"))
    world.tick(50)
    say(world, "Bot_3", "all", Message(MessageType.OK))  # was not asked
    world.tick(50)
    say(world, "Bot_2", "Bot_1", Message(MessageType.ROOM_IS_EMPTY, room="RoomC1"))
    world.close()
    tables = tables_of(read_game(records_in(tmp_path)[0]))
    asked = tables["messages"][0]
    assert (asked["responder"], asked["response_s"]) == ("Bot_2", 2.0)
    assert {p["player"]: p["response_s"] for p in tables["players"]}["Bot_2"] == 2.0
    assert tables["players"][0]["said_whatIsInRoom"] == 1


def test_redundant_visits(make: Make, tmp_path: Path) -> None:
    world = make(robots=2)
    for name in ("Bot_1", "Bot_1", "Bot_2"):
        world.act(name, "goTo", "RoomC1")
        world.tick(2000)
        world.act(name, "goTo", "FrontDropZone")
        world.tick(2000)
    world.close()
    visits = tables_of(read_game(records_in(tmp_path)[0]))["visits"]
    assert [(visit["player"], visit["redundant"]) for visit in visits] == [
        ("Bot_1", False),
        ("Bot_1", True),
        ("Bot_2", True),
    ]


def test_a_game_that_broke_off_has_rows(make: Make, tmp_path: Path) -> None:
    world = make()
    world.tick(10)
    world.note("Bot_1", "page: joined")
    tables = tables_of(read_game(records_in(tmp_path)[0]))
    assert tables["games"][0]["ended"] is False
    assert tables["games"][0]["ticks"] == 10
    assert tables["notes"][0]["note"] == "page: joined"


def test_bw4t_analyse_and_report(
    played: Callable[..., Game], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    played(about={"team": "searchers"})
    played(seed=4, about={"team": "searchers", "condition": "fast"})
    assert main(["analyse", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    with (tmp_path / "tables" / "games.csv").open(encoding="utf-8", newline="") as file:
        games = list(csv.DictReader(file))
    assert [game["seed"] for game in games] == ["3", "4"]
    assert "players.csv" in out
    parquet = pytest.importorskip("pyarrow.parquet", reason="needs: pip install pyarrow")
    table = parquet.read_table(tmp_path / "tables" / "games.parquet")
    assert table["completion_seconds"].to_pylist() == [
        float(g["completion_seconds"]) for g in games
    ]
    pytest.importorskip("matplotlib", reason="needs: pip install matplotlib")
    assert main(["report", str(tmp_path), str(tmp_path / "plots.png")]) == 0
    assert (tmp_path / "plots.png").stat().st_size > 10_000
    assert main(["report", str(tmp_path), str(tmp_path / "plots.png"), "--by", "x"]) == 2
    assert "no column 'x'" in capsys.readouterr().err


def test_a_directory_without_records_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["analyse", str(tmp_path)]) == 2
    assert "no records" in capsys.readouterr().err
