# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""RSI: the telegrams of both sides, and what is none."""

import math

import pytest
from kuka_rsi_bridge.protocol import (
    ProtocolError,
    answer,
    parse,
    parse_answer,
    state,
)

AXES = (0.0, -0.5 * math.pi, 0.5 * math.pi, 0.1, -0.2, 3.0)
STATE = state(AXES, 2, 4208163634)
DEGREES = " ".join(f'A{n}="1"' for n in range(1, 7))


def test_a_state_is_read_and_has_degrees_on_the_wire():
    assert b'A2="-90.000000"' in STATE
    found = parse(STATE)
    assert found.positions == pytest.approx(AXES, abs=1e-7)
    assert (found.late, found.cycle) == (2, 4208163634)


def test_an_answer_has_its_bytes_and_is_read():
    whole = answer([0.0] * 5 + [math.radians(0.5)], 12)
    assert whole.startswith(b'<Sen Type="ImFree"><AKorr A1="0.000000" ')
    assert whole.endswith(b'A6="0.500000"/><IPOC>12</IPOC></Sen>')
    assert parse_answer(whole).corrections[5] == pytest.approx(math.radians(0.5))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "<Rob",
        f"<Sen><AIPos {DEGREES}/><IPOC>1</IPOC></Sen>",
        f"<Rob><AIPos {DEGREES}/></Rob>",
        f"<Rob><AIPos {DEGREES}/><IPOC>-1</IPOC></Rob>",
        f"<Rob><AIPos {DEGREES.replace('1', 'nan')}/><IPOC>1</IPOC></Rob>",
        "<Rob><AIPos A1='1'/><IPOC>1</IPOC></Rob>",
        f"<!DOCTYPE Rob [<!ENTITY a 'b'>]><Rob><AIPos {DEGREES}/><IPOC>1</IPOC></Rob>",
        f"<Rob><AIPos {DEGREES}/><IPOC>1</IPOC>{4000 * ' '}</Rob>",
    ],
)
def test_anything_else_is_a_protocol_error(text):
    with pytest.raises(ProtocolError):
        parse(text.encode())


def test_an_answer_of_another_sensor_is_a_protocol_error():
    with pytest.raises(ProtocolError):
        parse_answer(answer([0.0] * 6, 1).replace(b"ImFree", b"Other"))
