# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The tables say what happened in a game."""

from __future__ import annotations

import csv
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from bw4t_study.analysis import TABLES, tables_of
from bw4t_study.analysis.export import gather_all
from bw4t_study.analysis.report import ReportError, games_that_count, write_report
from bw4t_study.analysis.tables import IDLE_CAUSES
from bw4t_study.record import Game, RecordedWorld, read_game, records_in
from bw4t_study.record.session_file import SessionFile
from bw4t_world.console import main
from bw4t_world.messages import Message, MessageType, format_text
from bw4t_world.scenarios import BotSpec

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


def test_a_player_with_the_name_of_an_earlier_one_has_its_own_rows(
    make: Make, tmp_path: Path
) -> None:
    world = make(robots=1, map="nine_rooms_random")
    question = Message(MessageType.WHAT_IS_IN_ROOM, room="RoomC1")
    for seconds in (2, 1):  # the second comes in the tick in which the first goes
        name = world.add_robot(BotSpec(name="Ann"))
        say(world, name, "Bot_1", Message(MessageType.OK))
        world.tick(50 * seconds)
        world.act(name, "goTo", "RoomC1")
        world.tick(2000)
        say(world, "Bot_1", name, question)
        world.tick(50)
        say(world, name, "Bot_1", Message(MessageType.ROOM_IS_EMPTY, room="RoomC1"))
        if seconds == 2:
            world.remove(name)
    assert name == "Ann_1"
    world.close()
    tables = tables_of(read_game(records_in(tmp_path)[0]))
    rows = {row["player"]: row for row in tables["players"]}
    assert sorted(rows) == ["Ann_1", "Ann_1 (2)", "Bot_1"]
    assert len(tables["players"]) == 3
    for name, seconds in (("Ann_1", 2.0), ("Ann_1 (2)", 1.0)):
        row = rows[name]
        assert row["idle_start_s"] == pytest.approx(seconds)
        causes = sum(row[f"idle_{cause.replace(' ', '_')}_s"] for cause in IDLE_CAUSES)
        assert causes == pytest.approx(row["idle_seconds"])
        assert min(row[f"idle_{cause.replace(' ', '_')}_s"] for cause in IDLE_CAUSES) >= 0
        assert (row["messages"], row["said_ok"], row["response_s"]) == (2, 1, 1.0)
        assert len([v for v in tables["visits"] if v["player"] == name]) == 1
    assert [row["receiver"] for row in tables["messages"] if row["asks"]] == sorted(rows)[:2]


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
    report_needs()
    assert main(["report", str(tmp_path), str(tmp_path / "plots.png")]) == 0
    assert (tmp_path / "plots.png").stat().st_size > 10_000
    assert main(["report", str(tmp_path), str(tmp_path / "plots.png"), "--by", "x"]) == 2
    assert "no column 'x'" in capsys.readouterr().err
    assert main(["report", str(tmp_path), str(tmp_path / "plots.txt")]) == 2
    assert ".html" in capsys.readouterr().err


def report_needs() -> None:
    for module in ("matplotlib", "scipy"):
        pytest.importorskip(module, reason=f"needs: pip install {module}")


