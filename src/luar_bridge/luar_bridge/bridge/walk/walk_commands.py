# SPDX-License-Identifier: Apache-2.0
"""All by which ROS walks the robot: opt-in by the allow-list."""

from __future__ import annotations

import threading
from pathlib import Path

from legacy_robots_common.bridge.bridge_node import BridgeNode
from legacy_robots_common.bridge.velocity_topic import VelocityTopic
from legacy_robots_common.goals.velocity import Velocity, VelocityLimits
from legacy_robots_common.node.parameters import ParameterError
from luar_bridge.bridge.referee.fresh_memory import FreshMemory
from luar_bridge.bridge.walk.body_memory import BodyMemory
from luar_bridge.bridge.walk.motion_actions import GetUpAction, KickAction
from luar_bridge.model import beliefs
from luar_bridge.protocol.naming import RobotIdentity
from luar_bridge.protocol.ros_body import SEGMENT, WRITTEN_BY_ROS
from luar_bridge.protocol.writer import AllowList


class BodyVelocities(VelocityTopic):
    """Walks by ``cmd_vel``, as far as rcmBody is there and the robot runs."""

    def __init__(
        self, node: BridgeNode, body: BodyMemory, limits: VelocityLimits, *, is_stamped: bool
    ) -> None:
        self._body = body
        self._guard = threading.Lock()
        super().__init__(node, limits, stamped=is_stamped, lock=self._guard)

    def stop(self) -> None:
        """Stand. On any thread."""
        with self._guard:
            self.stand()

    def refusal(self, now: float) -> str:
        """Return why the robot may not walk now; raises NotConnectedError as BodyMemory."""
        if refusal := super().refusal(now):
            return refusal
        self._body.look(now)
        return ""

    def send(self, velocity: Velocity) -> None:
        """Have the robot walk, or stand. Raises NotConnectedError."""
        self._body.send_velocity(velocity)


class WalkCommands:
    """The topic ``cmd_vel``, the actions ``kick`` and ``get_up``.

    Raises ParameterError when the allow-list does not name what is written.
    """

    def __init__(
        self,
        node: BridgeNode,
        identity: RobotIdentity,
        memory: FreshMemory,
        directory: Path,
        writable: AllowList,
        limits: VelocityLimits,
        *,
        stale_after: float,
        is_stamped: bool,
    ) -> None:
        if missing := [n for n in WRITTEN_BY_ROS if not writable.allows(SEGMENT, n)]:
            raise ParameterError(
                f"parameter 'walk_commands': 'writable' does not name {SEGMENT}.{missing[0]}"
            )
        body = BodyMemory(directory / identity.file_name(SEGMENT), stale_after)

        def is_ball_left() -> bool:
            ball = beliefs.ball_model(memory.read("wcmBall"))
            return ball is not None and ball.y > 0.0

        self._velocity = BodyVelocities(node, body, limits, is_stamped=is_stamped)
        servers = [KickAction(node, body, is_ball_left), GetUpAction(node, body)]
        for server in servers:
            server.servers = servers

    def stop(self) -> None:
        """Stand. On any thread."""
        self._velocity.stop()
