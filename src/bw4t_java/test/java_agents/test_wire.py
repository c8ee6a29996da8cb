# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The server of EIS clients, spoken to without Java."""

import socket
import threading

import pytest
from eis_client import WireError, until
from hypothesis import given
from hypothesis import strategies as st

from bw4t_java.eis import values
from bw4t_java.eis.server import MAX_PENDING
from bw4t_runner.json_text import load_json
from bw4t_world import Percept, PerceptUpdate
from bw4t_world.maps import load_map

pytestmark = pytest.mark.node


def test_json_has_no_lone_surrogates():
    text = r'{"a\udc80": ["\uD83D\uDE00", "\u005cud800"]}'
    assert load_json(text) == load_json(text.encode()) == {"a?": ["\U0001f600", r"\ud800"]}


def refused(client, kind, op, **fields):
    with pytest.raises(WireError) as refusal:
        client.call(op, **fields)
    assert refusal.value.kind == kind
    return str(refusal.value)


def test_a_client_gets_robots_and_drives_them(serve):
    served = serve(profile="server_3_8_1")
    client = served.client()
    assert client.call("register", agents=2, humans=1) == ["Bot_1", "Bot_2", "Human_1"]
    assert served.names() == ("Bot_1", "Bot_2", "Human_1")
    assert [client.call("type", entity=name) for name in served.names()] == ["bot", "bot", "human"]
    client.drive("a", "Bot_1")
    assert ["ownName", "Bot_1"] in client.percepts("Bot_1")
    assert client.call("act", entity="Bot_1", action="goTo", args=["RoomC1"]) is None
    while ["in", "RoomC1"] not in client.percepts("Bot_1"):
        pass
    assert client.call("act", entity="Bot_1", action="checkSequenceDone", args=[]) is False


@pytest.mark.parametrize("eis, robots", [("0.5", None), ("0.7", 3)])
def test_too_few_spawn_points_are_as_in_the_version_of_the_client(serve, eis, robots):
    client = serve().client(eis)
    request = {"agents": 3, "humans": 1, "as_original": True}
    if robots is None:
        text = refused(client, "ManagementException", "register", **request)
        assert "all 3 spawn points are taken" in text
        assert client.call("entities") == []
    else:
        assert client.call("register", **request) == ["Bot_1", "Bot_2", "Bot_3"]


def test_errors_are_those_of_eis(serve):
    client = serve().client()
    client.call("register", agents=1, humans=0)
    text = refused(client, "RelationException", "associate", agent="a", entity="Bot_1")
    assert text == "agent a has not been registered"
    refused(client, "PerceiveException", "percepts", entity="Bot_1")
    refused(client, "ActException", "act", entity="Bot_1", action="putDown", args=[])
    client.drive("a", "Bot_1")
    text = refused(client, "ActException", "act", entity="Bot_1", action="putDown", args=[])
    assert text.endswith("bot is not holding any block")
    refused(client, "AgentException", "register_agent", agent="a")
    client.call("register_agent", agent="b")
    refused(client, "RelationException", "associate", agent="b", entity="Bot_1")
    refused(client, "EntityException", "type", entity="Bot_9")
    refused(client, "ManagementException", "init", map="Nowhere")
    refused(client, "ManagementException", "register", agents=9, humans=0)
    assert client.call("entities") == ["Bot_1"], "those that were made for it are gone again"


def test_a_client_does_not_change_an_experiment(serve, tmp_path):
    recorded = pytest.importorskip("bw4t_study.record").RecordedWorld
    served = serve(make=recorded, directory=tmp_path, file=None)
    client, speed = served.client(), served.runner.world_status.speed
    register = {"agents": 1, "humans": 0, "ticks_per_second": 500}
    for op, fields in (("init", {"map": "large"}), ("register", register)):
        text = refused(client, "ManagementException", op, **fields)
        assert "an experiment runs in this world" in text
    assert client.call("entities") == []
    assert served.runner.world_status.speed == speed


def test_the_robots_of_a_client_leave_with_it(serve):
    served = serve()
    gone, stays = served.client(), served.client()
    assert gone.call("register", agents=1, humans=0) == ["Bot_1"]
    assert stays.call("register", agents=1, humans=0) == ["Bot_2"]
    gone.drive("a", "Bot_1")
    gone.call("act", entity="Bot_1", action="goTo", args=["RoomA1"])
    gone.close()
    assert stays.event() == {"event": "deleted", "entity": "Bot_1", "agents": ["a"]}
    served.wait_for_names("Bot_2")
    assert stays.call("agents") == []
    assert stays.call("register", agents=1, humans=0) == ["Bot_1"]


def test_a_robot_that_was_freed_waits_for_the_next(serve):
    served = serve()
    first, second = served.client(), served.client()
    first.call("register", agents=1, humans=0)
    first.drive("a", "Bot_1")
    first.call("free_pair", agent="a", entity="Bot_1")
    assert served.names() == ("Bot_1",)
    assert second.call("register", agents=1, humans=0) == ["Bot_1"]
    assert served.names() == ("Bot_1",)


def test_robots_of_ros_are_left_alone(serve):
    served = serve()
    served.runner.call(lambda world: world.add_robot())
    client = served.client()
    assert client.call("register", agents=1, humans=0) == ["Bot_2"]
    client.call("register_agent", agent="a")
    text = refused(client, "RelationException", "associate", agent="a", entity="Bot_1")
    assert "controlled in ROS" in text


