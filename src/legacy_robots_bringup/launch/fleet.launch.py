# SPDX-License-Identifier: Apache-2.0
"""Start many robots of one kind: all bridges in one process, and a simulator for each."""

from launch import LaunchDescription
from legacy_robots_common.launching.arguments import Argument, supervision, switch
from legacy_robots_common.launching.launch_file import launch_description, launch_file
from legacy_robots_common.system import system, systems

ARGUMENTS = (
    Argument("kind", "Which system", "aibo", choices=tuple(s.name for s in systems() if s.launch)),
    Argument("robots", "How many robots, in the namespaces KIND_1, KIND_2, ...", "2", int),
    Argument(
        "first_port",
        "The robots' TCP ports are this one and those that follow; 0: the system's own",
        "0",
        int,
    ),
    switch("simulate", "Start a simulator for each robot", default=True),
    Argument(
        "fault", "Faults of the first robot's simulator, as its own launch file has them", ""
    ),
    switch("demonstration", "Have something happen with each robot"),
    Argument("params_file", "YAML file with the nodes' parameters; empty: the system's own", ""),
    *supervision(),
)


def start(launch):
    """Return all that is started, as the arguments say."""
    kind = system(launch["kind"])
    actions = []
    for number in range(launch["robots"]):
        name = f"{kind.name}_{number + 1}"
        given = {
            **(kind.further_copy if number else {}),
            **({"fault": launch["fault"]} if launch["fault"] and not number else {}),
            **(kind.demonstration if launch["demonstration"] else {}),
            **dict.fromkeys(kind.own_arguments, name),
        }
        for index, port in enumerate(kind.ports):
            first = launch["first_port"] or port.default - index
            given[port.argument] = str(first + number * len(kind.ports) + index)
        if launch["params_file"]:
            given["params_file"] = launch["params_file"]
        actions += launch.include(
            launch_file(kind.launch),
            {"namespace": name, **given},
            if_declared={"frame_prefix": f"{name}/", "simulate": str(launch["simulate"])},
        )
    return launch.composed(actions)


def generate_launch_description() -> LaunchDescription:
    """Return the launch description of the fleet."""
    return launch_description(ARGUMENTS, start)
