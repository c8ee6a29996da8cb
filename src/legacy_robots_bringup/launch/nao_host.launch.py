# SPDX-License-Identifier: Apache-2.0
"""Start the host of an agent that was written for a Nao, and on request a toy robot for it."""

from launch import LaunchDescription
from legacy_robots_common.launching.arguments import Argument, node_arguments, overruling, switch
from legacy_robots_common.launching.launch_file import launch_description, shared_file
from nao_goal_bridge.host.parameters import Parameters
from nao_goal_bridge.model.room_map import SHIPPED

ARGUMENTS = (
    Argument("namespace", "Namespace of all names", "nao_host"),
    *overruling(Parameters, "role", "host", "port", "profile", "room_map", "navigation"),
    *overruling(Parameters, "base_frame", "frame_prefix"),
    *overruling(Parameters, "pick_up", "pick_up_type", "put_down", "put_down_type"),
    switch("toy", "Start a wheeled toy robot, which serves the navigation"),
    *node_arguments(shared_file("config", "nao_host.yaml")),
)


def start(launch):
    """Yield all that is started, as the arguments say."""
    host = launch.node(package="nao_goal_bridge", executable="host", parameters_class=Parameters)
    wanted = host.values
    if wanted.room_map not in SHIPPED:
        launch.check_file("room_map", wanted.room_map)
    yield host
    if launch["toy"]:
        yield launch.node(
            package="nao_goal_bridge",
            executable="toy_robot",
            parameters={
                "map_frame": wanted.map_frame,
                "base_frame": wanted.base_frame,
                "frame_prefix": wanted.frame_prefix,
            },
        )


def generate_launch_description() -> LaunchDescription:
    """Return the launch description of one host."""
    return launch_description(ARGUMENTS, start)
