# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The blocks world by simulation_interfaces, as programs for Gazebo or Isaac Sim drive it."""

from __future__ import annotations

import sys

import pytest
from action_msgs.msg import GoalStatus
from geometry_msgs.msg import Vector3
from simulation_interfaces import action, msg, srv

from legacy_robots_common.node import qos
from legacy_robots_msgs.action import Bw4tGoTo
from legacy_robots_msgs.msg import Bw4tPercepts, LinkState
from legacy_robots_testing.task_orders import TASK_ORDERS

pytestmark = pytest.mark.node

F, R, S = msg.SimulatorFeatures, msg.Result, msg.SimulationState
PAUSED = {"paused": True, "robots": 2}


def call(peer, kind, service, **fields):
    """Call a service; return its response."""
    return peer.call(kind, service, kind.Request(**fields))


def ok(peer, kind, service, **fields):
    """Call a service that must succeed; return its response."""
    response = call(peer, kind, service, **fields)
    assert response.result.result == R.RESULT_OK, response.result.error_message
    return response


def state(peer):
    return ok(peer, srv.GetSimulationState, "get_simulation_state").state.state


def set_state(peer, value):
    request = msg.SimulationState(state=value)
    response = call(peer, srv.SetSimulationState, "set_simulation_state", state=request)
    return response.result.result


def test_each_service_works_or_is_absent_from_the_features(serve):
    _, peer = serve(**PAUSED)
    reported = call(peer, srv.GetSimulatorFeatures, "get_simulator_features").features.features
    assert {F.SPAWNING, F.DELETING, F.WORLD_LOADING, F.STEP_SIMULATION_ACTION} <= set(reported)
    assert F.ENTITY_STATE_SETTING not in reported
    refused = call(peer, srv.SetEntityState, "set_entity_state", entity="Bot_1").result
    assert refused.result == R.RESULT_FEATURE_UNSUPPORTED
    assert "set_entity_state" in refused.error_message


def test_states_and_steps(serve):
    server, peer = serve(**PAUSED)
    assert state(peer) == S.STATE_PAUSED
    ok(peer, srv.StepSimulation, "step_simulation", steps=3)
    assert server.runner.snapshot.tick == 3
    assert set_state(peer, S.STATE_PLAYING) == R.RESULT_OK
    codes = srv.SetSimulationState.Response
    assert set_state(peer, S.STATE_PLAYING) == codes.ALREADY_IN_TARGET_STATE
    refused = call(peer, srv.StepSimulation, "step_simulation", steps=1).result
    assert refused.result == R.RESULT_OPERATION_FAILED
    assert "playing" in refused.error_message
    assert set_state(peer, S.STATE_STOPPED) == R.RESULT_OK
    assert state(peer) == S.STATE_STOPPED
    assert server.runner.snapshot.tick == 0
    assert set_state(peer, S.STATE_PAUSED) == codes.INCORRECT_TRANSITION
    assert set_state(peer, S.STATE_QUITTING) == R.RESULT_FEATURE_UNSUPPORTED


@pytest.mark.parametrize("order", TASK_ORDERS, ids=lambda order: order.__name__)
def test_the_action_steps_with_feedback_and_is_cancelled(serve, order):
    server, peer = serve(order=order, **PAUSED)
    peer.subscribe(LinkState, "link_state").wait_for(lambda s: s.state == LinkState.CONNECTED)
    kind = action.SimulateSteps
    goal = peer.send_goal(kind, "simulate_steps", kind.Goal(steps=50))
    end = goal.end()
    assert (end.status, end.result.result.result) == (GoalStatus.STATUS_SUCCEEDED, R.RESULT_OK)
    assert server.runner.snapshot.tick == 50
    assert all(f.completed_steps + f.remaining_steps == 50 for f in goal.feedback.items)
    completed = [f.completed_steps for f in goal.feedback.items]
    # A new client lacks the first ones, a slow one some (the newest ten are kept).
    assert completed
    assert completed == sorted(set(completed))
    goal = peer.send_goal(kind, "simulate_steps", kind.Goal(steps=10**9))
    goal.feedback.wait_for(lambda f: f.completed_steps >= 2)
    assert goal.cancel()
    assert goal.end().status == GoalStatus.STATUS_CANCELED
    assert state(peer) == S.STATE_PAUSED


