# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Who joins a stream is noticed, whatever else happens at the same moment."""

from types import SimpleNamespace

import pytest

from bw4t_bridge.bridge import publishing
from legacy_robots_msgs.msg import Bw4tPercepts


@pytest.mark.parametrize(
    "matches,change,present,joined,left",
    [
        (1, 1, 1, 1, 0),
        (0, -1, 1, 0, 0),
        (0, -1, 0, 0, 1),
        # The lease of one that was killed ends while another joins: both come as one event.
        (1, 0, 1, 1, 0),
        (2, -1, 1, 1, 0),
        (1, 0, 0, 0, 1),  # it has left again
    ],
)
def test_a_new_subscriber_is_told_of(monkeypatch, matches, change, present, joined, left):
    made = []
    monkeypatch.setattr(publishing.qos, "publisher", lambda *arguments: made.append(arguments))
    calls = []
    publishers = publishing.Publishers(None)
    publishers.stream(
        Bw4tPercepts,
        "percepts",
        on_joined=lambda: calls.append("joined"),
        on_left=lambda: calls.append("left"),
    )
    info = SimpleNamespace(
        total_count_change=matches, current_count_change=change, current_count=present
    )
    made[0][-1].matched(info)
    assert calls == ["joined"] * joined + ["left"] * left
