# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The state machines of a robot as the topic behaviour, and states that are ordered."""

from __future__ import annotations

import re
import threading
import xml.etree.ElementTree as ElementTree
from typing import Any

import pytest
from std_msgs.msg import String

from legacy_robots_common.node import qos
from legacy_robots_msgs.msg import LinkState, LuarBehaviour, LuarMachineState
from legacy_robots_msgs.srv import LuarOrderState
from legacy_robots_testing.polling import until
from legacy_robots_testing.ros_peer import RosPeer
from legacy_robots_testing.running_node import RunningNode
from luar_bridge.bridge.node import LuarBridge
from luar_bridge.protocol import fsm_states
from luar_bridge.protocol.fsm_states import DONE, FAILED, LENGTHS, MACHINES, SEGMENT, WIDTH
from luar_bridge.protocol.game_control import GameState
from luar_bridge.protocol.naming import DIRECTORY
from luar_bridge.protocol.segment import Segment
from luar_bridge.protocol.writer import write_all
from luar_bridge.simulator.segment_owner import SegmentOwner

pytestmark = pytest.mark.node
TOPIC = "/luar/behaviour"


def states(message: LuarBehaviour) -> dict[str, str]:
    return {machine.machine: machine.state for machine in message.machines}


def test_the_simulated_robot_tells_its_machines(make_world: Any) -> None:
    with make_world() as w:
        seen = w.peer.subscribe(LuarBehaviour, TOPIC, qos.LATCHED)
        first = seen.wait_for(lambda m: len(m.machines) == 4)
        assert list(states(first)) == list(MACHINES)
        assert states(first)["motion"] == "walk"
        w.robot.scene.ordered = GameState.PLAYING
        playing = seen.wait_for(lambda m: states(m)["game"] == "gamePlaying")
        (game,) = (machine for machine in playing.machines if machine.machine == "game")
        assert (game.last_event, game.missed) == ("playing", 0)
        approach = seen.wait_for(lambda m: states(m)["body"] == "bodyApproach")
        changed = {t.machine: (t.event, t.source, t.target) for t in approach.transitions}
        assert changed["body"][2] == "bodyApproach"
        assert approach.transitions[0].count == 1  # each message has the last ones
        late = w.peer.subscribe(LuarBehaviour, TOPIC, qos.LATCHED)
        assert states(late.wait_for())["game"] == "gamePlaying"
        numbers = [t.count for t in seen.last.transitions]
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def test_later_branches_tell_states_only(make_world: Any) -> None:
    with make_world("--layout", "upenn_2013", tables=["upenn_2013"]) as w:
        seen = w.peer.subscribe(LuarBehaviour, TOPIC, qos.LATCHED)
        seen.wait_for(lambda m: len(m.machines) == 4)
        w.robot.scene.ordered = GameState.PLAYING
        playing = seen.wait_for(lambda m: states(m)["game"] == "gamePlaying")
        assert {m.missed for m in playing.machines} == {LuarMachineState.MISSED_UNKNOWN}
        (change,) = (t for t in playing.transitions if t.machine == "game")
        assert (change.target, change.event, change.count) == ("gamePlaying", "", 0)


def test_the_graph_has_the_present_state_lit(make_world: Any, tmp_path: Any) -> None:
    pytest.importorskip("lupa", reason="needs: pip install lupa")
    file = tmp_path / "HeadFSM.lua"
    file.write_text(
        "require('fsm') require('headScan') require('headTrack') sm = fsm.new(headScan)"
        "sm:add_state(headTrack) sm:set_transition(headTrack, 'timeout', headScan)"
    )
    with make_world(state_machines=[str(file)]) as w:
        graph = w.peer.subscribe(String, f"{TOPIC}_graph", qos.LATCHED)
        of_rqt = w.peer.subscribe(String, f"{TOPIC}_dot", qos.stream(10))
        graph.wait_for(lambda m: "BodyFSM.bodyIdle" in m.data or "BodyFSM.bodySearch" in m.data)
        w.robot.scene.ordered = GameState.PLAYING
        picture = graph.wait_for(lambda m: "HeadFSM.headTrack" in lit(m.data))
        assert "GameFSM.gamePlaying" in lit(picture.data)
        assert "timeout" in picture.data  # of the file, and never seen
        of_rqt.wait_for(
            lambda m: (
                '"HeadFSM.headTrack" [label="headTrack",style=filled,fillcolor=red' in m.data
                and re.search(r'label="game: gamePlaying since \d\d:\d\d:\d\d', m.data)
            )
        )


def lit(picture: str) -> set[str]:
    groups = ElementTree.fromstring(picture).iter()
    return {g.get("id", "") for g in groups if "lit" in g.get("class", "").split()}


