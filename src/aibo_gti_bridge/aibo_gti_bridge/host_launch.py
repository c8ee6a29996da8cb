# SPDX-License-Identifier: Apache-2.0
"""What is launched for gti_host: the server, and a simulated robot of its map."""

from __future__ import annotations

from collections.abc import Iterator

from aibo_gti_bridge import launch_parts as aibo
from aibo_gti_bridge.host_parameters import Parameters
from legacy_robots_common.launching.arguments import (
    Argument,
    node_arguments,
    overruling,
    switch,
)
from legacy_robots_common.launching.parts import Part
from legacy_robots_common.launching.system_launch import Settings, SystemLaunch, shared_file

WATCHDOG_S = "0.2"
"""Seconds without a velocity until the simulated AIBO stops; its gait takes up to 0.5 s."""
ROVERS = ("pan_tilt", "quadruped")
"""Maps of which the program ``rover`` simulates a robot."""


def _parts(settings: Settings) -> Iterator[Part]:
    host = settings.node("gti_host", Parameters)
    yield host
    wanted, robot_port = host.values, settings["robot_port"]
    if not settings["simulate"]:
        return
    stamped = wanted.enable_stamped_cmd_vel
    namespace = settings.absolute(wanted.robot_namespace)
    if wanted.map in ROVERS:
        kind = {"kind": wanted.map, "enable_stamped_cmd_vel": stamped}
        yield settings.companion("rover", namespace=namespace, overrides=kind)
    elif wanted.map == "aibo":
        given = {
            "namespace": namespace,
            "port": robot_port,
            "cmd_vel_timeout": WATCHDOG_S,
            "enable_stamped_cmd_vel": str(stamped).lower(),
        }
        yield from settings.of(aibo.LAUNCH, given).parts()


LAUNCH = SystemLaunch(
    "gti_host",
    "aibo_gti_bridge",
    (
        Argument("namespace", "Namespace of the host's own names", "gti_host"),
        switch("simulate", "Start a simulated robot of a ready-made map too", default=True),
        *overruling(
            Parameters,
            *("host", "port", "map", "robot_namespace", "wire_overlays"),
            "enable_stamped_cmd_vel",
        ),
        Argument("robot_port", "TCP port between the simulated AIBO and its bridge", "10100"),
        *node_arguments(shared_file("config", "gti_host.yaml")),
    ),
    _parts,
)
