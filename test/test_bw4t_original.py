# SPDX-License-Identifier: Apache-2.0
"""An original server 3.8.1 in ROS, with the user's programs only.

BW4T_CLIENT_3_8_1 names a directory with the client jar, BW4T_SERVER_3_8_1 a program that runs a
server without a screen: it is started with the port and the name of a map (docs/originals/bw4t.md,
12).
"""

import os
import signal

import pytest
from action_msgs.msg import GoalStatus
from legacy_robots_msgs.action import Bw4tGoTo, Bw4tGoToBlock, Bw4tNavigateObstacles
from legacy_robots_msgs.msg import (
    Bw4tBlocks,
    Bw4tEffect,
    Bw4tEPartners,
    Bw4tGoing,
    Bw4tHeard,
    Bw4tMap,
    Bw4tOccupiedRooms,
    Bw4tPercepts,
    Bw4tPlayers,
    Bw4tRoster,
    Bw4tState,
    Bw4tTask,
    Bw4tWorldState,
    LinkState,
)
from legacy_robots_msgs.srv import (
    Bw4tAct,
    Bw4tAddPlayer,
    Bw4tLoad,
    Bw4tPickUp,
    Bw4tRemovePlayer,
    Bw4tReset,
    Bw4tSendMessage,
    Bw4tSetSpeed,
    Bw4tStep,
    Bw4tUserRequest,
)
from nav2_msgs.action import NavigateToPose
from nav_msgs.msg import OccupancyGrid, Odometry
from sensor_msgs.msg import BatteryState
from std_srvs.srv import Trigger
from tf2_msgs.msg import TFMessage
from visualization_msgs.msg import MarkerArray

from legacy_robots_common import qos
from legacy_robots_common.testing.machine import free_port
from legacy_robots_common.testing.process import Process
from legacy_robots_common.testing.ros_peer import RosPeer

NEEDED = ("BW4T_CLIENT_3_8_1", "BW4T_SERVER_3_8_1")

pytestmark = [
    pytest.mark.skipif(
        not all(name in os.environ for name in NEEDED),
        reason=f"{' and '.join(NEEDED)} name no client jar and server of the original",
    ),
    pytest.mark.timeout(900),
]


class Original:
    """The original server, which can be killed and started again on the same port."""

    def __init__(self):
        self.port = free_port()
        self.process = None

    def start(self):
        program = os.environ["BW4T_SERVER_3_8_1"]
        self.process = Process([program, str(self.port), "Rainbow"])
        self.process.__enter__()

    def kill(self):
        process, self.process = self.process, None
        if process is not None:
            process.signal(signal.SIGKILL)
            process.__exit__(None, None, None)


@pytest.fixture
def original():
    original = Original()
    original.start()
    yield original
    original.kill()


@pytest.fixture
def bw4t(ros2, original):
    """The launch file on the original server."""

    def start(*arguments):
        jars = os.environ["BW4T_CLIENT_3_8_1"]
        world = ("world:=original", f"server:=127.0.0.1:{original.port}", f"jars:={jars}")
        file = ("launch", "legacy_robots_bringup", "bw4t.launch.py")
        return Process(ros2(*file, *world, *arguments))

    return start


def connected(peer):
    links = peer.subscribe(LinkState, "link_state")
    links.wait_for(lambda link: link.state == LinkState.CONNECTED, 120)
    return links


def go(peer, player, place):
    return peer.send_goal(Bw4tGoTo, f"{player}/go_to", Bw4tGoTo.Goal(place=place))


def test_searchers_complete_the_sequence_on_the_original_server(bw4t):
    with bw4t("robots:=3") as launch, RosPeer(namespace="bw4t") as peer:
        connected(peer)
        launch.wait_for_line("the sequence is complete", 800)
        task = peer.subscribe(Bw4tTask, "task").wait_for(lambda m: m.done)
        assert (task.index, task.good_drops) == (6, 6)


def test_every_topic(bw4t):
    with bw4t("robots:=1", "human:=1", "team:=none"), RosPeer(namespace="bw4t") as peer:
        connected(peer)
        for kind, name, has_come in (
            (Bw4tMap, "map", lambda m: len(m.zones) == 28),
            (OccupancyGrid, "occupancy_grid", lambda m: m.data),
            (Bw4tTask, "task", lambda m: len(m.sequence) == 6),
            (Bw4tOccupiedRooms, "occupied_rooms", lambda m: True),
            (Bw4tRoster, "roster", lambda m: len(m.players) == 2),
            (Bw4tWorldState, "world_state", lambda m: m.profile == "server_3_8_1"),
            (MarkerArray, "markers", lambda m: len(m.markers) > 20),
            (Bw4tState, "Bot_1/state", lambda m: m.state == Bw4tState.ARRIVED),
            (Bw4tBlocks, "Bot_1/visible_blocks", lambda m: True),
            (Bw4tPlayers, "Bot_1/players", lambda m: len(m.players) == 1),
            (Bw4tEPartners, "Bot_1/visible_epartners", lambda m: True),
            (BatteryState, "Bot_1/battery", lambda m: m.percentage == 1.0),
        ):
            assert peer.subscribe(kind, name).wait_for(has_come), name
        for kind, name in (
            (Bw4tPercepts, "Bot_1/percepts"),
            (Odometry, "Bot_1/odom"),
            (TFMessage, "/tf"),
        ):
            assert peer.subscribe(kind, name, qos.stream(50)).wait_for(), name


