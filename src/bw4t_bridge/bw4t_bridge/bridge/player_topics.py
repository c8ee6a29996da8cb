# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What a player perceives, as topics: the raw stream, and the belief view.

Publishers are made and destroyed on the executor; everything is published on the runner's thread.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from contextlib import suppress

from geometry_msgs.msg import Pose, PoseWithCovariance, Quaternion
from nav_msgs.msg import Odometry
from sensor_msgs.msg import BatteryState
from std_msgs.msg import Header

from bw4t_bridge.bridge import conversions
from bw4t_bridge.bridge.beliefs import Change, EPartnerBeliefs, RobotBeliefs
from bw4t_bridge.bridge.parameters import Parameters
from bw4t_bridge.bridge.publishing import (
    MESSAGE_DEPTH,
    PERCEPT_DEPTH,
    Publishers,
    RateLimit,
    wanted,
)
from bw4t_bridge.bridge.serialized_percepts import PerceptParts, PerceptSerializer
from bw4t_runner.percept_streams import PerceptCycle, PerceptStream
from bw4t_runner.world_runner import WorldRunner
from bw4t_world import WorldError
from bw4t_world.messages import Phrasing
from legacy_robots_common.node.names import to_ros_name
from legacy_robots_common.node.program_node import ProgramNode
from legacy_robots_msgs.msg import (
    Bw4tBlocks,
    Bw4tEPartners,
    Bw4tEPartnerState,
    Bw4tHeard,
    Bw4tPercepts,
    Bw4tPlayers,
    Bw4tState,
)

_SLOW = Change.POSITION | Change.BATTERY
"""What changes with every tick of a moving robot."""


class PlayerTopics(ABC):
    """What the topics of robots and of e-partners share.

    Parameters
    ----------
    node, runner, settings
        Where to publish, whose percepts, and how often.
    name
        Of the player, as BW4T has it.
    phrasing
        In whose words messages are written.
    parts
        Bytes of percepts, kept for all players.
    repeats
        Whether percepts are delivered as by EIS 0.5 (profile).

    """

    def __init__(
        self,
        node: ProgramNode,
        runner: WorldRunner,
        settings: Parameters,
        name: str,
        phrasing: Phrasing,
        parts: PerceptParts,
        *,
        repeats: bool,
    ) -> None:
        self.name = name
        self.ros_name = to_ros_name(name)
        self._runner = runner
        self._phrasing = phrasing
        self._map_frame = settings.frame_prefix + settings.map_frame
        self.frame = f"{settings.frame_prefix}{self.ros_name}/base_link"
        self._serializer = PerceptSerializer(parts, self.frame)
        self._publishers = Publishers(node)
        self._percepts = self._publishers.stream(
            Bw4tPercepts,
            f"{self.ros_name}/percepts",
            PERCEPT_DEPTH,
            lambda: self._restart(driven=True),
            lambda: self._restart(driven=False),
        )
        self._messages = self._publishers.stream(
            Bw4tHeard, f"{self.ros_name}/messages", MESSAGE_DEPTH
        )
        self._slow = RateLimit(settings.state_rate, node.now)
        self._quiet_limit = settings.percept_quiet_cycles
        self._quiet_cycles = 0
        self._number: int | None = None
        """Of the next percept message; None until the stream begins anew for a subscriber."""
        self._pending = Change.NOTHING
        self._stream: PerceptStream | None = None
        self._cycle: PerceptCycle | None = None
        self._make_topics(node, settings, repeats=repeats)

    @abstractmethod
    def _make_topics(self, node: ProgramNode, settings: Parameters, *, repeats: bool) -> None:
        """Make the beliefs of a kind of player, and the publishers of them."""

    @property
    def is_over(self) -> bool:
        """Whether the player has left, also where another of its name has come since."""
        return self._stream is not None and self._stream.is_closed

    def open(self) -> None:
        """Begin to publish. Waits for the runner's thread.

        Raises WorldError if the player left, TimeoutError if the world stands still.
        """
        # One that joins from now on is told of by an event, which begins the stream anew.
        is_driven = wanted(self._percepts)
        self._stream = self._runner.open_percepts(self.name, self._on_cycle, as_player=is_driven)

    def count_as_driven(self) -> None:
        """Have others perceive the robot as a player: it was given an order."""
        if self._stream is not None and not self._stream.as_player:
            self._stream.restart(as_player=True)

    def _restart(self, *, driven: bool) -> None:
        """Send everything again, for a new subscriber or when the last one has left."""
        if self._stream is not None:
            self._stream.restart(as_player=driven)

    def close(self) -> None:
        """Stop publishing, and take the topics away. Waits for the runner's thread."""
        if self._stream is not None:
            self._stream.close()
            # A runner that has ended, or that stands still, publishes nothing either.
            with suppress(WorldError, TimeoutError):
                self._runner.call(lambda world: None)
        self._publishers.destroy()

    def _on_cycle(self, cycle: PerceptCycle) -> None:
        """Publish the raw percepts at once; the beliefs wait until all players have got theirs."""
        if not wanted(self._percepts):
            self._number = None
        elif cycle.number == 0:
            self._number = 0
        if self._number is not None and self._has_news(cycle):
            self._percepts.publish(self._serializer.serialize(cycle, self._number))
            self._number += 1
        self._cycle = cycle

    def _has_news(self, cycle: PerceptCycle) -> bool:
        """Whether a cycle gets a message, see the parameter ``percept_quiet_cycles``."""
        self._quiet_cycles += 1
        is_news = cycle.number == 0 or bool(cycle.update.add) or bool(cycle.update.delete)
        if not is_news and self._quiet_cycles < self._quiet_limit:
            return False
        self._quiet_cycles = 0
        return True

    def publish_beliefs(self) -> None:
        """Publish what the last cycle has changed. Called on the runner's thread after it."""
        cycle, self._cycle = self._cycle, None
        if cycle is not None:
            self._publish(cycle)

    @abstractmethod
    def _publish(self, cycle: PerceptCycle) -> None:
        """Take in a cycle, and publish what it has changed."""

    def _header(self, cycle: PerceptCycle) -> Header:
        return Header(stamp=conversions.stamp(cycle.stamp), frame_id=self._map_frame)

    def _due(self, changes: int) -> bool:
        """Whether the state is to be published, given what a cycle has changed of it."""
        self._pending |= changes
        if not self._pending:
            return False
        if self._pending & ~_SLOW or self._runner.snapshot.is_paused:
            self._slow.skip()
        elif not self._slow.is_due():
            return False
        self._pending = Change.NOTHING
        return True

    def _publish_messages(self, inbox: list[tuple[str, str]], cycle: PerceptCycle) -> None:
        for sender, text in inbox:
            header = self._header(cycle)
            self._messages.publish(conversions.heard(sender, text, self._phrasing, header))


