# SPDX-License-Identifier: Apache-2.0
"""Start the bridge to a game of RoboSkate, and by default a simulated game."""

from launch.actions import DeclareLaunchArgument, ExecuteProcess
from launch.conditions import IfCondition
from launch.substitutions import (
    EqualsSubstitution,
    IfElseSubstitution,
    LaunchConfiguration,
    PathJoinSubstitution,
)
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import ExecutableInPackage, FindPackageShare

from launch import LaunchDescription
from legacy_robots_common.launching import fast_dds_profile

SHARE = FindPackageShare("legacy_robots_bringup")


def generate_launch_description() -> LaunchDescription:
    """Return the launch description of one game."""
    arguments = [
        DeclareLaunchArgument(
            "namespace", default_value="roboskate", description="Namespace of all names"
        ),
        DeclareLaunchArgument(
            "simulate",
            default_value="true",
            choices=["true", "false"],
            description="Start a simulated game too",
        ),
        DeclareLaunchArgument(
            "autopilot",
            default_value="false",
            choices=["true", "false"],
            description="Skate along the checkpoints",
        ),
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
        DeclareLaunchArgument(
            "frame_prefix",
            default_value="",
            description="Put before every frame, such as skate_2/",
        ),
        DeclareLaunchArgument(
            "publish_clock",
            default_value="true",
            choices=["true", "false"],
            description="Publish /clock; of several bridges only one may",
        ),
        DeclareLaunchArgument(
            "params_file",
            default_value=PathJoinSubstitution([SHARE, "config", "roboskate.yaml"]),
            description="YAML file with the parameters of bridge and autopilot",
        ),
        DeclareLaunchArgument(
            "rviz",
            default_value="false",
            choices=["true", "false"],
            description="Open rviz2 with board, crane, path and camera",
        ),
        DeclareLaunchArgument(
            "log_level", default_value="info", description="Level of the nodes' logs"
        ),
        DeclareLaunchArgument(
            "respawn",
            default_value="false",
            choices=["true", "false"],
            description="Start what dies again",
        ),
    ]
    namespace = LaunchConfiguration("namespace")
    transport, host = LaunchConfiguration("transport"), LaunchConfiguration("host")
    port, http_port = LaunchConfiguration("port"), LaunchConfiguration("http_port")
    profile, level = LaunchConfiguration("profile"), LaunchConfiguration("level")
    width, height = LaunchConfiguration("image_width"), LaunchConfiguration("image_height")
    log_arguments = ["--log-level", LaunchConfiguration("log_level")]
    params_file = LaunchConfiguration("params_file")
    respawn = LaunchConfiguration("respawn")
    bridge = Node(
        package="roboskate_bridge",
        executable="bridge",
        namespace=namespace,
        parameters=[
            params_file,
            {
                "transport": transport,
                "host": ParameterValue(host, value_type=str),
                "port": ParameterValue(
                    IfElseSubstitution(EqualsSubstitution(transport, "grpc"), port, http_port),
                    value_type=int,
                ),
                "profile": profile,
                "mode": LaunchConfiguration("mode"),
                "level": ParameterValue(level, value_type=int),
                "image_width": ParameterValue(width, value_type=int),
                "image_height": ParameterValue(height, value_type=int),
                "camera_rate": ParameterValue(
                    LaunchConfiguration("camera_rate"), value_type=float
                ),
                "frame_prefix": ParameterValue(
                    LaunchConfiguration("frame_prefix"), value_type=str
                ),
                "publish_clock": ParameterValue(
                    LaunchConfiguration("publish_clock"), value_type=bool
                ),
            },
        ],
        ros_arguments=log_arguments,
        respawn=respawn,
        respawn_delay=1.0,
        output="screen",
    )
    autopilot = Node(
        package="roboskate_bridge",
        executable="autopilot",
        namespace=namespace,
        parameters=[params_file, {"level": ParameterValue(level, value_type=int)}],
        ros_arguments=log_arguments,
        condition=IfCondition(LaunchConfiguration("autopilot")),
        respawn=respawn,
        respawn_delay=1.0,
        output="screen",
    )
    simulator = ExecuteProcess(  # a plain program, which takes no ROS arguments
        name="simulator",
        cmd=[
            ExecutableInPackage("simulator", "roboskate_bridge"),
            "--host",
            host,
            "--port",
            port,
            "--http-port",
            http_port,
            "--profile",
            profile,
            "--width",
            width,
            "--height",
            height,
        ],
        condition=IfCondition(LaunchConfiguration("simulate")),
        respawn=respawn,
        respawn_delay=1.0,
        output="screen",
    )
    rviz = Node(
        package="rviz2",
        executable="rviz2",
        namespace=namespace,
        arguments=["-d", PathJoinSubstitution([SHARE, "rviz", "roboskate.rviz"])],
        parameters=[{"use_sim_time": True}],
        condition=IfCondition(LaunchConfiguration("rviz")),
    )
    return LaunchDescription([*arguments, *fast_dds_profile(), simulator, bridge, autopilot, rviz])
