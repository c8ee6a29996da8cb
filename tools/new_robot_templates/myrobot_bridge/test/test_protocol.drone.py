# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The wire of Myrobot: messages, and what none is."""

import pytest

from myrobot_bridge import protocol
from myrobot_bridge.protocol import ProtocolError, Reading, parse


def test_a_message():
    assert parse(b"STATE HOVERS 1 2 3 0.5 0.9") == Reading("HOVERS", 1.0, 2.0, 3.0, 0.5, 0.9)


@pytest.mark.parametrize(
    "message", [b"", b"STATE", b"\xff\x00", 200 * b"x", b"STATE FALLS 1 2 3 0 1", b"STATE HOVERS 1 2 nan 0 1"]
)
def test_anything_else_is_a_protocol_error(message):
    with pytest.raises(ProtocolError):
        parse(message)


def test_a_command_has_its_bytes():
    assert protocol.fly(0.1, 0.2, -0.3, 0.4) == b"FLY 0.100 0.200 -0.300 0.400"
