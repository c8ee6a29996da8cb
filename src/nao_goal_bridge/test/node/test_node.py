# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The real node, the real wire, the simulated Nao: what a user of the topics and actions sees."""

import statistics

import pytest
from action_msgs.msg import GoalStatus
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from std_srvs.srv import Trigger
from tf2_msgs.msg import TFMessage
from visualization_msgs.msg import Marker, MarkerArray

from legacy_robots_common.node import qos
from legacy_robots_common.node.parameters import ParameterError
from legacy_robots_common.node.program_node import StartupError
from legacy_robots_msgs.action import NaoGoTo
from legacy_robots_msgs.msg import (
    LinkState,
    NaoAgentId,
    NaoDropped,
    NaoHeldObject,
    NaoLocation,
    NaoOutcome,
    NaoRoomMap,
    NaoSighting,
    NaoState,
)
from legacy_robots_testing.polling import until
from legacy_robots_testing.ros_peer import RosPeer
from legacy_robots_testing.running_node import RunningNode
from legacy_robots_testing.stopwatch import Stopwatch
from nao_goal_bridge.bridge.node import NaoBridge
from nao_goal_bridge.protocol import Dialect, Location, Profile, State
from nao_goal_bridge.simulator.nao_settings import NaoSettings
from nao_goal_bridge.simulator.program import NAO_FAULTS, Simulator, SimulatorConfig

pytestmark = pytest.mark.node

SLOW = NaoSettings(speed=0.2, grab_time=3.0, put_down_time=3.0, see_rate=5.0)


def valid_again():
    """Return a condition that is met by the first valid message after one that is not."""
    lost = False

    def met(message):
        nonlocal lost
        lost = lost or not message.valid
        return lost and message.valid

    return met


OF_TILES = {"flap", "delay", "long-leg"}
"""Faults that have their own tests: see test_walking_on.py."""
DIALECTS = [
    Dialect(),
    Dialect(code_width=4),
    *(Dialect(profile) for profile in Profile if profile is not Profile.SPEC),
]


@pytest.mark.parametrize("role", ["listen", "dial"])
@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda d: f"{d.profile.value}-{d.code_width}")
def test_an_object_is_fetched(bridged, dialect, role):
    with bridged(dialect=dialect, role=role, greeting_location="believed") as scene:
        held = scene.peer.subscribe(NaoHeldObject, "/nao/held_object")
        dropped = scene.peer.subscribe(NaoDropped, "/nao/dropped", qos.stream())
        if Location not in dialect.greeting:
            assert scene.set_location(64).success
        for goal in (scene.go_to(114), scene.pick_up(1), scene.go_to(64), scene.put_down()):
            end = goal.end()
            assert end.status == GoalStatus.STATUS_SUCCEEDED, end.result.outcome
            assert end.result.outcome.code == NaoOutcome.SUCCEEDED
        assert held.wait_for(lambda m: m.holding).object_id == 1
        assert dropped.wait_for().object_id == 1
        assert scene.simulator.wait_for(lambda: 1 in scene.simulator.world.objects_in(64))


def test_late_joiners_get_the_whole_state(bridged):
    with bridged() as scene:
        assert scene.go_to(114).result().outcome.code == NaoOutcome.SUCCEEDED
        with RosPeer("late") as late:
            agent = late.subscribe(NaoAgentId, "/nao/agent_id").wait_for()
            location = late.subscribe(NaoLocation, "/nao/location").wait_for()
            held = late.subscribe(NaoHeldObject, "/nao/held_object").wait_for()
            state = late.subscribe(NaoState, "/nao/state").wait_for()
            drawn = late.subscribe(MarkerArray, "/nao/room_map").wait_for()
            rooms = late.subscribe(NaoRoomMap, "/nao/rooms").wait_for()
            markers = late.subscribe(MarkerArray, "/nao/markers").wait_for()
            frames = late.subscribe(TFMessage, "/tf_static").wait_for().transforms
        assert (agent.valid, agent.agent_id) == (True, NaoSettings().agent_id)
        assert (location.valid, location.marker_id) == (True, 114)
        assert (held.valid, held.holding) == (True, False)
        assert (state.valid, state.state) == (True, NaoState.HALTED)
        labels = {m.text for m in drawn.markers if m.type == Marker.TEXT_VIEW_FACING}
        assert {"64", "114", "148"} <= labels
        (start,) = [room for room in rooms.rooms if room.marker_id == 64]
        assert (start.center.x, start.center.y, list(start.neighbours)) == (0.0, 0.0, [80])
        assert rooms.room_size == 0.5
        (robot,) = [m for m in markers.markers if m.ns == "robot"]
        assert (robot.pose.position.x, robot.pose.position.y) == (1.0, 0.0)
        assert robot.header.frame_id == "map"
        (room,) = [f for f in frames if f.child_frame_id == "room_114"]
        assert (room.header.frame_id, room.transform.translation.x) == ("map", 1.0)


