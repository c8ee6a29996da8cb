# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
from launch.actions import (
    DeclareLaunchArgument,
    ExecuteProcess,
    GroupAction,
    IncludeLaunchDescription,
)
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution
from launch_ros.actions import PushRosNamespace, SetRemap
from launch_ros.substitutions import FindPackageShare

from launch import LaunchDescription


def include(name, *more, **arguments):
    path = PathJoinSubstitution(
        [FindPackageShare("legacy_robots_bringup"), "launch", f"{name}.launch.py"]
    )
    source = PythonLaunchDescriptionSource(path)
    return GroupAction(
        [*more, IncludeLaunchDescription(source, launch_arguments=arguments.items())]
    )


def generate_launch_description():
    team = LaunchConfiguration("namespace")
    remap = SetRemap("location", "where_it_is")
    return LaunchDescription(
        [
            DeclareLaunchArgument("namespace", default_value="team"),
            include("nao", remap, port="PORT_1", frame_prefix="one/", simulate="false"),
            include("bw4t", namespace=team, robots="0", team="none"),
            include(
                "nao", PushRosNamespace("up"), namespace="nao", port="PORT_2", simulate="false"
            ),
            ExecuteProcess(cmd=["echo", "the team is", team, "."], output="screen"),
        ]
    )
