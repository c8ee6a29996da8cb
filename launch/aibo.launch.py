# SPDX-License-Identifier: Apache-2.0
"""Start the bridge to an AIBO, and by default a simulated one that it connects to."""

from launch.actions import DeclareLaunchArgument, ExecuteProcess
from launch.conditions import IfCondition
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import ExecutableInPackage, FindPackageShare

from launch import LaunchDescription

SHARE = FindPackageShare("legacy_robots_bringup")


def generate_launch_description() -> LaunchDescription:
    """Return the launch description of one AIBO."""
    arguments = [
        DeclareLaunchArgument(
            "namespace", default_value="aibo", description="Namespace of all names"
        ),
        DeclareLaunchArgument(
            "simulate",
            default_value="true",
            choices=["true", "false"],
            description="Start a simulated AIBO too",
        ),
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
            "frame_prefix", default_value="", description="Put before every frame"
        ),
        DeclareLaunchArgument(
            "search_mode",
            default_value="scan",
            choices=["scan", "native"],
            description="Who looks for the ball: the bridge, or the robot's own blocking search",
        ),
        DeclareLaunchArgument(
            "params_file",
            default_value=PathJoinSubstitution([SHARE, "config", "aibo.yaml"]),
            description="YAML file with the bridge's parameters",
        ),
        DeclareLaunchArgument(
            "rviz",
            default_value="false",
            choices=["true", "false"],
            description="Open rviz2 with a view of the robot",
        ),
        DeclareLaunchArgument(
            "log_level", default_value="info", description="Level of the bridge's log"
        ),
        DeclareLaunchArgument(
            "respawn",
            default_value="false",
            choices=["true", "false"],
            description="Start the bridge and the simulator again when they die",
        ),
    ]
    namespace = LaunchConfiguration("namespace")
    host, port = LaunchConfiguration("host"), LaunchConfiguration("port")
    overlays = LaunchConfiguration("wire_overlays")
    respawn = LaunchConfiguration("respawn")
    bridge = Node(
        package="aibo_gti_bridge",
        executable="bridge",
        namespace=namespace,
        parameters=[
            LaunchConfiguration("params_file"),
            {
                "host": ParameterValue(host, value_type=str),
                "port": ParameterValue(port, value_type=int),
                "wire_overlays": ParameterValue(overlays, value_type=str),
                "frame_prefix": ParameterValue(
                    LaunchConfiguration("frame_prefix"), value_type=str
                ),
                "search_mode": LaunchConfiguration("search_mode"),
            },
        ],
        ros_arguments=["--log-level", LaunchConfiguration("log_level")],
        respawn=respawn,
        respawn_delay=1.0,
        output="screen",
    )
    simulator = ExecuteProcess(  # a plain program, which takes no ROS arguments
        name="simulator",
        cmd=[
            ExecutableInPackage("simulator", "aibo_gti_bridge"),
            "--host",
            host,
            "--port",
            port,
            "--overlays",
            overlays,
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
        arguments=["-d", PathJoinSubstitution([SHARE, "rviz", "aibo.rviz"])],
        condition=IfCondition(LaunchConfiguration("rviz")),
    )
    return LaunchDescription([*arguments, bridge, simulator, rviz])
