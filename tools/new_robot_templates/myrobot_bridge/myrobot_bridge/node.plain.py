# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The bridge node: Myrobot as joint_states and TF, and what commands it."""

from __future__ import annotations

# --- if no-action
import math
# --- end
import sys
from contextlib import suppress
from typing import Any

from sensor_msgs.msg import JointState
# --- if no-action
from std_msgs.msg import Float64
# --- end

from legacy_robots_common.bridge.bridge_node import BridgeNode
from legacy_robots_common.frames.transform_broadcaster import TransformBroadcaster
from legacy_robots_common.node import qos
from legacy_robots_common.node.lazy_publisher import LazyPublisher
from legacy_robots_common.node.main import run
from legacy_robots_common.node.parameters import declare_parameters
from legacy_robots_core.link.base import NotConnectedError

from . import conversions, protocol
# --- if action
from .actions import MoveAction
# --- end
from .link import MyrobotLink
from .parameters import Parameters


class MyrobotBridge(BridgeNode):
    """Topics and actions of one Myrobot."""

    def __init__(self, **node_arguments: Any) -> None:
        super().__init__(hardware_id="myrobot", namespace="myrobot", **node_arguments)
        self.settings = declare_parameters(self, Parameters)
        self.reading = protocol.Reading(0.0)
        self._joint_states = LazyPublisher(self, JointState, "joint_states", qos.stream())
        self._transforms = TransformBroadcaster(self)
        # --- if action
        self._move = MoveAction(self)
        # --- end
        # --- if no-action
        self.create_subscription(Float64, "command", self._on_command, 10)
        # --- end
        self.link = MyrobotLink(self.settings, self)
        self.use_link(self.link, self.settings.first_connection_timeout)

    def on_event(self, event: protocol.Reading | protocol.Done) -> None:
        """Publish a reading; handle the end of a motion. On the link's thread."""
        if isinstance(event, protocol.Reading):
            self.counters.add("readings")
            self.reading = event
            stamp = self.stamp()
            if self._joint_states.wanted:
                message = conversions.joint_state(event, self.settings.joint, stamp)
                self._joint_states.publish(message)
            if self._transforms.wanted:
                prefix = self.settings.frame_prefix
                self._transforms.send([conversions.transform(event, prefix, stamp)])
            # --- if action
            self._move.check_time()
            # --- end
        # --- if action
        else:
            self._move.on_done(event)
        # --- end

    # --- if no-action
    def _on_command(self, message: Float64) -> None:
        """Go to a position (m); one that cannot be is counted and logged."""
        if not (math.isfinite(message.data) and 0.0 <= message.data <= self.settings.longest):
            self.on_problem("refused commands", f"cannot go to {message.data} m")
            return
        with suppress(NotConnectedError):
            self.link.command(protocol.move(message.data))

    # --- end
    def make_safe(self, reason: str) -> None:
        """Stop it, if it can be reached."""
        with suppress(NotConnectedError):
            self.link.command(protocol.STOP)


def main() -> None:
    """Run the bridge until SIGINT or SIGTERM."""
    sys.exit(run(MyrobotBridge, Parameters))
