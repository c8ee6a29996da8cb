# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A client of menus that speaks the protocol as rviz's display InteractiveMarkers does."""

from __future__ import annotations

import threading
from collections.abc import Callable

from visualization_msgs.msg import (
    InteractiveMarker,
    InteractiveMarkerFeedback,
    InteractiveMarkerUpdate,
)
from visualization_msgs.srv import GetInteractiveMarkers

from legacy_robots_common.node import qos
from legacy_robots_testing.recorder import TIMEOUT
from legacy_robots_testing.ros_peer import RosPeer


class MenuClient:
    """The markers of one server, kept up to date; raises AssertionError for a gap in updates."""

    def __init__(self, peer: RosPeer, topic: str = "menu") -> None:
        self._peer = peer
        self._changed = threading.Condition()
        self._early: list[InteractiveMarkerUpdate] = []
        self._sequence: int | None = None
        self._gap = ""
        self.markers: dict[str, InteractiveMarker] = {}
        self._feedback = peer.node.create_publisher(
            InteractiveMarkerFeedback, f"{topic}/feedback", 100
        )
        peer.subscribe_with(
            InteractiveMarkerUpdate, f"{topic}/update", self._on_update, qos.stream(100)
        )
        answer = peer.call(GetInteractiveMarkers, f"{topic}/get_interactive_markers")
        with self._changed:
            self._sequence = answer.sequence_number
            self.markers = {marker.name: marker for marker in answer.markers}
            for update in self._early:
                self._apply(update)

    def _on_update(self, update: InteractiveMarkerUpdate) -> None:
        with self._changed:
            if self._sequence is None:
                self._early.append(update)
            else:
                self._apply(update)
            self._changed.notify_all()

    def _apply(self, update: InteractiveMarkerUpdate) -> None:
        assert self._sequence is not None
        if update.seq_num <= self._sequence:
            return
        if update.seq_num != self._sequence + 1:
            self._gap = f"{update.seq_num} came after {self._sequence}"
        self._sequence = update.seq_num
        for marker in update.markers:
            self.markers[marker.name] = marker
        for moved in update.poses:
            self.markers[moved.name].header = moved.header
            self.markers[moved.name].pose = moved.pose
        for name in update.erases:
            del self.markers[name]

    def wait_for(self, condition: Callable[[dict[str, InteractiveMarker]], object]) -> None:
        """Wait until the markers by name fulfil ``condition``. Raises TimeoutError."""
        with self._changed:
            if not self._changed.wait_for(lambda: condition(self.markers), TIMEOUT):
                raise TimeoutError(f"not so with {sorted(self.markers)}")
            assert not self._gap, self._gap

    def titles(self, name: str, *above: str) -> list[str]:
        """Return the entries of a menu, or those below the entries ``above``."""
        parent = self._entry(name, *above) if above else 0
        return [e.title for e in self.markers[name].menu_entries if e.parent_id == parent]

    def select(self, name: str, *titles: str) -> None:
        """Click an entry, as rviz reports it."""
        self._send(name, InteractiveMarkerFeedback.MOUSE_DOWN, 0)
        self._send(name, InteractiveMarkerFeedback.MENU_SELECT, self._entry(name, *titles))

    def send(self, name: str, entry: int) -> None:
        """Report to the server that an entry was clicked, whether there is one or not."""
        self._send(name, InteractiveMarkerFeedback.MENU_SELECT, entry)

    def _send(self, name: str, event: int, entry: int) -> None:
        feedback = InteractiveMarkerFeedback(
            client_id="test", marker_name=name, control_name="menu", event_type=event
        )
        feedback.menu_entry_id = entry
        self._feedback.publish(feedback)

    def _entry(self, name: str, *titles: str) -> int:
        parent = 0
        for title in titles:
            entries = self.markers[name].menu_entries
            parent = next(e.id for e in entries if e.parent_id == parent and e.title == title)
        return int(parent)
