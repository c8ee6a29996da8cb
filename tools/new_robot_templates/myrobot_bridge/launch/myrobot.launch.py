# SPDX-License-Identifier: Apache-2.0
"""Start the bridge to Myrobot, and by default a simulated one."""

from launch import LaunchDescription
from legacy_robots_common.launching.arguments import (
    Argument,
    node_arguments,
    overruling,
    simulator_arguments,
    switch,
)
from legacy_robots_common.launching.launch_file import launch_description, shared_file
from myrobot_bridge.parameters import Parameters
from myrobot_bridge.system import SYSTEM

ARGUMENTS = (
    Argument("namespace", "Namespace of all names", "myrobot"),
    *overruling(Parameters, "frame_prefix"),
    switch("simulate", "Start a simulated Myrobot too", default=True),
    switch("rviz", "Open rviz2 with a view"),
    *node_arguments(shared_file("config", "myrobot.yaml", package="myrobot_bridge")),
    # --- if serial
    *overruling(Parameters, "device"),
    # --- end
    # --- if tcp udp websocket sdk
    *overruling(Parameters, "host", "port"),
    # --- end
    *simulator_arguments(SYSTEM.faults),
)


def start(launch):
    """Yield all that is started, as the arguments say."""
    bridge = launch.node(
        package="myrobot_bridge", executable="bridge", parameters_class=Parameters
    )
    wanted = bridge.values
    yield bridge
    if launch["simulate"]:
        yield launch.program(
            package="myrobot_bridge",
            executable="simulator",
            # --- if serial
            arguments=["--device", wanted.device, *launch.simulator_options()],
            # --- end
            # --- if tcp udp websocket sdk
            arguments=[
                *("--host", wanted.host, "--port", wanted.port),
                *launch.simulator_options(),
            ],
            # --- end
        )
        if launch["simulation_interfaces"]:
            yield launch.node(
                package="legacy_robots_common",
                executable="simulation",
                parameters={"control": launch.control_channel()},
            )
    if launch["rviz"]:
        yield launch.rviz(
            shared_file("rviz", "myrobot.rviz", package="myrobot_bridge"),
            frames={"myrobot/base": f"{wanted.frame_prefix}base"},
        )


def generate_launch_description() -> LaunchDescription:
    """Return the launch description of one Myrobot."""
    return launch_description(ARGUMENTS, start)
