# SPDX-License-Identifier: Apache-2.0
"""The topics on which the robot's events are published, and what is known of the robot."""

from __future__ import annotations

from legacy_robots_msgs.msg import (
    NaoAgentId,
    NaoDropped,
    NaoHeldObject,
    NaoLocation,
    NaoObjectSighting,
    NaoRoomMap,
    NaoSighting,
    NaoState,
)
from nav_msgs.msg import OccupancyGrid
from std_msgs.msg import Header
from visualization_msgs.msg import MarkerArray

from legacy_robots_common import qos
from legacy_robots_common.drawings import FixedDrawing
from legacy_robots_common.program_node import ProgramNode
from legacy_robots_common.transforms import TransformBroadcaster
from nao_goal_bridge import conversions, markers
from nao_goal_bridge.protocol import (
    Agent,
    Dropped,
    Holding,
    Location,
    Report,
    See,
    SeeObject,
    State,
)
from nao_goal_bridge.room_map import RoomMap

MARKER_PERIOD_S = 0.2
"""Seconds between two drawings of what is seen; places and states are drawn at once."""


class RobotTopics:
    """Publishes what the robot tells, and keeps the latest of it.

    Everything is called on the link's thread, except ``redraw`` and ``show_goal``.
    """

    def __init__(
        self, node: ProgramNode, room_map: RoomMap, map_frame: str, frame_prefix: str = ""
    ) -> None:
        self._node = node
        self._room_map = room_map
        self._frame_id = frame_prefix + map_frame
        header = self._header()
        self.agent = NaoAgentId(header=header)
        self.location = NaoLocation(header=header)
        self.held = NaoHeldObject(header=header)
        self.state = NaoState(header=header)
        self._sightings: dict[int, tuple[float, NaoSighting]] = {}
        self._goal: tuple[int, int] | None = None
        self._drawn = 0.0
        self._stale_drawing = False
        self._agent_id = qos.publisher(node, NaoAgentId, "agent_id", qos.LATCHED)
        self._location = qos.publisher(node, NaoLocation, "location", qos.LATCHED)
        self._held_object = qos.publisher(node, NaoHeldObject, "held_object", qos.LATCHED)
        self._state = qos.publisher(node, NaoState, "state", qos.LATCHED)
        self._sighting = qos.publisher(node, NaoSighting, "sightings", qos.stream(50))
        self._objects = qos.publisher(node, NaoObjectSighting, "object_sightings", qos.stream(50))
        self._dropped = qos.publisher(node, NaoDropped, "dropped", qos.stream())
        self._rooms = qos.publisher(node, NaoRoomMap, "rooms", qos.LATCHED)
        self._markers = qos.publisher(node, MarkerArray, "markers", qos.LATCHED)
        self._rooms.publish(conversions.rooms(room_map, header))
        drawn = markers.room_map_markers(room_map, header)
        self._room_markers = FixedDrawing(node, "room_map", drawn)
        self._map = qos.publisher(node, OccupancyGrid, "map", qos.LATCHED)
        self._map.publish(markers.occupancy(room_map, header))
        # Fixed frames hold at all times; stamp 0 says so.
        fixed = Header(frame_id=self._frame_id)
        frames = markers.room_frames(room_map, fixed, frame_prefix)
        self._frames = TransformBroadcaster(node)
        self._frames.send_static(frames)
        self._publish_all()

    def apply(self, report: Report) -> NaoSighting | None:
        """Publish what ``report`` tells; return it when it is a sighting."""
        header = self._header()
        if isinstance(report, See):
            seen = conversions.sighting(report, header)
            self._sighting.publish(seen)
            self._sightings[seen.marker_id] = (self._node.now(), seen)
            self._stale_drawing = True
            if self._node.now() - self._drawn >= MARKER_PERIOD_S:
                self._draw()
            return seen
        if isinstance(report, SeeObject):
            self._objects.publish(conversions.object_sighting(report, header))
            return None
        if isinstance(report, State):
            self.state = conversions.state(report, header)
            self._state.publish(self.state)
        elif isinstance(report, Location):
            self.location = conversions.location(report, header)
            self._location.publish(self.location)
        elif isinstance(report, Holding):
            self.held = conversions.held_object(report, header)
            self._held_object.publish(self.held)
        elif isinstance(report, Dropped):
            self._dropped.publish(conversions.dropped(report, header, self.held))
            self.held = conversions.held_object(report, header)
            self._held_object.publish(self.held)
        elif isinstance(report, Agent):
            self.agent = conversions.agent_id(report, header)
            self._agent_id.publish(self.agent)
        else:
            return None
        self._draw()
        return None

    def connected(self) -> None:
        """Begin afresh: a robot that greets without Holding carries nothing.

        Source: docs/originals/nao.md.
        """
        self.held = conversions.held_object(None, self._header())
        self._held_object.publish(self.held)

    def invalidate(self) -> None:
        """Say that what was known is not fresh any more; the stamps stay those of the events."""
        for known in (self.agent, self.location, self.held, self.state):
            known.valid = False
        self._sightings.clear()
        self._publish_all()

    def show_goal(self, goal: tuple[int, int] | None) -> None:
        """Draw the way to a marker, up to some rooms before it; None: no way. Any thread."""
        self._goal = goal
        self._draw()

    def redraw(self) -> None:
        """Draw what was held back since the last drawing. Called now and then."""
        if self._stale_drawing:
            self._draw()

    def _publish_all(self) -> None:
        self._agent_id.publish(self.agent)
        self._location.publish(self.location)
        self._held_object.publish(self.held)
        self._state.publish(self.state)
        self._draw()

    def _draw(self) -> None:
        now = self._node.now()
        recent = {
            marker_id: seen
            for marker_id, (when, seen) in list(self._sightings.items())
            if now - when <= markers.SIGHTING_LIFETIME_S
        }
        self._drawn = now
        self._stale_drawing = False
        self._markers.publish(
            markers.situation_markers(
                self._room_map, self.location, self.state, self.held, recent, self._goal
            )
        )

    def _header(self) -> Header:
        return Header(stamp=self._node.stamp(), frame_id=self._frame_id)
