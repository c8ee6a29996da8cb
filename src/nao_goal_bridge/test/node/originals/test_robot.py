# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The bridge with the original's own classes as the robot (docs/how_to/test_with_originals.md)."""

import itertools
import os
import random
import re
import socket
import threading
import time
from pathlib import Path

import pytest
from std_srvs.srv import Trigger

from legacy_robots_msgs.msg import (
    LinkState,
    NaoAgentId,
    NaoHeldObject,
    NaoLocation,
    NaoOutcome,
    NaoState,
)
from legacy_robots_msgs.srv import NaoSetLocation
from legacy_robots_testing.machine import free_port
from legacy_robots_testing.polling import until
from legacy_robots_testing.process import Process
from legacy_robots_testing.ros_peer import RosPeer
from legacy_robots_testing.running_node import RunningNode
from nao_goal_bridge.bridge.node import NaoBridge
from nao_goal_bridge.model.room_map import load_room_map

BUILT = os.environ.get("NAO_ORIGINAL", "")
SECONDS = float(os.environ.get("NAO_ORIGINAL_SECONDS", "30"))
"""How long the robot is driven and listened to, without a spoken error."""
MAZE = load_room_map("naovigate")
TURNS = {(-1, 0): "Left", (1, 0): "Right", (0, -1): "Up", (0, 1): "Down"}

pytestmark = [
    pytest.mark.node,
    pytest.mark.skipif(
        not BUILT,
        reason="NAO_ORIGINAL names no directory of robot.exe and testmaze.map; "
        "docs/how_to/test_with_originals.md says what they do",
    ),
]


class Original:
    """The original's robot, driven by a bridge, and a client of the bridge."""

    def __init__(self, robot, client, node):
        self.robot, self.client, self.peer, self.node = robot, client, client.peer, node
        self.location = self.peer.subscribe(NaoLocation, "/nao/location")

    def plan(self, start, goal):
        """Go from one room to the other; return what the robot planned: turns and rooms."""
        mark = len(self.robot.lines.items)
        end = self.client.go_to(goal).end()
        assert end.result.outcome.code == NaoOutcome.SUCCEEDED, (start, goal, end.result.outcome)
        return self.planned(mark)

    def planned(self, mark):
        """Return what the robot has planned since its line ``mark``: turns and rooms."""
        pattern = re.compile(r"RouteEntry (\w+), \d+, (\d+) (\d+)$")
        found = (pattern.search(line) for line in self.robot.lines.items[mark:])
        return [(match[1], int(match[2]) - int(match[3])) for match in found if match]

    def cancel_in_leg(self, start, goal, leg):
        """Cancel a walk while the robot turns for a leg; return the room where that ends."""
        turns = intended(start, goal)
        mark = len(self.robot.lines.items)
        walk = self.client.go_to(goal)
        turned = [turn for turn, _ in turns[: leg + 1]]
        self.robot.lines.wait_for(
            lambda _: (
                [
                    line.split()[-1]
                    for line in self.robot.lines.items[mark:]
                    if line.startswith("STUB TURN")
                ]
                == turned
            )
        )
        assert walk.cancel()
        return MAZE.path(start, goal)[sum(rooms for _, rooms in turns[: leg + 1])]

    def refuses_every_room(self):
        """Try to go to every room; nothing may be planned."""
        mark = len(self.robot.lines.items)
        for room in MAZE.rooms:
            outcome = self.client.go_to(room).result().outcome
            assert outcome.code == NaoOutcome.PLACE_UNKNOWN, outcome
        assert self.planned(mark) == []
        assert not self.location.last.valid

    @property
    def mark(self):
        """How many lines the robot has printed."""
        return len(self.robot.lines.items)

    def has_turned(self, mark):
        """Return whether the robot has begun a turn since ``mark``."""
        return any(line.startswith("STUB TURN") for line in self.robot.lines.items[mark:])

    @property
    def errors(self):
        """What the robot has said, but for its greeting."""
        said = (line for line in self.robot.lines.items if line.startswith("SAY "))
        return [line for line in said if line != "SAY Connected to Goal"]


class DelayingProxy:
    """Passes a connection on; each line of the robot's takes one of ``delays`` (s) longer."""

    def __init__(self, bridge_port, delays):
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._bridge_port = bridge_port
        self._chance, self._delays = random.Random(1), delays
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        robot, _ = self._listener.accept()
        bridge = socket.create_connection(("127.0.0.1", self._bridge_port))
        commands = threading.Thread(target=self._pass_on, args=(bridge, robot), daemon=True)
        commands.start()
        for line in robot.makefile("rb"):
            time.sleep(self._chance.choice(self._delays))
            bridge.sendall(line)

    @staticmethod
    def _pass_on(source, sink):
        while data := source.recv(4096):
            sink.sendall(data)

    def __exit__(self, *exception):
        self._listener.close()


