# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The bridge node: one Luar robot's shared memory as topics and services."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from legacy_robots_common.bridge.bridge_node import BridgeNode
from legacy_robots_common.node.main import run
from legacy_robots_common.node.parameters import ParameterError, declare_parameters
from legacy_robots_common.node.parts import NodePart, load_part
from luar_bridge.bridge.fresh_memory import FreshMemory
from luar_bridge.bridge.image_topics import ImageTopics
from luar_bridge.bridge.link import MemoryLink
from luar_bridge.bridge.mirror import SegmentMirror, VariableServices
from luar_bridge.bridge.parameters import Parameters
from luar_bridge.bridge.part_context import PARTS, PartContext
from luar_bridge.bridge.typed_view import TypedView
from luar_bridge.model.snapshots import Memory
from luar_bridge.protocol import events, layout_table, naming, ros_camera
from luar_bridge.protocol.layout_table import LayoutTable, TableError
from luar_bridge.protocol.naming import RobotIdentity
from luar_bridge.protocol.segment import Snapshot
from luar_bridge.protocol.writer import AllowList


class LuarBridge(BridgeNode):
    """Bridge to the shared memory of one Luar robot.

    Events are published on the link's thread as they come; the services run on the executor and
    open segments for themselves. Raises ParameterError.
    """

    def __init__(self, **node_arguments: Any) -> None:
        super().__init__(hardware_id="Luar", namespace="luar", **node_arguments)
        # Those that may change are read where they are used.
        p = declare_parameters(self, Parameters, lambda _: None)
        identity, table, writable = _parse(p)
        creatable = _patterns(p.creatable, "creatable")
        directory = Path(p.memory_directory)
        self._snapshots: dict[str, Snapshot] = {}
        self._view = TypedView(self, Memory(table, self._snapshots), p, table)
        self._cameras = table.images
        self._images = {prefix: ImageTopics(self, prefix, p) for prefix in table.images}
        self._mirror = SegmentMirror(self, identity, table, p.mirror_rate, p.mirror_length)
        self._variables = VariableServices(self, identity, table, directory, writable, creatable)
        memory = FreshMemory(identity, directory, table)
        context = PartContext(self, p, identity, directory, memory, writable, table)
        wanted = {
            "joints": p.joint_commands,
            "walk": p.walk_commands,
            "referee": p.game_controller,
            "team": p.team_messages,
            "camera": all(
                writable.allows(ros_camera.SEGMENT, n) for n in ros_camera.WRITTEN_BY_ROS
            ),
            "behaviour": p.behaviour_rate,
            "sensors": True,
            "typed": any(v.typed for s in table.segments.values() for v in s.values()),
        }
        self._parts: list[NodePart] = [
            load_part(PARTS, name)(context) for name, is_on in wanted.items() if is_on
        ]
        self._memory_link = MemoryLink(
            identity,
            table,
            self,
            directory=directory,
            scan_rate=p.scan_rate,
            stale_after=p.stale_after,
        )
        self.use_link(self._memory_link, p.first_connection_timeout)

    @classmethod
    def largest_message(cls, arguments: Sequence[str]) -> int:
        """Return the size (bytes) of the largest image of a Nao's camera."""
        return 3 * 640 * 480

    def close(self) -> None:
        """Release the link, and what the parts hold: segments and ports."""
        super().close()
        for part in self._parts:
            part.close()

    # --- on the link's thread --------------------------------------------------------------

    def demand(self) -> events.Demand:
        """Return the segments whose topics have subscribers."""
        images = {self._cameras[prefix] for prefix, t in self._images.items() if t.wanted}
        at_once = self._mirror.subscribed().union(images)
        return self._view.demand() | events.Demand(at_once)

    def on_event(self, event: events.Event) -> None:
        """Publish what an event of the link says."""
        if isinstance(event, events.SegmentChanged):
            self._snapshots[event.segment] = event.snapshot
            self._mirror.on_change(event)
            if event.stamp and self._memory_link.running:
                self._view.on_change(event.segment, event.stamp)
        elif isinstance(event, events.CycleCompleted):
            self.counters.add("cognition cycles")
            self._view.on_cycle(event.stamp)
        elif isinstance(event, events.ImageReceived):
            self.counters.add("images")
            self._images[event.camera].publish(event.frame, event.stamp)
        elif isinstance(event, events.SegmentGone):
            self._snapshots.pop(event.segment, None)
            self._mirror.on_gone(event.segment, self.get_clock().now().nanoseconds * 1e-9)
            self.get_logger().info(f"segment {event.segment} is gone")
        elif isinstance(event, events.CognitionRuns):
            self._view.on_cognition(runs=event.runs)
        else:
            self._mirror.publish_due()

    # --- on the executor -------------------------------------------------------------------

    def make_safe(self, reason: str) -> None:
        """Have a robot that walks by ROS stand."""
        for part in self._parts:
            part.make_safe(reason)

    def diagnostics(self) -> dict[str, str]:
        """Return the state of every heartbeat and segment, and what the parts have."""
        details = dict(self._memory_link.details())
        for part in self._parts:
            details |= part.diagnostics()
        return details


def _parse(p: Parameters) -> tuple[RobotIdentity, LayoutTable, AllowList]:
    """Return the robot, its layout and what may be written. Raises ParameterError."""
    for given, name, needed in (
        (p.game_controller_return, "game_controller_return", "game_controller"),
        (p.game_controller_relay != "none", "game_controller_relay", "game_controller"),
        (p.team_messages_to, "team_messages_to", "team_messages"),
    ):
        if given and not getattr(p, needed):
            raise ParameterError(f"parameter '{name}' needs '{needed}', which is empty")
    try:
        identity = RobotIdentity(p.team, p.player, p.user, p.personal_names)
    except ValueError as error:
        raise ParameterError(f"parameter 'user': {error}") from error
    try:
        table = layout_table.load_all([name for name in p.tables if name])
    except TableError as error:
        raise ParameterError(f"parameter 'tables': {error}") from error
    if not p.joints:
        kept = {s: v for s, v in table.segments.items() if s not in naming.UNSUFFIXED}
        heartbeats = {
            process: tuple(pair for pair in pairs if pair[0] not in naming.UNSUFFIXED)
            for process, pairs in table.heartbeats.items()
        }
        table = dataclasses.replace(table, segments=kept, heartbeats=heartbeats)
    return identity, table, _patterns(p.writable, "writable")


def _patterns(patterns: list[str], parameter: str) -> AllowList:
    """Return an allow-list. Raises ParameterError."""
    try:
        return AllowList(pattern for pattern in patterns if pattern)
    except ValueError as error:
        raise ParameterError(f"parameter '{parameter}': {error}") from error


def main() -> None:
    """Run the bridge as a program."""
    sys.exit(run(LuarBridge, Parameters))


if __name__ == "__main__":
    main()
