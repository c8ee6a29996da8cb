# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The programs one by one; beside their launch files they are tested in test/test_examples.py."""

from __future__ import annotations

import importlib
import math
from collections.abc import Iterator
from pathlib import Path

import pytest
import rclpy
from diagnostic_msgs.msg import DiagnosticStatus
from geometry_msgs.msg import Point, Polygon, Pose, Quaternion
from rclpy.action import ActionServer
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node

from legacy_robots_common.goals import requests
from legacy_robots_examples import agent_tools, ball_in_map
from legacy_robots_examples.goals import Action, MissionFailed, check
from legacy_robots_msgs.action import AiboSearchBall
from legacy_robots_msgs.msg import AiboOutcome, LuarReferee, NaoOutcome

HERE = Path(ball_in_map.__file__).parent
# Libraries that a program needs and that rosdep does not install everywhere.
NEEDS = {"record": "mcap", "replay": "mcap", "find_ball": "py_trees"}
PROGRAMS = sorted(
    path.stem for path in HERE.glob("*.py") if "ros2 run" in path.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_says_how_it_is_run_and_has_a_main(name: str) -> None:
    if name in NEEDS:
        pytest.importorskip(NEEDS[name], reason=f"needs: pip install {NEEDS[name]}")
    module = importlib.import_module(f"legacy_robots_examples.{name}")
    assert f"ros2 run legacy_robots_examples {name}" in str(module.__doc__)
    assert callable(module.main)


def test_a_point_of_the_robot_in_the_map() -> None:
    quarter_left = Quaternion(z=math.sin(math.pi / 4), w=math.cos(math.pi / 4))
    robot = Pose(position=Point(x=1.0, y=2.0), orientation=quarter_left)
    there = ball_in_map.to_map(Point(x=3.0, y=0.5, z=0.04), robot)
    assert (there.x, there.y, there.z) == pytest.approx((0.5, 5.0, 0.04))


def test_an_outcome_that_is_no_success_ends_the_mission_with_its_reason() -> None:
    check(NaoOutcome(code=NaoOutcome.SUCCEEDED), "pick_up")
    failed = AiboOutcome(code=AiboOutcome.LINK_LOST, message="the link was lost")
    with pytest.raises(MissionFailed, match="walk_steps: the link was lost"):
        check(failed, "walk_steps")


def test_an_agent_reads_numbers_of_every_type() -> None:
    assert agent_tools._plain(DiagnosticStatus(level=b"\2"))["level"] == 2
    assert agent_tools._plain(LuarReferee())["secondary_info"] == [0, 0, 0, 0]


@pytest.mark.parametrize("points", [[3], ["x"], [None]])
def test_an_agent_s_item_that_is_no_message_is_refused(points: list[object]) -> None:
    with pytest.raises(agent_tools.RefusedError, match="'points' is of type sequence<"):
        agent_tools._filled(Polygon(), {"points": points})


@pytest.fixture
def node() -> Iterator[Node]:
    rclpy.init()
    node = Node("example")
    executor = SingleThreadedExecutor()
    executor.add_node(node)
    yield node
    executor.shutdown()
    node.destroy_node()
    rclpy.shutdown()


@pytest.mark.node
def test_a_server_that_is_found_and_never_answers_ends_the_mission(
    node: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(requests, "ANSWER_TIMEOUT_S", 0.3)
    silent = Node("silent")  # it is never spun
    server = ActionServer(silent, AiboSearchBall, "search_ball", lambda handle: None)
    with pytest.raises(MissionFailed, match="search_ball: not answered, though sent 3 times"):
        Action(node, AiboSearchBall, "search_ball").carry_out(AiboSearchBall.Goal())
    server.destroy()
    silent.destroy_node()
