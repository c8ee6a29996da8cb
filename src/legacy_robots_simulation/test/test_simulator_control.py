# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The control channel of a simulator: requests, refusals, and what is no request. No ROS."""

import json
import os
import socket
import threading

import pytest

from legacy_robots_simulation.control_channel import (
    LONGEST_LINE,
    ControlClient,
    ControlServer,
    address,
)
from legacy_robots_simulation.controls import ControlError, Controls, Entity, State
from legacy_robots_simulation.program import SimulatorError
from legacy_robots_simulation.stepped_controls import CallQueue

NAME = f"test-{os.getpid()}"


class Clockwork(Controls):
    abilities = frozenset(("load", "spawn"))
    uris = ("hand",)
    step_s = 0.25

    def __init__(self):
        self.time = 0.0

    def state(self):
        return State.PAUSED

    def step(self, seconds=0.0):
        self.time += seconds or self.step_s
        return self.time

    def entities(self):
        return [Entity("hand", "object", 1.0, 2.0)]

    def spawn(self, uri, name, x, y):
        return f"{name or uri}_at_{x}_{y}"

    def load(self, uri):
        raise ControlError(f"there is no {uri}")


@pytest.fixture
def server():
    served = ControlServer(Clockwork(), NAME)
    served.start()
    yield served
    served.close()


@pytest.fixture
def client():
    connected = ControlClient(NAME)
    yield connected
    connected.close()


@pytest.fixture
def ask(server):
    with pytest.raises(SimulatorError, match="cannot be served"):
        ControlServer(Clockwork(), NAME).start()
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(address(NAME))
        answers = connection.makefile("rb")

        def exchange(line):
            connection.sendall(line + b"\n")
            return json.loads(answers.readline())

        yield exchange


def test_requests_are_answered_in_order(ask):
    assert ask(b'{"do": "describe"}')["ok"]["abilities"] == ["load", "spawn"]
    assert ask(b'{"do": "state"}') == {"ok": "paused"}
    assert ask(b'{"do": "step", "with": {"seconds": 0.5}}') == {"ok": 0.5}
    assert ask(b'{"do": "step"}') == {"ok": 0.75}
    assert ask(b'{"do": "entities"}')["ok"][0]["name"] == "hand"


@pytest.mark.parametrize(
    "line,why",
    [
        (b"nonsense", "not understood"),
        (b"[]", "not understood"),
        (b'{"do": "__init__"}', "is none of"),
        (b'{"do": "step", "with": {"seconds": NaN}}', "must be finite"),
        (b'{"do": "step", "with": {"hours": 1}}', "not understood"),
        (b'{"do": "load", "with": {"uri": "moon"}}', "there is no moon"),
        (b'{"do": "reset"}', "cannot be reset"),
        (b"[" * 9999, "not understood"),
        (b" " * (LONGEST_LINE + 1), "at most"),
    ],
)
def test_what_cannot_be_done_is_said(ask, line, why):
    assert why in ask(line)["error"]


def test_a_client_has_the_controls_of_the_simulator(server, client):
    with pytest.raises(ControlError, match="no connection"):
        client.state()
    client.connect()
    assert client.abilities == Clockwork.abilities
    assert (client.uris, client.frame, client.step_s) == (["hand"], "map", 0.25)
    assert client.state() is State.PAUSED
    assert (client.step(0.5), client.step()) == (0.5, 0.75)
    assert client.entities() == [Entity("hand", "object", 1.0, 2.0)]
    assert client.spawn("hand", "left", 1.0, 2.0) == "left_at_1.0_2.0"
    with pytest.raises(ControlError, match="there is no moon"):
        client.load("moon")
    for refused in (client.play, client.pause, client.reset, client.reset_spawned):
        with pytest.raises(ControlError):
            refused()
    with pytest.raises(ControlError, match="placed"):
        client.place("hand", 0.0, 0.0, 0.0)
    with pytest.raises(ControlError, match="deleted"):
        client.delete("hand")


def test_a_client_learns_that_the_simulator_is_not_there_or_has_gone(client):
    with pytest.raises(ControlError, match="not there"):
        client.connect()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address(NAME))
        listener.listen()
        connecting = threading.Thread(target=client.connect)
        connecting.start()
        simulator, _ = listener.accept()
        with simulator, simulator.makefile("rb") as requests:
            requests.readline()
            simulator.sendall(b'{"ok": {"abilities": [], "frame": "", "uris": [], "step_s": 1}}\n')
            connecting.join()
            waiting = threading.Thread(target=client.wait_until_lost)
            waiting.start()
            lost = []

            def ask_for_state():
                with pytest.raises(ControlError, match="has gone"):
                    client.state()
                lost.append(True)

            asking = threading.Thread(target=ask_for_state)
            asking.start()
            requests.readline()
            assert waiting.is_alive()
        asking.join()
        waiting.join()
    assert lost


def test_a_request_that_waits_ends_when_the_client_is_interrupted(client):
    with socket.socket(socket.AF_UNIX) as silent:
        silent.bind(address(NAME))
        silent.listen()
        outcome = []

        def connect():
            with pytest.raises(ControlError, match="has gone"):
                client.connect()
            outcome.append("ended")

        connecting = threading.Thread(target=connect)
        connecting.start()
        simulator, _ = silent.accept()
        with simulator, simulator.makefile("rb") as requests:
            requests.readline()
            client.interrupt()
            connecting.join()
    assert outcome == ["ended"]


def test_a_call_that_was_not_answered_in_time_is_not_carried_out_later(monkeypatch):
    monkeypatch.setattr("legacy_robots_simulation.stepped_controls.CALL_TIMEOUT_S", 0.01)
    calls, done = CallQueue(), []
    with pytest.raises(ControlError, match="does not answer"):
        calls.call(lambda: done.append("late"))
    calls.carry_out()()
    assert done == []
    with pytest.raises(ControlError, match="does not answer"):
        calls.call(lambda: None)
    calls.close()