def test_an_unseen_marker_fails_with_the_robots_failure(bridged):
    with bridged() as scene:
        end = scene.go_to(148).end()
        assert end.status == GoalStatus.STATUS_ABORTED
        assert end.result.outcome.code == NaoOutcome.FAILED
        assert "robot reported failure" in end.result.outcome.message


def test_feedback_tells_state_and_sighting(bridged):
    with bridged(SLOW) as scene:
        goal = scene.go_to(114)
        reported = goal.feedback.wait_for(
            lambda f: f.marker_seen and f.robot_state.state == NaoState.WALKING
        )
        assert reported.phase == NaoGoTo.Feedback.EXECUTING
        assert reported.sighting.marker_id == 114
        assert goal.cancel()


LATER = 77
"""A state that follows another, of which then all is published."""


def test_no_feedback_says_queued_of_a_robot_that_walks(robot, monkeypatch):
    states = robot.client.peer.subscribe(NaoState, "/nao/state", qos.stream())
    node = robot.running.node
    (publisher,) = [p for p in node.publishers if p.topic_name == "/nao/state"]
    until(publisher.get_subscription_count)
    exchange = node._exchange
    send = exchange._send

    def answered_before_it_returns(command):
        send(command)
        robot.send(State(NaoState.WALKING), State(LATER))
        states.wait_for(lambda m: m.state == LATER)

    monkeypatch.setattr(exchange, "_send", answered_before_it_returns)
    goal = robot.client.go_to(114)
    walking = goal.feedback.wait_for(lambda f: f.robot_state.state == NaoState.WALKING)
    assert walking.phase == NaoGoTo.Feedback.EXECUTING


def test_sightings_carry_distance_and_stamp(bridged):
    with bridged() as scene:
        seen = scene.peer.subscribe(NaoSighting, "/nao/sightings", qos.stream())
        sighting = seen.wait_for(lambda m: m.marker_id == 114)
        assert sighting.distance == 2
        age = scene.peer.node.get_clock().now().nanoseconds - (
            sighting.header.stamp.sec * 10**9 + sighting.header.stamp.nanosec
        )
        assert 0 <= age < 5e9


def test_without_a_clock_simulated_time_stands_at_zero_and_goals_end(bridged):
    with bridged(use_sim_time=True) as scene:
        assert scene.go_to(114).result().outcome.code == NaoOutcome.SUCCEEDED
        for kind, topic in ((NaoLocation, "location"), (LinkState, "link_state")):
            stamp = scene.peer.subscribe(kind, f"/nao/{topic}").wait_for().header.stamp
            assert (stamp.sec, stamp.nanosec) == (0, 0)


def test_goals_wait_in_order_bounded_and_can_be_cancelled_there(bridged):
    with bridged(SLOW, queue_length=1) as scene:
        first = scene.go_to(114)
        first.feedback.wait_for(lambda f: f.phase == NaoGoTo.Feedback.EXECUTING)
        second = scene.go_to(80)
        second.feedback.wait_for(lambda f: f.phase == NaoGoTo.Feedback.QUEUED)
        third = scene.go_to(85).end()
        assert third.status == GoalStatus.STATUS_ABORTED
        assert third.result.outcome.code == NaoOutcome.QUEUE_FULL
        assert second.cancel()
        assert second.end().status == GoalStatus.STATUS_CANCELED
        assert first.cancel()


def test_halt_by_service_is_refused_while_grabbing(bridged):
    settings = NaoSettings(speed=20.0, grab_time=1.0)
    with bridged(settings) as scene:
        assert scene.go_to(114).result().outcome.code == NaoOutcome.SUCCEEDED
        goal = scene.pick_up(1)
        goal.feedback.wait_for(lambda f: f.robot_state.state == NaoState.HALTED and f.phase == 1)
        answer = scene.peer.call(Trigger, "/nao/halt")
        assert not answer.success
        assert "refused" in answer.message
        assert goal.result().outcome.code == NaoOutcome.SUCCEEDED


def test_exit_is_answered_and_the_link_waits_for_the_next_robot(bridged):
    with bridged() as scene:
        answer = scene.peer.call(Trigger, "/nao/exit")
        assert answer.success, answer.message
        scene.link.wait_for(lambda m: m.state == LinkState.CONNECTING and m.connections == 1)


def test_an_overdue_goal_is_halted_and_timed_out(bridged):
    with bridged(SLOW, go_to_timeout=0.3) as scene:
        end = scene.go_to(114).end()
        assert end.status == GoalStatus.STATUS_ABORTED
        assert end.result.outcome.code == NaoOutcome.TIMED_OUT
        assert "halted" in end.result.outcome.message
        assert scene.simulator.wait_for(lambda: scene.simulator.world.state == NaoState.HALTED)


def test_a_goal_that_the_profile_cannot_express_is_invalid(bridged):
    with bridged(dialect=Dialect(Profile.NAOVIGATE), greeting_location="believed") as scene:
        end = scene.go_to(999).end()
        assert end.result.outcome.code == NaoOutcome.INVALID
        assert "999" in end.result.outcome.message


