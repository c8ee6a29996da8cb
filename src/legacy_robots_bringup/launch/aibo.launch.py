# SPDX-License-Identifier: Apache-2.0
"""Start the bridge to an AIBO, and by default a simulated one that it connects to."""

from aibo_gti_bridge.bridge.parameters import Parameters
from aibo_gti_bridge.system import SYSTEM
from launch import LaunchDescription
from legacy_robots_common.launching.arguments import (
    Argument,
    node_arguments,
    overruling,
    simulator_arguments,
    switch,
)
from legacy_robots_common.launching.launch_file import launch_description, shared_file

ARGUMENTS = (
    Argument("namespace", "Namespace of all names", "aibo"),
    *overruling(Parameters, "frame_prefix"),
    switch("simulate", "Start a simulated AIBO too", default=True),
    switch("rviz", "Open rviz2 with a view of the robot"),
    switch("rqt", "Open rqt with the system's perspective"),
    *node_arguments(shared_file("config", "aibo.yaml")),
    *overruling(Parameters, "host", "port", "wire_overlays", "search_mode"),
    *overruling(Parameters, "enable_stamped_cmd_vel", "cmd_vel_timeout"),
    switch("ball_game", "Look for a ball, walk to it, and begin again"),
    *simulator_arguments(SYSTEM.faults),
)


def start(launch):
    """Yield all that is started, as the arguments say."""
    bridge = launch.node(
        package="aibo_gti_bridge", executable="bridge", parameters_class=Parameters
    )
    wanted = bridge.values
    launch.check_file("motion_directory", wanted.motion_directory)
    yield bridge
    if launch["simulate"]:
        yield launch.program(
            package="aibo_gti_bridge",
            executable="simulator",
            arguments=[
                *("--host", wanted.host, "--overlays", wanted.wire_overlays),
                *(("--port", wanted.port) if wanted.port else ()),
                *(("--motions", wanted.motion_directory) if wanted.motion_directory else ()),
                *(("--full-rotor-range",) if wanted.full_rotor_range else ()),
                *launch.simulator_options(),
            ],
        )
        if launch["simulation_interfaces"]:
            yield launch.node(
                package="legacy_robots_common",
                executable="simulation",
                parameters={"control": launch.control_channel()},
            )
    if launch["ball_game"]:
        yield launch.node(package="aibo_gti_bridge", executable="ball_game")
    if launch["rviz"]:
        yield launch.rviz(shared_file("rviz", "aibo.rviz"), frame_prefix=wanted.frame_prefix)
    if launch["rqt"]:
        yield launch.rqt(
            shared_file("config", "rqt", "aibo.perspective"),
            is_stamped=wanted.enable_stamped_cmd_vel,
        )


def generate_launch_description() -> LaunchDescription:
    """Return the launch description of one AIBO."""
    return launch_description(ARGUMENTS, start)
