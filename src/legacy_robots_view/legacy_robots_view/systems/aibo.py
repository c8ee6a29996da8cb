# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""An AIBO: its joints, the balls that it sees, its battery."""

from __future__ import annotations

from pathlib import Path

from sensor_msgs.msg import BatteryState

from legacy_robots_msgs.msg import AiboBall
from legacy_robots_view.systems import joints
from legacy_robots_view.systems.kind import Feed, Kind, PanelSettings, number, numbers
from legacy_robots_web import Fields


def ball(message: AiboBall) -> Fields:
    """Return what the camera sees of a ball, and where that is.

    ``image`` is x, y and area as in AiboBall, ``direction`` a unit vector in the camera's optical
    frame; both are None while the ball is not seen. ``azimuth`` is in rad, positive to the left.
    """
    if not message.visible:
        return {"visible": False, "image": None, "direction": None, "azimuth": None}
    at = message.direction
    return {
        "visible": True,
        "image": numbers((message.x, message.y, message.area)),
        "direction": numbers((at.x, at.y, at.z), 4),
        "azimuth": number(message.azimuth),
    }


def battery(message: BatteryState) -> Fields:
    """Return the charge from 0 to 1."""
    return {"charge": number(message.percentage, 2)}


def kind(parameters: PanelSettings) -> Kind:
    """Return the kind, with the balls that ``parameters`` name: each costs the robot queries."""
    return Kind(
        "aibo",
        "AIBO",
        "legacy_robots_msgs/msg/AiboButtons",
        Path(__file__).with_suffix(".js"),
        (
            *joints.FEEDS,
            *(Feed(f"ball/{colour}", AiboBall, ball) for colour in parameters.balls),
            Feed("battery", BatteryState, battery),
        ),
    )
