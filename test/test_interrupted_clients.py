# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C in `ros2 action send_goal`, for each action: its goal ends, those of others go on.

The `ros2` is that of tools/ros2, or the one that LEGACY_ROBOTS_ROS2 names.
"""

from contextlib import contextmanager

import pytest
from action_msgs.msg import GoalStatus, GoalStatusArray
from control_msgs.action import FollowJointTrajectory
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

from legacy_robots_common.node import qos
from legacy_robots_msgs.action import Bw4tGoTo, NaoGoTo
from legacy_robots_msgs.msg import Bw4tBlocks, LinkState
from legacy_robots_msgs.srv import Bw4tSetSpeed
from legacy_robots_testing.machine import free_port, launch_command, ros2
from legacy_robots_testing.process import Process
from legacy_robots_testing.ros_peer import RosPeer
from legacy_robots_testing.stopwatch import Stopwatch

WITHIN_S = 1.0
CANCELED, SUCCEEDED = GoalStatus.STATUS_CANCELED, GoalStatus.STATUS_SUCCEEDED
TERMINAL = {SUCCEEDED, CANCELED, GoalStatus.STATUS_ABORTED}


@contextmanager
def launched(system, *arguments):
    """Launch a system; give a peer to whom its link is up."""
    command = launch_command(f"{system}.launch.py", *arguments)
    with Process(command), RosPeer() as peer:
        link = peer.subscribe(LinkState, f"/{system}/link_state")
        link.wait_for(lambda m: m.state == LinkState.CONNECTED)
        yield peer


@contextmanager
def under_way(peer, action, kind, goal):
    """Send a goal from a terminal; give the terminal, and the statuses reported of the goal."""
    status = peer.subscribe(GoalStatusArray, f"{action}/_action/status", qos.LATCHED)
    kind = kind if "/" in kind else f"legacy_robots_msgs/action/{kind}"
    with Process(ros2("action", "send_goal", action, kind, goal, "--feedback")) as terminal:
        line = terminal.wait_for_line("Goal accepted with ID: ")
        terminal.wait_for_line("Feedback:")
        goal_id = bytes.fromhex(line.split()[-1])

        def reported(message):
            return [
                entry.status
                for entry in message.status_list
                if bytes(entry.goal_info.goal_id.uuid) == goal_id
            ]

        def end():
            """Wait until the goal has ended; return how."""
            return reported(status.wait_for(lambda message: TERMINAL & set(reported(message))))

        yield terminal, end


def interrupt(terminal, end, expected):
    """Press Ctrl-C in the terminal; the goal has to end so, within a second if by this."""
    with Stopwatch() as watch:
        terminal.interrupt_group()
        assert end() == [expected], "\n".join(terminal.lines.items)
        assert expected != CANCELED or watch.seconds < WITHIN_S
    terminal.wait()
    assert "Traceback" not in "\n".join(terminal.lines.items)


@pytest.fixture(scope="module")
def nao():
    with launched("nao", f"port:={free_port()}") as peer:
        yield peer


def nao_goes_to(peer, marker):
    return peer.send_goal(NaoGoTo, "/nao/go_to", NaoGoTo.Goal(marker_id=marker))


# A Nao does not interrupt what it does with its hands: it refuses the cancellation.
@pytest.mark.parametrize(
    "place,action,kind,goal,expected",
    [
        (64, "go_to", "NaoGoTo", "{marker_id: 146}", CANCELED),
        (114, "pick_up", "NaoPickUp", "{object_id: 1}", SUCCEEDED),
        (114, "put_down", "NaoPutDown", "{}", SUCCEEDED),
    ],
)
def test_nao(nao, place, action, kind, goal, expected):
    nao_goes_to(nao, place).result()
    with under_way(nao, f"/nao/{action}", kind, goal) as (terminal, end):
        waiting = nao_goes_to(nao, 80)
        interrupt(terminal, end, expected)
        assert waiting.end().status == SUCCEEDED


@pytest.fixture(scope="module")
def aibo():
    with launched("aibo", f"port:={free_port()}") as peer:
        yield peer


TURN = (
    "{trajectory: {joint_names: [tail_pan], points: "
    "[{positions: [0.7], time_from_start: {sec: 30}}]}}"
)


@pytest.mark.parametrize(
    "action,kind,goal",
    [
        ("walk_steps", "AiboWalkSteps", "{x: 1.2}"),
        ("search_ball", "AiboSearchBall", "{colour: yellow, timeout: 60.0}"),
        ("follow_joint_trajectory", "control_msgs/action/FollowJointTrajectory", TURN),
        ("play_motion", "AiboPlayMotion", "{name: wave}"),
    ],
)
def test_aibo(aibo, action, kind, goal):
    with under_way(aibo, f"/aibo/{action}", kind, goal) as (terminal, end):
        opening = JointTrajectoryPoint(positions=[-0.3])
        opening.time_from_start.sec = 2
        trajectory = JointTrajectory(joint_names=["mouth"], points=[opening])
        other = aibo.send_goal(
            FollowJointTrajectory,
            "/aibo/follow_joint_trajectory",
            FollowJointTrajectory.Goal(trajectory=trajectory),
        )
        interrupt(terminal, end, CANCELED)
        assert other.end().status == SUCCEEDED


@pytest.fixture(scope="module")
def bw4t():
    # The first way is the longest: from the front of the map to its back.
    with launched("bw4t", "team:=none", "robots:=2", "seed:=1") as peer:
        yield peer


def bw4t_goes_to(peer, robot, place):
    return peer.send_goal(Bw4tGoTo, f"/bw4t/{robot}/go_to", Bw4tGoTo.Goal(place=place))


def bw4t_speed(peer, speed):
    assert peer.call(Bw4tSetSpeed, "/bw4t/set_speed", Bw4tSetSpeed.Request(speed=speed)).success


@pytest.mark.parametrize("action", ["go_to", "go_to_block", "navigate_obstacles"])
def test_bw4t(bw4t, action):
    goal = "{}"
    if action == "go_to":
        goal = "{place: LeftHallA}"
    else:
        assert bw4t_goes_to(bw4t, "Bot_1", "RoomB1").end(60.0).status == SUCCEEDED
    if action == "go_to_block":
        seen = bw4t.subscribe(Bw4tBlocks, "/bw4t/Bot_1/visible_blocks")
        block = seen.wait_for(lambda message: message.blocks).blocks[0]
        goal = f"{{block_id: {block.id}}}"
        # A block of the robot's own room is a way of a tenth of a second.
        bw4t_speed(bw4t, 0.02)
    if action == "navigate_obstacles":
        bw4t_goes_to(bw4t, "Bot_1", "FrontRoomC2").cancel()
    other = bw4t_goes_to(bw4t, "Bot_2", "FrontDropZone")
    kind = "Bw4t" + action.title().replace("_", "")
    with under_way(bw4t, f"/bw4t/Bot_1/{action}", kind, goal) as (terminal, end):
        interrupt(terminal, end, CANCELED)
    bw4t_speed(bw4t, 1.0)
    assert other.end(60.0).status == SUCCEEDED
