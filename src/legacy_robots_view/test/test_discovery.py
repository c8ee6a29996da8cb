# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Systems are found by their message types, wherever their names are."""

from __future__ import annotations

import pytest

from legacy_robots_view.discovery import find_systems
from legacy_robots_view.systems import kinds
from legacy_robots_view.view_parameters import Parameters

KINDS = kinds(Parameters(balls=["pink", "blue"]))
LINK = "legacy_robots_msgs/msg/LinkState"
MARKS = {
    "nao": ("state", "legacy_robots_msgs/msg/NaoState"),
    "roboskate": ("command", "legacy_robots_msgs/msg/RoboSkateKeys"),
    "luar": ("game_state", "legacy_robots_msgs/msg/LuarGameState"),
    "aibo": ("buttons", "legacy_robots_msgs/msg/AiboButtons"),
    "bw4t": ("world_state", "legacy_robots_msgs/msg/Bw4tWorldState"),
}


def found(*graph):
    return find_systems([(topic, [name]) for topic, name in graph], KINDS)


@pytest.mark.parametrize("kind", MARKS)
def test_each_kind_is_found_in_any_namespace(kind):
    topic, name = MARKS[kind]
    for namespace in ("", f"/{kind}", "/lab/left"):
        systems = found((f"{namespace}/link_state", LINK), (f"{namespace}/{topic}", name))
        assert list(systems) == [namespace]
        assert systems[namespace].kind is not None
        assert systems[namespace].kind.name == kind
        assert systems[namespace].topics[topic] == name


def test_two_robots_of_one_kind_are_two_systems():
    topic, name = MARKS["nao"]
    systems = found(
        ("/nao/link_state", LINK), (f"/nao/{topic}", name),
        ("/nao_2/link_state", LINK), (f"/nao_2/{topic}", name),
    )  # fmt: skip
    assert set(systems) == {"/nao", "/nao_2"}
    assert len({system.group for system in systems.values()}) == 2


def test_players_of_a_team_share_a_panel():
    topic, name = MARKS["luar"]
    graph = []
    for player in (1, 2):
        graph += [
            (f"/luar/player_{player}/link_state", LINK),
            (f"/luar/player_{player}/{topic}", name),
        ]
    systems = found(*graph, ("/luar_b/link_state", LINK), (f"/luar_b/{topic}", name))
    assert {s.namespace: s.group for s in systems.values()} == {
        "/luar/player_1": "/luar",
        "/luar/player_2": "/luar",
        "/luar_b": "/luar_b",
    }


def test_both_teams_of_a_match_share_a_panel():
    topic, name = MARKS["luar"]
    robots = [f"/luar_match/{team}/player_{n}" for team in ("blue", "red") for n in (1, 2, 3)]
    graph = [pair for r in robots for pair in ((f"{r}/link_state", LINK), (f"{r}/{topic}", name))]
    assert {s.namespace: s.group for s in found(*graph).values()} == dict.fromkeys(
        robots, "/luar_match"
    )


def test_a_system_of_another_kind_is_found_without_a_kind():
    systems = found(("/arm/link_state", LINK), ("/arm/pose", "geometry_msgs/msg/Pose"))
    assert systems["/arm"].kind is None


def test_a_nested_system_does_not_lend_its_kind():
    topic, name = MARKS["nao"]
    systems = found(
        ("/lab/link_state", LINK), ("/lab/nao/link_state", LINK), (f"/lab/nao/{topic}", name)
    )
    assert systems["/lab"].kind is None
    assert systems["/lab/nao"].kind is not None


def test_topics_of_two_types_are_left_out():
    graph = [("/nao/link_state", [LINK]), ("/nao/state", ["a/msg/A", MARKS["nao"][1]])]
    assert find_systems(graph, KINDS)["/nao"].kind is None


def test_without_a_link_there_is_no_system():
    assert found(MARKS["nao"]) == {}


def test_marks_belong_to_one_kind_and_balls_are_asked_for_by_colour():
    assert len({kind.mark for kind in KINDS}) == len(KINDS)
    aibo = next(kind for kind in KINDS if kind.name == "aibo")
    assert [f.topic for f in aibo.feeds if f.topic.startswith("ball/")] == [
        "ball/pink",
        "ball/blue",
    ]
