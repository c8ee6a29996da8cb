# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The lines of the Java program: what is wrong with them is a fault of the link, in words."""

import json
import sys

import pytest

from bw4t_java.jvm import JavaError
from bw4t_java.original import OriginalWorld, program
from bw4t_java.original.player import HeldPercepts
from bw4t_java.original.program import Program, Refused
from bw4t_world import Percept, PerceptUpdate, WorldError
from bw4t_world.model.percept_base import RobotPercepts
from bw4t_world.model.percepts import negated
from bw4t_world.model.profiles import SERVER_3_8_1, SERVER_3_10
from legacy_robots_core.link.base import LinkFault, LinkLost

CONNECTED = (
    '{"event":"connected","eis":"0.5","state":"RUNNING","entities":[],"map":{"area":[1,1],'
    '"one_bot_per_corridor_zone":false,"random_blocks":0,"random_sequence":0,"sequence":[],'
    '"spawn_points":[],"zones":[]}}'
)


def printing(*lines, then=""):
    """Return a command that prints lines, each after a line of input but for the first."""
    code = f"import sys\nfor line in {lines!r}:\n print(line, flush=True); sys.stdin.readline()\n"
    return lambda: [sys.executable, "-c", code + then]


@pytest.fixture
def run():
    started = []

    def run(command):
        started.append(Program(command))
        return started[-1]

    yield run
    for one in started:
        one.release()


@pytest.mark.parametrize(
    "line, words",
    [
        ("Exception in thread", "sent no JSON"),
        ("[]", "sent no object"),
        ('{"event":"refused","text":"no server"}', "^no server$"),
        ("{}", "the Java program sent {}"),
    ],
)
def test_a_first_line_without_a_connection_is_a_fault(run, line, words):
    with pytest.raises(LinkFault, match=words):
        run(printing(line)).first_line()


def test_a_program_that_ends_is_a_lost_link(run):
    with pytest.raises(LinkLost, match="has ended"):
        run(lambda: [sys.executable, "-c", ""]).first_line()


@pytest.mark.node
def test_a_program_that_cannot_be_started_says_why():
    def missing():
        raise JavaError("there is no java on the PATH")

    with pytest.raises(LinkFault, match="there is no java on the PATH"):
        Program(missing)
    with pytest.raises(LinkFault, match="Java cannot be started"):
        Program(lambda: ["/nowhere/java"])


def test_a_program_that_does_not_answer_is_a_fault(run, monkeypatch):
    monkeypatch.setattr(program, "ANSWER_TIMEOUT_S", 0.05)
    silent = run(printing(CONNECTED, then="sys.stdin.read()"))
    silent.first_line()
    with pytest.raises(LinkFault, match="did not answer"):
        silent.request("poll")


@pytest.mark.parametrize(
    "answer, error, words",
    [
        ('{"id":7,"value":1}', LinkFault, "another request"),
        ('{"id":1,"error":"lost","text":"EOF"}', LinkFault, "does not answer: EOF"),
        ('{"id":1,"error":"ActException","text":"no"}', Refused, "^no$"),
    ],
)
def test_answers_that_are_no_values(run, answer, error, words):
    one = run(printing(CONNECTED, answer))
    one.first_line()
    with pytest.raises(error, match=words):
        one.request("poll")


@pytest.mark.parametrize(
    "lines, words",
    [
        ((CONNECTED.replace('"0.5"', '"0.7"'),), "EIS 0.7, but the profile server_3_8_1"),
        ((CONNECTED.replace('"zones":[]', '"zones":[1]'),), "no map"),
        ((CONNECTED.replace('"entities":[]', '"entities":[1]'),), "first line is wrong"),
        ((CONNECTED, '{"id":1,"value":[]}'), "no answer to poll"),
        ((CONNECTED, '{"id":1,"value":{"percepts":{"A":{"add":[[]],"delete":[]}},"events":[]}}'),
         "no percept"),
    ],
)  # fmt: skip
def test_a_wrong_line_is_a_fault_of_the_link_and_leaves_no_connection(lines, words):
    world = OriginalWorld(printing(*lines), SERVER_3_8_1)
    with pytest.raises(LinkFault, match=words):
        world.open()
    with pytest.raises(WorldError, match="there is no connection to the original server"):
        world.pause()


def test_who_begins_later_perceives_everything_that_holds():
    held = HeldPercepts(repeats=True)
    once, old, new = Percept("place", ("A",)), Percept("at", ("A",)), Percept("at", ("B",))
    fact, seen = Percept("occupied", ("A",)), Percept("color", (3, "Red"))
    held.update(PerceptUpdate([once, old, fact, seen, Percept("message", (("a", "b"),))], []))
    assert set(held.everything()) == {once, old, fact, seen}
    held.update(PerceptUpdate([new, negated(fact)], []))
    assert set(held.everything()) == {once, new}


def test_percepts_that_are_deleted_hold_no_longer():
    held = HeldPercepts(repeats=False)
    fact, seen = Percept("occupied", ("A",)), Percept("color", (3, "Red"))
    held.update(PerceptUpdate([fact, seen, Percept("at", ("A",))], []))
    held.update(PerceptUpdate([], [fact, Percept("at", ("A",))]))
    assert set(held.everything()) == {seen, Percept("at", ("A",))}, "values stay, as in 3.10"


def test_values_that_eis_0_7_deletes_after_each_poll_hold_until_there_is_another():
    begins = CONNECTED.replace('"0.5"', '"0.7"').replace("[]", '[["A","bot"]]', 1)
    polls = [
        ([["ownName", "A"], ["at", "RoomA1"], ["battery", 100.0], ["in", "RoomA1"]], []),
        ([["at", "DropZone"]], [["at", "RoomA1"], ["battery", 100.0], ["in", "RoomA1"]]),
    ]
    lines = [
        json.dumps({"id": n, "value": {"percepts": {"A": {"add": add, "delete": delete}},
                                       "events": []}})
        for n, (add, delete) in enumerate(polls, 1)
    ]  # fmt: skip
    world = OriginalWorld(printing(begins, *lines), SERVER_3_10)
    world.open()
    consumer = world.connect("A")
    world.step(1)
    believed = RobotPercepts(repeats=False)
    believed.update(consumer.poll())
    world.close()
    assert (believed.at, believed.battery, believed.room) == ("DropZone", 100.0, "")
