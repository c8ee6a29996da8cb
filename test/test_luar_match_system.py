# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A match as a user starts it: the referee's orders reach the robots through their memory."""

import math

import pytest
from geometry_msgs.msg import PoseWithCovarianceStamped
from rclpy.qos import QoSProfile

from legacy_robots_common.node import qos
from legacy_robots_msgs.msg import LuarGameState, LuarReferee
from legacy_robots_testing.machine import free_ports
from legacy_robots_testing.process import Process
from legacy_robots_testing.ros_peer import RosPeer

pytestmark = pytest.mark.demonstration

INITIAL, READY, SET, PLAYING, FINISHED = range(5)


def test_a_match_of_two_teams(ros2, user, displays):
    ports = free_ports(2)
    launch = ros2(
        *("launch", "legacy_robots_bringup", "luar_match.launch.py", f"user:={user}"),
        *("players:=2", f"port:={ports[0]}", f"ball_port:={ports[1]}", "penalise:=true"),
        *("initial:=20", "ready:=10", "set:=5", "half:=25", "half_time:=3", "penalty:=40"),
    )
    robots = [f"/luar_match/{team}/player_{n}" for team in ("blue", "red") for n in (1, 2)]
    with Process(launch) as match, RosPeer() as peer:
        referee = peer.subscribe(LuarReferee, f"{robots[3]}/referee")
        games = {robot: peer.subscribe(LuarGameState, f"{robot}/game_state") for robot in robots}
        stream: QoSProfile = qos.stream(10)
        poses = {
            robot: peer.subscribe(PoseWithCovarianceStamped, f"{robot}/pose", stream)
            for robot in robots
        }
        drawn = [d["Topic"]["Value"] for d in displays("luar_match") if "Topic" in d]
        drawn += [
            d["Description Topic"]["Value"] for d in displays("luar_match") if "TF Prefix" in d
        ]
        assert len(drawn) == 1 + 2 * 6
        there = [f"/luar_match/{topic}" for topic in drawn if "player_3" not in topic]
        peer.wait_for_publishers(*there)
        reported = referee.wait_for(lambda m: m.valid and m.state == INITIAL)
        assert [(team.number, team.color) for team in reported.teams] == [(0, 0), (1, 1)]
        # Each robot's own memory says what the referee has said, in the order of the rules.
        for state in (READY, SET, PLAYING):
            for game in games.values():
                game.wait_for(lambda m, state=state: m.valid and m.state == state)
        referee.wait_for(lambda m: m.valid and m.teams[0].penalties[0] == 15)
        penalised = games[robots[0]].wait_for(lambda m: list(m.penalties)[:2] == [15, 0])
        assert penalised.kickoff == 1
        assert games[robots[2]].wait_for(lambda m: m.state == PLAYING).penalties[0] == 0

        def place(robot):
            poses[robot].clear()
            position = poses[robot].wait_for().pose.pose.position
            return position.x, position.y

        def moved(robot, begin):
            return lambda m: (
                math.dist((m.pose.pose.position.x, m.pose.pose.position.y), begin) > 0.3
            )

        stands, goes = place(robots[0]), place(robots[1])
        poses[robots[1]].wait_for(moved(robots[1], goes))
        assert math.dist(place(robots[0]), stands) < 0.1  # what it believes has noise
        half = referee.wait_for(lambda m: m.valid and not m.first_half and m.state == INITIAL, 120)
        assert half.kicking_team == 1
        match.interrupt_group()
        assert match.wait() == 0
        assert match.session() == []
