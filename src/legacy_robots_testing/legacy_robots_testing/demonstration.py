# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The demonstration, launched as a user does and watched until all of it is up."""

from __future__ import annotations

import os
import time
from contextlib import ExitStack
from functools import partial

from legacy_robots_common.node import qos
from legacy_robots_common.system import names, systems
from legacy_robots_msgs.msg import LinkState
from legacy_robots_testing.machine import free_ports, launch_command
from legacy_robots_testing.process import Process
from legacy_robots_testing.ros_peer import RosPeer

START_TIMEOUT_S = 120.0


def own_arguments() -> list[str]:
    """Return launch arguments that keep a demonstration apart from others on this machine."""
    ports = [f"{s.name}_{port.argument}" for s in systems() for port in s.ports]
    given = [f"{name}:={port}" for name, port in zip(ports, free_ports(len(ports)), strict=True)]
    own = [
        f"{s.name}_{name}:=demo{os.getpid()}{s.name}"
        for s in systems()
        for name in s.own_arguments
    ]
    return [*given, *own]


class Demonstration:
    """Launches it; a context manager. ``peer`` watches, and was there before.

    ``arguments`` are more launch arguments, as NAME:=VALUE.
    """

    def __init__(self, peer: RosPeer, *arguments: str) -> None:
        self._peer = peer
        self._arguments = (*own_arguments(), *arguments)
        self._stack = ExitStack()
        self.up: dict[str, float] = {}
        """Seconds from the launch until each link was up."""
        self.losses: list[tuple[float, str]] = []
        """When (s, monotonic) links were lost after they had come up, and what they reported."""

    def __enter__(self) -> Demonstration:
        """Launch; ``wait`` for it."""
        for name in names():
            self._peer.subscribe_with(
                LinkState,
                f"/{name}/link_state",
                partial(self._on_link, name),
                qos.LATCHED,
            )
        self._begun = time.monotonic()
        line = launch_command("demo.launch.py", *self._arguments)
        self.launch = self._stack.enter_context(Process(line))
        return self

    def __exit__(self, *exception: object) -> None:
        """End the launch."""
        self._stack.close()

    def wait(self) -> float:
        """Wait until all links are up; return the seconds since the launch."""
        deadline = self._begun + START_TIMEOUT_S
        while len(self.up) < len(names()):
            if time.monotonic() > deadline:
                missing = ", ".join(sorted(set(names()) - self.up.keys()))
                raise TimeoutError(f"not up within {START_TIMEOUT_S:g} s: {missing}")
            time.sleep(0.01)
        return max(self.up.values())

    def _on_link(self, name: str, message: LinkState) -> None:
        if message.state == LinkState.CONNECTED:
            self.up.setdefault(name, time.monotonic() - self._begun)
        elif name in self.up:
            self.losses.append((time.monotonic(), f"{name}: {message.detail}"))