@pytest.fixture
def original(client_type):
    """Return a function that starts it; ``missing`` has nothing lie where it grabs."""
    started = []

    def start(*more, turn_ms=0, delays=()):
        port = free_port()
        running = RunningNode(
            NaoBridge, {"profile": "naovigate", "room_map": "naovigate", "port": port}
        )
        started.append(running)
        peer = RosPeer()
        started.append(peer)
        client = client_type(peer)
        client.link.wait_for(lambda m: "waiting for a connection" in m.detail)  # it dials once
        files = Path(BUILT)
        if delays:
            proxy = DelayingProxy(port, delays)
            started.append(proxy)
            port = proxy.port
        command = ["mono", files / "robot.exe", str(port), files / "testmaze.map", *more]
        robot = Process(command, env={"TURN_MS": str(turn_ms)})
        started.append(robot)
        client.wait_for_link()
        scene = Original(robot, client, running.node)
        client.peer.subscribe(NaoAgentId, "/nao/agent_id").wait_for(lambda m: m.valid)
        assert client.set_location(16).success
        return scene

    yield start
    for thing in reversed(started):
        thing.__exit__()


def intended(start, goal):
    """Return the turns and the rooms after each that lead from one room to the other."""
    tiles = [MAZE.rooms[room].tile for room in MAZE.path(start, goal)]
    steps = [TURNS[x - a, y - b] for (a, b), (x, y) in itertools.pairwise(tiles)]
    return [(turn, len(list(run))) for turn, run in itertools.groupby(steps)]


def tour(rooms):
    """Return a round trip in which each ordered pair of rooms is walked exactly once."""
    left = {room: [other for other in rooms if other != room] for room in rooms}
    stack, way = [16], []
    while stack:
        if left[stack[-1]]:
            stack.append(left[stack[-1]].pop())
        else:
            way.append(stack.pop())
    return way[::-1]


def test_it_greets(original):
    peer = original().peer
    assert peer.subscribe(NaoAgentId, "/nao/agent_id").wait_for(lambda m: m.valid)


@pytest.mark.slow
@pytest.mark.timeout(0)
def test_it_plans_all_pairs_of_its_rooms_as_intended_and_speaks_no_error(original):
    scene = original()
    begun = time.monotonic()
    pairs = list(itertools.pairwise(tour(sorted(MAZE.rooms))))
    assert len(set(pairs)) == 272
    for start, goal in pairs:
        assert scene.plan(start, goal) == intended(start, goal)
    while time.monotonic() - begun < SECONDS:
        for goal in (12, 16):
            assert scene.client.go_to(goal).result().outcome.code == NaoOutcome.SUCCEEDED
        # The time for which it has to go on is what is asked for; a goal a minute in it.
        time.sleep(min(60.0, max(0.0, begun + SECONDS - time.monotonic())))
    assert scene.client.link.last.state == LinkState.CONNECTED
    assert scene.client.link.last.connections == 1
    assert scene.errors == []


def test_it_picks_up_and_puts_down(original):
    scene = original()
    held = scene.peer.subscribe(NaoHeldObject, "/nao/held_object")
    assert scene.client.pick_up(1).result().outcome.code == NaoOutcome.SUCCEEDED
    held.wait_for(lambda m: m.holding)
    held.clear()
    assert scene.client.put_down().result().outcome.code == NaoOutcome.SUCCEEDED
    held.wait_for(lambda m: m.valid and not m.holding)


def test_its_two_replies_for_a_missing_object_end_one_goal(original):
    scene = original("missing")
    first, second = scene.client.pick_up(1), scene.client.pick_up(2)
    then = scene.client.go_to(13)
    codes = [goal.result().outcome.code for goal in (first, second, then)]
    assert codes == [NaoOutcome.FAILED, NaoOutcome.FAILED, NaoOutcome.SUCCEEDED]


def test_it_halts_and_goes_on(original):
    scene = original()
    state = scene.peer.subscribe(NaoState, "/nao/state")
    first, second = scene.client.go_to(6), scene.client.go_to(13)
    state.wait_for(lambda m: m.valid and m.state == NaoState.WALKING)
    assert scene.peer.call(Trigger, "/nao/halt").success
    for goal in (first, second):
        assert goal.result().outcome.code == NaoOutcome.HALTED
    scene.refuses_every_room()
    assert scene.client.set_location(12).success
    assert scene.plan(12, 13) == intended(12, 13)
    assert scene.errors == []


@pytest.mark.slow
@pytest.mark.timeout(0)
def test_the_reply_of_a_walk_that_was_cancelled_in_its_turn_ends_no_other_goal(original):
    scene = original(turn_ms=1500)
    here = 16
    for number in range(20):
        here = scene.cancel_in_leg(here, 6 if here != 6 else 16, 0)
        following = scene.client.go_to(13)
        assert following.result().outcome.code == NaoOutcome.PLACE_UNKNOWN, number
        assert scene.client.set_location(here).success, number
        (near, *_) = MAZE.rooms[here].neighbours
        assert scene.plan(here, near) == intended(here, near), number
        here = near
    assert "stray replies" not in scene.node.counters.snapshot()
    assert scene.errors == []


