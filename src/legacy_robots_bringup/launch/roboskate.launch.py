# SPDX-License-Identifier: Apache-2.0
"""Start the bridge to a game of RoboSkate, and by default a simulated game."""

from launch.actions import DeclareLaunchArgument
from launch.conditions import IfCondition
from launch.substitutions import EqualsSubstitution, IfElseSubstitution, LaunchConfiguration
from launch_ros.parameter_descriptions import ParameterValue

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
    """Return the launch description of one game."""
    arguments = [
        *common_arguments(
            "roboskate",
            simulate="Start a simulated game too",
            rviz="board, crane, path and camera",
        ),
        switch("autopilot", "Skate along the checkpoints"),
        DeclareLaunchArgument(
            "transport",
            default_value="grpc",
            choices=["grpc", "http"],
            description="Wire: that of the real game, or the document's URLs with JSON",
        ),
        DeclareLaunchArgument("host", default_value="127.0.0.1", description="Where the game is"),
        DeclareLaunchArgument(
            "port", default_value="50051", description="TCP port of the game's gRPC"
        ),
        DeclareLaunchArgument(
            "http_port", default_value="50052", description="TCP port of the game's HTTP"
        ),
        DeclareLaunchArgument(
            "profile",
            default_value="spec",
            choices=["spec", "game"],
            description="Shapes of the values: the document's, or those of the real game",
        ),
        DeclareLaunchArgument(
            "mode",
            default_value="free_run",
            choices=["free_run", "stepped"],
            description="Whether time passes by itself or only by the service run_game",
        ),
        DeclareLaunchArgument("level", default_value="0", description="The level to load"),
        DeclareLaunchArgument(
            "image_width", default_value="640", description="Width of the images in pixels"
        ),
        DeclareLaunchArgument(
            "image_height", default_value="360", description="Height of the images in pixels"
        ),
        DeclareLaunchArgument(
            "camera_rate", default_value="25.0", description="Images a second in mode free_run"
        ),
        switch("publish_clock", "Publish /clock; of several bridges only one may", default=True),
        fault_argument(),
    ]
    transport, host = LaunchConfiguration("transport"), LaunchConfiguration("host")
    port, http_port = LaunchConfiguration("port"), LaunchConfiguration("http_port")
    profile = LaunchConfiguration("profile")
    port_in_use = IfElseSubstitution(EqualsSubstitution(transport, "grpc"), port, http_port)
    bridge = node(
        "roboskate_bridge",
        "bridge",
        [
            {
                "transport": transport,
                "host": typed("host", str),
                "port": ParameterValue(port_in_use, value_type=int),
                "profile": profile,
                "mode": LaunchConfiguration("mode"),
                "level": typed("level", int),
                "image_width": typed("image_width", int),
                "image_height": typed("image_height", int),
                "camera_rate": typed("camera_rate", float),
                "frame_prefix": typed("frame_prefix", str),
                "publish_clock": typed("publish_clock", bool),
            }
        ],
    )
    autopilot = node(
        "roboskate_bridge",
        "autopilot",
        [{"level": typed("level", int)}],
        condition=IfCondition(LaunchConfiguration("autopilot")),
    )
    game = simulator(
        "roboskate_bridge",
        [
            *("--host", host, "--port", port, "--http-port", http_port, "--profile", profile),
            *("--width", LaunchConfiguration("image_width")),
            *("--height", LaunchConfiguration("image_height")),
        ],
    )
    view = rviz("roboskate", parameters=[{"use_sim_time": True}])
    return LaunchDescription([*arguments, *fast_dds_profile(), game, bridge, autopilot, view])
