# SPDX-License-Identifier: Apache-2.0
"""What is launched for an agent written for a Nao: the host, and a toy robot on request."""

from __future__ import annotations

from collections.abc import Iterator

from legacy_robots_common.launching.arguments import Argument, node_arguments, overruling, switch
from legacy_robots_common.launching.parts import Part
from legacy_robots_common.launching.system_launch import Settings, SystemLaunch, shared_file
from nao_goal_bridge.host_parameters import Parameters
from nao_goal_bridge.room_map import SHIPPED
from nao_goal_bridge.system import SYSTEM


def _parts(settings: Settings) -> Iterator[Part]:
    host = settings.node("host", Parameters)
    wanted = host.values
    if wanted.room_map not in SHIPPED:
        settings.check_file("room_map", wanted.room_map)
    yield host
    if settings["toy"]:
        frames = {
            "map_frame": wanted.map_frame,
            "base_frame": wanted.base_frame,
            "frame_prefix": wanted.frame_prefix,
        }
        yield settings.companion("toy_robot", overrides=frames)


LAUNCH = SystemLaunch(
    "nao_host",
    SYSTEM.package,
    (
        Argument("namespace", "Namespace of all names", "nao_host"),
        *overruling(
            Parameters, "role", "host", "port", "profile", "room_map", "navigation",
            "base_frame", "frame_prefix", "pick_up", "pick_up_type", "put_down", "put_down_type",
        ),
        switch("toy", "Start a wheeled toy robot, which serves the navigation"),
        *node_arguments(shared_file("config", "nao_host.yaml")),
    ),
    _parts,
    system=SYSTEM.name,
)  # fmt: skip
