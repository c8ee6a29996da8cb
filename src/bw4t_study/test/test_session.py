# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The course of a session: which answers belong to which game, what is repeated, who runs it."""

from __future__ import annotations

import logging
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest
import yaml

from bw4t_study.analysis.sessions import tables_of_session
from bw4t_study.experiment.games import SessionGame
from bw4t_study.experiment.session import Session, open_session
from bw4t_study.people.forms import shipped_form
from bw4t_study.record import RecordError, recorded_world
from bw4t_study.record.session_file import read_session, sessions_in
from bw4t_world import World
from bw4t_world.maps import load_map
from bw4t_world.maps.writer import write_map
from bw4t_world.scenarios import BotSpec, Scenario
from bw4t_world.scenarios.writer import write_scenario

TLX = {item.id: 11 for item in shipped_form("nasa-tlx").items}
STUDY: dict[str, Any] = {
    "maps": ["nine_rooms"],
    "teams": ["searchers"],
    "seeds": 1,
    "conditions": {"a": {"robots": 1}, "b": {"robots": 1}},
    "people": {"codes": ["P07", "P08"]},
}

Opened = Callable[..., Session]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Opened]:
    """Return a function that opens group 1 of a study."""
    with ExitStack() as stack:

        def opened(people: dict[str, Any] | None = None, **changes: Any) -> Session:
            data = {**STUDY, **changes, "people": {**STUDY["people"], **(people or {})}}
            file = tmp_path / "study.yaml"
            file.write_text(yaml.safe_dump(data, sort_keys=False), encoding="utf-8")
            session = open_session(str(file), str(tmp_path), group=1)
            return stack.enter_context(closing(session))

        yield opened


def play(session: Session, reason: str = "complete") -> SessionGame:
    game = session.next_game()
    assert game is not None
    session.begun(game)
    session.ended(reason)
    return game


def world_of(session: Session, game: SessionGame) -> World:
    """The world of a session, in which a game has begun."""
    world = session.make_world()
    game.begin(world)
    world.load(game.map, game.scenario, seed=game.seed)
    return world


def test_answers_belong_to_the_game_that_they_are_about(opened: Opened, tmp_path: Path) -> None:
    session = opened({"between": ["nasa-tlx"]})
    session.arrive("P07")
    games = {}
    for number in (1, 2):
        game = play(session)
        session.command("repeat")  # while the forms are due
        session.answer("P07", "nasa-tlx", TLX)
        games[f"game {number}"] = game
        games[f"game {number}, attempt 2"] = play(session)
        session.answer("P07", "nasa-tlx", TLX)
    (path,) = sessions_in(tmp_path)
    rows = tables_of_session(path)["answers"]
    assert {(row["moment"], row["game"], row["condition"]) for row in rows} == {
        (moment, game.file.removesuffix(".jsonl.gz"), game.about["condition"])
        for moment, game in games.items()
    }


def test_answers_of_a_freeze_belong_to_the_present_game(opened: Opened, tmp_path: Path) -> None:
    where = {"items": [{"id": "where", "ask": "Where?", "text": True}]}
    session = opened({"freeze": {"at": [5], "ask": "q"}, "questionnaires": {"q": where}})
    session.arrive("P07")
    play(session)
    game = session.next_game()
    assert game is not None
    session.begun(game)
    session.frozen(5.0)
    session.answer("P07", "q", {"where": "here"})
    (row,) = tables_of_session(sessions_in(tmp_path)[0])["answers"]
    assert (row["moment"], row["condition"]) == ("game 2 at 5 s", "b")


def test_who_leaves_before_the_first_game_is_repeated_ends_the_session(opened: Opened) -> None:
    session = opened({"between": ["nasa-tlx"]})
    session.arrive("P07")
    play(session)
    session.command("repeat")
    session.withdraw("P07")
    assert session.commands() == []
    with pytest.raises(ValueError, match="taken"):
        session.arrive("P08")


def test_one_game_is_repeated_however_often_it_is_asked_for(opened: Opened) -> None:
    session = opened({"between": ["nasa-tlx"]})
    session.arrive("P07")
    play(session)
    session.answer("P07", "nasa-tlx", TLX)
    play(session)
    session.command("repeat")
    with pytest.raises(ValueError, match="cannot be done"):
        session.command("repeat")
    session.answer("P07", "nasa-tlx", TLX)
    game = session.next_game()
    assert game is not None
    assert (game.number, game.about["attempt"]) == (1, "2")
    session.begun(game)
    session.ended("complete")
    assert "repeat" in session.commands()


