# SPDX-License-Identifier: Apache-2.0
"""Start all systems on their simulators, with something happening in each."""

from launch import LaunchDescription
from legacy_robots_common.launching.arguments import Argument, passed_on, supervision, switch
from legacy_robots_common.launching.description import launch_description
from legacy_robots_common.launching.parts import composed, stepped
from legacy_robots_common.launching.system_launch import SystemLaunch
from legacy_robots_common.system import load, names, systems
from legacy_robots_view.launch_parts import LAUNCH as VIEW


def _parts(settings):
    chosen = [system for system in systems() if system.name in settings["systems"]]
    if settings["view"] == "web":
        yield from settings.of(VIEW, {}, "view_").parts()
    parts = []
    for system in chosen:
        launch = load(system.launch)
        given = {"frame_prefix": f"{system.name}/", **system.demonstration}
        if settings["stepped"]:
            offered = {argument.name for argument in launch.arguments}
            wanted = {"simulation_interfaces": "true", "publish_clock": "false"}
            given |= {name: text for name, text in wanted.items() if name in offered}
        parts += settings.of(launch, given, f"{system.name}_").parts()
    if settings["stepped"]:
        parts = stepped(parts)
    yield from composed(parts) if settings["compose"] else parts
    if settings["rviz"]:
        yield settings.places([system.name for system in chosen])
    absent = [system.title for system in systems() if system not in chosen]
    yield from settings.rviz("demo", namespace="/", without=absent)


LAUNCH = SystemLaunch(
    "demo",
    "legacy_robots_bringup",
    (
        Argument(
            "systems",
            "Which systems are started, separated by commas",
            ",".join(names()),
            kind=list,
            choices=names(),
        ),
        Argument(
            "view",
            "web: serve a page that shows everything live, on 127.0.0.1",
            "none",
            choices=("none", "web"),
        ),
        switch("rviz", "Open rviz2 with all systems"),
        switch("compose", "Run the nodes of all systems in one process"),
        switch(
            "stepped",
            "All follow one /clock, which stands until the services of simulation_interfaces in "
            "/simulation let it pass",
        ),
        *supervision(),
        *passed_on("view_", VIEW.arguments, {}),
        *(
            argument
            for system in systems()
            for argument in passed_on(
                f"{system.name}_", load(system.launch).arguments, system.demonstration
            )
        ),
    ),
    _parts,
)


def generate_launch_description() -> LaunchDescription:
    """Return the launch description of the demonstration."""
    return launch_description(LAUNCH)
