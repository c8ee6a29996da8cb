# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Every game has a file with all that happened, whatever happens to the process."""

from __future__ import annotations

import gzip
import json
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import pytest

from bw4t_study.record import (
    Game,
    RecordedWorld,
    RecordError,
    read_game,
    recorded_world,
    records_in,
)
from bw4t_study.replay import Replay
from bw4t_world import ActionError, World
from bw4t_world.agents import Team
from bw4t_world.console import main
from bw4t_world.maps import load_map
from bw4t_world.messages import Message, MessageType, format_text
from bw4t_world.scenarios import BotSpec, EPartnerSpec

Make = Callable[..., RecordedWorld]


def record_of(world: RecordedWorld, directory: Path) -> Game:
    world.close()
    return read_game(records_in(directory)[-1])


def test_the_header_says_what_the_game_was(make: Make, tmp_path: Path) -> None:
    game = record_of(make(about={"condition": "silent", "participant": "P07"}), tmp_path)
    header = game.header
    assert header["seed"] == 3
    assert header["profile"] == "spec"
    assert header["about"] == {"condition": "silent", "participant": "P07"}
    assert list(header["members"]) == ["Bot_1", "Bot_2"]
    assert len(header["sequence"]) == 6
    assert len(header["blocks"]) == 22
    assert set(header["versions"]) == {"bw4t_world", "bw4t_study", "python"}
    assert header["map"].startswith("<?xml") or "<newMap" in header["map"]


def test_actions_messages_percepts_and_events_are_written(make: Make, tmp_path: Path) -> None:
    world = make()
    robot, other = world.connect("Bot_1"), world.connect("Bot_2")
    robot.poll()
    robot.act("goTo", "RoomC1")
    text = format_text(Message(MessageType.GOING_TO_ROOM, room="RoomC1"))
    robot.act("sendMessage", "all", text)
    other.poll()
    world.tick(1000)
    robot.poll()
    with pytest.raises(ActionError):
        robot.act("putDown")
    world.note("Bot_1", "page: connection lost")
    game = record_of(world, tmp_path)
    acts = list(game.of_kind("act"))
    assert [(act["action"], act["args"]) for act in acts] == [
        ("goTo", ["RoomC1"]),
        ("sendMessage", ["all", text]),
        ("putDown", []),
    ]
    assert [act.get("effect") for act in acts] == ["started", "sent", None]
    assert "not holding" in acts[2]["error"]
    assert [(line["text"], line["of"]) for line in game.of_kind("entered")] == [
        ("RoomC1", "Bot_1")
    ]
    assert list(game.of_kind("arrived"))
    added = [percept for line in game.of_kind("percepts") for percept in line["add"]]
    assert f"message(Bot_1,{text})" in added
    assert "in(RoomC1)" in added
    assert not any(percept.startswith("location") for percept in added)
    (note,) = game.of_kind("note")
    assert (note["of"], note["text"]) == ("Bot_1", "page: connection lost")
    assert all(line["wall"] > 1e9 for line in game.lines)
    ticks = [line["tick"] for line in game.lines]
    assert ticks == sorted(ticks)


def test_percepts_that_do_not_change_are_written_once(make: Make, tmp_path: Path) -> None:
    world = make()
    robot = world.connect("Bot_1")
    robot.act("goTo", "RoomC1")
    for _ in range(1000):
        world.tick()
        robot.poll()
    game = record_of(world, tmp_path)
    colors = [line for line in game.of_kind("percepts") if "color(" in " ".join(line["add"])]
    assert len(colors) == 1


def test_a_wrong_drop_and_a_collision_are_written(make: Make, tmp_path: Path) -> None:
    world = make(robots=1)
    robot = world.connect("Bot_1")
    wrong = next(b for b in world.snapshot().blocks if b.color is not world.snapshot().sequence[0])
    for action, args in (("goTo", [wrong.zone]), ("goToBlock", [wrong.id]), ("pickUp", [])):
        robot.act(action, *args)
        world.tick(3000)
    robot.act("goTo", "DropZone")
    world.tick(3000)
    robot.act("putDown")
    robot.act("goTo", 0.0, 0.0)
    world.tick(3000)
    game = record_of(world, tmp_path)
    assert list(game.of_kind("act"))[4]["effect"] == "dropped without being due"
    assert game.end is not None
    assert game.end["measures"]["wrong_drops"] == 1


