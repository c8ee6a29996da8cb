# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Every goal under way ends exactly once, truthfully and at once, whatever ends first."""

from __future__ import annotations

import subprocess
import sys
import threading

import pytest
from action_msgs.msg import GoalStatus

from bw4t_world.scenarios import BotSpec
from legacy_robots_msgs.action import Bw4tGoTo, Bw4tGoToBlock, Bw4tNavigateObstacles
from legacy_robots_msgs.msg import Bw4tBlocks, Bw4tGoing, Bw4tState, LinkState
from legacy_robots_msgs.srv import Bw4tAddPlayer, Bw4tLoad, Bw4tRemovePlayer
from legacy_robots_testing.polling import until
from legacy_robots_testing.recorder import TIMEOUT
from legacy_robots_testing.ros_peer import RosPeer
from legacy_robots_testing.task_orders import TASK_ORDERS

pytestmark = pytest.mark.node

SLOW = {"speed": 0.05, "robots": 2}
"""Every way takes at least half a minute."""
END_TIMEOUT_S = 10.0
"""A goal that has ended by then has not waited for the robot's way."""

both_orders = pytest.mark.parametrize("order", TASK_ORDERS, ids=lambda order: order.__name__)


def go_to(peer, server):
    return peer.send_goal(Bw4tGoTo, "Bot_1/go_to", Bw4tGoTo.Goal(place="RoomA1"))


def go_to_block(peer, server):
    place(server, "RoomB1")
    blocks = peer.subscribe(Bw4tBlocks, "Bot_1/visible_blocks")
    block = blocks.wait_for(lambda message: message.blocks).blocks[0]
    goal = Bw4tGoToBlock.Goal(block_id=block.id)
    return peer.send_goal(Bw4tGoToBlock, "Bot_1/go_to_block", goal)


def navigate_obstacles(peer, server):
    place(server, "FrontRoomC2", "FrontRoomC1")
    return peer.send_goal(
        Bw4tNavigateObstacles, "Bot_1/navigate_obstacles", Bw4tNavigateObstacles.Goal()
    )


def place(server, target, then=None):
    """Let time pass at once until Bot_1 is at a target, and then on its way to another."""

    def run(world):
        world.act("Bot_1", "goTo", target)
        while world.snapshot().robots[0].state == "traveling":
            world.step()
        if then is not None:
            world.act("Bot_1", "goTo", then)
            world.step()

    server.runner.call(run, 60.0)


ACTIONS = {"go_to": go_to, "go_to_block": go_to_block, "navigate_obstacles": navigate_obstacles}
each_action = pytest.mark.parametrize("action", ACTIONS)


def under_way(peer, server, action):
    """Send a goal and wait until the robot is on its way; return the goal and its end's future."""
    goal = ACTIONS[action](peer, server)
    goal.feedback.wait_for()
    return goal


def ended(goal, code, status=GoalStatus.STATUS_ABORTED):
    """Assert how it ends, within END_TIMEOUT_S; return the sentence."""
    end = goal.end(END_TIMEOUT_S)
    assert (end.result.outcome.code, end.status) == (code, status)
    return end.result.outcome.message


@both_orders
@each_action
def test_the_end_of_the_program_ends_a_goal(serve, action, order):
    server, peer = serve(order=order, **SLOW)
    goal = under_way(peer, server, action)
    serve.stop(server)
    assert ended(goal, Bw4tGoing.SHUTDOWN) == "the bridge is shutting down"


@both_orders
@each_action
def test_a_failure_of_the_world_ends_a_goal_and_passes(serve, action, order):
    server, peer = serve(order=order, **SLOW)
    links = peer.subscribe(LinkState, "link_state")
    goal = under_way(peer, server, action)
    x, y = location(server)

    def fail_once(world):
        step = world.step

        def fail(ticks):
            world.step = step
            raise ZeroDivisionError("a fault of the test")

        world.step = fail

    server.runner.call(fail_once)
    message = ended(goal, Bw4tGoing.LINK_LOST)
    assert "unexpected ZeroDivisionError: a fault of the test" in message
    fault = links.wait_for(lambda m: m.state == LinkState.FAULT)
    assert "a fault of the test" in fault.detail
    links.wait_for(lambda m: m.state == LinkState.CONNECTED and m.connections == 2)
    # The robot was stopped, and can go on.
    state = peer.subscribe(Bw4tState, "Bot_1/state")
    state.wait_for(lambda message: message.state == Bw4tState.ARRIVED)
    assert abs(location(server)[0] - x) + abs(location(server)[1] - y) < 1.0
    again = under_way(peer, server, "go_to")
    assert again.cancel()
    ended(again, Bw4tGoing.CANCELED, GoalStatus.STATUS_CANCELED)


def location(server):
    robot = server.runner.call(lambda world: world.snapshot().robots[0])
    return robot.x, robot.y


@both_orders
@each_action
def test_a_cancelled_goal_ends_and_the_robot_stands(serve, action, order):
    server, peer = serve(order=order, **SLOW)
    goal = under_way(peer, server, action)
    assert goal.cancel()
    message = ended(goal, Bw4tGoing.CANCELED, GoalStatus.STATUS_CANCELED)
    assert message == "Bot_1 stopped as asked for"
    assert server.runner.call(lambda world: world.snapshot().robots[0].state) == "arrived"
    assert not goal.cancel()


