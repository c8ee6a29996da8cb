# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""One interface for each player, as long as it is in the world."""

from __future__ import annotations

from dataclasses import dataclass

from rclpy.exceptions import InvalidTopicNameException
from rclpy.validate_full_topic_name import validate_full_topic_name
from std_msgs.msg import Header

from bw4t_bridge.bridge import conversions
from bw4t_bridge.bridge.parameters import Parameters
from bw4t_bridge.bridge.player_commands import PlayerCommands
from bw4t_bridge.bridge.player_topics import EPartnerTopics, PlayerTopics, RobotTopics
from bw4t_bridge.bridge.publishing import RateLimit
from bw4t_bridge.bridge.serialized_percepts import PerceptParts
from bw4t_runner.events import Cycle, RunnerEvent
from bw4t_runner.trips import Trips
from bw4t_runner.world_runner import WorldRunner
from bw4t_world import Profile, Snapshot, WorldError
from bw4t_world.maps import MapSpec
from bw4t_world.model.choices import Delivery
from legacy_robots_common.bridge.bridge_node import BridgeNode
from legacy_robots_common.drawing.menus import MenuServer, handle
from legacy_robots_common.goals.drive import LONGEST_NAME
from legacy_robots_common.node.names import to_ros_name

HANDLE_WIDTH = 1.7
"""Of what is clicked for a robot's menu, in sizes of the robot."""
HANDLE_HEIGHT_M = 0.7


@dataclass
class _Interface:
    is_robot: bool
    topics: PlayerTopics
    commands: PlayerCommands


class Interfaces:
    """Makes and takes away the interfaces of players, on the executor."""

    def __init__(
        self,
        node: BridgeNode,
        runner: WorldRunner,
        trips: Trips,
        settings: Parameters,
        drawing: RateLimit,
        profile: Profile,
    ) -> None:
        self._node = node
        self._runner = runner
        self._trips = trips
        self._settings = settings
        self._profile = profile
        self._parts = PerceptParts()
        self._interfaces: dict[str, _Interface] = {}
        self._retiring: set[str] = set()
        """Players that have left, whose goals' results are still being delivered."""
        self._refused: set[str] = set()
        """Players that can have no interface."""
        self._open_topics: tuple[PlayerTopics, ...] = ()
        self._menus = MenuServer(node)
        self._with_menu: set[str] = set()
        self._menu_map: MapSpec | None = None
        """The map whose places are in the menus."""
        self._move_limit = drawing

    def on_event(self, event: object) -> None:
        """Take an event of the runner, on its thread."""
        if isinstance(event, Cycle):
            for topics in self._open_topics:
                topics.publish_beliefs()
            if self._move_limit.is_due_at(event.stamp):
                places = {r.name: conversions.point(r.x, r.y) for r in event.snapshot.robots}
                self._menus.move(self._header(event.stamp), places)
        elif event in (RunnerEvent.ROSTER, RunnerEvent.RUN):
            self._node.call_soon(self.sync)

    def sync(self) -> None:
        """Have an interface for every player that is in the world, and for no other."""
        snapshot = self._runner.snapshot
        present = {robot.name: True for robot in snapshot.robots}
        present.update((epartner.name, False) for epartner in snapshot.epartners)
        for name, interface in list(self._interfaces.items()):
            if present.get(name) is not interface.is_robot or interface.topics.is_over:
                self._close(name)
        if self._retiring:
            return  # results go first; this is called again when they are delivered
        for name, is_robot in present.items():
            if name not in self._interfaces and name not in self._refused:
                self._open(name, is_robot=is_robot)
        self._put_menus(snapshot)

    def _put_menus(self, snapshot: Snapshot) -> None:
        """Show a menu on each robot that has an interface; its places change with the map."""
        if self._menu_map is not snapshot.map:
            self._menu_map = snapshot.map
            self._with_menu.clear()
        header = self._header(self._runner.stamp)
        for robot in snapshot.robots:
            interface = self._interfaces.get(robot.name)
            if interface is not None and robot.name not in self._with_menu:
                self._with_menu.add(robot.name)
                shape = handle(HANDLE_WIDTH * robot.size, HANDLE_HEIGHT_M)
                place = conversions.point(robot.x, robot.y)
                self._menus.put(robot.name, header, place, shape, interface.commands.menu())

    def _header(self, stamp: int) -> Header:
        frame = self._settings.frame_prefix + self._settings.map_frame
        return Header(stamp=conversions.stamp(stamp), frame_id=frame)

    def _open(self, name: str, *, is_robot: bool) -> None:
        longest = f"{self._node.get_namespace()}/{to_ros_name(name)}/{LONGEST_NAME}"
        try:
            validate_full_topic_name(longest)
        except InvalidTopicNameException as error:
            self._refused.add(name)
            self._node.on_problem("players without an interface", f"{name}: {error}")
            return
        make = RobotTopics if is_robot else EPartnerTopics
        topics = make(
            self._node,
            self._runner,
            self._settings,
            name,
            self._profile.message_phrasing,
            self._parts,
            repeats=self._profile.percept_delivery is Delivery.EIS_0_5,
        )
        commands = PlayerCommands(
            self._node,
            self._runner,
            self._trips,
            name,
            self._profile.message_phrasing,
            is_robot=is_robot,
            pick_up_by_id=self._profile.pick_up_by_id,
            map_frame=self._settings.frame_prefix + self._settings.map_frame,
            on_order=topics.count_as_driven,
        )
        self._interfaces[name] = _Interface(is_robot, topics, commands)
        self._open_topics = (*self._open_topics, topics)
        try:
            topics.open()
        except (WorldError, TimeoutError):  # it has left again; or the world stands: try again
            self._close(name)

    def _close(self, name: str) -> None:
        interface = self._interfaces.pop(name)
        self._open_topics = tuple(t for t in self._open_topics if t is not interface.topics)
        self._retiring.add(name)
        self._with_menu.discard(name)
        self._menus.remove(name)

        def on_retired() -> None:
            self._retiring.discard(name)
            self._node.call_soon(self.sync)

        interface.commands.retire(f"{name} was taken out of the world", on_retired)
        interface.topics.close()