class Robot:
    """The segment rcmFsm, made by Boost, and a program of Lua's that writes it."""

    def __init__(self, user: str) -> None:
        self.path = DIRECTORY / f"{SEGMENT}01{user}"
        with SegmentOwner() as owner:
            owner.create(self.path.name)
            for name, length in LENGTHS.items():
                owner.set(self.path.name, name, [0.0] * length)
            owner.set(self.path.name, "started", 1.0)
            owner.sync()
        self._count = 0

    def values(self, name: str) -> list[float]:
        with Segment(self.path) as segment:
            return list(segment.snapshot.all_numbers(name))

    def enter(self, *changes: str) -> None:
        """Make transitions of the body at once, such as "ball bodySearch bodyApproach"."""
        text, time, number = (self.values(name) for name in ("text", "time", "number"))
        for change in changes:
            self._count += 1
            codes = fsm_states.text_of("body", *change.split())
            for line in (MACHINES.index("body"), fsm_states.line_of(self._count)):
                text[line * WIDTH : (line + 1) * WIDTH] = codes
                time[line], number[line] = 100.0 + self._count, self._count
        write_all(
            self.path, {"text": text, "time": time, "number": number, "count": (self._count,)}
        )

    def start_again(self) -> None:
        self._count = 0
        zeros = [0.0] * LENGTHS["number"]
        write_all(self.path, {"number": zeros, "count": (0.0,), "started": (2.0,)})

    def obey(self, known: tuple[str, ...]) -> threading.Thread:
        """Take the next order as ros_states.lua does."""

        def take() -> None:
            until(lambda: self.values("order_count")[0] == 1.0)
            codes = bytes(map(int, self.values("order"))).rstrip(b"\0").decode()
            machine, state = codes.split()
            result = DONE if (machine, state) in [("body", name) for name in known] else FAILED
            write_all(self.path, {"order_result": (result,), "order_done": (1.0,)})

        thread = threading.Thread(target=take)
        thread.start()
        return thread


@pytest.fixture
def scene(user: str) -> Any:
    robot = Robot(user)
    parameters = {"user": user, "joints": False, "writable": [f"{SEGMENT}.*"]}
    with RosPeer() as peer, RunningNode(LuarBridge, parameters):
        peer.subscribe(LinkState, "/luar/link_state").wait_for()
        yield robot, peer


def history(seen: Any) -> list[str]:
    return [f"{t.count} {t.event} {t.target}" for t in seen.last.transitions]


def test_no_transition_between_two_looks_is_missed(scene: Any) -> None:
    robot, peer = scene
    seen = peer.subscribe(LuarBehaviour, TOPIC, qos.LATCHED)
    robot.enter("- - bodyIdle")
    seen.wait_for(lambda m: states(m) == {"body": "bodyIdle"})
    robot.enter(*["ball bodySearch bodySearch"] * 20, "kick bodySearch bodyKick")
    message = seen.wait_for(lambda m: states(m) == {"body": "bodyKick"})
    (machine,) = message.machines
    assert (machine.last_event, machine.previous_state, machine.missed) == (
        "kick",
        "bodySearch",
        0,
    )
    assert machine.since.sec == 100 + 22
    expected = [*(f"{n} ball bodySearch" for n in range(2, 22)), "22 kick bodyKick"]
    assert history(seen) == ["1  bodyIdle", *expected]


def test_what_was_missed_is_counted_and_a_restart_is_no_gap(scene: Any) -> None:
    robot, peer = scene
    seen = peer.subscribe(LuarBehaviour, TOPIC, qos.LATCHED)
    robot.enter("- - bodyIdle")
    seen.wait_for(lambda m: states(m) == {"body": "bodyIdle"})
    robot.enter(*["ball bodyIdle bodySearch"] * 40)
    assert seen.wait_for(lambda m: states(m) == {"body": "bodySearch"}).machines[0].missed == 8
    robot.start_again()
    robot.enter("- - bodyStart")
    assert seen.wait_for(lambda m: states(m) == {"body": "bodyStart"}).machines[0].missed == 0
    robot.path.unlink()
    seen.wait_for(lambda m: not m.machines)


def order(peer: RosPeer, machine: str, state: str) -> Any:
    request = LuarOrderState.Request(machine=machine, state=state)
    return peer.call(LuarOrderState, "/luar/order_state", request)


@pytest.mark.parametrize(
    "state, message", [("bodyStart", ""), ("bodyNone", "body has no state 'bodyNone'")]
)
def test_a_state_is_ordered(scene: Any, state: str, message: str) -> None:
    robot, peer = scene
    thread = robot.obey(("bodyStart",))
    answer = order(peer, "body", state)
    thread.join()
    assert (answer.success, answer.message) == (not message, message)


def test_orders_that_nobody_takes_are_refused(scene: Any) -> None:
    robot, peer = scene
    assert "the order was not taken" in order(peer, "head", "headTrack").message
    assert "'arm' is none of the machines game, body" in order(peer, "arm", "x").message
    assert "'no state' is no name" in order(peer, "body", "no state").message
    robot.path.unlink()
    assert "there is no segment rcmFsm" in order(peer, "body", "bodyStart").message


def test_states_are_ordered_only_where_that_is_allowed(make_world: Any) -> None:
    with make_world() as w:
        w.wait_for_link(LinkState.CONNECTED)
        names = dict(w.peer.node.get_service_names_and_types())
        assert "/luar/get_variable" in names
        assert "/luar/order_state" not in names
