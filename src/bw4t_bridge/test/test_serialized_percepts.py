# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Serialised percepts against the messages that they stand for."""

from __future__ import annotations

import pytest
from builtin_interfaces.msg import Time
from hypothesis import given
from hypothesis import strategies as st
from rclpy.serialization import deserialize_message
from std_msgs.msg import Header

from bw4t_bridge.bridge import conversions, serialized_percepts
from bw4t_bridge.bridge.serialized_percepts import PerceptParts, PerceptSerializer
from bw4t_runner.percept_streams import PerceptCycle
from bw4t_world import Percept, PerceptUpdate
from legacy_robots_msgs.msg import Bw4tPercepts

pytestmark = pytest.mark.node

TEXTS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=9)
VALUES = st.recursive(
    st.integers(-(2**53), 2**53) | st.floats(allow_nan=False) | st.booleans() | TEXTS,
    lambda items: st.lists(items, max_size=3).map(tuple),
    max_leaves=6,
)
NAMES = TEXTS.filter(lambda name: name and name != "not")
PERCEPTS = st.builds(Percept, NAMES, st.lists(VALUES, max_size=4).map(tuple))
UPDATES = st.builds(
    PerceptUpdate,
    st.lists(PERCEPTS | PERCEPTS.map(lambda p: Percept("not", (p,))), max_size=5),
    st.lists(PERCEPTS, max_size=3),
)


def cycle(update, number=0, tick=7, stamp=1_700_000_000_123_456_789):
    return PerceptCycle("Bot_1", number, tick, 0.14, stamp, update)


def is_right(serializer, one, frame):
    """Whether rclpy reads the message of a cycle."""
    header = Header(frame_id=frame, stamp=Time(sec=one.stamp // 10**9, nanosec=one.stamp % 10**9))
    read = deserialize_message(serializer.serialize(one, one.number), Bw4tPercepts)
    return read == conversions.percepts(one, header)


@given(st.lists(UPDATES, min_size=1, max_size=3), TEXTS, st.integers(0, 2**63))
def test_rclpy_reads_what_is_serialized(updates, frame, number):
    serializer = PerceptSerializer(PerceptParts(), frame)
    for update in (*updates, *updates):  # new, and again
        one = cycle(update, number, number // 2)
        assert is_right(serializer, one, frame)


def test_parts_are_forgotten_that_are_not_used_any_more(monkeypatch):
    monkeypatch.setattr(serialized_percepts, "GENERATION", 10)
    parts = PerceptParts()
    serializer = PerceptSerializer(parts, "Bot_1/base_link")
    kept = Percept("position", (18, 15.0, 15.0))
    for number in range(1000):
        one = cycle(PerceptUpdate([kept, Percept("location", (float(number), 1.0))], []))
        assert is_right(serializer, one, "Bot_1/base_link")
    assert parts.added(kept, 4) is parts.added(kept, 4)
    assert len(parts._new) + len(parts._old) <= 20


def test_a_text_ends_at_a_nul_as_with_rclpy():
    one = cycle(PerceptUpdate([Percept("message", (("Bot_2", "a\0b"),))], []))
    read = deserialize_message(
        PerceptSerializer(PerceptParts(), "map").serialize(one, 0), Bw4tPercepts
    )
    assert list(read.percepts[0].texts) == ["Bot_2", "a"]