def test_every_action_and_service(bw4t):
    with bw4t("robots:=2", "human:=1", "team:=none"), RosPeer(namespace="bw4t") as peer:
        connected(peer)
        end = go(peer, "Bot_1", "RoomC1").end(120)
        assert end.result.outcome.code == Bw4tGoing.ARRIVED
        blocks = peer.subscribe(Bw4tBlocks, "Bot_1/visible_blocks").wait_for(lambda m: m.blocks)
        block = blocks.blocks[0].id
        to_block = Bw4tGoToBlock.Goal(block_id=block)
        end = peer.send_goal(Bw4tGoToBlock, "Bot_1/go_to_block", to_block).end(60)
        assert end.status == GoalStatus.STATUS_SUCCEEDED
        nearest = Bw4tPickUp.Request(block_id=Bw4tPickUp.Request.NEAREST)
        effect = peer.call(Bw4tPickUp, "Bot_1/pick_up", nearest).effect
        assert (effect.code, effect.id) == (Bw4tEffect.PICKED_UP, block)
        late = go(peer, "Bot_2", "RoomC1").end(120).result.outcome
        assert (late.code, late.stopped_by) == (Bw4tGoing.CLOSED_DOOR, "RoomC1")
        around = peer.send_goal(
            Bw4tNavigateObstacles, "Bot_2/navigate_obstacles", Bw4tNavigateObstacles.Goal()
        )
        assert around.end(120).result.outcome.message
        assert peer.call(Bw4tAct, "Bot_1/put_down").effect.code == Bw4tEffect.PUT_IN_ROOM
        rejected = peer.call(Bw4tAct, "Bot_1/put_down").effect
        assert (rejected.code, rejected.success) == (Bw4tEffect.REJECTED, False)
        assert go(peer, "Bot_1", "Nowhere").end().result.outcome.code == Bw4tGoing.REJECTED
        heard = peer.subscribe(Bw4tHeard, "Bot_2/messages", qos.stream(10))
        said = Bw4tSendMessage.Request(receiver="Bot_2", text="room RoomC1 is empty")
        assert peer.call(Bw4tSendMessage, "Bot_1/send_message", said).effect.success
        assert heard.wait_for().text == said.text
        asked = Bw4tUserRequest.Request(request="putDown")
        roster = peer.subscribe(Bw4tRoster, "roster").wait_for(lambda m: len(m.players) == 3)
        human = next(p.ros_name for p in roster.players if p.kind == p.HUMAN)
        assert peer.call(Bw4tUserRequest, f"{human}/user_request", asked).success
        for service in ("pick_up_epartner", "put_down_epartner"):
            assert peer.call(Bw4tAct, f"{human}/{service}").effect.message
        pose = NavigateToPose.Goal()
        pose.pose.header.frame_id = "map"
        pose.pose.pose.position.x, pose.pose.pose.position.y = 25.0, -65.0
        pose.pose.pose.orientation.w = 1.0
        end = peer.send_goal(NavigateToPose, "Bot_1/navigate_to_pose", pose).end(120)
        assert end.status == GoalStatus.STATUS_SUCCEEDED
        states = peer.subscribe(Bw4tWorldState, "world_state")
        assert peer.call(Trigger, "pause").success
        states.wait_for(lambda state: state.paused)
        assert peer.call(Trigger, "start").success
        states.wait_for(lambda state: not state.paused)
        for kind, name, request in (
            (Bw4tStep, "step", Bw4tStep.Request(ticks=1)),
            (Bw4tReset, "reset", Bw4tReset.Request()),
            (Bw4tLoad, "load", Bw4tLoad.Request(map="large")),
            (Bw4tSetSpeed, "set_speed", Bw4tSetSpeed.Request(speed=2.0)),
            (Bw4tAddPlayer, "add_player", Bw4tAddPlayer.Request()),
            (Bw4tRemovePlayer, "remove_player", Bw4tRemovePlayer.Request(name="Bot_1")),
        ):
            response = peer.call(kind, name, request)
            assert not response.success
            assert response.message.startswith("an original server cannot "), name


def test_the_server_is_killed_and_comes_back(bw4t, original):
    with bw4t("robots:=1", "team:=none"), RosPeer(namespace="bw4t") as peer:
        links = connected(peer)
        goal = go(peer, "Bot_1", "RoomA1")
        goal.feedback.wait_for(lambda _: True)
        links.clear()
        original.kill()
        assert goal.end(60).result.outcome.code == Bw4tGoing.LINK_LOST
        links.wait_for(lambda link: "no BW4T server answers" in link.detail, 60)
        original.start()
        links.wait_for(lambda link: link.state == LinkState.CONNECTED, 120)
        assert go(peer, "Bot_1", "RoomC1").end(120).result.outcome.code == Bw4tGoing.ARRIVED


def test_more_robots_than_the_map_has_places_for(bw4t):
    with bw4t("robots:=9", "team:=none"), RosPeer(namespace="bw4t") as peer:
        links = peer.subscribe(LinkState, "link_state")
        fault = links.wait_for(
            lambda link: link.state == LinkState.FAULT and "9 robots" in link.detail, 120
        )
        assert "refused" in fault.detail


def test_a_server_that_stalls_is_a_lost_link(bw4t, original):
    with bw4t("robots:=1", "team:=none"), RosPeer(namespace="bw4t") as peer:
        links = connected(peer)
        links.clear()
        original.process.signal(signal.SIGSTOP)
        links.wait_for(lambda link: link.state == LinkState.FAULT, 60)
        original.process.signal(signal.SIGCONT)
        links.wait_for(lambda link: link.state == LinkState.CONNECTED, 120)
