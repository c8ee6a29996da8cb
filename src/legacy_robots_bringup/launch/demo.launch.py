# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Start all systems on their simulators, with something happening in each."""

import os

from ament_index_python.packages import get_package_share_directory
from launch.actions import (
    DeclareLaunchArgument,
    GroupAction,
    IncludeLaunchDescription,
    OpaqueFunction,
)
from launch.conditions import IfCondition
from launch.launch_description_sources import (
    AnyLaunchDescriptionSource,
    get_launch_description_from_any_launch_file,
)
from launch.substitutions import (
    AndSubstitution,
    EqualsSubstitution,
    IfElseSubstitution,
    LaunchConfiguration,
    PathJoinSubstitution,
    PythonExpression,
)
from launch_ros.actions import Node, SetParameter
from launch_ros.substitutions import FindPackageShare

from launch import LaunchDescription
from legacy_robots_common.system import systems
from legacy_robots_launch.composition import ComposedNodes
from legacy_robots_launch.parameters import Overruling, ending
from legacy_robots_launch.views import AdaptedView

SYSTEMS = [system for system in systems() if system.launch]
NAMES = [system.name for system in SYSTEMS]
OF_EVERY_SYSTEM = (
    *("namespace", "frame_prefix", "simulate", "rviz", "rqt"),
    *("params_file", "log_level", "respawn", "paused", "compose"),
)
"""Arguments of included files that are not passed on: they are the same for all systems."""
WHEN_STEPPED = {"simulation_interfaces": "true", "publish_clock": "false"}
"""Arguments of included files that have other defaults in a stepped demonstration."""

SWITCH = ["true", "false", "True", "False", "1", "0"]
ARGUMENTS = [
    DeclareLaunchArgument(
        "systems",
        default_value=",".join(NAMES),
        description=f"Which systems are started, separated by commas ({', '.join(NAMES)})",
    ),
    DeclareLaunchArgument(
        "view",
        default_value="none",
        choices=["none", "web"],
        description="web: serve a page that shows everything live, on 127.0.0.1",
    ),
    DeclareLaunchArgument(
        "rviz",
        default_value="false",
        choices=SWITCH,
        description="Open rviz2 with all systems",
    ),
    DeclareLaunchArgument(
        "compose",
        default_value="true",
        choices=SWITCH,
        description="Run the nodes of all systems in one process; false: one process a node",
    ),
    DeclareLaunchArgument(
        "stepped",
        default_value="false",
        choices=SWITCH,
        description="All follow one /clock, which stands until the services of "
        "simulation_interfaces in /simulation let it pass",
    ),
    DeclareLaunchArgument(
        "log_level",
        default_value="info",
        choices=["debug", "info", "warn", "error", "fatal"],
        description="Level of the nodes' logs",
    ),
    DeclareLaunchArgument(
        "respawn",
        default_value="false",
        choices=SWITCH,
        description="Start nodes and simulators again when they die, and end bridges that hear "
        "nothing",
    ),
]


def included(name, file, defaults):
    """Return the arguments NAME_ARGUMENT of a launch file, and its include."""
    package, name_in_package = file.split("/")
    path = os.path.join(get_package_share_directory(package), "launch", name_in_package)
    arguments = get_launch_description_from_any_launch_file(path).get_launch_arguments()
    stepped = LaunchConfiguration("stepped")
    declared, given = [], {}
    for argument in arguments:
        default = defaults.get(argument.name, argument.default_value)
        if argument.name in OF_EVERY_SYSTEM:
            given[argument.name] = default
            continue
        if argument.name in WHEN_STEPPED:
            default = IfElseSubstitution(stepped, WHEN_STEPPED[argument.name], default)
        own_name = f"{name}_{argument.name}"
        declared.append(
            DeclareLaunchArgument(
                own_name,
                default_value=default,
                choices=argument.choices,
                # Launch puts the choices behind it.
                description=argument.description.partition(". Valid choices")[0],
            )
        )
        given[argument.name] = LaunchConfiguration(own_name)
    given |= {
        "namespace": name,
        "frame_prefix": f"{name}/",
        "simulate": "true",
        "rviz": "false",
        "rqt": "false",
        "paused": stepped,
    }
    # log_level, respawn and compose are this file's own.
    for argument in ("log_level", "respawn", "compose"):
        given.pop(argument, None)
    # Not its path alone: ros2 launch -s would show the file's own arguments, too.
    source = PathJoinSubstitution([FindPackageShare(package), "launch", name_in_package])
    include = IncludeLaunchDescription(
        AnyLaunchDescriptionSource(source), launch_arguments=given.items()
    )
    return declared, include


def check_systems(context):
    """End the launch for a system that is not installed."""
    for name in LaunchConfiguration("systems").perform(context).split(","):
        if name not in NAMES:
            return ending(context, f"systems: there is no {name!r}, only {', '.join(NAMES)}")
    return []


def generate_launch_description() -> LaunchDescription:
    """Return the launch description of the demonstration."""
    chosen = LaunchConfiguration("systems")
    compose = LaunchConfiguration("compose")
    respawn = LaunchConfiguration("respawn")
    rviz = LaunchConfiguration("rviz")
    titles = {system.name: system.title for system in SYSTEMS}
    absent = PythonExpression(
        [
            f"','.join(title for name, title in {titles!r}.items() if name not in '",
            chosen,
            "'.split(','))",
        ]
    )
    program = {"output": "screen", "respawn": respawn, "respawn_delay": 1.0}
    node = {**program, "ros_arguments": ["--log-level", LaunchConfiguration("log_level")]}

    is_stepped = IfCondition(LaunchConfiguration("stepped"))
    view_arguments, view = included("view", "legacy_robots_bringup/view.launch.py", {})
    is_viewed = IfCondition(EqualsSubstitution(LaunchConfiguration("view"), "web"))
    arguments, groups = [*ARGUMENTS, *view_arguments], [GroupAction([view], condition=is_viewed)]
    for system in SYSTEMS:
        is_chosen = PythonExpression([f"'{system.name}' in '", chosen, "'.split(',')"])
        own_arguments, include = included(system.name, system.launch, system.demonstration)
        arguments += own_arguments
        groups.append(
            GroupAction(
                [
                    SetParameter("use_sim_time", True, condition=is_stepped),
                    SetParameter("stepped", True, condition=is_stepped),
                    include,
                ],
                condition=IfCondition(is_chosen),
            )
        )

    return LaunchDescription(
        [
            *arguments,
            OpaqueFunction(function=check_systems),
            Node(
                package="rviz2",
                executable="rviz2",
                arguments=[
                    "-d",
                    AdaptedView(
                        PathJoinSubstitution(
                            [FindPackageShare("legacy_robots_bringup"), "rviz", "demo.rviz"]
                        ),
                        without=absent,
                    ),
                ],
                output="screen",
                condition=IfCondition(rviz),
            ),
            *groups,
            # After the groups: it runs the nodes that they leave to it.
            Node(
                package="legacy_robots_common",
                executable="fleet",
                parameters=[ComposedNodes()],
                condition=IfCondition(compose),
                **node,
            ),
            Node(
                package="legacy_robots_common",
                executable="watchdog",
                condition=IfCondition(AndSubstitution(compose, respawn)),
                **node,
            ),
            # It finds by itself what it is to step: what this launch has started.
            Node(
                package="legacy_robots_simulation_services",
                executable="stepper",
                namespace="/simulation",
                condition=is_stepped,
                **node,
            ),
            Node(
                package="legacy_robots_common",
                executable="places",
                parameters=[Overruling(systems=list)],
                condition=IfCondition(rviz),
                **node,
            ),
        ]
    )
