# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What every robot with joints is drawn from: its description, and where its joints are."""

from __future__ import annotations

from sensor_msgs.msg import JointState
from std_msgs.msg import String

from legacy_robots_view.systems.kind import Feed, numbers
from legacy_robots_web import Fields

MAX_DESCRIPTION = 1_000_000
"""Characters of a URDF; a longer one is not drawn."""


def description(message: String) -> Fields:
    """Return the URDF, which the page takes apart itself."""
    if len(message.data) > MAX_DESCRIPTION:
        raise ValueError(f"a description of {len(message.data)} characters is too long to draw")
    return {"urdf": message.data}


def positions(message: JointState) -> Fields:
    """Return the joints' positions in rad, or m, in the order of their names."""
    if len(message.name) != len(message.position):
        raise ValueError(f"{len(message.name)} joints have {len(message.position)} positions")
    return {"names": list(message.name), "positions": numbers(message.position, 4)}


FEEDS = (
    Feed("robot_description", String, description, latched=True),
    Feed("joint_states", JointState, positions),
)