@both_orders
@each_action
@pytest.mark.parametrize("way", ["remove_player", "load"])
def test_the_removal_of_the_player_ends_a_goal(serve, scenario_file, action, way, order):
    server, peer = serve(order=order, **SLOW)
    goal = under_way(peer, server, action)
    if way == "load":
        request = Bw4tLoad.Request(scenario=scenario_file(BotSpec(name="Ann")))
        assert peer.call(Bw4tLoad, "load", request).success
        assert ended(goal, Bw4tGoing.WORLD_RESET) == "the world began again"
        return
    remove = Bw4tRemovePlayer.Request(name="Bot_1")
    assert peer.call(Bw4tRemovePlayer, "remove_player", remove).success
    assert ended(goal, Bw4tGoing.WORLD_RESET) == "Bot_1 was taken out of the world"


def test_a_player_of_the_same_name_can_come_at_once(serve):
    server, peer = serve(speed=10.0, robots=1)
    goal = under_way(peer, server, "go_to")
    for _ in range(3):
        remove = Bw4tRemovePlayer.Request(name="Bot_1")
        assert peer.call(Bw4tRemovePlayer, "remove_player", remove).success
        assert peer.call(Bw4tAddPlayer, "add_player", Bw4tAddPlayer.Request()).name == "Bot_1"
    ended(goal, Bw4tGoing.WORLD_RESET)
    # Who joins while a participant adds and removes endpoints may never find it (Fast DDS).
    until(lambda: peer.node.count_publishers("Bot_1/state") == 1, "not one state", TIMEOUT)
    service = "Bot_1/go_to/_action/send_goal"
    until(lambda: peer.node.count_services(service) == 1, "not one server", TIMEOUT)
    with RosPeer("late", "bw4t") as late:
        late.subscribe(Bw4tState, "Bot_1/state").wait_for()
        place = Bw4tGoTo.Goal(place="FrontDropZone")
        again = late.send_goal(Bw4tGoTo, "Bot_1/go_to", place)
        assert again.result().outcome.code == Bw4tGoing.ARRIVED


def test_a_player_of_the_same_name_can_come_before_the_node_has_seen_the_other_leave(
    serve, standstill
):
    server, peer = serve(speed=10.0, robots=1)
    state = peer.subscribe(Bw4tState, "Bot_1/state")
    before = state.wait_for()
    goal = under_way(peer, server, "go_to")
    with standstill(server):
        server.runner.remove_player("Bot_1").result()
        assert server.runner.add_player(BotSpec()).result() == "Bot_1"
    assert ended(goal, Bw4tGoing.WORLD_RESET) == "Bot_1 was taken out of the world"
    state.wait_for(lambda m: m.id != before.id)
    again = peer.send_goal(Bw4tGoTo, "Bot_1/go_to", Bw4tGoTo.Goal(place="FrontDropZone"))
    assert again.result().outcome.code == Bw4tGoing.ARRIVED


CLIENT = """
from legacy_robots_msgs.action import Bw4tGoTo
from legacy_robots_testing.ros_peer import RosPeer

with RosPeer("doomed", "bw4t") as peer:
    goal = peer.send_goal(Bw4tGoTo, "Bot_2/go_to", Bw4tGoTo.Goal(place="RoomC1"))
    goal.feedback.wait_for()
    print("under way", flush=True)
    input()
"""


@pytest.mark.parametrize("end", ["robot is removed", "program ends"])
def test_the_kill_of_a_client_leaves_the_others_their_results(serve, end):
    server, peer = serve(**SLOW)
    goal = under_way(peer, server, "go_to")
    doomed = subprocess.Popen(
        [sys.executable, "-c", CLIENT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert doomed.stdout.readline() == "under way\n"
    doomed.kill()
    doomed.wait()
    # The killed client's robot goes on, as nothing else was asked for.
    assert server.runner.call(lambda world: world.snapshot().robots[1].state) == "traveling"
    if end == "program ends":
        serve.stop(server)
        ended(goal, Bw4tGoing.SHUTDOWN)
        return
    remove = Bw4tRemovePlayer.Request(name="Bot_1")
    assert peer.call(Bw4tRemovePlayer, "remove_player", remove).success
    ended(goal, Bw4tGoing.WORLD_RESET)


def test_goals_of_many_clients_end_once_when_the_program_ends(serve):
    server, peer = serve(**SLOW)
    results = []
    done = threading.Condition()

    def count(future):
        with done:
            results.append(future.result().result.outcome.code)
            done.notify_all()

    with RosPeer("second", "bw4t") as second:
        for client, name in ((peer, "Bot_1"), (second, "Bot_2")):
            goal = client.send_goal(Bw4tGoTo, f"{name}/go_to", Bw4tGoTo.Goal(place="RoomA1"))
            goal.ended.add_done_callback(count)
            goal.feedback.wait_for()
        serve.stop(server)
        with done:
            assert done.wait_for(lambda: len(results) == 2, END_TIMEOUT_S)
    assert results == [Bw4tGoing.SHUTDOWN] * 2
