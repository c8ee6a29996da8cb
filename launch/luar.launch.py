# SPDX-License-Identifier: Apache-2.0
"""Start the bridge to one Luar robot or to several, and by default as many simulated robots."""

from launch.actions import DeclareLaunchArgument, ExecuteProcess, OpaqueFunction
from launch.conditions import IfCondition
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import ExecutableInPackage, FindPackageShare

from launch import LaunchDescription

SHARE = FindPackageShare("legacy_robots_bringup")


def _players(text):
    """Return the players in a list such as 1,2,3."""
    players = text.split(",")
    if not all(p.isdigit() for p in players) or len(set(players)) != len(players):
        raise ValueError(f"players must be different numbers such as 1,2,3, not {text!r}")
    return [int(p) for p in players]


def _robots(context):
    """Return the actions of every robot; which they are is known only when the launch runs."""
    players = _players(LaunchConfiguration("players").perform(context))
    namespace = LaunchConfiguration("namespace").perform(context)
    team = LaunchConfiguration("team").perform(context)
    user = LaunchConfiguration("user").perform(context)
    profile = LaunchConfiguration("profile").perform(context)
    layout = LaunchConfiguration("layout").perform(context)
    abi = LaunchConfiguration("abi")
    respawn = LaunchConfiguration("respawn")
    actions, namespaces = [], []
    for index, player in enumerate(players):
        alone = len(players) == 1
        namespaces.append(namespace + ("" if alone else f"/player_{player}"))
        # The segments of joints and IMU have no suffix: a machine has one robot with a body.
        has_body = index == 0 and profile == "nao"
        actions.append(
            Node(
                package="luar_bridge",
                executable="bridge",
                namespace=namespaces[-1],
                parameters=[
                    LaunchConfiguration("params_file"),
                    {
                        "team": int(team),
                        "player": player,
                        "user": ParameterValue(user, value_type=str),
                        "joints": has_body,
                        "tables": [layout],
                        "frame_prefix": "" if alone else f"player_{player}/",
                    },
                ],
                ros_arguments=["--log-level", LaunchConfiguration("log_level")],
                respawn=respawn,
                respawn_delay=1.0,
                output="screen",
            )
        )
        actions.append(
            ExecuteProcess(  # a plain program, which takes no ROS arguments
                name=f"simulator_{player}",
                cmd=[
                    ExecutableInPackage("simulator", "luar_bridge"),
                    *("--team", team, "--player", str(player), "--user", user),
                    *("--color", str(int(team) % 2), "--abi", abi),
                    *("--layout", layout, "--profile", "nao" if has_body else "webots"),
                ],
                condition=IfCondition(LaunchConfiguration("simulate")),
                respawn=respawn,
                respawn_delay=1.0,
                output="screen",
            )
        )
    actions.append(
        Node(
            package="rviz2",
            executable="rviz2",
            namespace=namespaces[0],
            arguments=["-d", PathJoinSubstitution([SHARE, "rviz", "luar.rviz"])],
            condition=IfCondition(LaunchConfiguration("rviz")),
        )
    )
    return actions


def generate_launch_description() -> LaunchDescription:
    """Return the launch description of the robots of one team."""
    arguments = [
        DeclareLaunchArgument(
            "namespace",
            default_value="luar",
            description="Namespace of all names; of several robots: NAMESPACE/player_N",
        ),
        DeclareLaunchArgument(
            "simulate",
            default_value="true",
            choices=["true", "false"],
            description="Start simulated robots too",
        ),
        DeclareLaunchArgument(
            "players", default_value="1", description="Numbers of the players, such as 1,2,3"
        ),
        DeclareLaunchArgument(
            "team", default_value="0", description="Number of the team, as Luar has it"
        ),
        DeclareLaunchArgument(
            "user",
            default_value="simulated",
            description="User at the end of the segments' names: that of the robot's processes",
        ),
        DeclareLaunchArgument(
            "profile",
            default_value="nao",
            choices=["nao", "webots"],
            description="nao: the first player has joints and IMU (dcmSensor); webots: none has",
        ),
        DeclareLaunchArgument(
            "layout",
            default_value="document",
            choices=["document", "upenn_2013", "upenn_2016"],
            description="Version of Luar; upenn_2016 cannot be simulated",
        ),
        DeclareLaunchArgument(
            "abi",
            default_value="1",
            choices=["1", "2"],
            description="Memory layout of simulated robots: 1 Boost up to 1.86, 2 from 1.87",
        ),
        DeclareLaunchArgument(
            "params_file",
            default_value=PathJoinSubstitution([SHARE, "config", "luar.yaml"]),
            description="YAML file with the bridges' parameters",
        ),
        DeclareLaunchArgument(
            "rviz",
            default_value="false",
            choices=["true", "false"],
            description="Open rviz2 with a view of the field and the first robot",
        ),
        DeclareLaunchArgument(
            "log_level", default_value="info", description="Level of the bridges' log"
        ),
        DeclareLaunchArgument(
            "respawn",
            default_value="false",
            choices=["true", "false"],
            description="Start bridges and simulators again when they die",
        ),
    ]
    return LaunchDescription([*arguments, OpaqueFunction(function=_robots)])
