# SPDX-License-Identifier: Apache-2.0
"""Start all systems on their simulators, with something happening in each."""

from launch import LaunchDescription
from legacy_robots_common.launching.arguments import Argument, passed_on, supervision, switch
from legacy_robots_common.launching.composition import compose
from legacy_robots_common.launching.description import launch_description
from legacy_robots_common.launching.errors import LaunchError
from legacy_robots_common.launching.parts import NodePart
from legacy_robots_common.launching.system_launch import SystemLaunch
from legacy_robots_common.system import load, systems
from legacy_robots_view.launch_parts import LAUNCH as VIEW

SYSTEMS = {system.name: system for system in systems()}
LAUNCHES = {system.name: load(system.launch) for system in systems()}


def _parts(settings):
    parts = list(_separate_parts(settings))
    return compose(parts) if settings["compose"] else parts


def _separate_parts(settings):
    names = settings["systems"]
    unknown = sorted(set(names) - SYSTEMS.keys())
    if unknown:
        known = ",".join(SYSTEMS)
        raise LaunchError(f"systems must be some of {known}, not {','.join(unknown)}")
    if settings["view"] == "web":
        yield from settings.of(VIEW, {}, "view_").parts()
    for name in dict.fromkeys(names):
        given = {"frame_prefix": f"{name}/", **SYSTEMS[name].demonstration}
        yield from settings.of(LAUNCHES[name], given, f"{name}_").parts()
    if settings["rviz"]:
        for place in (system.place for system in SYSTEMS.values()):
            yield NodePart(
                "tf2_ros",
                "static_transform_publisher",
                (
                    *("--x", str(place.x), "--y", str(place.y)),
                    *("--frame-id", "world", "--child-frame-id", place.frame),
                ),
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
        switch("compose", "Run the nodes of all systems in one process"),
        switch("rviz", "Open rviz2 with all systems side by side"),
        *supervision(),
        *passed_on("view_", VIEW.arguments, {}),
        *(
            argument
            for name, system in SYSTEMS.items()
            for argument in passed_on(f"{name}_", LAUNCHES[name].arguments, system.demonstration)
        ),
    ),
    _parts,
)


def generate_launch_description() -> LaunchDescription:
    """Return the launch description of the demonstration."""
    return launch_description(LAUNCH)