@pytest.mark.slow
@pytest.mark.timeout(0)
def test_after_a_walk_that_was_cancelled_in_any_leg_no_way_is_planned(original):
    scene = original(turn_ms=1500)
    here = 16
    for goal in (17, 8, 1, 3):
        for leg in range(len(intended(here, goal))):
            where = scene.cancel_in_leg(here, goal, leg)
            scene.refuses_every_room()
            assert scene.client.set_location(where).success
            if where != here:
                assert scene.plan(where, here) == intended(where, here)
        assert scene.plan(here, goal) == intended(here, goal)
        here = goal


@pytest.mark.slow
@pytest.mark.timeout(0)
def test_after_each_reconnection_the_room_that_it_claims_is_not_believed(original):
    scene = original()
    state = scene.peer.subscribe(NaoState, "/nao/state")
    for number, (start, goal) in enumerate([(16, 6), (6, 12), (12, 17)], 2):
        scene.location.clear()
        state.clear()
        assert scene.plan(start, goal) == intended(start, goal)
        # The last event of a walk; one that is torn would go on over the next connection.
        state.wait_for(lambda m: m.valid and m.state == NaoState.HALTED)
        scene.location.wait_for(lambda m, room=goal: m.valid and m.marker_id == room)
        scene.location.clear()
        scene.node._robot.drop("a test of reconnection")
        scene.client.link.wait_for(
            lambda m, n=number: m.state == LinkState.CONNECTED and m.connections == n, 120
        )
        scene.location.wait_for(lambda m: "claims its start room" in m.detail)
        scene.refuses_every_room()
        assert scene.client.set_location(goal).success


CUTS = int(os.environ.get("NAO_ORIGINAL_CUTS", "2"))
"""How many walks with a turn of 55 s are cut twice."""
GOALS = int(os.environ.get("NAO_ORIGINAL_GOALS", "100"))


@pytest.mark.slow
@pytest.mark.timeout(0)
def test_a_long_turn_that_is_cut_twice_ends_no_other_goal(original):
    scene = original(turn_ms=55_000)
    request = NaoSetLocation.Request(known=True, marker_id=15)

    def is_set():
        return scene.peer.call(NaoSetLocation, "/nao/set_location", request).success

    for number in range(CUTS):
        mark, connections = scene.mark, scene.client.link.last.connections
        walk = scene.client.go_to(15)
        scene.robot.lines.wait_for(lambda _, since=mark: scene.has_turned(since))
        for cut in (1, 2):
            time.sleep(random.Random(10 * number + cut).uniform(0.0, 3.0))  # the phase of the cut
            scene.node._robot.drop("a test of two cuts")
            scene.client.link.wait_for(
                lambda m, n=connections + cut: (
                    m.state == LinkState.CONNECTED and m.connections >= n
                ),
                120,
            )
        assert walk.result().outcome.code == NaoOutcome.LINK_LOST
        until(is_set, "it is still busy", 300.0)
        mark = scene.mark
        back = scene.client.go_to(16)
        assert back.result(120.0).outcome.code == NaoOutcome.SUCCEEDED, number
        assert scene.planned(mark) == intended(15, 16)
        scene.location.wait_for(lambda m: m.valid and m.marker_id == 16)
        scene.location.clear()
    assert "stray replies" not in scene.node.counters.snapshot()
    assert scene.errors == []


@pytest.mark.slow
@pytest.mark.timeout(0)
def test_replies_that_are_delayed_end_their_own_goals(original):
    scene = original("missing", delays=(0.0, 0.3, 1.0))
    chance = random.Random(5)
    here, asked = 16, []
    for _ in range(GOALS):
        kind = chance.choice(("go_to", "pick_up", "put_down"))
        if kind == "go_to":
            here = chance.choice(MAZE.rooms[here].neighbours)
            asked.append((NaoOutcome.SUCCEEDED, scene.client.go_to(here)))
        elif kind == "pick_up":
            asked.append((NaoOutcome.FAILED, scene.client.pick_up(1)))
        else:
            asked.append((NaoOutcome.SUCCEEDED, scene.client.put_down()))
        if len(asked) >= 2:  # always one behind another
            expected, goal = asked.pop(0)
            outcome = goal.result(60.0).outcome
            assert outcome.code == expected, outcome
    assert "stray replies" not in scene.node.counters.snapshot()


def test_it_exits(original):
    scene = original()
    assert scene.peer.call(Trigger, "/nao/exit").success
    assert scene.robot.wait() == 0
