# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The wire of Myrobot: messages, and what none is."""

import pytest

from myrobot_bridge import protocol
from myrobot_bridge.protocol import ProtocolError, Reading, parse


def test_a_message():
    assert parse(b"STATE 0.1 -0.2 0.3") == Reading((0.1, -0.2, 0.3))


@pytest.mark.parametrize(
    "message", [b"", b"STATE", b"\xff\x00", 200 * b"x", b"STATE 0 0", b"STATE 0 0 inf"]
)
def test_anything_else_is_a_protocol_error(message):
    with pytest.raises(ProtocolError):
        parse(message)


def test_a_command_has_its_bytes():
    assert protocol.move([0.1, 0.0, -1.0]) == b"MOVE 0.10000 0.00000 -1.00000"
