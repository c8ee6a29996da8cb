# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Event handlers, timers and shutdown."""

from launch.actions import (
    EmitEvent,
    ExecuteProcess,
    LogInfo,
    RegisterEventHandler,
    TimerAction,
)
from launch.event_handlers import OnProcessExit, OnProcessStart, OnShutdown
from launch.events import Shutdown
from launch.substitutions import LocalSubstitution

from launch import LaunchDescription


def generate_launch_description():
    first = ExecuteProcess(cmd=["sh", "-c", "exit 4"], name="first", output="screen")
    second = ExecuteProcess(cmd=["sleep", "100"], name="second", output="screen")
    end = EmitEvent(event=Shutdown(reason="the reason"))

    def on_exit(event, context):
        return [
            LogInfo(msg=f"{event.process_name} returned {event.returncode}"),
            second,
            LogInfo(msg="second comes"),
        ]

    return LaunchDescription(
        [
            RegisterEventHandler(
                OnProcessStart(target_action=first, on_start=LogInfo(msg="first started"))
            ),
            RegisterEventHandler(OnProcessExit(target_action=first, on_exit=on_exit)),
            RegisterEventHandler(
                OnProcessStart(
                    target_action=second, on_start=[TimerAction(period=0.2, actions=[end])]
                )
            ),
            RegisterEventHandler(
                OnShutdown(
                    on_shutdown=[LogInfo(msg=["ending: ", LocalSubstitution("event.reason")])]
                )
            ),
            TimerAction(period=100.0, actions=[LogInfo(msg="never")]),
            first,
        ]
    )
