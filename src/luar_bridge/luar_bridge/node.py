# SPDX-License-Identifier: Apache-2.0
"""The bridge node: one Luar robot's shared memory as topics and services."""

from __future__ import annotations

import dataclasses
import sys
import time
from pathlib import Path
from typing import Any

from legacy_robots_common.diagnostics import Counters, DiagnosticsReporter
from legacy_robots_common.link_reporter import LinkReporter
from legacy_robots_common.main import BridgeNode, run
from legacy_robots_common.parameters import ParameterError, declare_parameters
from luar_bridge import layout_table, naming
from luar_bridge.bridge_parameters import Parameters
from luar_bridge.frames import Frame, Refusal
from luar_bridge.image_topics import ImageTopics
from luar_bridge.layout_table import LayoutTable, TableError
from luar_bridge.link import MemoryLink
from luar_bridge.listener import Interest, Listener
from luar_bridge.memory import Memory
from luar_bridge.mirror import SegmentMirror, VariableServices
from luar_bridge.naming import RobotIdentity
from luar_bridge.segment import Snapshot
from luar_bridge.typed_view import TypedView
from luar_bridge.writer import AllowList


class LuarBridge(BridgeNode, Listener):
    """Topics and services of one robot.

    What the link tells is published on the link's thread as it comes; the services run on the
    executor and open segments for themselves. Raises ParameterError.
    """

    def __init__(self, **node_arguments: Any) -> None:
        super().__init__("bridge", namespace="luar", **node_arguments)
        p = declare_parameters(self, Parameters)
        identity, table, writable = _understood(p)
        directory = Path(p.memory_directory)
        self._counters = Counters()
        self._reporter = LinkReporter(self)
        self._snapshots: dict[str, Snapshot] = {}
        self._view = TypedView(self, Memory(table, self._snapshots), p)
        self._cameras = table.images
        self._images = {prefix: ImageTopics(self, prefix, p) for prefix in table.images}
        self._mirror = SegmentMirror(
            self, identity, table, rate=p.mirror_rate, longest=p.mirror_length
        )
        self._variables = VariableServices(
            self, identity, table, directory, writable, self._on_write
        )
        self._link = MemoryLink(
            identity,
            table,
            self,
            self._reporter.report,
            directory=directory,
            scan_rate=p.scan_rate,
            stale_after=p.stale_after,
        )
        self._diagnostics = DiagnosticsReporter(
            self,
            "Luar",
            lambda: self._link.status,
            self._counters,
            warn_on={
                **{f"images left out: {r.value}": f"images left out ({r.value})" for r in Refusal},
                "unreadable segments": "segments that could not be read",
            },
            extra=self._details,
        )
        self._link.start()

    def close(self) -> None:
        """End the link. Idempotent."""
        self._link.close()

    # --- on the link's thread --------------------------------------------------------------

    def interest(self) -> Interest:
        """Return what the topics need that somebody listens to."""
        images = {self._cameras[prefix] for prefix, t in self._images.items() if t.wanted}
        at_once = self._mirror.subscribed().union(images)
        return self._view.interest() | Interest(at_once)

    def on_change(self, segment: str, snapshot: Snapshot, stamp: float) -> None:
        """Mirror the segment; publish what it tells while the robot runs."""
        self._snapshots[segment] = snapshot
        opened = self._link.segments.get(segment)
        self._mirror.changed(segment, snapshot, opened.inode if opened else 0, stamp)
        if stamp and self._link.running:
            self._view.segment_changed(segment, stamp)

    def on_gone(self, segment: str) -> None:
        """Forget the segment."""
        self._snapshots.pop(segment, None)
        self._mirror.gone(segment, time.time())
        self.get_logger().info(f"segment {segment} is gone")

    def on_alive(self) -> None:
        """Publish what a running robot believes of its game."""
        self._view.alive()

    def on_stale(self) -> None:
        """Say that this does not hold any more."""
        self._view.stale()

    def on_frame(self, camera: str, frame: Frame, stamp: float) -> None:
        """Publish an image."""
        self._counters.add("images")
        self._images[camera].publish(frame, stamp)

    def on_refusal(self, camera: str, refusal: Refusal) -> None:
        """Count an image that was left out."""
        self._counters.add(f"images left out: {refusal.value}")

    def on_cycle(self, stamp: float) -> None:
        """Publish what cognition sees and believes."""
        self._counters.add("cognition cycles")
        self._view.cycle(stamp)

    def on_look_around(self) -> None:
        """Publish what the mirror has held back."""
        self._mirror.publish_rest()

    def on_problem(self, segment: str, text: str) -> None:
        """Say what is wrong with a segment."""
        self._counters.add("unreadable segments")
        self.get_logger().warning(f"{segment}: {text}" if segment else text)

    # --- on the executor -------------------------------------------------------------------

    def _on_write(self, name: str) -> None:
        self._counters.add("writes")
        self.get_logger().debug(f"{name} written")

    def _details(self) -> dict[str, str]:
        now = time.time()
        details = {}
        for name, (value, period, age) in self._link.beats().items():
            rate = f", {1.0 / period:.0f} Hz" if period else ""
            seen = "never counted" if age is None else f"counted {age:.1f} s ago"
            details[f"heartbeat {name}"] = f"{value}{rate}, {seen}"
        for name, segment in list(self._link.segments.items()):
            since = self._link.changed_at(name)
            age_text = f"changed {now - since:.1f} s ago" if since else "not seen to change"
            abi = segment.snapshot.directory.abi
            details[f"segment {name}"] = (
                f"{age_text}, {len(segment.snapshot.directory.variables)} variables, "
                f"inode {segment.inode}, ABI {int(abi) if abi else 'unknown'}"
            )
        for name, text in self._link.problems.items():
            details[f"segment {name}"] = text
        return details


def _understood(p: Parameters) -> tuple[RobotIdentity, LayoutTable, AllowList]:
    """Return what the parameters mean. Raises ParameterError."""
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
        beats = {
            process: tuple(pair for pair in pairs if pair[0] not in naming.UNSUFFIXED)
            for process, pairs in table.heartbeats.items()
        }
        table = dataclasses.replace(table, segments=kept, heartbeats=beats)
    try:
        writable = AllowList(pattern for pattern in p.writable if pattern)
    except ValueError as error:
        raise ParameterError(f"parameter 'writable': {error}") from error
    return identity, table, writable


def main() -> None:
    """Run the bridge as a program."""
    sys.exit(run(LuarBridge))


if __name__ == "__main__":
    main()
