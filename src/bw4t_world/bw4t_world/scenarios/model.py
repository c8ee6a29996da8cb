# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What a BW4T scenario (the original's client configuration) says, as plain data.

The classes mirror the elements of the original's ``bw4TClientConfig`` file
(docs/originals/bw4t.md, 2) with its defaults. Who drives a robot (``controller``, ``file_name``,
``reference_name``) is for the program that starts the players; the world reads the abilities.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Controller(Enum):
    """Who drives a robot."""

    AGENT = "AGENT"
    HUMAN = "HUMAN"
    EPARTNER = "EPARTNER"


@dataclass(frozen=True, slots=True)
class BotSpec:
    """A group of equal robots.

    ``size`` (map units) counts only with ``size_overload_handicap``, ``speed`` (percent of the
    greatest speed) only with ``move_speed_handicap``; both always count for the discharge of
    the battery. ``grippers`` is the number of blocks that a robot can hold, unless
    ``gripper_handicap`` takes its gripper away.
    """

    name: str = "Bot"
    controller: Controller = Controller.AGENT
    amount: int = 1
    size: int = 2
    speed: int = 50
    battery_enabled: bool = False
    battery_capacity: int = 10
    grippers: int = 1
    color_blind_handicap: bool = False
    gripper_handicap: bool = False
    move_speed_handicap: bool = False
    size_overload_handicap: bool = False
    file_name: str = "*.goal"
    reference_name: str = ""
    battery_discharge_rate: str | None = None
    """Element ``botBatteryDischargeRate`` of old files: kept as written, without any effect."""


@dataclass(frozen=True, slots=True)
class EPartnerSpec:
    """A group of equal e-partners."""

    name: str = "E-Partner"
    amount: int = 1
    gps: bool = False
    forget_me_not: bool = False
    file_name: str = "*.goal"
    reference_name: str = ""


@dataclass(frozen=True, slots=True)
class Scenario:
    """A whole scenario file.

    ``collision_enabled`` lets robots collide with each other. ``visualize_paths`` asks the
    original's display for the planned paths, and ``file_location`` says where an old editor
    kept the file; both are kept, and mean nothing to the world.
    """

    bots: tuple[BotSpec, ...] = ()
    epartners: tuple[EPartnerSpec, ...] = ()
    client_ip: str = "localhost"
    client_port: int = 2000
    server_ip: str = "localhost"
    server_port: int = 8000
    launch_gui: bool = False
    use_goal: bool = True
    map_file: str = ""
    collision_enabled: bool = False
    visualize_paths: bool = False
    file_location: str | None = None
