# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The segment rcmBody, by which ROS commands the walk of a Luar robot. No ROS.

No variable of the original commands its walk (docs/originals/luar.md, 9): the robot runs the body
of lua/BodyFSM.lua in the place of its own, which makes this segment, reads WRITTEN_BY_ROS of it
and writes the others.
"""

from __future__ import annotations

import enum

SEGMENT = "rcmBody"
LENGTHS = {
    "velocity": 3,
    "velocity_count": 1,
    "order": 1,
    "order_count": 1,
    "count": 1,
    "motion": 1,
    "done_count": 1,
    "result": 1,
    "parameters": 6,
}
"""Numbers of each variable.

``velocity`` (m/s, m/s, rad/s) counts for VELOCITY_TIMEOUT_S after ``velocity_count`` changed;
``order`` (an Order) is carried out once when ``order_count`` changes. ``count`` goes up with each
update; ``motion`` is a Motion; ``done_count`` is the ``order_count`` of the order that ended last,
``result`` how (DONE, FAILED). ``parameters`` are those of the walk, in WALK_PARAMETERS' order, 0
for the robot's own; mcmWalk has what it walks with.
"""
WRITTEN_BY_ROS = ("velocity", "velocity_count", "order", "order_count", "parameters")
WALK_PARAMETERS = {
    "walk_step_time": ("tStep", 0.2, 1.0),
    "walk_body_height": ("bodyHeight", 0.2, 0.35),
    "walk_step_height": ("stepHeight", 0.002, 0.06),
    "walk_foot_y": ("footY", 0.03, 0.08),
    "walk_support_x": ("supportX", -0.03, 0.05),
    "walk_support_y": ("supportY", 0.002, 0.05),
}
"""Name in Config.walk and mcmWalk, least and greatest value (s, m), by the bridge's parameter."""
VELOCITY_TIMEOUT_S = 0.5
DONE, FAILED = 1, 2


class Order(enum.IntEnum):
    """What the robot does once; the names of kicks are those of the original's kick module."""

    KICK_FORWARD_LEFT = 1
    KICK_FORWARD_RIGHT = 2
    KICK_SIDE_LEFT = 3
    KICK_SIDE_RIGHT = 4
    STAND_UP = 10


KICKS = {
    "kickForwardLeft": Order.KICK_FORWARD_LEFT,
    "kickForwardRight": Order.KICK_FORWARD_RIGHT,
    "kickSideLeft": Order.KICK_SIDE_LEFT,
    "kickSideRight": Order.KICK_SIDE_RIGHT,
}


class Motion(enum.IntEnum):
    """The state of the original's Motion."""

    UNKNOWN = 0
    WALK = 1
    KICK = 2
    FALLING = 3
    STANDUP = 4
    STANCE = 5
    SIT = 6
    RELAX = 7
