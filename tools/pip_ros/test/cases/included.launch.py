# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Included by structure.launch.py."""

from launch.actions import DeclareLaunchArgument, LogInfo, SetLaunchConfiguration
from launch.substitutions import LaunchConfiguration

from launch import LaunchDescription


def generate_launch_description():
    return LaunchDescription(
        [
            DeclareLaunchArgument("x", default_value="x of included", description="inner x"),
            DeclareLaunchArgument("y", default_value="y of included"),
            DeclareLaunchArgument("z", default_value="z of included"),
            LogInfo(
                msg=[
                    "included: x=",
                    LaunchConfiguration("x"),
                    " y=",
                    LaunchConfiguration("y"),
                    " z=",
                    LaunchConfiguration("z"),
                ]
            ),
            SetLaunchConfiguration("leak", "leaked"),
        ]
    )
