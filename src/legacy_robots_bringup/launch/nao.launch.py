# SPDX-License-Identifier: Apache-2.0
"""Start the bridge to a Nao, and by default a simulated Nao that connects to it."""

from launch.actions import DeclareLaunchArgument
from launch.conditions import IfCondition
from launch.substitutions import EqualsSubstitution, IfElseSubstitution, LaunchConfiguration

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
    """Return the launch description of one Nao."""
    arguments = [
        *common_arguments("nao", simulate="Start a simulated Nao too", rviz="the rooms"),
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
        switch("errand", "Carry an object to and fro between two rooms"),
        fault_argument(),
    ]
    role, host = LaunchConfiguration("role"), LaunchConfiguration("host")
    port, profile = LaunchConfiguration("port"), LaunchConfiguration("profile")
    bridge = node(
        "nao_goal_bridge",
        "bridge",
        [
            {
                "role": role,
                "host": typed("host", str),
                "port": typed("port", int),
                "profile": profile,
                "frame_prefix": typed("frame_prefix", str),
            }
        ],
    )
    opposite = IfElseSubstitution(EqualsSubstitution(role, "listen"), "dial", "listen")
    nao = simulator(
        "nao_goal_bridge",
        ["--role", opposite, "--host", host, "--port", port, "--profile", profile],
    )
    errand = node(
        "nao_goal_bridge", "errand", condition=IfCondition(LaunchConfiguration("errand"))
    )
    return LaunchDescription([*arguments, *fast_dds_profile(), bridge, nao, errand, rviz("nao")])
