# SPDX-License-Identifier: Apache-2.0
"""The control channel of a simulator: requests, refusals, and what is no request. No ROS."""

import json
import os
import socket

import pytest

from legacy_robots_common.simulator import SimulatorError
from legacy_robots_common.simulator_control import (
    LONGEST_LINE,
    ControlError,
    Controls,
    ControlServer,
    Entity,
    address,
)


class Clockwork(Controls):
    abilities = frozenset(("load",))

    def __init__(self):
        self.time = 0.0

    def state(self):
        return "paused"

    def step(self, seconds=0.0):
        self.time += seconds or self.step_s
        return self.time

    def entities(self):
        return [Entity("hand", "object", 1.0, 2.0)]

    def load(self, uri):
        raise ControlError(f"there is no {uri}")


@pytest.fixture
def ask():
    name = f"test-{os.getpid()}"
    server = ControlServer(Clockwork(), name)
    server.start()
    with pytest.raises(SimulatorError, match="cannot be served"):
        ControlServer(Clockwork(), name).start()
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(address(name))
        answers = connection.makefile("rb")

        def exchange(line):
            connection.sendall(line + b"\n")
            return json.loads(answers.readline())

        yield exchange
    server.close()


def test_requests_are_answered_in_order(ask):
    assert ask(b'{"do": "describe"}')["ok"]["abilities"] == ["load"]
    assert ask(b'{"do": "state"}') == {"ok": "paused"}
    assert ask(b'{"do": "step", "with": {"seconds": 0.5}}') == {"ok": 0.5}
    assert ask(b'{"do": "step"}') == {"ok": 0.6}
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
