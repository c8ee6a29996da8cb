# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The Open Interface: the stream's messages, and what none is."""

import pytest
from roomba_bridge import protocol
from roomba_bridge.protocol import ProtocolError, Reading, packets, parse, stream

READING = Reading(True, 2000, 2696, 65535, 3)


def test_a_message_of_the_stream_has_its_bytes_and_is_found_among_others():
    message = stream(READING)
    assert message[:4] == bytes((19, 14, 7, 3))
    assert sum(message) % 256 == 0
    (found,) = packets().feed(b"\x13\x05 lost \x13" + message + message[:5])
    assert parse(found) == READING


@pytest.mark.parametrize("message", [b"", b"\x13\x02\x07\x00", stream(READING)[:-2] + b"\x08\x00"])
def test_anything_else_is_a_protocol_error(message):
    with pytest.raises(ProtocolError):
        parse(message[:2] + b"\x09" + message[3:])


def test_a_wheel_goes_on_where_its_count_begins_again():
    assert protocol.turned(65535, 3) == pytest.approx(4 * protocol.M_PER_COUNT)
    assert protocol.turned(3, 65535) == pytest.approx(-4 * protocol.M_PER_COUNT)


def test_a_command_has_its_bytes():
    assert protocol.drive(0.2, 0.0) == bytes((145, 0, 200, 0, 200))
    assert protocol.drive(9.0, 0.0) == bytes((145, 1, 244, 1, 244))  # 500 mm/s
