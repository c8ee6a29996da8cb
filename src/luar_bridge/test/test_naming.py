# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Names are built from who the robot is and never taken apart."""

from __future__ import annotations

from pathlib import Path

import pytest

from luar_bridge.protocol.naming import RobotIdentity, find_segments, segment_name


def test_names_of_the_document() -> None:
    robot = RobotIdentity(1, 2, "ada")
    assert robot.file_name("vcmImage") == "vcmImage12ada"
    assert robot.file_name("dcmSensor") == "dcmSensor"
    assert segment_name("vcm", "image") == "vcmImage"
    assert RobotIdentity(26, 3, "").file_name("gcmGame") == "gcmGame263"
    assert RobotIdentity(1, 2, "ada", personal=False).file_name("vcmImage") == "vcmImage"


@pytest.mark.parametrize("wrong", ["", "a/b", "../x", "a b", "1a", "a.b"])
def test_what_is_no_name_of_a_segment(wrong: str) -> None:
    with pytest.raises(ValueError, match="no name of a segment"):
        RobotIdentity(1, 2, "ada").file_name(wrong)


@pytest.mark.parametrize("team,player,user", [(-1, 1, ""), (0, -1, ""), (0, 1, "a/b")])
def test_impossible_robots(team: int, player: int, user: str) -> None:
    with pytest.raises(ValueError, match=r"must not be negative|cannot be part"):
        RobotIdentity(team, player, user)


def test_digits_at_the_end_belong_to_the_segment_unless_there_is_such_a_player(
    tmp_path: Path,
) -> None:
    # tcmSegment + 112 or tcmSegment1 + 12; the port is no segment.
    for file in (
        "vcmImage12", "tcmSegment112", "xcmThing12", "vcmImage13", "unrelated", "12",
        "fastrtps_port7412",
    ):  # fmt: skip
        (tmp_path / file).touch()
    player_2, player_12 = RobotIdentity(1, 2, ""), RobotIdentity(1, 12, "")
    others = {"vcmImage", "xcmThing"}
    assert set(find_segments(player_2, ["vcmImage"], tmp_path)) == {*others, "tcmSegment1"}
    (tmp_path / "vcmImage112").touch()
    assert set(find_segments(player_2, ["vcmImage"], tmp_path)) == others
    assert "tcmSegment1" in find_segments(player_2, ["tcmSegment1"], tmp_path)
    assert set(find_segments(player_12, ["vcmImage"], tmp_path)) == {"vcmImage", "tcmSegment"}


def test_without_suffix_only_known_segments_count(tmp_path: Path) -> None:
    for file in ("vcmImage", "sem.something", "anything"):
        (tmp_path / file).touch()
    robot = RobotIdentity(0, 1, "ada", personal=False)
    assert find_segments(robot, ["vcmImage", "vcmBall"], tmp_path).keys() == {"vcmImage"}
