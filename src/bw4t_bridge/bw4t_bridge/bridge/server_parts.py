# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Parts of the server that parameters or installed packages switch on, known to it by name only.

A package declares a part as an entry point. One in the group PARTS makes a NodePart of a
:class:`ServerContext`; it is closed while the runner still runs. One in the group WORLDS is a
:class:`WorldMaker`; its name is a value of the parameter ``world``. Both raise StartupError for
parameters that cannot be satisfied.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from bw4t_bridge.bridge.control_services import ControlServices
from bw4t_bridge.bridge.parameters import Parameters
from bw4t_runner.world_runner import WorldRunner
from legacy_robots_common.bridge.bridge_node import BridgeNode

PARTS = "bw4t_bridge.parts"
WORLDS = "bw4t_bridge.worlds"


@dataclass(frozen=True)
class ServerContext:
    """What a part may use; ``control.loaded_map`` is the map that is loaded."""

    node: BridgeNode
    runner: WorldRunner
    settings: Parameters
    control: ControlServices


class WorldMaker(Protocol):
    """Makes the runner of a world other than our own in this process."""

    def __call__(
        self, node: BridgeNode, settings: Parameters, stamps: Callable[[], int] | None
    ) -> tuple[WorldRunner, Parameters]:
        """Return the runner, with ``node`` as its observer, and the parameters that hold."""
