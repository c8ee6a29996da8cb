# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What the options of a profile choose between, where it is more than yes or no or a number."""

from __future__ import annotations

from enum import Enum


class Delivery(Enum):
    """How percepts reach a consumer (docs/originals/bw4t.md, 4)."""

    EIS_0_5 = "eis_0_5"
    """One list a poll: new percepts, repeated ones and ``not(...)`` by the policy of each."""
    EIS_0_7 = "eis_0_7"
    """Two lists a poll: percepts to add and percepts to delete; there is no ``not(...)``."""


class Policy(Enum):
    """When a percept is sent (specification, "Percepts")."""

    ONCE = "once"
    ON_CHANGE = "on change"
    ON_CHANGE_NEG = "on change with negation"
    ALWAYS = "always"


class PutDownPlace(Enum):
    """Where in a room a block comes to lie that is put down there."""

    NEAR_ROBOT = "near the robot"
    ANYWHERE_WITHIN_5 = "anywhere within 5 units of the room's centre"
    FREE_PLACE = "anywhere in the room where it touches no other block"


class BatteryUse(Enum):
    """What one moving tick takes from the battery, for ``size`` and ``speed`` (in percent)."""

    FRACTION_OF_FULL = "fraction of a full battery"
    """0.02 % * size + 0.04 % * speed / 100 of a full battery, whatever its capacity."""
    CAPACITY_UNITS = "units of capacity"
    """0.0002 * size + 0.0004 * speed units, of as many as the configuration gives."""


class EPartnerPercepts(Enum):
    """Under which names an e-partner perceives."""

    DOCUMENT = "document"
    """getFunctionalities, getAt, getLocation, getRooms, getRoom; each with its value."""
    SERVER = "server"
    """functionality, at, location, place, in."""


class CollisionSwitch(Enum):
    """What decides whether robots can collide, unless the owner of the world does."""

    SCENARIO = "scenario"
    """``collisionEnabled`` of the scenario."""
    OWNER_ONLY = "owner only"
    """Nothing: the server has a command-line argument, here the owner's ``collisions``."""
