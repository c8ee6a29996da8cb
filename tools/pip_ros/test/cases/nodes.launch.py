# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What reaches the process: arguments, names, remappings, parameters, environment, output."""

from launch.actions import (
    DeclareLaunchArgument,
    ExecuteProcess,
    GroupAction,
    SetEnvironmentVariable,
)
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution
from launch_ros.actions import Node, PushRosNamespace, SetParameter, SetRemap
from launch_ros.parameter_descriptions import ParameterFile, ParameterValue
from launch_ros.substitutions import FindPackageShare

from launch import LaunchDescription


def printer(exec_name, **options):
    options.setdefault("output", "screen")
    return Node(package="probe_pkg", executable="printer", exec_name=exec_name, **options)


def generate_launch_description():
    config = PathJoinSubstitution([FindPackageShare("probe_pkg"), "config", "params.yaml"])
    expanded = PathJoinSubstitution([FindPackageShare("probe_pkg"), "config", "expanded.yaml"])
    number = LaunchConfiguration("number")
    values = {
        "int": 1,
        "float": 2.5,
        "text": "5",
        "empty": "",
        "colon": "a: b",
        "bool": True,
        "ints": [1, 2],
        "mixed_numbers": [1, 2.5],
        "texts": ["a", "b"],
        "bools": [True, False],
        "nested": {"x": 1, "y": {"z": "deep"}, number: "key"},
        "substitution": number,
        "as_text": ParameterValue(number, value_type=str),
        "as_float": ParameterValue(number, value_type=float),
        "as_bool": ParameterValue(LaunchConfiguration("flag"), value_type=bool),
        "as_ints": ParameterValue(LaunchConfiguration("list"), value_type=list[int]),
        "joined": ["v", number],
        "joined_number": ["1", number],
        "list_from_yaml": LaunchConfiguration("list"),
        "list_of_parts": [["a", number], ["b"]],
        "flag": LaunchConfiguration("flag"),
    }
    return LaunchDescription(
        [
            DeclareLaunchArgument("number", default_value="7"),
            DeclareLaunchArgument("flag", default_value="true"),
            DeclareLaunchArgument("list", default_value="[3, 4]"),
            SetEnvironmentVariable("PROBE_ALL", "all"),
            GroupAction(
                [
                    PushRosNamespace("outer"),
                    PushRosNamespace("inner"),
                    SetParameter("use_sim_time", True),
                    SetParameter("shared", number),
                    SetRemap("everywhere", "elsewhere"),
                    printer(
                        "full",
                        name="node",
                        namespace="own",
                        parameters=[config, values, {"int": 3}, ParameterFile(config)],
                        remappings=[("a", "b"), ("c", number)],
                        arguments=["--flag", number, ["joined", number]],
                        ros_arguments=["--log-level", "debug"],
                        additional_env={"PROBE_OWN": number},
                    ),
                    printer("pushed", name="node"),
                    printer("absolute", name="node", namespace="/absolute"),
                    printer("unnamed", parameters=[{"a": 1}]),
                ]
            ),
            GroupAction([PushRosNamespace("/"), printer("root", name="node")]),
            printer("plain"),
            printer("empty_namespace", name="node", namespace="", parameters=[{"a": 1}]),
            printer("root_namespace", name="node", namespace="/", parameters=[{"a": 1}]),
            printer("substituted", name=["node", number], namespace=["ns", number]),
            printer("expanded", parameters=[ParameterFile(expanded, allow_substs=True)]),
            printer("to_log", output="log", arguments=["--err", "errors are shown"]),
            printer("default_output", output="both", arguments=["--err", "an error"]),
            printer("failing", arguments=["--exit", "3"]),
            ExecuteProcess(cmd=["echo", "two words", number], output="screen"),
            ExecuteProcess(
                cmd=["echo shell $PROBE_ALL; echo second"], shell=True, name="sh", output="screen"
            ),
            ExecuteProcess(
                cmd=["env"], env={"ONLY": "this"}, cwd="/", output="screen", name="clean"
            ),
            ExecuteProcess(cmd=["echo", "x"], prefix="echo a 'b c'", output="screen", name="pre"),
        ]
    )
