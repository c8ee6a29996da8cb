# SPDX-License-Identifier: Apache-2.0
"""Start the bridge to a Nao, and by default a simulated Nao that connects to it."""

from launch import LaunchDescription
from legacy_robots_common.launching.arguments import (
    Argument,
    node_arguments,
    overruling,
    simulator_arguments,
    switch,
)
from legacy_robots_common.launching.launch_file import launch_description, shared_file
from nao_goal_bridge.bridge.parameters import Parameters
from nao_goal_bridge.model.room_map import SHIPPED
from nao_goal_bridge.system import SYSTEM

ARGUMENTS = (
    Argument("namespace", "Namespace of all names", "nao"),
    *overruling(Parameters, "frame_prefix"),
    switch("simulate", "Start a simulated Nao too", default=True),
    switch("rviz", "Open rviz2 with a view of the rooms"),
    switch("rqt", "Open rqt with the system's perspective"),
    *node_arguments(shared_file("config", "nao.yaml")),
    *overruling(Parameters, "role", "host", "port", "profile"),
    *overruling(Parameters, "room_map", "greeting_location"),
    switch("errand", "Carry an object to and fro between two rooms"),
    *simulator_arguments(SYSTEM.faults),
)


def start(launch):
    """Yield all that is started, as the arguments say."""
    bridge = launch.node(
        package="nao_goal_bridge", executable="bridge", parameters_class=Parameters
    )
    wanted = bridge.values
    if wanted.room_map not in SHIPPED:
        launch.check_file("room_map", wanted.room_map)
    yield bridge
    if launch["simulate"]:
        yield launch.program(
            package="nao_goal_bridge",
            executable="simulator",
            arguments=[
                *("--role", "dial" if wanted.role == "listen" else "listen"),
                *("--host", wanted.host, "--port", wanted.port, "--profile", wanted.profile),
                *("--code-width", wanted.code_width),
                *(("--maze", wanted.room_map) if wanted.room_map else ()),
                *launch.simulator_options(),
            ],
        )
        if launch["simulation_interfaces"]:
            yield launch.node(
                package="legacy_robots_common",
                executable="simulation",
                parameters={"control": launch.control_channel()},
            )
    if launch["errand"]:
        yield launch.node(package="nao_goal_bridge", executable="errand")
    if launch["rviz"]:
        yield launch.rviz(
            shared_file("rviz", "nao.rviz"),
            frame_prefix=wanted.frame_prefix,
            frames={"map": wanted.frame_prefix + wanted.map_frame},
        )
    if launch["rqt"]:
        yield launch.rqt(shared_file("config", "rqt", "nao.perspective"))


def generate_launch_description() -> LaunchDescription:
    """Return the launch description of one Nao."""
    return launch_description(ARGUMENTS, start)
