# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""simulation_interfaces on the simulators with a wire: launched, called, refused."""

import math
import os
import signal
from dataclasses import dataclass

import pytest
from action_msgs.msg import GoalStatus
from geometry_msgs.msg import Point, Pose, PoseStamped
from simulation_interfaces import action, msg, srv

from legacy_robots_testing.machine import launch_command
from legacy_robots_testing.process import Process
from legacy_robots_testing.ros_peer import RosPeer

F, R, S = msg.SimulatorFeatures, msg.Result, msg.SimulationState
ALL = {"play", "reset", "place", "spawn", "delete", "load"}


@dataclass(frozen=True)
class StandIn:
    """What is expected of one; ``free`` is a place where its robot can stand."""

    robot: str
    able: frozenset
    free: tuple = (0.0, 0.0)
    uri: str = ""
    world: str = ""


STAND_INS = {
    "aibo": StandIn("aibo", frozenset(ALL - {"load"}), (0.2, -0.4), uri="pink"),
    "nao": StandIn("nao", frozenset(ALL), uri="object", world="maze"),
    "luar": StandIn("player_1", frozenset(("play", "reset", "place")), (0.5, 0.5)),
    "roboskate": StandIn("board", frozenset(("reset", "place", "load")), (1.0, 0.0), world="1"),
}
FEATURE = {
    "play": F.SIMULATION_STATE_SETTING,
    "reset": F.SIMULATION_RESET,
    "place": F.ENTITY_STATE_SETTING,
    "spawn": F.SPAWNING,
    "delete": F.DELETING,
    "load": F.WORLD_LOADING,
}


@pytest.fixture(params=STAND_INS)
def stand_in(request):
    return request.param


@pytest.fixture
def launched(stand_in, port, machine_wide):
    """The system's launch file; gives the launch process."""
    is_luar = stand_in == "luar"  # whose memory is the machine's
    own = f"user:=test{os.getpid()}" if is_luar else f"port:={port}"
    command = launch_command(f"{stand_in}.launch.py", "simulation_interfaces:=true", own)
    with machine_wide("luar_joints" if is_luar else ""), Process(command) as launch:
        launch.wait_for_line(r"\[simulation-\d+\].*link connected")
        yield launch


def test_each_service_works_or_is_absent_from_the_features(stand_in, launched):
    expected = STAND_INS[stand_in]
    with RosPeer() as peer:

        def call(kind, service, **fields):
            return peer.call(kind, f"/{stand_in}/{service}", kind.Request(**fields))

        def outcome(able, kind, service, **fields):
            """Call a service that is there only if the simulator is ``able``."""
            response = call(kind, service, **fields)
            wanted = R.RESULT_OK if able in expected.able else R.RESULT_FEATURE_UNSUPPORTED
            assert response.result.result == wanted, (service, response.result)
            return response

        def ok(kind, service, **fields):
            response = call(kind, service, **fields)
            assert response.result.result == R.RESULT_OK, (service, response.result)
            return response

        reported = set(call(srv.GetSimulatorFeatures, "get_simulator_features").features.features)
        assert {a for a, feature in FEATURE.items() if feature in reported} == expected.able
        state = msg.SimulationState(state=S.STATE_PAUSED)
        outcome("load", srv.LoadWorld, "load_world", uri=expected.world)
        outcome("play", srv.SetSimulationState, "set_simulation_state", state=state)
        ok(srv.StepSimulation, "step_simulation", steps=3)
        present = ok(srv.GetSimulationState, "get_simulation_state").state.state
        assert present == S.STATE_PAUSED
        assert expected.robot in ok(srv.GetEntities, "get_entities").entities

        x, y = expected.free
        pose = Pose(position=Point(x=x, y=y))
        there = msg.EntityState(pose=pose)
        robot = {"entity": expected.robot}
        ok(srv.SetEntityState, "set_entity_state", **robot, state=there)
        found = ok(srv.GetEntityState, "get_entity_state", **robot).state.pose.position
        assert (found.x, found.y) == pytest.approx(expected.free, abs=1.0)
        there = msg.EntityState(pose=Pose(position=Point(x=math.nan)))
        refused = call(srv.SetEntityState, "set_entity_state", **robot, state=there)
        assert refused.result.result == srv.SetEntityState.Response.INVALID_POSE
        missing = call(srv.GetEntityState, "get_entity_state", entity="nothing").result
        assert missing.result == R.RESULT_NOT_FOUND

        new = outcome(
            "spawn", srv.SpawnEntity, "spawn_entity", uri=expected.uri, allow_renaming=True,
            initial_pose=PoseStamped(pose=pose),
        )  # fmt: skip
        name = new.entity_name
        if "spawn" in expected.able:
            assert name in ok(srv.GetEntities, "get_entities").entities
        outcome("delete", srv.DeleteEntity, "delete_entity", entity=name)
        assert name not in ok(srv.GetEntities, "get_entities").entities

        server = f"/{stand_in}/simulate_steps"
        goal = peer.send_goal(action.SimulateSteps, server, action.SimulateSteps.Goal(steps=3))
        assert goal.end().status == GoalStatus.STATUS_SUCCEEDED
        outcome("reset", srv.ResetSimulation, "reset_simulation")
    launched.signal(signal.SIGINT)
    assert launched.wait() == 0
