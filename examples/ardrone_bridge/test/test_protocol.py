# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Navdata and AT commands: their bytes, and what is none."""

import pytest
from ardrone_bridge import protocol
from ardrone_bridge.protocol import Navdata, ProtocolError, Reading, commands, encode, fly, parse

READING = Reading(protocol.HOVERING, 87, 0.5, 1.25, (0.5, -0.25))
WHOLE = protocol.navdata(7, protocol.ACKNOWLEDGED, READING)


def test_navdata_have_their_bytes_and_are_read():
    assert WHOLE[:8] == bytes.fromhex("88776655 40000000")
    assert len(WHOLE) == 16 + 148 + 8
    found = parse(WHOLE)
    assert (found.state, found.reading.mode, found.reading.battery) == (0x40, 4, 87)
    assert found.reading.yaw == pytest.approx(0.5)
    assert (found.reading.altitude, found.reading.velocity) == (1.25, (0.5, -0.25))
    assert parse(protocol.navdata(1, protocol.BOOTSTRAP, None)) == Navdata(1 << 11, None)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        WHOLE[:-8],
        WHOLE[:-1] + b"\x01",
        WHOLE[:18] + b"\x03\x00" + WHOLE[20:],
        WHOLE[:18] + b"\xff\xff" + WHOLE[20:],
        protocol.navdata(1, 0, Reading(2, 0, float("nan"), 0.0, (0.0, 0.0))),
    ],
)
def test_anything_else_is_a_protocol_error(data):
    with pytest.raises(ProtocolError):
        parse(data)


def test_commands_have_their_bytes():
    assert encode(1, protocol.TAKE_OFF) == b"AT*REF=1,290718208\r"
    assert encode(2, protocol.DEMO) == b'AT*CONFIG=2,"general:navdata_demo","TRUE"\r'
    # -0.8 is the example of the developer guide.
    assert encode(3, fly(4.0, 0.0, 0.0, 0.0)) == b"AT*PCMD=3,1,0,-1085485875,0,0\r"
    assert encode(4, fly(0.0, 0.0, 0.0, 0.0)) == b"AT*PCMD=4,0,0,0,0,0\r"


def test_commands_are_read():
    assert list(commands(b"AT*COMWDG=1\rAT*REF=2,5\r")) == [("COMWDG", 1, []), ("REF", 2, ["5"])]
    assert protocol.number("-1085485875") == pytest.approx(-0.8)
    with pytest.raises(ProtocolError):
        list(commands(b"AT*REF\r"))
