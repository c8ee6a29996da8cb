# SPDX-License-Identifier: Apache-2.0
"""Start all systems on their simulators, with something happening in each."""

from launch import LaunchDescription
from legacy_robots_common.launching.actions import Program, RosNode
from legacy_robots_common.launching.arguments import Argument, passed_on, supervision, switch
from legacy_robots_common.launching.launch_file import (
    launch_description,
    launch_file,
    shared_file,
)
from legacy_robots_common.system import systems

SYSTEMS = [system for system in systems() if system.launch]
VIEW = launch_file("legacy_robots_bringup/view.launch.py")

ARGUMENTS = (
    Argument(
        "systems",
        "Which systems are started, separated by commas",
        ",".join(s.name for s in SYSTEMS),
        kind=list,
        choices=tuple(s.name for s in SYSTEMS),
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
    *passed_on("view_", VIEW.ARGUMENTS, {}),
    *(
        argument
        for system in SYSTEMS
        for argument in passed_on(
            f"{system.name}_", launch_file(system.launch).ARGUMENTS, system.demonstration
        )
    ),
)


def start(launch):
    """Yield all that is started, as the arguments say."""
    chosen = [system for system in SYSTEMS if system.name in launch["systems"]]
    if launch["view"] == "web":
        yield from launch.include(VIEW, {}, prefix="view_")
    for_stepping = {"simulation_interfaces": "true", "publish_clock": "false"}
    actions = []
    for system in chosen:
        actions += launch.include(
            launch_file(system.launch),
            system.demonstration,
            prefix=f"{system.name}_",
            if_declared={
                "frame_prefix": f"{system.name}/",
                **(for_stepping if launch["stepped"] else {}),
            },
            stepped=launch["stepped"],
        )
    yield from launch.composed(actions) if launch["compose"] else actions
    if launch["stepped"]:
        yield _stepper(launch, actions)
    if launch["rviz"]:
        yield launch.node(
            package="legacy_robots_common",
            executable="places",
            parameters={"systems": [system.name for system in chosen]},
        )
        yield launch.rviz(
            shared_file("rviz", "demo.rviz"),
            without=[system.title for system in SYSTEMS if system not in chosen],
        )


def _stepper(launch, actions):
    """Return the node that lets time pass; simulators without control channel do not wait."""
    nodes = [action for action in actions if isinstance(action, RosNode) and action.system]
    bridges = [n for n in nodes if n.executable == n.system.bridge and n.system.ports]
    programs = [action.words for action in actions if isinstance(action, Program)]
    lists = {
        "controls": [w[w.index("--control") + 1] for w in programs if "--control" in w],
        "nodes": [node.full_name for node in nodes],
        "links": [f"{bridge.namespace.rstrip('/')}/link_state" for bridge in bridges],
    }
    return launch.node(
        package="legacy_robots_common",
        executable="stepper",
        namespace="/simulation",
        parameters={name: texts for name, texts in lists.items() if texts},
    )


def generate_launch_description() -> LaunchDescription:
    """Return the launch description of the demonstration."""
    return launch_description(ARGUMENTS, start)
