# SPDX-License-Identifier: Apache-2.0
"""One interface for each player, as long as it is in the world."""

from __future__ import annotations

from dataclasses import dataclass

from rclpy.node import Node

from bw4t_bridge.bridge_parameters import Parameters
from bw4t_bridge.conversions import PerceptEncoder
from bw4t_bridge.host import WorldHost
from bw4t_bridge.player_commands import PlayerCommands
from bw4t_bridge.player_topics import EPartnerTopics, PlayerTopics, RobotTopics
from bw4t_bridge.trips import Trips
from bw4t_world import Profile, Snapshot, WorldError
from bw4t_world.profiles import Delivery


@dataclass
class _Interface:
    is_robot: bool
    topics: PlayerTopics
    commands: PlayerCommands


class Interfaces:
    """Makes and takes away the interfaces of players, on the executor.

    Make it before the host is started.
    """

    def __init__(
        self, node: Node, host: WorldHost, trips: Trips, settings: Parameters, profile: Profile
    ) -> None:
        self._node = node
        self._host = host
        self._trips = trips
        self._settings = settings
        self._profile = profile
        self._encode = PerceptEncoder()
        self._interfaces: dict[str, _Interface] = {}
        self._open_topics: tuple[PlayerTopics, ...] = ()
        host.on_cycle(self._publish_beliefs)

    def follow_roster(self) -> None:
        """Have an interface for everybody who is there, and for nobody else."""
        snapshot = self._host.snapshot
        present = {robot.name: True for robot in snapshot.robots}
        present.update((epartner.name, False) for epartner in snapshot.epartners)
        for name, interface in list(self._interfaces.items()):
            if present.get(name) is not interface.is_robot:
                self._close(name)
        for name, is_robot in present.items():
            if name not in self._interfaces:
                self._open(name, is_robot=is_robot)

    def destroy(self) -> None:
        """Take all interfaces away."""
        for name in list(self._interfaces):
            self._close(name)

    def _publish_beliefs(self, snapshot: Snapshot, stamp: int) -> None:
        """Do so for all players. Called on the host's thread."""
        for topics in self._open_topics:
            topics.publish_beliefs()

    def _open(self, name: str, *, is_robot: bool) -> None:
        make = RobotTopics if is_robot else EPartnerTopics
        topics = make(
            self._node,
            self._host,
            self._settings,
            name,
            self._profile.message_phrasing,
            self._encode,
            repeats=self._profile.percept_delivery is Delivery.EIS_0_5,
        )
        commands = PlayerCommands(
            self._node,
            self._host,
            self._trips,
            name,
            self._profile.message_phrasing,
            is_robot=is_robot,
            pick_up_by_id=self._profile.pick_up_by_id,
        )
        self._interfaces[name] = _Interface(is_robot, topics, commands)
        self._open_topics = (*self._open_topics, topics)
        try:
            topics.open()
        except WorldError:  # it has left again; the next look at the roster will tell
            self._close(name)

    def _close(self, name: str) -> None:
        interface = self._interfaces.pop(name)
        self._open_topics = tuple(t for t in self._open_topics if t is not interface.topics)
        interface.topics.close()
        interface.commands.destroy()