def test_players_that_come_and_go_are_written(make: Make, tmp_path: Path) -> None:
    world = make(map="nine_rooms_random")
    name = world.add_robot(BotSpec(name="Ann", grippers=2))
    world.add_epartner(EPartnerSpec())
    world.connect(name)
    world.remove(name)
    game = record_of(world, tmp_path)
    kinds = [(line["kind"], line["of"]) for line in game.lines]
    assert ("add", "Ann_1") in kinds
    assert ("add", "E-Partner_1") in kinds
    assert ("remove", "Ann_1") in kinds


def test_reset_and_load_end_a_game_and_begin_the_next(make: Make, tmp_path: Path) -> None:
    world = make()
    world.connect("Bot_1")
    world.tick(10)
    world.reset(seed=5)
    world.tick(20)
    world.load(load_map("nine_rooms_random"))
    world.tick(30)
    world.close()
    games = [read_game(path) for path in records_in(tmp_path)]
    ends = {game.header["seed"]: game.end for game in games if game.end is not None}
    reasons = sorted(str(game.end["reason"]) for game in games if game.end is not None)
    assert reasons == ["closed", "load", "reset"]
    assert ends[3] is not None
    assert ends[3]["tick"] == 10
    assert [line["of"] for line in games[-1].of_kind("connect")] == ["Bot_1"]


def test_a_load_that_fails_leaves_the_record_going(make: Make, tmp_path: Path) -> None:
    world = make()
    with pytest.raises(Exception, match="no_such_map"):
        world.load(load_map("no_such_map"))
    world.tick(5)
    game = record_of(world, tmp_path)
    assert game.end is not None
    assert game.end["tick"] == 5
    assert len(records_in(tmp_path)) == 1


def test_recording_changes_nothing(make: Make) -> None:
    from bw4t_world.agents import Team

    recorded = make(robots=3, collisions=True, map="nine_rooms_random")
    bare = World(recorded.map, profile="spec", seed=3, collisions=True, members=recorded.members)
    for world in (recorded, bare):
        Team(world, seed=3).play(100_000)
    assert recorded.measures() == bare.measures()
    assert recorded.snapshot() == bare.snapshot()


HOSTILE = [float("nan"), 10**5000, object(), b"\xff", "\ud800", None]


