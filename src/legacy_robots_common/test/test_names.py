# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Names of other systems as ROS names: valid, different, and reversible."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from legacy_robots_common.node.names import to_ros_name

ESCAPE = re.compile(r"(?:^|_)X([0-9A-F]+(?:X[0-9A-F]+)*)_")
TOKEN = re.compile(r"[A-Za-z](_?[A-Za-z0-9])*_?")

# Names that look like parts of escapes are the hard ones.
NAMES = st.one_of(
    st.text(min_size=1),
    st.text(st.sampled_from("_X2DAFaxz-1 é"), min_size=1),
    st.from_regex(r"(_|X[0-9A-F]|X|-|a|_X2D_|X5F_)+", fullmatch=True),
)


def name_of(token):
    """Return the name of a token: so no two names have the same."""
    return ESCAPE.sub(lambda m: "".join(chr(int(c, 16)) for c in m[1].split("X")), token)


@pytest.mark.parametrize(
    "name, token",
    [
        ("Bot_1", "Bot_1"),
        ("a", "a"),
        ("Xander_1", "Xander_1"),
        ("trailing_", "trailing_"),
        ("E-Partner_1", "E_X2D_Partner_1"),
        ("Bot 1_1", "Bot_X20_1_1"),
        ("1st", "X31_st"),
        ("_hidden", "X5F_hidden"),
        ("two__underscores", "two_X5FX5F_underscores"),
        ("a_-_b", "a_X5FX2DX5F_b"),
        ("Zoë", "Zo_XEB_"),
        ("\N{ROBOT FACE}", "X1F916_"),
        ("a_X2D_b", "a_X5F_X2D_b"),
        ("X2D_b", "X58_2D_b"),
        ("--", "X2DX2D_"),
    ],
)
def test_examples(name, token):
    assert to_ros_name(name) == token
    assert name_of(token) == name


@given(NAMES)
@example("a_X2D-")
@example("XA-")
@example("-X2D_")
@example("-_X2D_")
@example("9_X2D_")
@example("0_")
@example("0_a")
def test_every_name_has_a_valid_token_and_comes_back(name):
    token = to_ros_name(name)
    assert TOKEN.fullmatch(token)
    assert name_of(token) == name


def test_an_empty_name_is_refused():
    with pytest.raises(ValueError, match="empty"):
        to_ros_name("")
