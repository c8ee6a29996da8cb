# SPDX-License-Identifier: Apache-2.0
"""Start many robots of one kind on their simulators, with all bridges in one process."""

from launch import LaunchDescription
from legacy_robots_common.launching.arguments import Argument, supervision, switch
from legacy_robots_common.launching.composition import compose
from legacy_robots_common.launching.description import launch_description
from legacy_robots_common.launching.errors import LaunchError
from legacy_robots_common.launching.system_launch import SystemLaunch
from legacy_robots_common.system import load, names, system

MOST_ROBOTS = 100


def _parts(settings):
    kind = system(settings["kind"])
    count = settings["robots"]
    if not 1 <= count <= MOST_ROBOTS:
        raise LaunchError(f"robots must be from 1 to {MOST_ROBOTS}, not {count}")
    launch = load(kind.launch)
    parts = []
    for number in range(1, count + 1):
        name = f"{kind.name}_{number}"
        step = (number - 1) * len(kind.ports)
        given = {
            "namespace": name,
            "frame_prefix": f"{name}/",
            "simulate": str(settings["simulate"]),
            **{port.argument: str(port.default + step) for port in kind.ports},
            **dict.fromkeys(kind.own_arguments, name),
            **(kind.further_copy if number > 1 else {}),
        }
        parts += settings.of(launch, given, f"{kind.name}_").parts()
    return compose(parts) if settings["compose"] else parts


LAUNCH = SystemLaunch(
    "fleet",
    "legacy_robots_bringup",
    (
        Argument("kind", "Which system", names()[0], choices=names()),
        Argument("robots", f"How many, from 1 to {MOST_ROBOTS}", "3", kind=int),
        switch("simulate", "Start a simulator for each", default=True),
        switch("compose", "Run all bridges in one process", default=True),
        *supervision(),
    ),
    _parts,
)


def generate_launch_description() -> LaunchDescription:
    """Return the launch description of the fleet: robots KIND_1, KIND_2, ..."""
    return launch_description(LAUNCH)
