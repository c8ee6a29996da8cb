# SPDX-License-Identifier: Apache-2.0
"""Start the bridge to an AIBO, and by default a simulated one that it connects to."""

from launch.actions import DeclareLaunchArgument
from launch.conditions import IfCondition
from launch.substitutions import LaunchConfiguration

from launch import LaunchDescription
from legacy_robots_common.launching import (
    common_arguments,
    fast_dds_profile,
    fault_argument,
    node,
    rviz,
    simulator,
    switch,
    typed,
)


def generate_launch_description() -> LaunchDescription:
    """Return the launch description of one AIBO."""
    arguments = [
        *common_arguments("aibo", simulate="Start a simulated AIBO too", rviz="the robot"),
        DeclareLaunchArgument(
            "host", default_value="127.0.0.1", description="Address of the GTI server"
        ),
        DeclareLaunchArgument(
            "port", default_value="10100", description="TCP port of the GTI server"
        ),
        DeclareLaunchArgument(
            "wire_overlays",
            default_value="",
            description="What changes the wire table, separated by commas: zero-based, radians, "
            "pixels, acknowledged, ball-int-first-28, ball-int-first-32 or YAML files",
        ),
        DeclareLaunchArgument(
            "search_mode",
            default_value="scan",
            choices=["scan", "native"],
            description="Who looks for the ball: the bridge, or the robot's own blocking search",
        ),
        switch("ball_game", "Look for a ball, walk to it, and begin again"),
        fault_argument(),
    ]
    bridge = node(
        "aibo_gti_bridge",
        "bridge",
        [
            {
                "host": typed("host", str),
                "port": typed("port", int),
                "wire_overlays": typed("wire_overlays", str),
                "frame_prefix": typed("frame_prefix", str),
                "search_mode": LaunchConfiguration("search_mode"),
            }
        ],
    )
    aibo = simulator(
        "aibo_gti_bridge",
        [
            *("--host", LaunchConfiguration("host"), "--port", LaunchConfiguration("port")),
            *("--overlays", LaunchConfiguration("wire_overlays")),
        ],
    )
    game = node(
        "aibo_gti_bridge", "ball_game", condition=IfCondition(LaunchConfiguration("ball_game"))
    )
    return LaunchDescription([*arguments, *fast_dds_profile(), bridge, aibo, game, rviz("aibo")])
