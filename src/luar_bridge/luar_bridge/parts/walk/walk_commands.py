# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""All by which ROS walks the robot: opt-in by the allow-list."""

from __future__ import annotations

from legacy_robots_common.bridge.bridge_node import BridgeNode
from legacy_robots_common.bridge.velocity_topic import VelocityTopic
from legacy_robots_common.goals.velocity import Velocity, VelocityLimits
from legacy_robots_common.node.parameters import ParameterError
from legacy_robots_common.node.parts import NodePart
from legacy_robots_core.link.base import NotConnectedError
from luar_bridge.bridge.part_context import PartContext
from luar_bridge.model import beliefs
from luar_bridge.parts.walk.body_memory import BodyMemory
from luar_bridge.parts.walk.motion_actions import GetUpAction, KickAction
from luar_bridge.protocol.ros_body import SEGMENT, WALK_PARAMETERS, WRITTEN_BY_ROS

PARAMETERS_PERIOD_S = 0.2


class BodyVelocities(VelocityTopic):
    """Walks by ``cmd_vel``, as far as rcmBody is there and the robot runs."""

    def __init__(
        self, node: BridgeNode, body: BodyMemory, limits: VelocityLimits, *, is_stamped: bool
    ) -> None:
        self._body = body
        super().__init__(node, limits, stamped=is_stamped)

    def refusal(self, now: float) -> str:
        """Return why the robot may not walk now; raises NotConnectedError as BodyMemory."""
        if refusal := super().refusal(now):
            return refusal
        self._body.look(now)
        return ""

    def send(self, velocity: Velocity) -> None:
        """Have the robot walk, or stand. Raises NotConnectedError."""
        self._body.send_velocity(velocity)


class WalkCommands(NodePart):
    """The topic ``cmd_vel``, the actions ``kick`` and ``get_up``, the walk's parameters.

    Raises ParameterError when the allow-list does not name what is written.
    """

    def __init__(self, context: PartContext) -> None:
        node, p = context.node, context.settings
        allows = context.writable.allows
        if missing := [name for name in WRITTEN_BY_ROS if not allows(SEGMENT, name)]:
            raise ParameterError(
                f"parameter 'walk_commands': 'writable' does not name {SEGMENT}.{missing[0]}"
            )
        body = BodyMemory(context.path(SEGMENT), p.stale_after)

        def is_ball_left() -> bool:
            ball = beliefs.ball_model(context.memory.read("wcmBall"))
            return ball is not None and ball.y > 0.0

        self._velocity = BodyVelocities(
            node, body, p.velocity_limits, is_stamped=p.enable_stamped_cmd_vel
        )
        servers = [KickAction(node, body, is_ball_left), GetUpAction(node, body)]
        for server in servers:
            server.servers = servers
        self._node, self._body, self._problem = node, body, ""
        node.timer(PARAMETERS_PERIOD_S, self._send_parameters)

    def _send_parameters(self) -> None:
        """Have the robot walk as the parameters say now, also after it has begun again."""
        if not self._node.connected:
            return
        values = [float(self._node.get_parameter(name).value) for name in WALK_PARAMETERS]
        try:
            self._body.send_parameters(values)
            self._problem = ""
        except NotConnectedError as error:
            if any(values) and str(error) != self._problem:
                self._problem = str(error)
                self._node.get_logger().error(f"the walk's parameters are not sent: {error}")

    def make_safe(self, reason: str) -> None:
        """Have a robot that walks by ROS stand."""
        self._velocity.stop()
