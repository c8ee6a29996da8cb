# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Interactive markers, each with a menu: what a click on a robot in rviz can order.

The protocol is that of rviz's display InteractiveMarkers: the service ``get_interactive_markers``
gives all markers, ``update`` their changes in an unbroken sequence, ``feedback`` what was clicked.
The package interactive_markers is not used: it is not on PyPI, and menus are a small part of it.
"""

from __future__ import annotations

import threading
import traceback
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from geometry_msgs.msg import Point, Vector3
from std_msgs.msg import Header
from visualization_msgs.msg import (
    InteractiveMarker,
    InteractiveMarkerControl,
    InteractiveMarkerFeedback,
    InteractiveMarkerPose,
    InteractiveMarkerUpdate,
    Marker,
    MenuEntry,
)
from visualization_msgs.srv import GetInteractiveMarkers

from legacy_robots_common.bridge.bridge_node import BridgeNode
from legacy_robots_common.drawing.markers import new_marker, paint
from legacy_robots_common.node import qos

UPDATE_DEPTH = 100
"""Updates that are kept for a client; one that misses any asks for all markers again."""
HANDLE_ALPHA = 0.25


@dataclass(frozen=True)
class MenuItem:
    """An entry of a menu: either ``items`` below it, or what it orders.

    ``carry_out`` is a coroutine function for the executor; it returns its outcome as text.
    """

    title: str
    carry_out: Callable[[], Coroutine[Any, Any, str]] | None = None
    items: Sequence[MenuItem] = ()


def handle(width: float, height: float) -> Marker:
    """Return what is to be clicked: a faint cylinder (m) that stands on the ground."""
    marker = new_marker(Header(), "", 0, Marker.CYLINDER, paint("robot", HANDLE_ALPHA))
    marker.pose.position = Point(z=height / 2.0)
    marker.scale = Vector3(x=width, y=width, z=height)
    return marker


class MenuServer:
    """Interactive markers of one node below the name ``topic``. Thread-safe."""

    def __init__(self, node: BridgeNode, topic: str = "menu") -> None:
        self._node = node
        self._topic = topic
        self._lock = threading.Lock()
        self._markers: dict[str, InteractiveMarker] = {}
        self._orders: dict[str, Mapping[int, MenuItem]] = {}
        self._sequence = 0
        self._updates = qos.publisher(
            node, InteractiveMarkerUpdate, f"{topic}/update", qos.stream(UPDATE_DEPTH)
        )
        qos.subscription(
            node, InteractiveMarkerFeedback, f"{topic}/feedback", self._feedback, qos.stream()
        )
        node.create_service(GetInteractiveMarkers, f"{topic}/get_interactive_markers", self._get)

    def put(
        self, name: str, header: Header, place: Point, shape: Marker, menu: Sequence[MenuItem]
    ) -> None:
        """Show a marker with a menu, in the place of an earlier one of that name.

        A ``header`` without a stamp follows its frame, but stays an error in rviz if the frame
        comes later than the marker; ``place`` in m.
        """
        control = InteractiveMarkerControl(
            name="menu", interaction_mode=InteractiveMarkerControl.MENU, markers=[shape]
        )
        control.orientation.w = 1.0
        marker = InteractiveMarker(header=header, name=name, scale=1.0, controls=[control])
        marker.pose.position = place
        marker.pose.orientation.w = 1.0
        orders: dict[int, MenuItem] = {}
        marker.menu_entries = list(_entries(menu, 0, orders))
        with self._lock:
            self._markers[name] = marker
            self._orders[name] = orders
            self._publish(InteractiveMarkerUpdate(markers=[marker]))

    def move(self, header: Header, places: Mapping[str, Point]) -> None:
        """Move those markers of ``places`` (m) that are shown and were elsewhere."""
        with self._lock:
            poses = []
            for name, place in places.items():
                marker = self._markers.get(name)
                if marker is not None and marker.pose.position != place:
                    marker.header = header
                    marker.pose.position = place
                    poses.append(InteractiveMarkerPose(header=header, pose=marker.pose, name=name))
            if poses:
                self._publish(InteractiveMarkerUpdate(poses=poses))

    def remove(self, name: str) -> None:
        """Take a marker away, if it is there."""
        with self._lock:
            if self._markers.pop(name, None) is not None:
                del self._orders[name]
                self._publish(InteractiveMarkerUpdate(erases=[name]))

    def _publish(self, update: InteractiveMarkerUpdate) -> None:
        # A client that comes later learns the number and the markers from the service.
        self._sequence += 1
        update.type = InteractiveMarkerUpdate.UPDATE
        update.seq_num = self._sequence
        self._updates.publish(update)

    def _get(
        self, request: GetInteractiveMarkers.Request, response: GetInteractiveMarkers.Response
    ) -> GetInteractiveMarkers.Response:
        with self._lock:
            response.sequence_number = self._sequence
            response.markers = list(self._markers.values())
        return response

    def _feedback(self, feedback: InteractiveMarkerFeedback) -> None:
        if feedback.event_type != InteractiveMarkerFeedback.MENU_SELECT or self._node.stopping:
            return
        name, number = feedback.marker_name, feedback.menu_entry_id
        with self._lock:
            item = self._orders.get(name, {}).get(number)
        if item is None or item.carry_out is None:
            text = f"{self._topic}: {name!r} has no entry {number} that orders anything"
            self._node.on_problem("unknown menu entries", text)
        else:
            # Not awaited here: an order may take minutes and would delay all other callbacks.
            self._node.call_soon(self._carry_out, name, item.title, item.carry_out)

    async def _carry_out(
        self, name: str, title: str, order: Callable[[], Coroutine[Any, Any, str]]
    ) -> None:
        try:
            outcome = await order()
        except Exception:
            self._node.on_exception(self._topic, traceback.format_exc())
        else:
            self._node.get_logger().info(f"{name}: {title} by menu: {outcome}")


def _entries(
    items: Sequence[MenuItem], parent: int, orders: dict[int, MenuItem]
) -> Iterator[MenuEntry]:
    """Yield the entries of a menu, numbered from 1 on; put what they order into ``orders``."""
    for item in items:
        number = len(orders) + 1
        orders[number] = item
        yield MenuEntry(
            id=number, parent_id=parent, title=item.title, command_type=MenuEntry.FEEDBACK
        )
        yield from _entries(item.items, number, orders)
