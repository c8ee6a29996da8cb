# SPDX-License-Identifier: Apache-2.0
"""Start many robots of one kind: all bridges in one process, and a simulator for each."""

from launch import LaunchDescription
from legacy_robots_common.launching.arguments import Argument, supervision, switch
from legacy_robots_common.launching.description import launch_description
from legacy_robots_common.launching.parts import composed
from legacy_robots_common.launching.system_launch import SystemLaunch
from legacy_robots_common.system import load, names, system


def _robot(settings, kind, number):
    """Return the launch arguments of a robot; numbers count from 0."""
    name = f"{kind.name}_{number + 1}"
    given = {
        "namespace": name,
        "frame_prefix": f"{name}/",
        "simulate": str(settings["simulate"]),
        **(kind.further_copy if number else {}),
        **(kind.demonstration if settings["demonstration"] else {}),
        **dict.fromkeys(kind.own_arguments, name),
    }
    for index, port in enumerate(kind.ports):
        first = settings["first_port"] or port.default - index
        given[port.argument] = str(first + number * len(kind.ports) + index)
    if settings["params_file"]:
        given["params_file"] = settings["params_file"]
    return given


def _parts(settings):
    kind = system(settings["kind"])
    launch = load(kind.launch)
    parts = []
    for number in range(settings["robots"]):
        parts += settings.of(launch, _robot(settings, kind, number)).parts()
    return composed(parts)


LAUNCH = SystemLaunch(
    "fleet",
    "legacy_robots_bringup",
    (
        Argument("kind", "Which system", "aibo", choices=names()),
        Argument("robots", "How many robots, in the namespaces KIND_1, KIND_2, ...", "2", int),
        Argument(
            "first_port",
            "The robots' TCP ports are this one and those that follow; 0: the system's own",
            "0",
            int,
        ),
        switch("simulate", "Start a simulator for each robot", default=True),
        switch("demonstration", "Have something happen with each robot"),
        Argument(
            "params_file", "YAML file with the nodes' parameters; empty: the system's own", ""
        ),
        *supervision(),
    ),
    _parts,
)


def generate_launch_description() -> LaunchDescription:
    """Return the launch description of the fleet."""
    return launch_description(LAUNCH)