class RobotTopics(PlayerTopics):
    """The topics of a robot."""

    def _make_topics(self, node: ProgramNode, settings: Parameters, *, repeats: bool) -> None:
        self._beliefs = RobotBeliefs(repeats=repeats)
        make, token = self._publishers, self.ros_name
        self._state = make.latched(Bw4tState, f"{token}/state")
        self._blocks = make.latched(Bw4tBlocks, f"{token}/visible_blocks")
        self._players = make.latched(Bw4tPlayers, f"{token}/players")
        self._epartners = make.latched(Bw4tEPartners, f"{token}/visible_epartners")
        self._battery = make.latched(BatteryState, f"{token}/battery")
        self._odom = make.stream(Odometry, f"{token}/odom")
        self._odom_limit = RateLimit(settings.odom_rate, node.now)
        self._place_before = (math.nan, math.nan, 0.0)

    def _publish(self, cycle: PerceptCycle) -> None:
        beliefs = self._beliefs
        changes = beliefs.apply(cycle)
        self._pending |= changes & Change.BATTERY
        battery = self._pending & Change.BATTERY
        if self._due(changes & (Change.STATE | _SLOW)):
            header = self._header(cycle)
            self._state.publish(conversions.robot_state(beliefs, header))
            if battery:
                self._battery.publish(conversions.battery(beliefs, header))
        if changes & ~_SLOW:
            header = self._header(cycle)
            if changes & Change.BLOCKS:
                self._blocks.publish(conversions.visible_blocks(beliefs, header))
            if changes & Change.PLAYERS:
                self._players.publish(conversions.players(beliefs, header))
            if changes & Change.EPARTNERS:
                self._epartners.publish(conversions.visible_epartners(beliefs, header))
        if wanted(self._odom) and self._odom_limit.is_due():
            self._publish_odom(cycle)
        self._publish_messages(beliefs.inbox, cycle)

    def _publish_odom(self, cycle: PerceptCycle) -> None:
        x, y = self._beliefs.location
        odom = Odometry(header=self._header(cycle), child_frame_id=self.frame)
        odom.pose = PoseWithCovariance(
            pose=Pose(position=conversions.point(x, y), orientation=Quaternion(w=1.0))
        )
        before_x, before_y, before = self._place_before
        seconds = cycle.seconds - before
        if seconds > 0 and not math.isnan(before_x):
            odom.twist.twist.linear.x = (x - before_x) / seconds
            odom.twist.twist.linear.y = -(y - before_y) / seconds
        self._place_before = (x, y, cycle.seconds)
        self._odom.publish(odom)


class EPartnerTopics(PlayerTopics):
    """The topics of an e-partner."""

    def _make_topics(self, node: ProgramNode, settings: Parameters, *, repeats: bool) -> None:
        self._beliefs = EPartnerBeliefs(self.name, repeats=repeats)
        self._state = self._publishers.latched(Bw4tEPartnerState, f"{self.ros_name}/state")

    def _publish(self, cycle: PerceptCycle) -> None:
        if self._due(self._beliefs.apply(cycle)):
            self._state.publish(conversions.epartner_state(self._beliefs, self._header(cycle)))
        self._publish_messages(self._beliefs.inbox, cycle)
