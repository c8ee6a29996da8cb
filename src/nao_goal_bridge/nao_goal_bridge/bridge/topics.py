# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The topics on which the robot's events are published, and what is known of the robot."""

from __future__ import annotations

import time

from nav_msgs.msg import OccupancyGrid
from std_msgs.msg import Header
from tf2_msgs.msg import TFMessage
from visualization_msgs.msg import MarkerArray

from legacy_robots_common.drawing.markers import FixedDrawing
from legacy_robots_common.node import qos
from legacy_robots_common.node.program_node import ProgramNode
from legacy_robots_msgs import msg
from nao_goal_bridge.bridge import conversions, markers
from nao_goal_bridge.model.room_map import RoomMap
from nao_goal_bridge.protocol import events

STEP_S = 0.5
"""Seconds between two steps of the drawn robot."""
DRAWINGS_A_SECOND, AT_ONCE = 20.0, 10.0
"""Of wall time, and how many may follow one another at once: one takes milliseconds."""
MARKER_PERIOD_S = 0.2
"""Seconds between two drawings of what is seen; places and states are drawn at once, but for a
flood of them."""


class RobotTopics:
    """Publishes what the robot reports, and keeps the latest values.

    Called on the link's thread, except ``redraw`` and ``show_goal``.
    """

    def __init__(
        self, node: ProgramNode, room_map: RoomMap, map_frame: str, frame_prefix: str = ""
    ) -> None:
        self._node = node
        self._room_map = room_map
        self._frame_id = frame_prefix + map_frame
        header = self._header()
        self.agent = msg.NaoAgentId(header=header)
        self.location = msg.NaoLocation(header=header, detail="no robot has reported its room")
        self.held = msg.NaoHeldObject(header=header)
        self.state = msg.NaoState(header=header)
        self._sightings: dict[int, tuple[float, msg.NaoSighting]] = {}
        self._goal: tuple[int, int] | None = None
        self._drawn = 0.0
        self._counted_at, self._allowed = 0.0, AT_ONCE
        self._stale_drawing = False
        self._agent_id = qos.publisher(node, msg.NaoAgentId, "agent_id", qos.LATCHED)
        self._location = qos.publisher(node, msg.NaoLocation, "location", qos.LATCHED)
        self._held_object = qos.publisher(node, msg.NaoHeldObject, "held_object", qos.LATCHED)
        self._state = qos.publisher(node, msg.NaoState, "state", qos.LATCHED)
        self._sighting = qos.publisher(node, msg.NaoSighting, "sightings", qos.stream(50))
        self._objects = qos.publisher(
            node, msg.NaoObjectSighting, "object_sightings", qos.stream(50)
        )
        self._dropped = qos.publisher(node, msg.NaoDropped, "dropped", qos.stream())
        self._rooms = qos.publisher(node, msg.NaoRoomMap, "rooms", qos.LATCHED)
        self._markers = qos.publisher(node, MarkerArray, "markers", qos.LATCHED)
        self._rooms.publish(conversions.rooms(room_map, header))
        drawn = markers.room_map_markers(room_map, header)
        self._room_markers = FixedDrawing(node, "room_map", drawn)
        self._map = qos.publisher(node, OccupancyGrid, "map", qos.LATCHED)
        self._map.publish(markers.occupancy(room_map, header))
        # Fixed frames hold at all times; stamp 0 says so.
        fixed = Header(frame_id=self._frame_id)
        self._frames = qos.publisher(node, TFMessage, "/tf_static", qos.LATCHED)
        self._frames.publish(
            TFMessage(transforms=markers.room_frames(room_map, fixed, frame_prefix))
        )
        self._publish_all()

    def apply(self, report: events.Report) -> msg.NaoSighting | None:
        """Publish ``report``; return its message if it is a sighting."""
        header = self._header()
        if isinstance(report, events.See):
            seen = conversions.sighting(report, header)
            self._sighting.publish(seen)
            now = self._node.now()
            self._sightings[seen.marker_id] = (now, seen)
            self._stale_drawing = True
            if now - self._drawn >= MARKER_PERIOD_S:
                self._sightings = self._recent(now)  # here, as only this thread adds to them
                self._draw()
            return seen
        if isinstance(report, events.SeeObject):
            self._objects.publish(conversions.object_sighting(report, header))
            return None
        if isinstance(report, events.State):
            self.state = conversions.state(report, header)
            self._state.publish(self.state)
        elif isinstance(report, events.Location):
            if report.marker_id != self.location.marker_id:
                self._sightings.clear()  # they are of the room before
            self.location = conversions.location(report, header)
            self._location.publish(self.location)
        elif isinstance(report, events.Holding):
            self.held = conversions.held_object(report, header)
            self._held_object.publish(self.held)
        elif isinstance(report, events.Dropped):
            self._dropped.publish(conversions.dropped(report, header, self.held))
            self.held = conversions.held_object(report, header)
            self._held_object.publish(self.held)
        elif isinstance(report, events.Agent):
            if report.agent_id != self.agent.agent_id:
                self.held.holding = False  # what is known is of another robot
            self.agent = conversions.agent_id(report, header)
            self._agent_id.publish(self.agent)
        else:
            return None
        self._draw()
        return None

    def hands_are_empty(self) -> None:
        """Reset the held object: a robot that greets with what it holds has connected."""
        self.held = conversions.held_object(None, self._header())
        self._held_object.publish(self.held)

    def lose_place(self, detail: str) -> None:
        """Publish that it is not known where the robot is, for the reason ``detail``."""
        self.location = msg.NaoLocation(
            header=self.location.header, marker_id=self.location.marker_id, detail=detail
        )
        self._sightings.clear()
        self._location.publish(self.location)
        self._draw()

    def invalidate(self, detail: str) -> None:
        """Publish the known values as not valid; the stamps stay those of the events.

        ``detail`` is the reason, in words.
        """
        self.location.detail = detail
        for known in (self.agent, self.location, self.held, self.state):
            known.valid = False
        self._sightings.clear()
        self._publish_all()

    def show_goal(self, goal: tuple[int, int] | None) -> None:
        """Draw the way to a marker, up to some rooms before it; None: no way. Any thread."""
        self._goal = goal
        self._draw()

    def redraw(self) -> None:
        """Draw sightings that came since the last drawing, and steps. Called periodically."""
        walks = self.state.valid and self.state.state == msg.NaoState.WALKING
        steps = walks and self._node.now() - self._drawn >= STEP_S
        if self._stale_drawing or (steps and self._markers.get_subscription_count()):
            self._draw()

    def _publish_all(self) -> None:
        self._agent_id.publish(self.agent)
        self._location.publish(self.location)
        self._held_object.publish(self.held)
        self._state.publish(self.state)
        self._draw()

    def _draw(self) -> None:
        moment = time.monotonic()
        gained = (moment - self._counted_at) * DRAWINGS_A_SECOND
        self._counted_at, self._allowed = moment, min(AT_ONCE, self._allowed + gained)
        if self._allowed < 1.0:
            self._stale_drawing = True  # a flood of reports
            return
        self._allowed -= 1.0
        now = self._node.now()
        recent = {marker_id: seen for marker_id, (_, seen) in self._recent(now).items()}
        self._drawn = now
        self._stale_drawing = False
        stride = 1 if int(now / STEP_S) % 2 else -1
        self._markers.publish(
            markers.situation_markers(
                self._room_map, self.location, self.state, self.held, recent, self._goal, stride
            )
        )

    def _recent(self, now: float) -> dict[int, tuple[float, msg.NaoSighting]]:
        """Return the sightings that are drawn at a time, and when they came."""
        return {
            marker_id: (when, seen)
            for marker_id, (when, seen) in list(self._sightings.items())
            if now - when <= markers.SIGHTING_LIFETIME_S
        }

    def _header(self) -> Header:
        return Header(stamp=self._node.stamp(), frame_id=self._frame_id)
