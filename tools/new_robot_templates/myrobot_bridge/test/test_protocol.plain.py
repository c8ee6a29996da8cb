# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The wire of Myrobot: messages, and what none is."""

import pytest
from myrobot_bridge.protocol import Done, ProtocolError, Reading, move, parse


@pytest.mark.parametrize(
    "message,event",
    [
        (b"STATE 0.0310", Reading(0.031)),
        (b"DONE", Done(True)),
        (b"BLOCKED", Done(False)),
    ],
)
def test_messages(message, event):
    assert parse(message) == event


@pytest.mark.parametrize(
    "message", [b"", b"STATE", b"STATE abc", b"STATE nan", b"\xff\x00", b"DONE now", 200 * b"x"]
)
def test_anything_else_is_a_protocol_error(message):
    with pytest.raises(ProtocolError):
        parse(message)


def test_a_command_has_its_bytes():
    assert move(0.04) == b"MOVE 0.040000"
