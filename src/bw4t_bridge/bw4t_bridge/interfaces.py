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
from bw4t_world import Profile, WorldError
from bw4t_world.profiles import Delivery


@dataclass
class _Interface:
    is_robot: bool
    topics: PlayerTopics
    commands: PlayerCommands


class Interfaces:
    """Makes and takes away the interfaces of players. Everything here runs on the executor."""

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

    def follow_roster(self) -> None:
        """Have an interface for everybody who is there, and for nobody else."""
        snapshot = self._host.snapshot
        present = {robot.name: True for robot in snapshot.robots}
        present.update((epartner.name, False) for epartner in snapshot.epartners)
        for name, interface in list(self._interfaces.items()):
            if present.get(name) is not interface.is_robot:
                del self._interfaces[name]
                self._close(interface)
        for name, is_robot in present.items():
            if name not in self._interfaces:
                self._open(name, is_robot=is_robot)

    def destroy(self) -> None:
        """Take all interfaces away."""
        for interface in self._interfaces.values():
            self._close(interface)
        self._interfaces.clear()

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
        interface = self._interfaces[name] = _Interface(is_robot, topics, commands)
        try:
            topics.open()
        except WorldError:  # it has left again; the next look at the roster will tell
            del self._interfaces[name]
            self._close(interface)

    @staticmethod
    def _close(interface: _Interface) -> None:
        interface.topics.close()
        interface.commands.destroy()
