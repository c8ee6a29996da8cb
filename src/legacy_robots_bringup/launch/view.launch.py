# SPDX-License-Identifier: Apache-2.0
"""Serve one page on which a browser sees all systems that run, live."""

from launch.actions import DeclareLaunchArgument

from launch import LaunchDescription
from legacy_robots_common.launching import fast_dds_profile, node, shared_file, switch, typed


def generate_launch_description() -> LaunchDescription:
    """Return the launch description of the view, which finds the systems by itself."""
    arguments = [
        DeclareLaunchArgument(
            "host", default_value="127.0.0.1", description="Address at which the page is served"
        ),
        DeclareLaunchArgument(
            "port", default_value="8100", description="TCP port of the page; 0: a free one"
        ),
        DeclareLaunchArgument(
            "params_file",
            default_value=shared_file("config", "view.yaml"),
            description="YAML file with the view's parameters",
        ),
        DeclareLaunchArgument(
            "log_level", default_value="info", description="Level of the view's log"
        ),
        switch("respawn", "Start the view again when it dies"),
    ]
    view = node(
        "legacy_robots_view",
        "view",
        [{"host": typed("host", str), "port": typed("port", int)}],
        namespace="",
    )
    return LaunchDescription([*arguments, *fast_dds_profile(), view])
