# SPDX-License-Identifier: Apache-2.0
"""The bridge node: one Luar robot's shared memory as topics and services."""

from __future__ import annotations

import dataclasses
import gc
import sys
from pathlib import Path
from typing import Any

from legacy_robots_common.bridge.bridge_node import BridgeNode
from legacy_robots_common.goals.trajectory_server import DefaultTolerances
from legacy_robots_common.node.main import run
from legacy_robots_common.node.parameters import ParameterError, declare_parameters
from luar_bridge.bridge.image_topics import ImageTopics
from luar_bridge.bridge.joints.body_outputs import HardnessService, LedTopics
from luar_bridge.bridge.joints.joint_commands import JointCommands
from luar_bridge.bridge.link import MemoryLink
from luar_bridge.bridge.mirror import SegmentMirror, VariableServices
from luar_bridge.bridge.parameters import Parameters
from luar_bridge.bridge.referee.fresh_memory import FreshMemory
from luar_bridge.bridge.referee.referee_topic import RefereeSettings, RefereeTopic
from luar_bridge.bridge.team_messages import TeamMessages
from luar_bridge.bridge.typed_view import TypedView
from luar_bridge.bridge.walk.walk_commands import WalkCommands
from luar_bridge.model.snapshots import Memory
from luar_bridge.protocol import layout_table, naming
from luar_bridge.protocol.events import (
    CognitionRuns,
    CycleCompleted,
    Demand,
    Event,
    ImageReceived,
    SegmentChanged,
    SegmentGone,
)
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
        p = declare_parameters(self, Parameters)
        identity, table, writable = _parse(p)
        directory = Path(p.memory_directory)
        self._snapshots: dict[str, Snapshot] = {}
        self._view = TypedView(self, Memory(table, self._snapshots), p, table)
        self._cameras = table.images
        self._images = {prefix: ImageTopics(self, prefix, p) for prefix in table.images}
        self._mirror = SegmentMirror(self, identity, table, p.mirror_rate, p.mirror_length)
        self._variables = VariableServices(self, identity, table, directory, writable)
        self._joints: JointCommands | None = None
        if p.joint_commands:
            if not p.joints:
                raise ParameterError("parameter 'joint_commands' needs 'joints'")
            defaults = DefaultTolerances(
                p.joint_path_tolerance, p.joint_goal_tolerance, p.joint_goal_time_tolerance
            )
            self._joints = JointCommands(
                self, identity, directory, writable, defaults, p.stale_after
            )
            HardnessService(self, self._joints, writable)
            LedTopics(self, directory / identity.file_name("dcmActuator"), writable)
        memory = FreshMemory(identity, directory, table)
        self._walk: WalkCommands | None = None
        if p.walk_commands:
            self._walk = WalkCommands(
                self,
                identity,
                memory,
                directory,
                writable,
                p.velocity_limits,
                stale_after=p.stale_after,
                is_stamped=p.enable_stamped_cmd_vel,
            )
        self._referee: RefereeTopic | None = None
        if p.game_controller:
            settings = RefereeSettings(
                p.game_controller,
                p.game_controller_senders,
                p.game_controller_return,
                p.game_controller_relay,
            )
            self._referee = RefereeTopic(self, identity, memory, directory, writable, settings)
        self._team: TeamMessages | None = None
        if p.team_messages:
            self._team = TeamMessages(
                self, identity, memory, p.map_frame, p.team_messages, p.team_messages_to
            )
        self._memory_link = MemoryLink(
            identity,
            table,
            self,
            directory=directory,
            scan_rate=p.scan_rate,
            stale_after=p.stale_after,
        )
        self.use_link(self._memory_link)
        gc.freeze()  # what is there now stays: looking through it again and again takes time

    def close(self) -> None:
        """Release the link, the joints, and the ports of referee and team."""
        super().close()
        for part in (self._joints, self._referee, self._team):
            if part is not None:
                part.close()

    # --- on the link's thread --------------------------------------------------------------

    def demand(self) -> Demand:
        """Return the segments whose topics have subscribers."""
        images = {self._cameras[prefix] for prefix, t in self._images.items() if t.wanted}
        at_once = self._mirror.subscribed().union(images)
        return self._view.demand() | Demand(at_once)

    def on_event(self, event: Event) -> None:
        """Publish what an event of the link says."""
        if isinstance(event, SegmentChanged):
            self._snapshots[event.segment] = event.snapshot
            self._mirror.on_change(event)
            if event.stamp and self._memory_link.running:
                self._view.on_change(event.segment, event.stamp)
        elif isinstance(event, CycleCompleted):
            self.counters.add("cognition cycles")
            self._view.on_cycle(event.stamp)
        elif isinstance(event, ImageReceived):
            self.counters.add("images")
            self._images[event.camera].publish(event.frame, event.stamp)
        elif isinstance(event, SegmentGone):
            self._snapshots.pop(event.segment, None)
            self._mirror.on_gone(event.segment, self.get_clock().now().nanoseconds * 1e-9)
            self.get_logger().info(f"segment {event.segment} is gone")
        elif isinstance(event, CognitionRuns):
            self._view.on_cognition(runs=event.runs)
        else:
            self._mirror.publish_due()

    # --- on the executor -------------------------------------------------------------------

    def make_safe(self, reason: str) -> None:
        """Have a robot that walks by ROS stand."""
        if self._walk is not None:
            self._walk.stop()

    def diagnostics(self) -> dict[str, str]:
        """Return the state of every heartbeat and segment."""
        return self._memory_link.details()


def _parse(p: Parameters) -> tuple[RobotIdentity, LayoutTable, AllowList]:
    """Return the robot, its layout and what may be written. Raises ParameterError."""
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
    try:
        writable = AllowList(pattern for pattern in p.writable if pattern)
    except ValueError as error:
        raise ParameterError(f"parameter 'writable': {error}") from error
    return identity, table, writable


def main() -> None:
    """Run the bridge as a program."""
    sys.exit(run(LuarBridge, Parameters))


if __name__ == "__main__":
    main()
