# SPDX-License-Identifier: Apache-2.0
"""What is launched for a Nao: the bridge, a simulated Nao, and an errand on request."""

from __future__ import annotations

from collections.abc import Iterator

from legacy_robots_common.launching.arguments import (
    common_arguments,
    overruling,
    simulator_arguments,
    switch,
)
from legacy_robots_common.launching.parts import Part
from legacy_robots_common.launching.system_launch import Settings, SystemLaunch, shared_file
from nao_goal_bridge.bridge_parameters import Parameters
from nao_goal_bridge.room_map import SHIPPED
from nao_goal_bridge.system import SYSTEM


def _parts(settings: Settings) -> Iterator[Part]:
    bridge = settings.node("bridge", Parameters)
    wanted = bridge.values
    if wanted.room_map not in SHIPPED:
        settings.check_file("room_map", wanted.room_map)
    yield bridge
    yield from settings.simulator(
        *("--role", "dial" if wanted.role == "listen" else "listen"),
        *("--host", wanted.host, "--port", str(wanted.port), "--profile", wanted.profile),
        *("--code-width", str(wanted.code_width)),
        *(("--maze", wanted.room_map) if wanted.room_map else ()),
    )
    if settings["errand"]:
        yield settings.companion("errand")
    yield from settings.rviz(
        "nao",
        frame_prefix=wanted.frame_prefix,
        frames={"map": wanted.frame_prefix + wanted.map_frame},
    )
    yield from settings.rqt("nao")


LAUNCH = SystemLaunch(
    SYSTEM.name,
    SYSTEM.package,
    (
        *common_arguments(
            SYSTEM.name,
            Parameters,
            shared_file("config", "nao.yaml"),
            simulate="Start a simulated Nao too",
            rviz="the rooms",
        ),
        *overruling(Parameters, "role", "host", "port", "profile"),
        switch("errand", "Carry an object to and fro between two rooms"),
        *simulator_arguments(SYSTEM.faults),
    ),
    _parts,
    system=SYSTEM.name,
)
