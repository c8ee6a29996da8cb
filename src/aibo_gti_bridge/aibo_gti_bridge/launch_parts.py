# SPDX-License-Identifier: Apache-2.0
"""What is launched for an AIBO: the bridge, a simulated AIBO, and a ball game on request."""

from __future__ import annotations

from collections.abc import Iterator

from aibo_gti_bridge.bridge_parameters import Parameters
from aibo_gti_bridge.system import SYSTEM
from legacy_robots_common.launching.arguments import (
    common_arguments,
    overruling,
    simulator_arguments,
    switch,
)
from legacy_robots_common.launching.parts import Part
from legacy_robots_common.launching.system_launch import Settings, SystemLaunch, shared_file


def _parts(settings: Settings) -> Iterator[Part]:
    bridge = settings.node("bridge", Parameters)
    wanted = bridge.values
    settings.check_file("motion_directory", wanted.motion_directory)
    yield bridge
    yield from settings.simulator(
        *("--host", wanted.host, "--overlays", wanted.wire_overlays),
        *(("--port", str(wanted.port)) if wanted.port else ()),
        *(("--motions", wanted.motion_directory) if wanted.motion_directory else ()),
        *(("--full-rotor-range",) if wanted.full_rotor_range else ()),
    )
    if settings["ball_game"]:
        yield settings.companion("ball_game")
    yield from settings.rviz("aibo", frame_prefix=wanted.frame_prefix)
    yield from settings.rqt("aibo", is_stamped=wanted.enable_stamped_cmd_vel)


LAUNCH = SystemLaunch(
    SYSTEM.name,
    SYSTEM.package,
    (
        *common_arguments(
            SYSTEM.name,
            Parameters,
            shared_file("config", "aibo.yaml"),
            simulate="Start a simulated AIBO too",
            rviz="the robot",
        ),
        *overruling(Parameters, "host", "port", "wire_overlays", "search_mode"),
        *overruling(Parameters, "enable_stamped_cmd_vel", "cmd_vel_timeout"),
        switch("ball_game", "Look for a ball, walk to it, and begin again"),
        *simulator_arguments(SYSTEM.faults),
    ),
    _parts,
    system=SYSTEM.name,
)
