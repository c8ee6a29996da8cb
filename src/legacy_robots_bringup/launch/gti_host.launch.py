# SPDX-License-Identifier: Apache-2.0
"""Start the GTI server of a ROS 2 robot, and by default a simulated robot of its map."""

from aibo_gti_bridge.host.parameters import Parameters
from launch import LaunchDescription
from legacy_robots_common.launching.arguments import Argument, node_arguments, overruling, switch
from legacy_robots_common.launching.launch_file import (
    launch_description,
    launch_file,
    shared_file,
)

WATCHDOG_S = "0.2"
"""Seconds without a velocity until the simulated AIBO stops; its gait takes up to 0.5 s."""
ROVERS = ("pan_tilt", "quadruped")
"""Maps of which the program ``rover`` simulates a robot."""

ARGUMENTS = (
    Argument("namespace", "Namespace of the host's own names", "gti_host"),
    switch("simulate", "Start a simulated robot of a ready-made map too", default=True),
    *overruling(Parameters, "host", "port", "map", "robot_namespace", "wire_overlays"),
    *overruling(Parameters, "enable_stamped_cmd_vel"),
    Argument("robot_port", "TCP port between the simulated AIBO and its bridge", "10100"),
    *node_arguments(shared_file("config", "gti_host.yaml")),
)


def start(launch):
    """Yield all that is started, as the arguments say."""
    host = launch.node(
        package="aibo_gti_bridge", executable="gti_host", parameters_class=Parameters
    )
    wanted = host.values
    yield host
    stamped = wanted.enable_stamped_cmd_vel
    robot_namespace = launch.absolute(wanted.robot_namespace)
    if launch["simulate"] and wanted.map in ROVERS:
        yield launch.node(
            package="aibo_gti_bridge",
            executable="rover",
            namespace=robot_namespace,
            parameters={"kind": wanted.map, "enable_stamped_cmd_vel": stamped},
        )
    if launch["simulate"] and wanted.map == "aibo":
        yield from launch.include(
            launch_file("legacy_robots_bringup/aibo.launch.py"),
            {
                "namespace": robot_namespace,
                "port": launch["robot_port"],
                "cmd_vel_timeout": WATCHDOG_S,
                "enable_stamped_cmd_vel": str(stamped),
            },
        )


def generate_launch_description() -> LaunchDescription:
    """Return the launch description of one gti_host."""
    return launch_description(ARGUMENTS, start)
