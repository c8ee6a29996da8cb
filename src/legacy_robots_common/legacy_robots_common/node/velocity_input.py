# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""``cmd_vel`` of a robot: a Twist, or a TwistStamped that is refused when it is old."""

from __future__ import annotations

from collections.abc import Callable

from geometry_msgs.msg import Twist, TwistStamped

from legacy_robots_common.node import qos
from legacy_robots_common.node.program_node import ProgramNode
from legacy_robots_common.node.times import seconds

TYPES = {False: "geometry_msgs/msg/Twist", True: "geometry_msgs/msg/TwistStamped"}
UNKNOWN_NAME = "_NODE_NAME_UNKNOWN_"
"""What rmw calls a node whose publisher was discovered before itself."""
LOOK_PERIOD_S = 1.0
"""Time between two looks at the publishers of the topic."""


class VelocityInput:
    """Subscribes to ``cmd_vel``, on the executor.

    Parameters
    ----------
    stamped
        Whether it is a TwistStamped.
    max_age
        Age in s above which one is refused; a velocity of zero and one without stamp are not.
    on_twist
        Gets each velocity that is not refused.
    on_problem
        As LinkObserver's, of the counters "old velocities" and "publishers of another cmd_vel".

    """

    def __init__(
        self,
        node: ProgramNode,
        *,
        stamped: bool,
        max_age: float,
        on_twist: Callable[[Twist], None],
        on_problem: Callable[[str, str], object],
    ) -> None:
        self._node = node
        self._max_age = max_age
        self._on_twist = on_twist
        self._on_problem = on_problem
        self._stamped = stamped
        self.misfits: tuple[str, ...] = ()
        """The nodes that publish the other type on this topic, none of which is obeyed."""
        if stamped:
            qos.subscription(node, TwistStamped, "cmd_vel", self._on_stamped, qos.stream(5))
        else:
            qos.subscription(node, Twist, "cmd_vel", on_twist, qos.stream(5))
        node.steady_timer(LOOK_PERIOD_S, self._look)

    def _on_stamped(self, message: TwistStamped) -> None:
        stamp = seconds(message.header.stamp)
        age = self._node.get_clock().now().nanoseconds / 1e9 - stamp
        if stamp and age > self._max_age and message.twist != Twist():
            text = f"a cmd_vel is {age:.2f} s old, more than {self._max_age:g} s: it is refused"
            self._on_problem("old velocities", text)
            return
        self._on_twist(message.twist)

    def _look(self) -> None:
        misfits = tuple(
            sorted(
                f"{publisher.node_namespace.rstrip('/')}/{publisher.node_name}"
                for publisher in self._node.get_publishers_info_by_topic("cmd_vel")
                if publisher.topic_type == TYPES[not self._stamped]
                and publisher.node_name != UNKNOWN_NAME  # the next look has it
            )
        )
        before, self.misfits = self.misfits, misfits
        for name in sorted(set(misfits) - set(before)):
            self._on_problem(
                "publishers of another cmd_vel",
                f"{name} publishes cmd_vel as {TYPES[not self._stamped]} and is not obeyed: here "
                f"it is {TYPES[self._stamped]}, see enable_stamped_cmd_vel",
            )