@pytest.mark.parametrize(
    "settings, collide",
    [
        ({"robots": 1, "collisions": True}, True),
        ({"robots": 1}, False),
        ({"scenario": "free.xml", "collisions": True}, True),
        ({"scenario": "hard.xml", "collisions": False}, False),
        ({"scenario": "hard.xml"}, True),
        ({"robots": 1, "collisions": True, "profile": "server_3_10"}, True),
        ({"scenario": "hard.xml", "profile": "server_3_10"}, False),
    ],
    ids=str,
)
def test_the_condition_says_whether_robots_collide(
    opened: Opened, tmp_path: Path, settings: dict[str, Any], collide: bool
) -> None:
    for name, collisions in (("free", False), ("hard", True)):
        scenario = Scenario(bots=(BotSpec(),), collision_enabled=collisions)
        write_scenario(scenario, tmp_path / f"{name}.xml")
    session = opened(conditions={"a": settings})
    session.arrive("P07")
    game = session.next_game()
    assert game is not None
    with closing(world_of(session, game)) as world:
        assert world.collisions is collide


def test_the_experimenter_and_the_log_hear_of_a_record_that_breaks_off(
    opened: Opened, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    session = opened()
    session.arrive("P07")
    game = session.next_game()
    assert game is not None
    with closing(world_of(session, game)) as world:
        session.begun(game)
        assert session.overview()["phase"] == "game 1 of 2"
        monkeypatch.setattr(recorded_world, "MAX_BYTES", 1)
        world.note("Human_1", "here")
        assert "its record breaks off" in session.overview()["phase"]
        (said,) = [record for record in caplog.records if record.levelno == logging.ERROR]
        assert game.file in said.getMessage()
        monkeypatch.undo()
        session.ended("complete")
        game = session.next_game()
        assert game is not None
        game.begin(world)
        world.load(game.map, game.scenario, seed=game.seed)
        session.begun(game)
        assert session.overview()["phase"] == "game 2 of 2"


def test_one_server_at_a_time_runs_a_group(opened: Opened, tmp_path: Path) -> None:
    first = opened()
    first.arrive("P07")
    game = first.next_game()
    assert game is not None
    first.begun(game)
    (path,) = sessions_in(tmp_path)
    before = path.read_bytes()
    with pytest.raises(RecordError, match=r"group_001\.session: another server"):
        opened()
    assert path.read_bytes() == before
    first.close()
    assert opened().overview()["trials"][0]["state"] == "interrupted"


@pytest.mark.parametrize("content", [b"", b'{"wall":1,"kind":"sess'], ids=["empty", "torn"])
def test_a_group_without_a_whole_line_begins_anew(
    opened: Opened, tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "group_001.session"
    path.write_bytes(content)
    assert sessions_in(tmp_path) == []
    opened().arrive("P07")
    assert [line["kind"] for line in read_session(path)] == ["session", "arrived"]


def test_a_file_that_is_no_session_is_refused_and_stays(opened: Opened, tmp_path: Path) -> None:
    path = tmp_path / "group_001.session"
    path.write_bytes(b"my notes\nand more")
    with pytest.raises(RecordError, match="group_001"):
        opened()
    assert path.read_bytes() == b"my notes\nand more"


def test_a_group_goes_on_from_another_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study, games = tmp_path / "study", str(tmp_path / "games")
    study.mkdir()
    write_map(load_map("nine_rooms"), study / "my.map")
    (study / "de.json").write_text("{}")
    people = {**STUDY["people"], "language": "de.json"}
    data = {**STUDY, "maps": ["my.map"], "people": people}
    (study / "study.yaml").write_text(yaml.safe_dump(data))
    monkeypatch.chdir(study)
    first = open_session("study.yaml", games)
    first.arrive("P07")
    first.close()
    monkeypatch.chdir(tmp_path)
    second = open_session("study/study.yaml", games, group=1)
    assert Path(second.language).read_text() == "{}"
    assert second.next_game() is not None
    second.close()
    shutil.move(study, tmp_path / "moved")
    open_session("moved/study.yaml", games, group=1).close()


FULL = """
import resource, sys
from pathlib import Path
from bw4t_study.record.session_file import SessionFile, read_session
path = Path(sys.argv[1])
file = SessionFile(path, {"design": "d"})
resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + 10, 100_000))
try:
    file.write("arrived", "P07")
except OSError:
    print("refused")
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
file.write("arrived", "P08")
print(*[line["of"] for line in read_session(path)[1:]])
"""


@pytest.mark.node
def test_a_line_that_the_disk_cannot_take_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "group_001.session"
    done = subprocess.run(
        [sys.executable, "-c", FULL, path], stdout=subprocess.PIPE, text=True, check=True
    )
    assert done.stdout.split() == ["refused", "P08"]