def test_entities_are_found_and_where_they_are(serve):
    server, peer = serve(**PAUSED)
    names = ok(peer, srv.GetEntities, "get_entities").entities
    assert {"Bot_1", "Bot_2"} < set(names)

    def found(**filters):
        entry = msg.EntityFilters(**filters)
        return ok(peer, srv.GetEntities, "get_entities", filters=entry).entities

    assert found(filter="Bot_.*") == ["Bot_1", "Bot_2"]
    robots = msg.EntityCategory(category=msg.EntityCategory.CATEGORY_ROBOT)
    assert found(categories=[robots]) == ["Bot_1", "Bot_2"]
    robot = server.runner.snapshot.robots[0]
    sphere = [Vector3(x=robot.x, y=-robot.y), Vector3(x=0.1)]
    assert found(bounds=msg.Bounds(type=msg.Bounds.TYPE_SPHERE, points=sphere)) == ["Bot_1"]
    there = ok(peer, srv.GetEntityState, "get_entity_state", entity="Bot_1").state
    assert there.header.frame_id == "map"
    assert (there.pose.position.x, there.pose.position.y) == (robot.x, -robot.y)
    gone = call(peer, srv.GetEntityState, "get_entity_state", entity="Ann_1").result
    assert gone.result == R.RESULT_NOT_FOUND
    wrong = call(
        peer, srv.GetEntities, "get_entities", filters=msg.EntityFilters(filter="(")
    ).result
    assert wrong.result == R.RESULT_OPERATION_FAILED


def test_players_are_spawned_deleted_and_gone_after_a_reset(serve):
    server, peer = serve(**PAUSED)
    spawn = {"uri": "bot", "name": "Ann", "allow_renaming": True}
    name = ok(peer, srv.SpawnEntity, "spawn_entity", **spawn).entity_name
    assert name == "Ann_1"
    peer.wait_for_publishers("/bw4t/Ann_1/state")
    codes = srv.SpawnEntity.Response
    for changed, code in (
        ({"uri": ""}, codes.NO_RESOURCE),
        ({"uri": "dragon"}, codes.UNSUPPORTED_FORMAT),
        ({"allow_renaming": False}, codes.NAME_INVALID),
        ({"entity_namespace": "lab"}, codes.NAMESPACE_INVALID),
    ):
        response = call(peer, srv.SpawnEntity, "spawn_entity", **{**spawn, **changed})
        assert response.result.result == code, response.result.error_message
    ok(peer, srv.DeleteEntity, "delete_entity", entity="Ann_1")
    assert ok(peer, srv.SpawnEntity, "spawn_entity", **spawn).entity_name == "Ann_1"
    ok(peer, srv.StepSimulation, "step_simulation", steps=4)
    ok(peer, srv.ResetSimulation, "reset_simulation")
    assert [robot.name for robot in server.runner.snapshot.robots] == ["Bot_1", "Bot_2"]
    assert server.runner.snapshot.tick == 0
    scope = srv.ResetSimulation.Request.SCOPE_TIME
    refused = call(peer, srv.ResetSimulation, "reset_simulation", scope=scope).result
    assert refused.result == R.RESULT_FEATURE_UNSUPPORTED


def test_another_world_is_loaded_and_stands(serve):
    server, peer = serve(robots=2)
    codes = srv.LoadWorld.Response
    refused = call(peer, srv.LoadWorld, "load_world", uri="/nowhere.map").result
    assert refused.result == codes.RESOURCE_PARSE_ERROR
    assert state(peer) == S.STATE_PLAYING
    assert ok(peer, srv.LoadWorld, "load_world", uri="large").world.name == "large"
    assert state(peer) == S.STATE_STOPPED
    assert len(server.runner.snapshot.map.zones) > 60
    assert call(peer, srv.LoadWorld, "load_world").result.result == codes.NO_RESOURCE


def test_what_is_stepped_twice_with_one_seed_is_identical(serve):
    _, peer = serve(publish_clock=True, **PAUSED)
    percepts = peer.subscribe(Bw4tPercepts, "Bot_1/percepts", qos.stream(500))
    percepts.wait_for()
    recordings = []
    for _ in range(2):
        ok(peer, srv.ResetSimulation, "reset_simulation")
        percepts.clear()
        sent = peer.send_goal(Bw4tGoTo, "Bot_1/go_to", Bw4tGoTo.Goal(place="RoomC1"))
        sent.feedback.wait_for()
        ok(peer, srv.StepSimulation, "step_simulation", steps=100)
        percepts.wait_for(lambda m: m.tick == 100)
        recordings.append([(m.tick, m.percepts) for m in percepts.items if m.tick])
        assert sent.cancel()
    first, second = recordings
    assert [tick for tick, _ in first] == list(range(1, 101))
    assert any(found for _, found in first)
    assert first == second


def test_without_simulation_interfaces_all_else_works(serve, monkeypatch):
    monkeypatch.setitem(sys.modules, "simulation_interfaces", None)
    _, peer = serve(**PAUSED)
    peer.subscribe(LinkState, "link_state").wait_for(lambda s: s.state == LinkState.CONNECTED)
    names = {name for name, _ in peer.node.get_service_names_and_types()}
    assert "/bw4t/get_simulator_features" not in names
