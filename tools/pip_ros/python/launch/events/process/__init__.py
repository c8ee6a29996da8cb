# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Events of launched processes."""

from __future__ import annotations

from typing import Any

from launch._subset import missing_attribute
from launch.action import Action
from launch.event import Event

__all__ = ["ProcessExited", "ProcessStarted", "RunningProcessEvent"]


class RunningProcessEvent(Event):
    """Something about one process.

    Attributes are `action`, `process_name` (with its number), `cmd`, `cwd`, `env` and `pid`.
    """

    name = "launch.events.process.RunningProcessEvent"

    def __init__(
        self,
        *,
        action: Action,
        name: str,
        cmd: list[str],
        cwd: str | None,
        env: dict[str, str] | None,
        pid: int,
    ) -> None:
        self.action = action
        self.process_name = name
        self.cmd = cmd
        self.cwd = cwd
        self.env = env
        self.pid = pid


class ProcessStarted(RunningProcessEvent):
    """A process was started."""

    name = "launch.events.process.ProcessStarted"


class ProcessExited(RunningProcessEvent):
    """A process has ended; `returncode` is negative for a signal."""

    name = "launch.events.process.ProcessExited"

    def __init__(self, *, returncode: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.returncode = returncode


__getattr__ = missing_attribute(__name__)