def test_each_client_has_the_delivery_of_its_eis(serve):
    served = serve()
    old, new = served.client("0.5"), served.client("0.7")
    for client in (old, new):
        client.call("register", agents=1, humans=0)
    old.drive("a", "Bot_1")
    new.drive("b", "Bot_2")
    for client, entity in ((old, "Bot_1"), (new, "Bot_2")):
        client.percepts(entity)
    assert client.call("percepts", entity="Bot_2")["delete"]
    assert old.call("percepts", entity="Bot_1") == {"add": [], "delete": []}


def test_the_state_is_told(serve):
    served = serve()
    client = served.client()
    assert client.call("state") == "RUNNING"
    client.call("pause")
    served.server.on_runner_event()  # as the node does
    assert client.event() == {"event": "state", "state": "PAUSED"}


@pytest.mark.parametrize(
    "line", [b"what?\n", b"[1]\n", b'{"op":"state"}\n', b'{"id":1,"op":7}\n', b"x" * (2 << 20)]
)
def test_no_request_ends_the_connection_and_no_other(serve, line):
    served = serve()
    bad, good = served.client(), served.client()
    bad.send(line)
    with pytest.raises((EOFError, ConnectionError)):
        bad.receive()
    assert served.problems.wait_for(lambda problem: True)
    assert good.call("state") == "RUNNING"


@pytest.mark.parametrize(
    "op, fields",
    [
        ("nonsense", {}),
        ("register", {"agents": "many", "humans": 0}),
        ("register", {"config": {"bots": [{"colour": 1}]}}),
        ("register", {"config": {"bots": [{"size": "big"}]}}),
        ("register", {"config": {"bots": 7}}),
        ("percepts", {}),
        ("hello", {"eis": "3"}),
    ],
)
def test_bad_requests_are_answered(serve, op, fields):
    client = serve().client()
    refused(client, "ProtocolError", op, **fields)
    assert client.call("entities") == []


def test_a_configuration_gives_abilities(serve):
    served = serve()
    bots = [{"name": "Big", "size": 3, "size_overload_handicap": True, "controller": "HUMAN"}]
    config = {"bots": bots, "epartners": [{"name": "E", "amount": 1, "gps": True}]}
    assert served.client().call("register", config=config) == ["Big_1", "E_1"]
    (robot,) = served.runner.snapshot.robots
    assert (robot.kind, robot.size) == ("human", 3.0)


atoms = st.text() | st.booleans() | st.integers() | st.floats(allow_nan=False)
args = st.recursive(atoms, lambda inner: st.lists(inner).map(tuple), max_leaves=5)


@given(st.lists(st.builds(Percept, st.text(), st.lists(args).map(tuple))))
def test_percepts_survive_the_wire(percepts):
    line = values.encode({"id": 1, "op": "x", **values.update_value(PerceptUpdate(percepts, []))})
    assert line.index(b"\n") == len(line) - 1
    back = values.parse_request(line)["add"]
    assert back == [values.percept_value(percept) for percept in percepts]


@given(st.binary())
def test_any_bytes_are_a_request_or_a_protocol_error(line):
    try:
        values.parse_request(line)
    except values.ProtocolError:
        pass


def test_the_negation_of_a_percept_is_a_function():
    percept = Percept("not", (Percept("in", ("RoomA1",)),))
    assert values.percept_value(percept) == ["not", {"f": "in", "args": ["RoomA1"]}]


@pytest.mark.parametrize("name", ["/maps/Banana", "/maps/Banana.map", "Banana", "Banana.map"])
def test_a_map_that_was_given_by_its_path_is_known_by_its_name(serve, name):
    served = serve(map_name="/maps/Banana.map")
    run = served.runner.world_status.run
    served.client().call("init", map=name)
    assert served.runner.world_status.run == run
    assert "no map Apple" in refused(served.client(), "ManagementException", "init", map="Apple")


def test_a_map_that_others_load_is_the_present_one(serve):
    served = serve()
    client = served.client()
    served.loaded_map.load("large").result(10)
    client.call("init", map="nine_rooms")
    assert served.runner.snapshot.map == load_map("nine_rooms")
    assert served.loaded_map.name == "nine_rooms"
    refused(client, "ManagementException", "init", xml="<map/>")
    assert served.loaded_map.name == "nine_rooms"


def test_a_client_that_floods_is_read_no_further_than_it_is_answered(serve):
    served = serve()
    client = served.client()
    may_go_on, submitted, submit = threading.Event(), [], served.runner.submit
    served.runner.submit = lambda job: submitted.append(job) or submit(job)
    submit(lambda _: may_go_on.wait())
    numbers = range(2 * MAX_PENDING)
    try:
        client.send(b"".join(b'{"id":%d,"op":"state"}\n' % number for number in numbers))
        until(lambda: len(submitted) >= MAX_PENDING)
        with socket.create_connection(("127.0.0.1", served.server.port)):
            until(lambda: len(submitted) > MAX_PENDING)
            assert len(submitted) == MAX_PENDING + 1, "one more for the other connection"
    finally:
        may_go_on.set()
    assert [client.receive()["id"] for _ in numbers] == list(numbers)