@pytest.mark.parametrize("role", ["listen", "dial"])
@pytest.mark.parametrize("fault", sorted(NAO_FAULTS.keys() - OF_TILES))
def test_each_fault_is_detected_reported_and_recovered_from(bridged, fault, role):
    recovery = []
    # Where nothing else ends the goal its own limit does.
    limit = 0.4 if fault in ("flood", "stall") else 60.0
    with (
        bridged(SLOW, role=role, go_to_timeout=limit, flood_limit=500.0) as scene,
        Stopwatch() as watch,
    ):
        diagnostics = scene.peer.subscribe(DiagnosticArray, "/diagnostics", qos.stream())
        location = scene.peer.subscribe(NaoLocation, "/nao/location")
        for _ in range(3):
            goal = scene.go_to(114)
            goal.feedback.wait_for(lambda f: f.robot_state.state == NaoState.WALKING)
            connections = scene.node._link.status.connections
            scene.link.clear()
            location.clear()
            watch.restart()
            scene.simulator.inject(fault)
            code = goal.result().outcome.code
            if fault == "flood":
                # Nothing breaks: the surplus is dropped and said, the goal ends by its own limit.
                assert code == NaoOutcome.TIMED_OUT
                diagnostics.wait_for(lambda d: "sightings dropped" in d.status[0].message)
                assert scene.node._link.status.connections == 1
                continue
            assert (
                code
                in {
                    "cut": (NaoOutcome.LINK_LOST,),
                    "garbage": (NaoOutcome.LINK_LOST,),
                    "restart": (NaoOutcome.LINK_LOST,),
                    "redial": (NaoOutcome.LINK_LOST,),
                    "stall": (NaoOutcome.TIMED_OUT,),
                    "error": (NaoOutcome.ROBOT_ERROR,),
                }[fault]
            )
            # A latched topic keeps the last state alone: on a busy machine it is the next one.
            lost = scene.link.wait_for(
                lambda m, before=connections: (
                    m.state != LinkState.CONNECTED or m.connections > before
                )
            )
            if fault not in ("restart", "redial"):
                assert lost.state in (LinkState.FAULT, LinkState.CONNECTED)
                diagnostics.wait_for(lambda d: d.status[0].level != DiagnosticStatus.OK)
                diagnostics.clear()
            scene.wait_for_link()
            location.wait_for(valid_again())
            back_after = scene.FAULT_SECONDS if fault in ("restart", "stall") else 0.0
            recovery.append(watch.seconds - back_after)
    if recovery:
        assert statistics.median(recovery) <= 1.0


def test_what_a_lost_robot_said_is_not_passed_off_as_fresh(bridged):
    with bridged() as scene:
        location = scene.peer.subscribe(NaoLocation, "/nao/location")
        stamp = location.wait_for(lambda m: m.valid).header.stamp
        scene.simulator.close()
        stale = location.wait_for(lambda m: not m.valid and m.marker_id == 64)
        assert stale.header.stamp == stamp
        markers = scene.peer.subscribe(MarkerArray, "/nao/markers")
        assert [m.action for m in markers.wait_for().markers] == [Marker.DELETEALL]


def test_a_second_robot_is_turned_away_and_reported(bridged):
    with bridged() as scene:
        diagnostics = scene.peer.subscribe(DiagnosticArray, "/diagnostics", qos.stream())
        second = Simulator(SimulatorConfig(port=scene.node._link.port))
        second.start()
        try:
            warned = diagnostics.wait_for(lambda d: "turned away" in d.status[0].message)
        finally:
            second.close()
        assert warned.status[0].level == DiagnosticStatus.WARN
        assert warned.status[0].name == "nao/bridge"
        assert scene.go_to(114).result().outcome.code == NaoOutcome.SUCCEEDED


def test_a_silent_idle_robot_is_noticed(bridged):
    settings = NaoSettings(see_rate=0.0)
    with bridged(settings, fault_seconds=6.0, probe_period=0.5) as scene:
        scene.simulator.inject("stall")
        fault = scene.wait_for_link(LinkState.FAULT)
        assert "did not answer a Halt" in fault.detail
        scene.wait_for_link(connections=2)


@pytest.mark.parametrize(
    "parameters,error,sentence",
    [
        ({"role": "both"}, ParameterError, "'role' must be one of"),
        ({"port": 70000}, ParameterError, "'port' must be from 1 to 65535"),
        ({"code_width": 2}, ParameterError, "'code_width': code_width must be 1 or 4"),
        ({"room_map": "/nonexistent.yaml"}, StartupError, "/nonexistent.yaml"),
    ],
)
def test_a_wrong_parameter_is_a_sentence(parameters, error, sentence):
    with pytest.raises(error, match=sentence):
        RunningNode(NaoBridge, parameters)
