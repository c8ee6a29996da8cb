# SPDX-License-Identifier: Apache-2.0
"""Start all systems on their simulators, with something happening in each."""

import aibo_gti_bridge.launch_parts
import bw4t_bridge.launch_parts
import legacy_robots_view.launch_parts
import luar_bridge.launch_parts
import nao_goal_bridge.launch_parts
import roboskate_bridge.launch_parts
from launch import LaunchDescription
from legacy_robots_common.launching.arguments import Argument, passed_on, supervision, switch
from legacy_robots_common.launching.description import launch_description
from legacy_robots_common.launching.errors import LaunchError
from legacy_robots_common.launching.parts import NodePart
from legacy_robots_common.launching.system_launch import SystemLaunch

VIEW = legacy_robots_view.launch_parts.LAUNCH
SYSTEMS = {
    package.launch_parts.LAUNCH.name: package.launch_parts.LAUNCH
    for package in (nao_goal_bridge, roboskate_bridge, luar_bridge, bw4t_bridge, aibo_gti_bridge)
}
WHAT_HAPPENS = {
    "nao": {"errand": "true"},
    "roboskate": {"autopilot": "true"},
    "luar": {},  # the simulated player plays by itself
    "bw4t": {"repeat_after": "5.0"},
    "aibo": {"ball_game": "true"},
}
PLACES = {
    "nao/map": (0.0, 0.0),
    "bw4t/map": (10.0, 40.0),
    "roboskate/odom": (0.0, -60.0),
    "map": (-8.0, 0.0),  # the Luar field, whose frame has no prefix
    "aibo/odom": (0.0, -3.0),
}
"""Metres in the frame ``world``: where the systems' frames are in the combined view."""


def _parts(settings):
    names = settings["systems"]
    unknown = sorted(set(names) - SYSTEMS.keys())
    if unknown:
        known = ",".join(SYSTEMS)
        raise LaunchError(f"systems must be some of {known}, not {','.join(unknown)}")
    if settings["view"] == "web":
        yield from settings.of(VIEW, {}, "view_").parts()
    for name in dict.fromkeys(names):
        given = {"frame_prefix": f"{name}/", **WHAT_HAPPENS[name]}
        yield from settings.of(SYSTEMS[name], given, f"{name}_").parts()
    if settings["rviz"]:
        for frame, (x, y) in PLACES.items():
            yield NodePart(
                "tf2_ros",
                "static_transform_publisher",
                ("--x", str(x), "--y", str(y), "--frame-id", "world", "--child-frame-id", frame),
                reason="rviz:=true",
            )
    yield from settings.rviz("demo", namespace="/")


LAUNCH = SystemLaunch(
    "demo",
    "legacy_robots_bringup",
    (
        Argument(
            "systems",
            "Which systems are started, separated by commas",
            ",".join(SYSTEMS),
            kind=list,
        ),
        Argument(
            "view",
            "web: serve a page that shows everything live, on 127.0.0.1",
            "none",
            choices=("none", "web"),
        ),
        switch("rviz", "Open rviz2 with all systems side by side"),
        *supervision(),
        *passed_on("view_", VIEW.arguments, {}),
        *(
            argument
            for name, launch in SYSTEMS.items()
            for argument in passed_on(f"{name}_", launch.arguments, WHAT_HAPPENS[name])
        ),
    ),
    _parts,
)


def generate_launch_description() -> LaunchDescription:
    """Return the launch description of the demonstration."""
    return launch_description(LAUNCH)
