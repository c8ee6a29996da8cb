# SPDX-License-Identifier: Apache-2.0
"""Start the bridge to a Nao, and by default a simulated Nao that connects to it."""

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
    """Return the launch description of one Nao."""
    arguments = [
        DeclareLaunchArgument(
            "namespace", default_value="nao", description="Namespace of all names"
        ),
        DeclareLaunchArgument(
            "simulate",
            default_value="true",
            choices=["true", "false"],
            description="Start a simulated Nao too",
        ),
        DeclareLaunchArgument(
            "role",
            default_value="listen",
            choices=["listen", "dial"],
            description="Who opens the connection: listen (the Nao dials the bridge) or dial",
        ),
        DeclareLaunchArgument(
            "host", default_value="127.0.0.1", description="Address to listen on, or to dial"
        ),
        DeclareLaunchArgument(
            "port", default_value="6474", description="TCP port of the connection"
        ),
        DeclareLaunchArgument(
            "profile",
            default_value="spec",
            choices=["spec", "naovigate"],
            description="Dialect: the document's, or that of the original's late code",
        ),
        DeclareLaunchArgument(
            "params_file",
            default_value=PathJoinSubstitution([SHARE, "config", "nao.yaml"]),
            description="YAML file with the bridge's parameters",
        ),
        DeclareLaunchArgument(
            "rviz",
            default_value="false",
            choices=["true", "false"],
            description="Open rviz2 with a view of the rooms",
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
    role, host = LaunchConfiguration("role"), LaunchConfiguration("host")
    port, profile = LaunchConfiguration("port"), LaunchConfiguration("profile")
    respawn = LaunchConfiguration("respawn")
    bridge = Node(
        package="nao_goal_bridge",
        executable="bridge",
        namespace=namespace,
        parameters=[
            LaunchConfiguration("params_file"),
            {
                "role": role,
                "host": ParameterValue(host, value_type=str),
                "port": ParameterValue(port, value_type=int),
                "profile": profile,
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
            ExecutableInPackage("simulator", "nao_goal_bridge"),
            "--role",
            IfElseSubstitution(EqualsSubstitution(role, "listen"), "dial", "listen"),
            "--host",
            host,
            "--port",
            port,
            "--profile",
            profile,
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
        arguments=["-d", PathJoinSubstitution([SHARE, "rviz", "nao.rviz"])],
        condition=IfCondition(LaunchConfiguration("rviz")),
    )
    return LaunchDescription([*arguments, *fast_dds_profile(), bridge, simulator, rviz])
