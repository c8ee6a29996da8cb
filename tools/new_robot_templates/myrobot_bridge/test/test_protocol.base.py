# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The wire of Myrobot: messages, and what none is."""

import pytest

from myrobot_bridge import protocol
from myrobot_bridge.protocol import ProtocolError, Reading, parse


def test_a_message():
    assert parse(b"STATE 0.01 -0.02 0.9 1 2.5") == Reading(0.01, -0.02, 0.9, True, 2.5)


@pytest.mark.parametrize(
    "message", [b"", b"STATE", b"\xff\x00", 200 * b"x", b"STATE 0 0 nan 0 1", b"STATE 0 0 1 2 1"]
)
def test_anything_else_is_a_protocol_error(message):
    with pytest.raises(ProtocolError):
        parse(message)


def test_a_command_has_its_bytes():
    assert protocol.drive(0.2, -1.0) == b"DRIVE 0.2000 -1.0000"
