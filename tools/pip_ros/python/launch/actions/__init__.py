# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What a launch description can do."""

from launch._subset import missing_attribute
from launch.actions.basic import (
    AppendEnvironmentVariable,
    EmitEvent,
    LogInfo,
    OpaqueFunction,
    PopEnvironment,
    PopLaunchConfigurations,
    PushEnvironment,
    PushLaunchConfigurations,
    RegisterEventHandler,
    SetEnvironmentVariable,
    SetLaunchConfiguration,
    Shutdown,
    TimerAction,
    UnregisterEventHandler,
    UnsetEnvironmentVariable,
    UnsetLaunchConfiguration,
)
from launch.actions.declare_launch_argument import DeclareLaunchArgument
from launch.actions.execute_process import ExecuteProcess
from launch.actions.structure import GroupAction, IncludeLaunchDescription

__all__ = [
    "AppendEnvironmentVariable",
    "DeclareLaunchArgument",
    "EmitEvent",
    "ExecuteProcess",
    "GroupAction",
    "IncludeLaunchDescription",
    "LogInfo",
    "OpaqueFunction",
    "PopEnvironment",
    "PopLaunchConfigurations",
    "PushEnvironment",
    "PushLaunchConfigurations",
    "RegisterEventHandler",
    "SetEnvironmentVariable",
    "SetLaunchConfiguration",
    "Shutdown",
    "TimerAction",
    "UnregisterEventHandler",
    "UnsetEnvironmentVariable",
    "UnsetLaunchConfiguration",
]

__getattr__ = missing_attribute(__name__)
