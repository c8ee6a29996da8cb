# SPDX-License-Identifier: Apache-2.0
"""Start all five systems on their simulators, with something happening in each."""

from launch.actions import (
    DeclareLaunchArgument,
    GroupAction,
    IncludeLaunchDescription,
    OpaqueFunction,
)
from launch.conditions import IfCondition
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import EqualsSubstitution, LaunchConfiguration
from launch_ros.actions import Node

from launch import LaunchDescription
from legacy_robots_common.launching import fast_dds_profile, rviz, shared_file, switch

WHAT_HAPPENS = {
    "nao": {"errand": "true"},
    "roboskate": {"autopilot": "true"},
    "luar": {},  # the simulated player plays by itself
    "bw4t": {"repeat_after": "5.0"},
    "aibo": {"ball_game": "true"},
}
OWN_ARGUMENTS = {
    "nao": {"port": "nao_port"},
    "roboskate": {"port": "roboskate_port", "http_port": "roboskate_http_port"},
    "luar": {"user": "luar_user", "profile": "luar_profile"},
    "bw4t": {"web": "bw4t_web", "web_port": "bw4t_web_port"},
    "aibo": {"port": "aibo_port"},
}
"""Arguments of the system's launch file, and what they are called here."""
PLACES = {
    "nao/map": (0.0, 0.0),
    "bw4t/map": (10.0, 40.0),
    "roboskate/odom": (0.0, -60.0),
    "map": (-8.0, 0.0),  # the Luar field, whose frame has no prefix
    "aibo/odom": (0.0, -3.0),
}
"""Metres in the frame ``world``: where the systems' frames are in the combined view."""


def _systems(context):
    """Return what is started of each system that the argument ``systems`` names."""
    names = [n for n in LaunchConfiguration("systems").perform(context).split(",") if n]
    unknown = sorted(set(names) - WHAT_HAPPENS.keys())
    if unknown or not names:
        known = ",".join(WHAT_HAPPENS)
        raise ValueError(f"systems must be some of {known}, not {','.join(unknown) or 'none'}")
    return [_system(name) for name in dict.fromkeys(names)]


def _system(name):
    """Return the system in a scope of its own, as the launch files' arguments share names."""
    arguments = {
        "namespace": name,
        "frame_prefix": f"{name}/",
        "log_level": LaunchConfiguration("log_level"),
        "respawn": LaunchConfiguration("respawn"),
        "rviz": "false",
        **WHAT_HAPPENS[name],
        **{theirs: LaunchConfiguration(ours) for theirs, ours in OWN_ARGUMENTS[name].items()},
    }
    source = PythonLaunchDescriptionSource(shared_file("launch", f"{name}.launch.py"))
    include = IncludeLaunchDescription(source, launch_arguments=arguments.items())
    return GroupAction([include], scoped=True)


def generate_launch_description() -> LaunchDescription:
    """Return the launch description of the demonstration."""
    arguments = [
        DeclareLaunchArgument(
            "systems",
            default_value=",".join(WHAT_HAPPENS),
            description="Which systems are started, separated by commas",
        ),
        DeclareLaunchArgument(
            "view",
            default_value="none",
            choices=["none", "web"],
            description="web: serve a page that shows everything live, on 127.0.0.1",
        ),
        DeclareLaunchArgument(
            "view_port", default_value="8100", description="Port of that page; 0: a free one"
        ),
        switch("rviz", "Open rviz2 with all systems side by side"),
        DeclareLaunchArgument(
            "log_level", default_value="info", description="Level of the nodes' logs"
        ),
        switch("respawn", "Start nodes and simulators again when they die"),
        DeclareLaunchArgument(
            "nao_port", default_value="6474", description="TCP port between bridge and Nao"
        ),
        DeclareLaunchArgument(
            "roboskate_port", default_value="50051", description="TCP port of the game's gRPC"
        ),
        DeclareLaunchArgument(
            "roboskate_http_port", default_value="50052", description="TCP port of its HTTP"
        ),
        DeclareLaunchArgument(
            "luar_user",
            default_value="simulated",
            description="User at the end of the names of the Luar robot's segments",
        ),
        DeclareLaunchArgument(
            "luar_profile",
            default_value="nao",
            choices=["nao", "webots"],
            description="nao: the Luar robot has joints, as one on a machine can; webots: not",
        ),
        switch("bw4t_web", "Serve the page on which people play in the blocks world"),
        DeclareLaunchArgument(
            "bw4t_web_port", default_value="8090", description="Port of that page; 0: a free one"
        ),
        DeclareLaunchArgument(
            "aibo_port", default_value="10100", description="TCP port of the AIBO's GTI server"
        ),
    ]
    places = [
        Node(
            package="tf2_ros",
            executable="static_transform_publisher",
            arguments=[
                *("--x", str(x), "--y", str(y), "--frame-id", "world", "--child-frame-id", frame)
            ],
            condition=IfCondition(LaunchConfiguration("rviz")),
        )
        for frame, (x, y) in PLACES.items()
    ]
    in_rviz = rviz("demo", namespace="")
    systems = OpaqueFunction(function=_systems)
    page = GroupAction(
        [
            IncludeLaunchDescription(
                PythonLaunchDescriptionSource(shared_file("launch", "view.launch.py")),
                launch_arguments={
                    "port": LaunchConfiguration("view_port"),
                    "log_level": LaunchConfiguration("log_level"),
                    "respawn": LaunchConfiguration("respawn"),
                }.items(),
            )
        ],
        scoped=True,
        condition=IfCondition(EqualsSubstitution(LaunchConfiguration("view"), "web")),
    )
    return LaunchDescription([*arguments, *fast_dds_profile(), page, systems, *places, in_rviz])
