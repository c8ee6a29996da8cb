# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A recorded game, played again, is the same game to the bit."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from bw4t_study.record import Game, RecordedWorld, read_game, records_in
from bw4t_study.replay import Replay, ReplayError
from bw4t_world.agents import Team
from bw4t_world.console import main
from bw4t_world.drawing import draw
from bw4t_world.maps import load_map
from bw4t_world.scenarios import BotSpec, EPartnerSpec
from bw4t_world.simulation.snapshots import Snapshot

Make = Callable[..., RecordedWorld]
Played = Callable[..., Game]


@pytest.mark.parametrize("profile", ["spec", "server_3_8_1", "server_3_10"])
@pytest.mark.parametrize("collisions", [False, True])
def test_measures_and_world_are_equal_at_every_moment(
    make: Make, tmp_path: Path, profile: str, collisions: bool
) -> None:
    world = make(robots=3, map="nine_rooms_random", profile=profile, collisions=collisions)
    moments: list[Snapshot] = []
    Team(world, seed=3).play(20_000, lambda world: moments.append(world.snapshot()))
    measures = world.measures()
    world.close()
    replay = Replay(read_game(records_in(tmp_path)[-1]))
    for snapshot in moments[::7]:
        replay.seek(snapshot.tick - 1)
        replay.seek(snapshot.tick)
        # What was done at this very tick, after the snapshot, is in the replay.
        again = replay.world.snapshot()
        assert [(r.x, r.y) for r in again.robots] == [(r.x, r.y) for r in snapshot.robots]
    replay.measures()
    assert replay.world.measures() == measures


def test_pictures_are_equal(make: Make, tmp_path: Path) -> None:
    world = make()
    world.connect("Bot_1").act("goTo", "RoomC1")
    pictures = {}
    for _ in range(5):
        world.tick(100)
        pictures[world.now] = draw(world.snapshot())
    world.close()
    replay = Replay(read_game(records_in(tmp_path)[0]))
    for tick in (500, 100, 300):  # back, too
        replay.seek(tick)
        assert np.array_equal(draw(replay.world.snapshot()), pictures[tick])


def test_games_with_changing_players_after_a_reset_are_replayed(
    make: Make, tmp_path: Path
) -> None:
    world = make(map="nine_rooms_random")
    world.remove("Bot_1")
    world.add_robot(BotSpec(name="Ann", grippers=3, battery_enabled=True, battery_capacity=1))
    world.add_epartner(EPartnerSpec(gps=True))
    world.reset()
    world.load(load_map("nine_rooms_charging"))
    for name in ("Bot_2", "Ann_1"):
        world.act(name, "goTo", "RoomB2")
    world.tick(150)
    world.stop("Ann_1")
    world.add_robot()
    world.tick(3000)
    world.close()
    games = [read_game(path) for path in records_in(tmp_path)]
    assert len(games) == 3
    for game in games:
        Replay(game).measures()


def test_a_record_that_broke_off_is_replayed_to_its_last_line(make: Make, tmp_path: Path) -> None:
    world = make()
    world.tick(50)
    world.act("Bot_1", "goTo", "RoomC1")
    replay = Replay(read_game(records_in(tmp_path)[0]))
    assert replay.measures()["ticks"] == 50


def test_a_record_that_was_changed_is_found(played: Played, tmp_path: Path) -> None:
    path = played(file="x.jsonl").path
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    lines[-1]["measures"]["good_drops"] += 1
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    with pytest.raises(ReplayError, match="good_drops"):
        Replay(read_game(path)).measures()
    line = next(line for line in lines if line.get("effect") == "picked up")
    line["effect"] = "nothing in reach"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    with pytest.raises(ReplayError, match=f"tick {line['tick']}"):
        Replay(read_game(path)).measures()


def test_an_error_comes_again_wherever_one_looks_next(played: Played) -> None:
    path = played(file="x.jsonl").path
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    line = next(line for line in lines if line.get("effect") == "picked up")
    line["value"] += 1
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    replay = Replay(read_game(path))
    for _ in range(2):
        for tick in (line["tick"], line["tick"] + 100):
            with pytest.raises(ReplayError, match=f"tick {line['tick']}"):
                replay.seek(tick)
    replay.seek(line["tick"] - 1)
    assert replay.world.now == line["tick"] - 1
    assert not any(robot.held for robot in replay.world.snapshot().robots)


def test_bw4t_replay(played: Played, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = played()
    pictures, video = tmp_path / "pictures", tmp_path / "game.avi"
    page = tmp_path / "game.html"
    arguments = ["replay", str(game.path), "--every", "10", "--pictures", str(pictures)]
    arguments += ["--page", str(page)]
    assert main([*arguments, "--video", str(video), "--speed", "20", "--scale", "4"]) == 0
    out = capsys.readouterr().out
    assert "the measures equal the recorded ones" in out
    names = sorted(path.name for path in pictures.iterdir())
    assert names[:2] == ["tick_00000000.png", "tick_00000500.png"]
    assert names[-1] == f"tick_{game.last_tick:08d}.png"
    text = page.read_text(encoding="utf-8")
    data = json.loads(text.split('type="application/json">')[1].split("</script>")[0])
    assert len(data["pictures"]) == len(data["seconds"]) == len(names)
    assert [event for event in data["events"] if "delivered, 6 of 6" in event[1]]
    assert f"<title>Game {game.name}</title>" in text
    assert video.stat().st_size > 10_000
    assert main(["replay", str(tmp_path / "pictures" / names[0])]) == 2
    assert "line 1" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--page", "--pictures", "--video"])
def test_replay_without_opencv_says_what_to_install(
    option: str,
    played: Played,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setitem(sys.modules, "cv2", None)
    assert main(["replay", str(played().path), option, str(tmp_path / "game.avi")]) == 2
    assert "install opencv-python-headless" in capsys.readouterr().err


def test_a_game_as_messages_of_ros(played: Played, tmp_path: Path) -> None:
    reader = pytest.importorskip("mcap_ros2.reader")
    game = played()
    file = tmp_path / "game.mcap"
    assert main(["replay", str(game.path), "--mcap", str(file)]) == 0
    messages = list(reader.read_ros2_messages(str(file)))
    lines = [json.loads(m.ros_msg.data) for m in messages if m.channel.topic == "/bw4t/record"]
    assert lines == game.lines
    poses = [m for m in messages if m.channel.topic == "/bw4t/Bot_1/pose"]
    replay = Replay(game)
    replay.seek(game.last_tick)
    robot = next(r for r in replay.world.snapshot().robots if r.name == "Bot_1")
    last = poses[-1].ros_msg
    assert (last.pose.position.x, last.pose.position.y) == (robot.x, -robot.y)
    assert last.header.frame_id == "map"
    first = poses[0].ros_msg.header.stamp
    length = (last.header.stamp.sec - first.sec) + (
        last.header.stamp.nanosec - first.nanosec
    ) / 1e9
    assert length == pytest.approx(game.last_tick * game.header["tick_seconds"])
