# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A flood of any report is bounded and counted, and replies get through."""

import pytest
from diagnostic_msgs.msg import DiagnosticArray

from legacy_robots_common.node import qos
from legacy_robots_msgs.msg import NaoAgentId, NaoHeldObject, NaoLocation, NaoOutcome, NaoState
from legacy_robots_testing.stopwatch import Stopwatch
from nao_goal_bridge.protocol import (
    Agent,
    Dropped,
    Failure,
    GoTo,
    Holding,
    Location,
    See,
    State,
    Success,
)

pytestmark = pytest.mark.node

FLOOD = 10_000


REPORTS = {
    "stray successes": (Success(2), "stray replies"),
    "stray failures": (Failure(4), "stray replies"),
    "sightings": (See(80, 1), "dropped sightings"),
    "states": (State(1), "coalesced reports"),
    "locations": (Location(80), "coalesced reports"),
    "agents": (Agent(3), "coalesced reports"),
    "objects": (Holding(3), "coalesced reports"),
    "drops": (Dropped(3), "coalesced reports"),
}


@pytest.fixture
def robot(robot_with):
    """A Robot of which so few reports pass that a slow machine, too, drops most of a flood."""
    with robot_with(flood_limit=10.0) as robot:
        yield robot


@pytest.mark.parametrize("kind", REPORTS)
def test_a_success_gets_through_a_flood_that_is_counted(robot, capfd, kind):
    report, counter = REPORTS[kind]
    diagnostics = robot.client.peer.subscribe(DiagnosticArray, "/diagnostics", qos.stream(50))
    goal = robot.client.go_to(80)
    robot.expect(GoTo(80, 0))
    with Stopwatch() as watch:
        robot.send(*[report] * FLOOD, Success(1), *[report] * FLOOD)
        assert goal.end().result.outcome.code == NaoOutcome.SUCCEEDED
        seconds = watch.seconds
    # How many sightings pass depends on how long the flood lasts; of other reports few pass.
    least = 0 if kind == "sightings" else FLOOD
    diagnostics.wait_for(
        lambda d: any(v.key == counter and int(v.value) > least for v in d.status[0].values)
    )
    assert seconds < 2.0
    # It is logged once a second at most.
    lines = [line for line in capfd.readouterr().err.splitlines() if "WARN" in line]
    assert len(lines) < 20


def test_the_newest_of_a_flood_is_published(robot):
    peer = robot.client.peer
    newest = [
        (NaoState, "state", State(0), lambda m: m.state == 0),
        (NaoLocation, "location", Location(114), lambda m: m.marker_id == 114),
        (NaoAgentId, "agent_id", Agent(7), lambda m: m.agent_id == 7),
        (NaoHeldObject, "held_object", Holding(7), lambda m: m.object_id == 7),
    ]
    recorders = [peer.subscribe(kind, f"/nao/{topic}") for kind, topic, _, _ in newest]
    flood = (State(1), Location(80), Agent(3), Dropped(3))
    robot.send(*flood * FLOOD, *(event for _, _, event, _ in newest))
    for recorder, (_, _, _, is_newest) in zip(recorders, newest, strict=True):
        recorder.wait_for(lambda m, is_newest=is_newest: m.valid and is_newest(m))
        assert is_newest(recorder.last)
