# SPDX-License-Identifier: Apache-2.0
"""Parts of the server that parameters or installed packages switch on, known to it by name only.

A package declares a part as an entry point. One in the group PARTS makes a :class:`ServerPart`
of a :class:`ServerContext`. One in the group WORLDS is a :class:`WorldMaker`; its name is a value
of the parameter ``world``. Both raise StartupError for parameters that cannot be satisfied.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Any, Protocol

from bw4t_bridge.bridge.control_services import ControlServices
from bw4t_bridge.bridge.parameters import Parameters
from bw4t_bridge.runner.world_runner import WorldRunner
from legacy_robots_common.bridge.bridge_node import BridgeNode
from legacy_robots_common.node.program_node import StartupError

PARTS = "bw4t_bridge.parts"
WORLDS = "bw4t_bridge.worlds"


@dataclass(frozen=True)
class ServerContext:
    """What a part may use; ``control`` knows the map that is loaded."""

    node: BridgeNode
    runner: WorldRunner
    settings: Parameters
    control: ControlServices


class ServerPart(Protocol):
    """A part; one that inherits has defaults for what it does not need."""

    def on_event(self, event: object) -> None:
        """Handle an event of bw4t_bridge.runner.events, on the runner's thread."""

    def diagnostics(self) -> Mapping[str, str]:
        """Return its values for /diagnostics."""
        return {}

    def close(self) -> None:
        """End it; the runner still runs. Idempotent."""


class WorldMaker(Protocol):
    """Makes the runner of a world other than our own in this process."""

    def __call__(
        self, node: BridgeNode, settings: Parameters, stamps: Callable[[], int] | None
    ) -> tuple[WorldRunner, Parameters]:
        """Return the runner, with ``node`` as its observer, and the parameters that hold."""


def load_part(group: str, name: str) -> Any:
    """Return the part of this name. Raises StartupError where it, or what it needs, is missing."""
    for entry in entry_points(group=group, name=name):
        try:
            return entry.load()
        except ImportError as error:
            raise StartupError(f"{name}: something it needs is not installed: {error}") from error
    raise StartupError(f"{name}: no installed package has this part of the server ({group})")
