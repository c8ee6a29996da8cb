# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The parameters of gti_host."""

from __future__ import annotations

from dataclasses import dataclass

from legacy_robots_common.node.parameters import parameter


@dataclass(frozen=True)
class Parameters:
    """Read once at the start."""

    host: str = parameter(
        "127.0.0.1",
        "address to listen on for GTI clients; a network's own address serves other machines",
        group="The connection with the client.",
    )
    port: int = parameter(10101, "TCP port to listen on", minimum=0, maximum=65535)
    wire_overlays: str = parameter(
        "",
        "changes to the wire table, in order, separated by commas: names of overlays "
        "(docs/aibo.md#the-wire) or paths of YAML files",
    )
    map: str = parameter(
        "aibo",
        "what the robot has of an ERS-7 (docs/gti_host.md#maps): aibo, pan_tilt, quadruped, or "
        "the path of a YAML file",
        group="The robot.",
    )
    robot_namespace: str = parameter(
        "/aibo", "namespace below which the map's topics, actions and services are"
    )
    enable_stamped_cmd_vel: bool = parameter(
        False, "walk by TwistStamped instead of Twist, as Nav2 and ros2_control take it by default"
    )
    robot_timeout: float = parameter(
        1.0,
        "seconds without joint states or odometry after which a walk ends; 0: never",
        minimum=0.0,
        maximum=60.0,
        group="Time limits.",
    )
    client_timeout: float = parameter(
        0.0,
        "seconds without a command of the client after which a walk ends; 0: never, as GTI",
        minimum=0.0,
        maximum=60.0,
    )
    search_timeout: float = parameter(
        20.0, "seconds that a search for a ball may take", minimum=1.0, maximum=300.0
    )
