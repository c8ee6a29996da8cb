# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The parameters of the bridge."""

from __future__ import annotations

from dataclasses import dataclass

from legacy_robots_common.bridge.first_connection import BridgeParameters
from legacy_robots_common.node.parameters import parameter
from nao_goal_bridge.bridge.wire_parameters import WireParameters
from nao_goal_bridge.protocol.robot_requests import TimeLimits


@dataclass(frozen=True)
class Parameters(WireParameters, BridgeParameters):
    """Read once at the start."""

    role: str = parameter(
        "listen",
        "who opens the TCP connection: listen, the Nao; dial, the bridge",
        choices=("listen", "dial"),
    )

    room_map: str = parameter(
        "",
        "YAML file with the rooms, or maze or naovigate, the maps of the package; empty: maze",
        group="The rooms, for drawing and for the ways of profiles with tiles.",
    )
    map_frame: str = parameter("map", "frame of the room map")
    frame_prefix: str = parameter("", "put before every frame, such as nao_2/")

    greeting_location: str = parameter(
        "profile",
        "the robot's Location when it connects; profile: believed unless the original claims "
        "its start room",
        choices=("profile", "believed", "ignored"),
    )

    queue_length: int = parameter(
        8,
        "goals that may wait behind the one being executed",
        minimum=0,
        maximum=1000,
        group="Goals.",
    )
    go_to_timeout: float = parameter(
        300.0, "seconds that a walk may take", minimum=0.1, maximum=86400.0
    )
    pick_up_timeout: float = parameter(
        60.0, "seconds that picking up may take", minimum=0.1, maximum=86400.0
    )
    put_down_timeout: float = parameter(
        30.0, "seconds that putting down may take", minimum=0.1, maximum=86400.0
    )
    halt_timeout: float = parameter(
        2.0, "seconds in which the robot must answer a Halt", minimum=0.1, maximum=60.0
    )
    owed_reply_timeout: float = parameter(
        60.0,
        "seconds after a Halt until the halted command must have ended; then the link is renewed",
        minimum=0.1,
        maximum=3600.0,
    )
    exit_timeout: float = parameter(
        10.0, "seconds in which the robot must answer an Exit", minimum=0.1, maximum=600.0
    )

    probe_period: float = parameter(
        10.0,
        "seconds of silence after which an idle robot is sent a Halt as a probe; 0: never",
        minimum=0.0,
        maximum=3600.0,
        group="Health.",
    )
    flood_limit: float = parameter(
        2000.0,
        "sightings per second above which the surplus is dropped and reported",
        minimum=1.0,
        maximum=1e6,
    )

    @property
    def time_limits(self) -> TimeLimits:
        """The time limits of the commands."""
        return TimeLimits(
            go_to=self.go_to_timeout,
            pick_up=self.pick_up_timeout,
            put_down=self.put_down_timeout,
            halt=self.halt_timeout,
            exit=self.exit_timeout,
            owed_reply=self.owed_reply_timeout,
        )
