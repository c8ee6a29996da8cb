# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Arguments, scopes, inclusion, conditions and substitutions; no process is started."""

import os

from launch.actions import (
    AppendEnvironmentVariable,
    DeclareLaunchArgument,
    GroupAction,
    IncludeLaunchDescription,
    LogInfo,
    OpaqueFunction,
    SetEnvironmentVariable,
    SetLaunchConfiguration,
    UnsetEnvironmentVariable,
    UnsetLaunchConfiguration,
)
from launch.conditions import (
    IfCondition,
    LaunchConfigurationEquals,
    LaunchConfigurationNotEquals,
    UnlessCondition,
)
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import (
    AllSubstitution,
    AndSubstitution,
    AnySubstitution,
    EnvironmentVariable,
    EqualsSubstitution,
    FindExecutable,
    IfElseSubstitution,
    LaunchConfiguration,
    NotEqualsSubstitution,
    NotSubstitution,
    OrSubstitution,
    PathJoinSubstitution,
    PythonExpression,
    TextSubstitution,
    ThisLaunchFileDir,
)
from launch_ros.substitutions import ExecutableInPackage, FindPackagePrefix, FindPackageShare

from launch import LaunchDescription

HERE = os.path.dirname(__file__)


def show(tag):
    values = []
    for name in ("x", "y", "leak"):
        values += [f" {name}=", LaunchConfiguration(name, default="none")]
    return LogInfo(msg=[tag, *values])


def environment(tag):
    return LogInfo(msg=[tag, " PROBE=", EnvironmentVariable("PROBE", default_value="unset")])


def opaque(context, *args, **kwargs):
    value = LaunchConfiguration("y").perform(context)
    return [LogInfo(msg=f"opaque {args} {kwargs} y={value}")]


def include(**arguments):
    source = PythonLaunchDescriptionSource(os.path.join(HERE, "included.launch.py"))
    return IncludeLaunchDescription(source, launch_arguments=arguments.items())


def generate_launch_description():
    values = [
        PythonExpression(["'", LaunchConfiguration("x"), "' == 'ix' and 3 > 2"]),
        PythonExpression("math.floor(2.5)"),
        EqualsSubstitution(LaunchConfiguration("x"), "ix"),
        EqualsSubstitution("1", "1.0"),
        EqualsSubstitution("true", "True"),
        NotEqualsSubstitution("a", "b"),
        AndSubstitution("true", "False"),
        OrSubstitution("0", "1"),
        NotSubstitution("true"),
        AnySubstitution("false", "yes"),
        AllSubstitution("true", "off"),
        IfElseSubstitution("true", "then", "else"),
        IfElseSubstitution("false", "then", else_value="else"),
        PathJoinSubstitution(["a", TextSubstitution(text="b"), "c.yaml"]),
        PathJoinSubstitution(["a", "/b"]),
        FindExecutable(name="sh"),
        FindPackagePrefix("probe_pkg"),
        PathJoinSubstitution([FindPackageShare("probe_pkg"), "config"]),
        ExecutableInPackage("printer", "probe_pkg"),
    ]
    return LaunchDescription(
        [
            DeclareLaunchArgument("y", default_value="outer y", description="outer"),
            DeclareLaunchArgument("mode", default_value="a", choices=["a", "b"]),
            DeclareLaunchArgument("both", default_value=["b ", LaunchConfiguration("mode")]),
            DeclareLaunchArgument(
                "from_env", default_value=EnvironmentVariable("NOT_SET", default_value="dd")
            ),
            show("start"),
            GroupAction([include(x="gx"), show("in group")]),
            show("after group"),
            GroupAction(
                [include(x=["g", LaunchConfiguration("both")])],
                forwarding=False,
                launch_configurations={"z": "forced", "both": LaunchConfiguration("both")},
            ),
            show("after group without forwarding"),
            GroupAction([SetLaunchConfiguration("leak", "unscoped")], scoped=False),
            show("after unscoped group"),
            UnsetLaunchConfiguration("leak"),
            show("after unset"),
            include(x="ix"),
            show("after include"),
            LogInfo(msg="if", condition=IfCondition(EqualsSubstitution("a", "a"))),
            LogInfo(msg="never", condition=UnlessCondition("TRUE")),
            LogInfo(msg="equals", condition=LaunchConfigurationEquals("x", "ix")),
            LogInfo(msg="never", condition=LaunchConfigurationNotEquals("x", "ix")),
            LogInfo(msg="not set", condition=LaunchConfigurationEquals("not_set", None)),
            SetEnvironmentVariable("PROBE", "1"),
            GroupAction([AppendEnvironmentVariable("PROBE", "2"), environment("in group")]),
            environment("after group"),
            AppendEnvironmentVariable("PROBE", "0", prepend=True, separator=";"),
            environment("prepended"),
            UnsetEnvironmentVariable("PROBE"),
            environment("after unset"),
            OpaqueFunction(function=opaque, args=[1], kwargs={"key": "value"}),
            LogInfo(msg=["folder ", ThisLaunchFileDir()]),
            *(LogInfo(msg=["value ", value]) for value in values),
        ]
    )
