# SPDX-License-Identifier: Apache-2.0
"""What the launch files share. Nothing else imports this: it needs ``launch``."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from launch.actions import DeclareLaunchArgument, ExecuteProcess, SetEnvironmentVariable
from launch.conditions import IfCondition
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import ExecutableInPackage, FindPackageShare

from launch import Action

PROFILE_VARIABLES = ("FASTRTPS_DEFAULT_PROFILES_FILE", "FASTDDS_DEFAULT_PROFILES_FILE")
"""The first is what Fast DDS reads up to Jazzy, the second what later releases read."""
PROFILE_FILES = ("DEFAULT_FASTRTPS_PROFILES.xml", "DEFAULT_FASTDDS_PROFILES.xml")
"""What it reads from the working directory without being told."""


def shared_file(*parts: str) -> PathJoinSubstitution:
    """Return the path of an installed file of legacy_robots_bringup, such as config, nao.yaml."""
    return PathJoinSubstitution([FindPackageShare("legacy_robots_bringup"), *parts])


def fast_dds_profile() -> list[Action]:
    """Return actions that let processes exchange big images, see config/fastdds.xml.

    None where the user has a profile of their own, by environment or in the working directory.
    Put them before the processes in a launch description.
    """
    if any(os.environ.get(name) for name in PROFILE_VARIABLES):
        return []
    if any(Path(name).exists() for name in PROFILE_FILES):
        return []
    profile = shared_file("config", "fastdds.xml")
    return [SetEnvironmentVariable(name, profile) for name in PROFILE_VARIABLES]


def switch(name: str, description: str, *, default: bool = False) -> DeclareLaunchArgument:
    """Declare an argument that is true or false."""
    return DeclareLaunchArgument(
        name,
        default_value="true" if default else "false",
        choices=["true", "false"],
        description=description,
    )


def common_arguments(system: str, *, simulate: str, rviz: str) -> list[DeclareLaunchArgument]:
    """Declare what every system's launch file has.

    Parameters
    ----------
    system
        Default namespace, and name of the file in ``config``.
    simulate
        What the argument ``simulate`` does.
    rviz
        What is seen in the view that the argument ``rviz`` opens.

    """
    return [
        DeclareLaunchArgument(
            "namespace", default_value=system, description="Namespace of all names"
        ),
        DeclareLaunchArgument(
            "frame_prefix",
            default_value="",
            description=f"Put before every frame, such as {system}_2/",
        ),
        switch("simulate", simulate, default=True),
        DeclareLaunchArgument(
            "params_file",
            default_value=shared_file("config", f"{system}.yaml"),
            description="YAML file with the nodes' parameters",
        ),
        switch("rviz", f"Open rviz2 with a view of {rviz}"),
        DeclareLaunchArgument(
            "log_level", default_value="info", description="Level of the nodes' logs"
        ),
        switch("respawn", "Start nodes and simulators again when they die"),
    ]


def fault_argument() -> DeclareLaunchArgument:
    """Declare what goes wrong in the simulator; see ``simulator``."""
    return DeclareLaunchArgument(
        "fault",
        default_value="",
        description="Fault of the simulator, which happens once and at each SIGUSR1 to it; of "
        "several, separated by commas, the next one happens at each SIGUSR1",
    )


def typed(argument: str, value_type: type) -> ParameterValue:
    """Return the value of a launch argument as a parameter of exactly that type."""
    return ParameterValue(LaunchConfiguration(argument), value_type=value_type)


def _supervised() -> dict[str, Any]:
    return {
        "respawn": LaunchConfiguration("respawn"),
        "respawn_delay": 1.0,
        "output": "screen",
    }


def node(
    package: str,
    executable: str,
    parameters: Sequence[Any] = (),
    *,
    namespace: Any = None,
    **options: Any,
) -> Node:
    """Return a node as the common arguments want it; ``parameters`` go over the params_file."""
    return Node(
        package=package,
        executable=executable,
        namespace=LaunchConfiguration("namespace") if namespace is None else namespace,
        parameters=[LaunchConfiguration("params_file"), *parameters],
        ros_arguments=["--log-level", LaunchConfiguration("log_level")],
        **_supervised(),
        **options,
    )


def simulator(package: str, arguments: Sequence[Any], *, name: str = "simulator") -> Action:
    """Return the simulator of ``package``: a plain program, which takes no ROS arguments.

    Its faults are those of ``fault_argument``.
    """
    program = ExecutableInPackage("simulator", package)
    return ExecuteProcess(
        name=name,
        cmd=[program, *arguments, "--fault", LaunchConfiguration("fault")],
        condition=IfCondition(LaunchConfiguration("simulate")),
        **_supervised(),
    )


def rviz(view: str, *, namespace: Any = None, **options: Any) -> Node:
    """Return rviz2 with the view ``rviz/VIEW.rviz``, started if the argument ``rviz`` is true."""
    return Node(
        package="rviz2",
        executable="rviz2",
        namespace=LaunchConfiguration("namespace") if namespace is None else namespace,
        arguments=["-d", shared_file("rviz", f"{view}.rviz")],
        condition=IfCondition(LaunchConfiguration("rviz")),
        **options,
    )