def test_a_page_has_facets_labels_intervals_and_effects(
    played: Callable[..., Game], tmp_path: Path
) -> None:
    report_needs()
    for name in ("nine_rooms", "nine_rooms_random"):
        for team, robots in (("one", 1), ("two", 2)):
            for seed in (1, 2):
                played(robots=robots, map=name, seed=seed, about={"team": team, "map": name})
    assert main(["report", str(tmp_path), str(tmp_path / "page.html")]) == 0
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    for text in (
        "8 games",
        "completion time (simulated s)",
        "idle time of a player",
        "<h2>Effects",
    ):
        assert text in page
    assert page.count("map nine_rooms_random<") == page.count("map nine_rooms<") > 2
    assert main(["report", str(tmp_path), str(tmp_path / "effects.csv")]) == 0
    with (tmp_path / "effects.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["measure"].startswith("completion")]
    assert [row["pairs"] for row in rows] == ["2", "2"]
    assert all(float(row["high"]) < 0 or float(row["p"]) == 0.5 for row in rows)


def test_the_names_of_the_groups_can_be_read(tmp_path: Path) -> None:
    report_needs()
    from bw4t_study.analysis.figures import draw

    names = ("Both", "Intentions", "Knowledge", "Nothing")
    measures = {"completion_seconds": 9.0, "wrong_drops": 0, "messages": 3, "profile": "spec"}
    games = [
        {"game": str(number), "about_team": f"package.of_some.teams:{name}", "seed": 1} | measures
        for number, name in enumerate(names)
    ]
    figure = draw(games, [], "about_team")
    figure.savefig(tmp_path / "plots.png")
    for axes in figure.axes:
        labels = axes.get_xticklabels()
        assert [label.get_text().split("\n")[0] for label in labels] == list(names)
        boxes = [label.get_window_extent() for label in labels]
        assert not any(one.overlaps(two) for one, two in pairwise(boxes))


def test_effects_are_paired_by_seed() -> None:
    report_needs()
    from bw4t_study.analysis.effects import effects, interval

    def game(condition: str, seed: int, seconds: float | None) -> dict[str, Any]:
        row = {"about_map": "nine", "about_condition": condition, "seed": seed}
        return row | {"completion_seconds": seconds, "profile": "spec"}

    games = [game("a", seed, 10.0 * seed) for seed in (1, 2, 3, 4, 5)]
    games += [game("b", seed, 12.0 * seed) for seed in (4, 3, 2, 1)] + [game("b", 5, None)]
    rows = {row["measure"]: row for row in effects(games, "about_condition")}
    row = rows["completion time (simulated s)"]
    assert (row["facet"], row["a"], row["b"], row["pairs"]) == ("all games", "a", "b", 4)
    assert row["difference"] == pytest.approx(5.0)  # of 2, 4, 6, 8
    assert row["high"] - row["low"] == pytest.approx(2 * 3.182 * 2.582 / 2, rel=1e-3)
    assert row["dz"] == pytest.approx(5.0 / 2.582, rel=1e-3)
    assert row["p"] == pytest.approx(2 / 16)  # all four signs, either way
    assert rows["games completed (share)"]["pairs"] == 5
    assert interval([1.0, 1.0, 1.0, 0.0], share=True)[1:] == pytest.approx(
        (0.3006, 0.9544), abs=1e-4
    )


def test_p_values_are_corrected_for_the_comparisons_of_a_measure() -> None:
    report_needs()
    from bw4t_study.analysis.effects import effects

    games = [
        {"about_map": "nine", "about_team": team, "seed": seed, "profile": "spec"}
        | {"completion_seconds": 50.0 * seed + place * seed}
        for place, team in enumerate(("a", "b", "c"))
        for seed in range(1, 9)
    ]
    rows = [r for r in effects(games, "about_team") if r["measure"].startswith("completion")]
    assert [row["p"] for row in rows] == [pytest.approx(2 / 256)] * 3
    assert [row["p_holm"] for row in rows] == [pytest.approx(6 / 256)] * 3


def test_a_report_is_of_the_games_that_count() -> None:
    def game(name: str, reason: str = "complete", **about: str) -> dict[str, Any]:
        row = {"game": name, "ended": bool(reason), "reason": reason}
        return row | {f"about_{key}": value for key, value in about.items()}

    games = [
        game("alone", "closed"),
        game("practice", group="1", game="1", attempt="1", practice="true"),
        game("first", group="1", game="2", attempt="1", practice="false"),
        game("again", group="1", game="2", attempt="2", practice="false"),
        game("aborted", "aborted", group="1", game="2", attempt="10", practice="false"),
        game("killed", "", group="1", game="3", attempt="1", practice="false"),
        game("interrupted", "interrupted", group="1", game="3", attempt="2", practice="false"),
        game("nine", group="2", game="2", attempt="9", practice="false"),
        game("ten", group="2", game="2", attempt="10", practice="false"),
        game("pilot/first", group="1", game="2", attempt="1", practice="false"),
    ]
    counted, left_out = games_that_count(games)
    assert [row["game"] for row in counted] == ["alone", "again", "ten", "pilot/first"]
    assert left_out == {"practice": 1, "aborted or interrupted": 3, "repeated": 2}


def test_a_report_without_a_game_that_counts_says_how_to_see_all(
    make: Make, tmp_path: Path
) -> None:
    report_needs()
    world = make(about={"practice": "true"})
    world.close()
    tables = gather_all(tmp_path)
    with pytest.raises(ReportError, match=r"1 practice; --all"):
        write_report(tables, tmp_path / "plots.png", by="about_practice")
    page = tmp_path / "page.html"
    assert main(["report", str(tmp_path), str(page), "--by", "about_practice", "--all"]) == 0
    assert "1 games" in page.read_text(encoding="utf-8")


def test_games_of_one_name_in_two_directories_are_told_apart(make: Make, tmp_path: Path) -> None:
    for place, seconds in (("pilot", 1), ("main", 2)):
        world = make(directory=tmp_path / place, file="g001_01.jsonl", about={"place": place})
        world.tick(50 * seconds)
        world.close()
        session = SessionFile(tmp_path / place / "group_001.session", {"design": "", "group": 1})
        session.write("begun", "", number=0, file="g001_01.jsonl", about={"condition": place})
        answer = {"form": "q", "moment": "game 1", "answers": {"x": 1}}
        session.write("answers", "P07", game="g001_01.jsonl", **answer)
        session.write("answers", "P07", **answer | {"moment": "end"})
        session.close()
    tables = gather_all(tmp_path)
    lengths = {row["game"]: row["ticks"] for row in tables["games"]}
    assert lengths == {"main/g001_01": 100, "pilot/g001_01": 50}
    assert {row["game"] for row in tables["players"]} == set(lengths)
    answers = [(row["game"], row["condition"]) for row in tables["answers"]]
    assert answers == [("main/g001_01", "main"), ("", ""), ("pilot/g001_01", "pilot"), ("", "")]
    assert {row["game"] for row in tables["course"]} == {1}
    assert [row["game"] for row in gather_all(tmp_path / "main")["games"]] == ["g001_01"]


def test_a_directory_without_records_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["analyse", str(tmp_path)]) == 2
    assert "no records" in capsys.readouterr().err
