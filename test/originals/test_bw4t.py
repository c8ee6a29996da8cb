# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Original servers 3.8.1 and 3.10 in ROS, with the user's programs only.

BW4T_CLIENT_3_8_1 names a directory with the client jar, BW4T_SERVER_3_8_1 a program that runs a
server without a screen: it is started with the port and the name of a map (docs/originals/bw4t.md,
12). The same with BW4T_CLIENT_3_10 and BW4T_SERVER_3_10.
"""

import os
import re
import signal
from pathlib import Path

import pytest
from action_msgs.msg import GoalStatus
from diagnostic_msgs.msg import DiagnosticArray
from geometry_msgs.msg import PointStamped, PoseStamped
from nav_msgs.msg import OccupancyGrid, Odometry
from rclpy.action import ActionClient
from sensor_msgs.msg import BatteryState
from simulation_interfaces import msg as simulation
from simulation_interfaces import srv as simulation_srv
from std_srvs.srv import Trigger
from tf2_msgs.msg import TFMessage
from visualization_msgs.msg import Marker, MarkerArray

from legacy_robots_common.node import qos
from legacy_robots_msgs import action, msg, srv
from legacy_robots_testing.machine import free_port
from legacy_robots_testing.menus import MenuClient
from legacy_robots_testing.navigation import ended, pose, send_through, send_to
from legacy_robots_testing.polling import until
from legacy_robots_testing.process import Process
from legacy_robots_testing.ros_peer import RosPeer

DOCUMENT = Path(__file__).parents[2] / "docs" / "bw4t.md"

pytestmark = pytest.mark.timeout(900)


@pytest.fixture(params=["3_8_1", "3_10"])
def version(request):
    """A version of which the user has the client jar and the server."""
    needed = [f"BW4T_{kind}_{request.param}" for kind in ("CLIENT", "SERVER")]
    if not all(name in os.environ for name in needed):
        pytest.skip(f"{' and '.join(needed)} name no client jar and server of the original")
    return request.param


class Original:
    """The original server, which can be killed and started again on the same port."""

    def __init__(self, version):
        self._program = os.environ[f"BW4T_SERVER_{version}"]
        self.port = free_port()
        self.process = None

    def start(self, told_host=""):
        """Start it; ``told_host`` is the host that it tells clients to call."""
        program = [self._program, str(self.port), "Rainbow"]
        if told_host:  # this variable goes before the program's own options
            options = f"-Djava.rmi.server.hostname={told_host}"
            program = ["env", f"_JAVA_OPTIONS={options}", *program]
        self.process = Process(program)
        self.process.__enter__()

    def kill(self):
        process, self.process = self.process, None
        if process is not None:
            process.signal(signal.SIGKILL)
            process.__exit__(None, None, None)


@pytest.fixture
def original(version):
    original = Original(version)
    original.start()
    yield original
    original.kill()


@pytest.fixture
def bw4t(ros2, original, version):
    """The launch file on the original server."""

    def start(*arguments, client=version):
        jars = os.environ[f"BW4T_CLIENT_{client}"]
        world = ("world:=original", f"server:=127.0.0.1:{original.port}", f"jars:={jars}")
        file = ("launch", "legacy_robots_bringup", "bw4t.launch.py")
        return Process(ros2(*file, *world, *arguments))

    return start


def connected(peer):
    links = peer.subscribe(msg.LinkState, "link_state")
    links.wait_for(lambda link: link.state == msg.LinkState.CONNECTED, 120)
    return links


def go(peer, player, place):
    return peer.send_goal(action.Bw4tGoTo, f"{player}/go_to", action.Bw4tGoTo.Goal(place=place))


def test_searchers_complete_the_sequence_on_the_original_server(bw4t):
    with bw4t("robots:=3") as launch, RosPeer(namespace="bw4t") as peer:
        connected(peer)
        launch.wait_for_line("the sequence is complete", 800)
        task = peer.subscribe(msg.Bw4tTask, "task").wait_for(lambda m: m.done)
        assert (task.index, task.good_drops) == (6, 6)


def test_a_launch_that_is_ended_in_mid_game_joins_again_and_plays_on(bw4t):
    with bw4t("robots:=3"), RosPeer(namespace="bw4t") as peer:
        connected(peer)
        peer.subscribe(msg.Bw4tTask, "task").wait_for(lambda m: m.index > 0, 300)
    with bw4t("robots:=3") as launch, RosPeer(namespace="bw4t") as peer:
        assert [k for k in connected(peer).items if k.state == k.FAULT] == []
        launch.wait_for_line("the sequence is complete", 800)


def documented():
    """Return the names in the interface list of the document, for Bot_1 where they have a player.

    What is not there on an original server is left out: the document says so.
    """
    section = DOCUMENT.read_text(encoding="utf-8").split("\n## Interface\n")[1].split("\n### ")[0]
    cells = re.findall(r"^\| (`.+?`) \|", section, re.M)
    names = re.findall("`([^`]+)`", " ".join(cells))
    assert len(names) > 50
    absent = {"simulate_steps"}
    return {
        name if name.startswith("/") else f"/bw4t/{name.replace('<player>', 'Bot_1')}"
        for name in set(names) - absent
    }


def tried(peer):
    """Return the names of all that a peer has used."""
    node, actions = peer.node, peer._clients.items()
    return {
        *(subscription.topic_name for subscription in node.subscriptions),
        *(publisher.topic_name for publisher in node.publishers),
        *(client.service_name for client in node.clients),
        *(f"/bw4t/{name}" for name, client in actions if isinstance(client, ActionClient)),
    }


def test_every_entry_of_the_interface_list_works_or_is_refused_in_words(
    bw4t, version, monkeypatch
):
    monkeypatch.delenv("DISPLAY", raising=False)  # the human bot, too, needs no screen
    with bw4t("robots:=2", "human:=1", "team:=none"), RosPeer(namespace="bw4t") as peer:
        connected(peer)
        every_topic(peer, f"server_{version}")
        blocks = going(peer)
        handling_blocks(peer, *blocks[:2], by_id=version == "3_10")
        talking(peer)
        navigating(peer)
        choosing_from_menus(peer)
        simulating(peer)
        controlling(peer)
        cancelling(peer)
        assert documented() - tried(peer) == set()


def every_topic(peer, profile):
    seen = {}
    for kind, name, has_come in (
        (msg.Bw4tMap, "map", lambda m: len(m.zones) == 28),
        (OccupancyGrid, "occupancy_grid", lambda m: {0, 100} <= set(m.data)),
        (msg.Bw4tTask, "task", lambda m: len(m.sequence) == 6),
        (msg.Bw4tOccupiedRooms, "occupied_rooms", lambda m: True),
        (msg.Bw4tRoster, "roster", lambda m: len(m.players) == 3),
        (msg.Bw4tWorldState, "world_state", lambda m: m.profile == profile),
        (MarkerArray, "markers", lambda m: len(m.markers) > 20),
        (msg.Bw4tState, "Bot_1/state", lambda m: m.state == msg.Bw4tState.ARRIVED),
        (msg.Bw4tBlocks, "Bot_1/visible_blocks", lambda m: True),
        (msg.Bw4tPlayers, "Bot_1/players", lambda m: len(m.players) == 2),
        (msg.Bw4tEPartners, "Bot_1/visible_epartners", lambda m: True),
        (BatteryState, "Bot_1/battery", lambda m: m.percentage == 1.0),
    ):
        seen[name] = peer.subscribe(kind, name).wait_for(has_come)
    for kind, name in (
        (msg.Bw4tPercepts, "Bot_1/percepts"),
        (Odometry, "Bot_1/odom"),
        (DiagnosticArray, "/diagnostics"),
        (TFMessage, "/tf"),
    ):
        seen[name] = peer.subscribe(kind, name, qos.stream(50)).wait_for()
    # One place of a robot, in the whole view.
    at = seen["Bot_1/state"].position
    frames = {t.child_frame_id: t for t in seen["/tf"].transforms}
    assert {"Bot_1/base_link", "Bot_2/base_link"} <= frames.keys()
    assert frames["Bot_1/base_link"].header.frame_id == "map"
    moved = frames["Bot_1/base_link"].transform.translation
    assert (moved.x, moved.y) == (at.x, at.y)
    odom = seen["Bot_1/odom"]
    assert (odom.header.frame_id, odom.child_frame_id) == ("map", "Bot_1/base_link")
    drawn = seen["markers"].markers
    assert {marker.header.frame_id for marker in drawn} - {""} == {"map"}
    assert {"RoomC1", "Bot_1"} <= {m.text for m in drawn if m.type == Marker.TEXT_VIEW_FACING}
    (status,) = [s for s in seen["/diagnostics"].status if "bw4t" in s.name]
    assert "tick" in {value.key for value in status.values}


def going(peer):
    assert go(peer, "Bot_1", "Nowhere").end().result.outcome.code == msg.Bw4tGoing.REJECTED
    end = go(peer, "Bot_1", "RoomC1").end(120)
    assert end.result.outcome.code == msg.Bw4tGoing.ARRIVED
    blocks = peer.subscribe(msg.Bw4tBlocks, "Bot_1/visible_blocks").wait_for(lambda m: m.blocks)
    to_block = action.Bw4tGoToBlock.Goal(block_id=blocks.blocks[0].id)
    end = peer.send_goal(action.Bw4tGoToBlock, "Bot_1/go_to_block", to_block).end(60)
    assert end.status == GoalStatus.STATUS_SUCCEEDED
    late = go(peer, "Bot_2", "RoomC1").end(120).result.outcome
    assert (late.code, late.stopped_by) == (msg.Bw4tGoing.CLOSED_DOOR, "RoomC1")
    kind = action.Bw4tNavigateObstacles
    for player in ("Bot_1", "Bot_2"):
        around = peer.send_goal(kind, f"{player}/navigate_obstacles", kind.Goal())
        assert around.end(120).result.outcome.message
    return [block.id for block in blocks.blocks]


def handling_blocks(peer, block, another, *, by_id):
    def pick_up(number):
        request = srv.Bw4tPickUp.Request(block_id=number)
        return peer.call(srv.Bw4tPickUp, "Bot_1/pick_up", request).effect

    nearest = srv.Bw4tPickUp.Request.NEAREST
    assert pick_up(block if by_id else nearest).code == msg.Bw4tEffect.PICKED_UP
    assert pick_up(another if by_id else nearest).code == msg.Bw4tEffect.GRIPPER_FULL
    refused = pick_up(nearest if by_id else block)
    assert ("the id of a block" if by_id else "the nearest block") in refused.message
    act = srv.Bw4tAct
    assert peer.call(act, "Bot_1/put_down").effect.code == msg.Bw4tEffect.PUT_IN_ROOM
    rejected = peer.call(act, "Bot_1/put_down").effect
    assert (rejected.code, rejected.success) == (msg.Bw4tEffect.REJECTED, False)
    for service in ("pick_up_epartner", "put_down_epartner"):
        robots = peer.call(act, f"Bot_1/{service}").effect
        assert robots.code == msg.Bw4tEffect.NOT_A_HUMAN
        assert peer.call(act, f"{human(peer)}/{service}").effect.message


def human(peer):
    roster = peer.subscribe(msg.Bw4tRoster, "roster").wait_for(lambda m: len(m.players) == 3)
    return next(p.ros_name for p in roster.players if p.kind == p.HUMAN)


def talking(peer):
    heard = peer.subscribe(msg.Bw4tHeard, "Bot_1/messages", qos.stream(10))
    said = srv.Bw4tSendMessage.Request(receiver="Bot_1", text="room RoomC1 is empty")
    for player in ("Bot_2", "Bot_1"):
        assert peer.call(srv.Bw4tSendMessage, f"{player}/send_message", said).effect.success
        assert heard.wait_for(lambda m, sender=player: m.sender == sender).text == said.text
    asked = srv.Bw4tUserRequest.Request(request="putDown")
    assert peer.call(srv.Bw4tUserRequest, f"{human(peer)}/user_request", asked).success
    refused = peer.call(srv.Bw4tUserRequest, "Bot_1/user_request", asked)
    assert (refused.success, "Bot_1" in refused.message) == (False, True)


def navigating(peer):
    goal = send_to(peer, "Bot_1", pose(25.0, -65.0))
    assert ended(goal, GoalStatus.STATUS_SUCCEEDED) == ""
    assert goal.feedback.items[0].current_pose.header.frame_id == "map"
    outside = send_to(peer, "Bot_1", pose(-3.0, -65.0))
    assert "outside of the map" in ended(outside, GoalStatus.STATUS_ABORTED, 204)
    goal = send_through(peer, "Bot_1", pose(45.0, -65.0), pose(25.0, -65.0))
    assert ended(goal, GoalStatus.STATUS_SUCCEEDED) == ""
    states = peer.subscribe(msg.Bw4tState, "Bot_1/state")
    for kind, topic, x in (
        (PoseStamped, "goal_pose", 15.0),
        (PointStamped, "clicked_point", 35.0),
    ):
        publisher = peer.node.create_publisher(kind, f"Bot_1/{topic}", qos.stream(1))
        until(publisher.get_subscription_count, "no subscriber", 15)
        there = pose(x, -65.0)
        if kind is PointStamped:
            there = PointStamped(header=there.header, point=there.pose.position)
        publisher.publish(there)
        states.wait_for(lambda s, x=x: s.state == s.ARRIVED and s.position.x == x, 60)


def choosing_from_menus(peer):
    menus = MenuClient(peer)
    menus.wait_for(lambda markers: {"Bot_1", "Bot_2"} <= markers.keys())
    menus.select("Bot_1", "Go to", "RoomC3")
    states = peer.subscribe(msg.Bw4tState, "Bot_1/state")
    states.wait_for(lambda s: s.room == "RoomC3" and s.state == s.ARRIVED, 60)
    menus.select("Bot_1", "Pick up")
    states.wait_for(lambda s: s.holding, 60)
    menus.select("Bot_1", "Put down")
    states.clear()
    states.wait_for(lambda s: not s.holding, 60)


def simulating(peer):
    def call(kind, service, **fields):
        return peer.call(kind, service, kind.Request(**fields))

    codes = simulation.Result
    reported = call(
        simulation_srv.GetSimulatorFeatures, "get_simulator_features"
    ).features.features
    assert simulation.SimulatorFeatures.SIMULATION_STATE_PAUSE in reported
    entities = call(simulation_srv.GetEntities, "get_entities").entities
    assert {"Bot_1", "Bot_2", human(peer)} <= set(entities)
    assert any(name.startswith("block_") for name in entities), "those that were seen"
    found = call(simulation_srv.GetEntityState, "get_entity_state", entity="Bot_2")
    assert found.result.result == codes.RESULT_OK
    states = simulation.SimulationState
    setting = simulation_srv.SetSimulationState
    for state in (states.STATE_PAUSED, states.STATE_PLAYING):
        wanted = states(state=state)
        assert call(setting, "set_simulation_state", state=wanted).result.result == codes.RESULT_OK
        now = call(simulation_srv.GetSimulationState, "get_simulation_state").state.state
        assert now == state
    for kind, service, fields in (
        (setting, "set_simulation_state", {"state": states(state=states.STATE_STOPPED)}),
        (simulation_srv.ResetSimulation, "reset_simulation", {}),
        (simulation_srv.StepSimulation, "step_simulation", {"steps": 1}),
        (simulation_srv.SetEntityState, "set_entity_state", {"entity": "Bot_1"}),
        (simulation_srv.SpawnEntity, "spawn_entity", {"uri": "bot"}),
        (simulation_srv.DeleteEntity, "delete_entity", {"entity": "Bot_1"}),
        (simulation_srv.LoadWorld, "load_world", {"uri": "large"}),
    ):
        refused = call(kind, service, **fields).result
        assert refused.result != codes.RESULT_OK, service
        assert refused.error_message, service
    now = call(simulation_srv.GetSimulationState, "get_simulation_state").state.state
    assert now == states.STATE_PLAYING, "what is refused changes nothing"


def controlling(peer):
    states = peer.subscribe(msg.Bw4tWorldState, "world_state")
    assert peer.call(Trigger, "pause").success
    states.wait_for(lambda state: state.paused)
    assert peer.call(Trigger, "start").success
    states.wait_for(lambda state: not state.paused)
    for kind, name, request in (
        (srv.Bw4tStep, "step", srv.Bw4tStep.Request(ticks=1)),
        (srv.Bw4tReset, "reset", srv.Bw4tReset.Request()),
        (srv.Bw4tLoad, "load", srv.Bw4tLoad.Request(map="large")),
        (srv.Bw4tSetSpeed, "set_speed", srv.Bw4tSetSpeed.Request(speed=2.0)),
        (srv.Bw4tAddPlayer, "add_player", srv.Bw4tAddPlayer.Request()),
        (srv.Bw4tRemovePlayer, "remove_player", srv.Bw4tRemovePlayer.Request(name="Bot_1")),
    ):
        response = peer.call(kind, name, request)
        assert not response.success
        assert response.message.startswith("an original server cannot "), name


def cancelling(peer):
    goal = go(peer, "Bot_1", "RoomA1")
    goal.feedback.wait_for(lambda _: True)
    assert not goal.cancel(), "the robot goes on to its target"
    assert goal.end(120).result.outcome.code == msg.Bw4tGoing.ARRIVED
    goal = send_to(peer, "Bot_1", pose(25.0, -65.0))
    goal.feedback.wait_for(lambda f: f.distance_remaining > 0)
    assert not goal.cancel()
    assert ended(goal, GoalStatus.STATUS_SUCCEEDED) == ""


def test_the_server_is_killed_and_comes_back(bw4t, original):
    with bw4t("robots:=1", "team:=none"), RosPeer(namespace="bw4t") as peer:
        links = connected(peer)
        goal = go(peer, "Bot_1", "RoomA1")
        goal.feedback.wait_for(lambda _: True)
        links.clear()
        original.kill()
        assert goal.end(60).result.outcome.code == msg.Bw4tGoing.LINK_LOST
        links.wait_for(lambda link: "no BW4T server answers" in link.detail, 60)
        original.start()
        links.wait_for(lambda link: link.state == msg.LinkState.CONNECTED, 120)
        assert go(peer, "Bot_1", "RoomC1").end(120).result.outcome.code == msg.Bw4tGoing.ARRIVED


def test_the_node_is_killed_and_another_joins(bw4t):
    for room in (
        "RoomC1",
        "RoomC3",
    ):  # the robot of the node that was killed may stand in its room
        with bw4t("robots:=1", "team:=none") as launch, RosPeer(namespace="bw4t") as peer:
            connected(peer)
            (robot,) = (
                peer.subscribe(msg.Bw4tRoster, "roster").wait_for(lambda r: r.players).players
            )
            end = go(peer, robot.ros_name, room).end(120)
            assert end.result.outcome.code == msg.Bw4tGoing.ARRIVED
            (server,) = [pid for name, pid in launch.started() if name == "server"]
            os.kill(server, signal.SIGKILL)
            launch.wait_for_line("process has died", 30)


def too_many(version, robots):
    """Return how the link says that a server has not as many robots."""
    return f"refused {robots} robots" if version == "3_8_1" else f"of {robots} robots"


def test_more_robots_than_the_map_has_places_for(bw4t, version):
    with bw4t("robots:=9", "team:=none"), RosPeer(namespace="bw4t") as peer:
        fault_of(peer, too_many(version, 9))


def fault_of(peer, words):
    links = peer.subscribe(msg.LinkState, "link_state")
    return links.wait_for(lambda k: k.state == k.FAULT and words in k.detail, 120).detail


@pytest.mark.parametrize("host", ["no-such-host.invalid", "192.0.2.1"])
def test_a_server_that_tells_an_address_that_cannot_be_reached(bw4t, original, host):
    original.kill()
    original.start(told_host=host)
    with bw4t("robots:=1", "team:=none"), RosPeer(namespace="bw4t") as peer:
        said = fault_of(peer, "tells clients to call an address")
        assert "start it with -Djava.rmi.server.hostname=ADDRESS" in said


def test_a_client_jar_of_another_version(bw4t, version):
    (other,) = {"3_8_1", "3_10"} - {version}
    if f"BW4T_CLIENT_{other}" not in os.environ:
        pytest.skip(f"BW4T_CLIENT_{other} names no client jar")
    with bw4t("robots:=1", "team:=none", client=other), RosPeer(namespace="bw4t") as peer:
        fault_of(peer, "is of another version than the client jar")


def test_robots_that_another_client_has(bw4t, version):
    with bw4t("robots:=2", "team:=none"), RosPeer(namespace="bw4t") as first:
        connected(first)
        with (
            bw4t("robots:=2", "team:=none", "namespace:=late"),
            RosPeer(namespace="late") as late,
        ):
            fault_of(late, too_many(version, 2))
        assert go(first, "Bot_1", "RoomC1").end(120).result.outcome.code == msg.Bw4tGoing.ARRIVED


def test_a_server_that_stalls_is_a_lost_link(bw4t, original):
    with bw4t("robots:=1", "team:=none"), RosPeer(namespace="bw4t") as peer:
        links = connected(peer)
        links.clear()
        original.process.signal(signal.SIGSTOP)
        links.wait_for(lambda link: link.state == msg.LinkState.FAULT, 60)
        original.process.signal(signal.SIGCONT)
        links.wait_for(lambda link: link.state == msg.LinkState.CONNECTED, 120)