@pytest.mark.parametrize("hostile", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_arguments_are_refused_and_written(
    make: Make, tmp_path: Path, hostile: object
) -> None:
    world = make()
    with pytest.raises(ActionError):
        world.act("Bot_1", "goTo", hostile)
    with pytest.raises(ActionError):
        world.act("Bot_9", "goTo", "RoomC1")
    assert len(list(record_of(world, tmp_path).of_kind("act"))) == 2


def test_a_record_is_compressed_as_it_is_written_and_whole_at_any_byte(
    make: Make, tmp_path: Path
) -> None:
    world = make()
    world.note("Bot_1", "first")
    (path,) = records_in(tmp_path)
    assert [line["text"] for line in read_game(path).of_kind("note")] == ["first"]
    world.note("Bot_1", "second")
    data = path.read_bytes()
    assert data[:2] == b"\x1f\x8b"
    counts = []
    for size in range(len(data), 0, -7):
        path.write_bytes(data[:size])
        if records_in_or_none(tmp_path):
            counts.append(len(read_game(path).lines))
    assert counts[0] > counts[-1] == 0
    assert counts == sorted(counts, reverse=True)


def records_in_or_none(directory: Path) -> list[Path]:
    try:
        return records_in(directory)
    except RecordError:
        return []


@pytest.mark.parametrize("profile", ["spec", "server_3_8_1", "server_3_10"])
def test_robots_that_stand_make_no_lines(make: Make, tmp_path: Path, profile: str) -> None:
    world = make(robots=3, profile=profile)
    robots = [world.connect(name) for name in world.names]
    sizes = []
    for _ in range(300):
        world.tick(1)
        for robot in robots:
            robot.poll()
        sizes.append(len(read_game(records_in(tmp_path)[0]).lines) if len(sizes) % 100 else 0)
    assert sizes[-1] - sizes[10] <= 3  # time goes on
    world.act("Bot_1", "goTo", "RoomC1")
    world.tick(1)
    robots[0].poll()
    lines = read_game(records_in(tmp_path)[0]).lines
    assert any("state(traveling)" in line.get("add", ()) for line in lines)


@pytest.mark.parametrize("profile", ["spec", "server_3_10"])
def test_ten_busy_robots_make_half_a_megabyte_a_minute(
    make: Make, tmp_path: Path, profile: str
) -> None:
    world = make(robots=10, map="nine_rooms_random", profile=profile)
    Team(world, seed=1).play(round(20.0 / world.profile.tick_seconds))
    (path,) = records_in(tmp_path)
    assert path.stat().st_size * 60 / world.seconds < 500_000


def test_a_limit_is_announced_before_a_record_breaks_off(
    make: Make, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(recorded_world, "WARN_BYTES", 30_000)
    world = make()
    while not caplog.messages:
        world.note("Bot_1", "x" * 1000)
    assert "at 1000 MB the record breaks off" in caplog.text
    assert world.broken is None


@pytest.mark.parametrize(
    "content, problem",
    [
        (b"", "no record"),
        (b'{"kind":"act","tick":1}\n', "no record"),
        (b'{"kind":"header","format":99}\n', "format 99"),
        (b'{"kind":"header","format":1}\nnot json\n', "line 2"),
        (b'{"kind":"header","format":1}\n[]\n', "a line has no kind"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, content: bytes, problem: str) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(content)
    with pytest.raises(RecordError, match=problem):
        read_game(path)


def test_a_file_without_a_whole_line_is_not_there(make: Make, tmp_path: Path) -> None:
    make(file="whole.jsonl").close()
    (path,) = records_in(tmp_path)
    (tmp_path / "empty.jsonl").touch()
    (tmp_path / "torn.jsonl").write_bytes(path.read_bytes()[:100])
    assert records_in(tmp_path) == [path]


def test_a_game_that_was_killed_while_it_was_compressed_is_there_once(
    make: Make, tmp_path: Path
) -> None:
    make(file="x.jsonl").close()
    (path,) = records_in(tmp_path)
    packed = path.with_name(f"{path.name}.gz")
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert records_in(tmp_path) == [packed]


def test_a_line_that_was_cut_off_is_left_out(make: Make, tmp_path: Path) -> None:
    world = make(file="x.jsonl")
    world.note("Bot_1", "first")
    (path,) = records_in(tmp_path)
    path.write_bytes(path.read_bytes() + b'{"tick":1,"kind":"no')
    game = read_game(path)
    assert game.end is None
    assert [line["text"] for line in game.lines] == ["first"]


KILLED = """
import sys
from pathlib import Path
from bw4t_study.record import RecordedWorld
from bw4t_world.maps import load_map
from bw4t_world.scenarios import BotSpec, Scenario
world = RecordedWorld(load_map("nine_rooms"), Scenario(bots=(BotSpec(),)), seed=1,
                      directory=Path(sys.argv[1]))
number = 0
while True:
    world.tick(1)
    number += 1
    world.note("Bot_1", str(number))
    print(number, flush=True)
"""


@pytest.mark.node
def test_kill_9_loses_no_line_that_was_written(tmp_path: Path) -> None:
    for moment in range(20):
        directory = tmp_path / str(moment)
        process = subprocess.Popen(
            [sys.executable, "-c", KILLED, directory], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        for line in process.stdout:
            if int(line) >= 1 + 37 * moment:
                break
        process.send_signal(signal.SIGKILL)
        said = [int(text) for text in (line, *process.stdout) if text.endswith("\n")]
        process.wait()
        (path,) = records_in(directory)
        notes = [int(line["text"]) for line in read_game(path).of_kind("note")]
        assert notes == list(range(1, len(notes) + 1))
        assert len(notes) >= said[-1]


FULL = """
import resource, sys
from pathlib import Path
from bw4t_study.record import RecordedWorld
from bw4t_world.maps import load_map
from bw4t_world.scenarios import BotSpec, Scenario
world = RecordedWorld(load_map("nine_rooms"), Scenario(bots=(BotSpec(),)), seed=1,
                      directory=Path(sys.argv[1]))
heard = []
world.listen(lambda event: heard.append(event.text))
resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
for number in range(1000):
    world.tick(1)
    world.note("Bot_1", f"{number} " + "x" * 100)
resource.setrlimit(resource.RLIMIT_FSIZE, (10, 20_000))
world.reset()
world.tick(1)
world.close()
print(len([text for text in heard if "breaks off" in text]), world.now)
"""


@pytest.mark.node
def test_a_game_goes_on_where_its_record_cannot(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FULL, tmp_path], stdout=subprocess.PIPE, text=True, check=True
    )
    assert done.stdout.split() == ["2", "1"], "one notice for each game"
    (path,) = records_in(tmp_path)
    assert 10_000 < path.stat().st_size <= 20_000
    game = read_game(path)
    assert game.end is None
    assert [line["text"].split()[0] for line in game.of_kind("note")] == [
        str(number) for number in range(len(list(game.of_kind("note"))))
    ]
    Replay(game).measures()


def test_a_file_has_a_greatest_size(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recorded_world, "MAX_BYTES", 20_000)
    world = make()
    for _ in range(1000):
        world.note("Bot_1", "x" * 100)
    game = record_of(world, tmp_path)
    assert game.end is None
    assert game.path.stat().st_size < 20_500


def test_many_games_in_a_second_leave_one_file_each(make: Make, tmp_path: Path) -> None:
    world = make()
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(200):
        world.reset()
    assert len(list(Path("/proc/self/fd").iterdir())) <= before
    world.close()
    assert len(records_in(tmp_path)) == 201


def test_bw4t_run_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["run", "nine_rooms", "--speed", "max", "--seed", "4", "--quiet", "--record"]
    assert main([*arguments, str(tmp_path)]) == 0
    (path,) = records_in(tmp_path)
    game = read_game(path)
    assert game.header["about"] == {"map": "nine_rooms", "team": "searchers"}
    assert game.end is not None
    assert game.end["measures"]["completion_seconds"] is not None
    assert f"{game.end['measures']['completion_seconds']:.2f} s" in capsys.readouterr().out
    assert main([*arguments, str(path)]) == 2
    assert str(path) in capsys.readouterr().err


def test_the_measures_are_those_of_the_world(make: Make, tmp_path: Path) -> None:
    world = make()
    world.tick(100)
    measures = asdict(world.measures())
    end = record_of(world, tmp_path).end
    assert end is not None
    assert end["measures"] == json.loads(json.dumps(measures))


def test_a_long_game_is_recorded_without_percepts_and_can_be_replayed(
    make: Callable[..., RecordedWorld], tmp_path: Path
) -> None:
    world = make(percepts_bytes=60_000)
    Team(world, seed=world.seed).play(20_000)
    world.close()
    (path,) = records_in(tmp_path)
    game = read_game(path)
    kinds = [line["kind"] for line in game.lines]
    assert kinds.count("percepts left out") == 1
    end = kinds.index("percepts left out")
    assert "percepts" in kinds[:end]
    assert "percepts" not in kinds[end + 2 :]
    assert "act" in kinds[end:]
    Replay(game).measures()
