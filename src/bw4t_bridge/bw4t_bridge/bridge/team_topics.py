# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What the whole team shares, as topics. Everything is published on the runner's thread."""

from __future__ import annotations

from collections.abc import Callable

from geometry_msgs.msg import Transform, TransformStamped, Vector3
from nav_msgs.msg import OccupancyGrid
from rosgraph_msgs.msg import Clock as ClockMessage
from std_msgs.msg import Header
from tf2_msgs.msg import TFMessage
from visualization_msgs.msg import Marker, MarkerArray

from bw4t_bridge.bridge import conversions, markers, team_conversions
from bw4t_bridge.bridge.parameters import Parameters
from bw4t_bridge.bridge.publishing import Publishers, RateLimit, wanted
from bw4t_runner.events import Cycle, RunnerEvent
from bw4t_runner.world_runner import WorldRunner
from bw4t_world import Snapshot, TeamSummary
from legacy_robots_common.node.names import to_ros_name
from legacy_robots_common.node.program_node import ProgramNode
from legacy_robots_msgs.msg import (
    Bw4tMap,
    Bw4tOccupiedRooms,
    Bw4tRoster,
    Bw4tTask,
    Bw4tWorldState,
)

REPORT_RATE = 1.0
"""How often task and world_state are published while only time passes, in Hz."""

_CLEARINGS = 3
"""Number of marker arrays that repeat a deletion after the map or the players change."""


class TeamTopics:
    """Publishes for all players together.

    ``drawing`` limits the drawings for rviz; ``describe`` returns the map's name; ``on_done`` is
    called once a run when the sequence is complete, with the measures, on the runner's thread.
    """

    def __init__(
        self,
        node: ProgramNode,
        runner: WorldRunner,
        settings: Parameters,
        drawing: RateLimit,
        describe: Callable[[], str],
        on_done: Callable[[TeamSummary], None],
    ) -> None:
        self._runner = runner
        self._settings = settings
        self._describe = describe
        self._on_done = on_done
        self._frame = settings.frame_prefix + settings.map_frame
        make = Publishers(node)
        self._map = make.latched(Bw4tMap, "map")
        self._grid = make.latched(OccupancyGrid, "occupancy_grid")
        self._roster = make.latched(Bw4tRoster, "roster")
        self._task = make.latched(Bw4tTask, "task")
        self._occupied = make.latched(Bw4tOccupiedRooms, "occupied_rooms")
        self._state = make.latched(Bw4tWorldState, "world_state")
        self._markers = make.latched(MarkerArray, "markers")
        self._transforms = make.stream(TFMessage, "/tf", 100)
        self._clock = make.stream(ClockMessage, "/clock", 1) if settings.publish_clock else None
        self._report_limit = RateLimit(REPORT_RATE, node.now)
        self._marker_limit = drawing
        self._transform_limit = RateLimit(settings.odom_rate, node.now)
        self._occupied_before: tuple[str, ...] | None = None
        self._doors_before: object = None
        self._delivered_before = -1
        self._was_done = False
        self._clearings = 0
        self._viewers = 0
        self._drawn: Snapshot | None = None
        self._fixed: tuple[object, list[Marker]] = (None, [])
        self._blocks: set[int] = set()
        """Ids of all blocks drawn since the last clearing."""

    def on_event(self, event: object) -> None:
        """Publish what an event has changed. On the runner's thread."""
        if isinstance(event, Cycle):
            self._on_cycle(event.snapshot, event.stamp)
        elif isinstance(event, RunnerEvent):
            self._on_change(event)

    def publish_all(self) -> None:
        """Publish everything that is latched. For the runner's thread."""
        header = self._header(self._runner.stamp)
        snapshot = self._runner.snapshot
        self._publish_map(snapshot, header)
        self._publish_roster(snapshot, header)
        self._publish_reports(snapshot, header)
        self._publish_occupied(snapshot, header)

    # --- On the runner's thread --------------------------------------------------------------

    def _on_change(self, event: RunnerEvent) -> None:
        snapshot = self._runner.snapshot
        header = self._header(self._runner.stamp)
        if event is RunnerEvent.RUN:
            self._clearings = _CLEARINGS
            self._doors_before = None
            self._was_done = False
            self._publish_map(snapshot, header)
        if event in (RunnerEvent.RUN, RunnerEvent.ROSTER):
            self._clearings = _CLEARINGS
            self._publish_roster(snapshot, header)
        self._publish_reports(snapshot, header)

    def _on_cycle(self, snapshot: Snapshot, stamp: int) -> None:
        header = self._header(stamp)
        if self._clock is not None:
            self._clock.publish(ClockMessage(clock=header.stamp))
        if snapshot.doors is not self._doors_before:  # the same object as long as none moves
            self._doors_before = snapshot.doors
            self._publish_occupied(snapshot, header)
        if snapshot.delivered != self._delivered_before or self._report_limit.is_due():
            self._publish_reports(snapshot, header)
        if wanted(self._transforms) and (snapshot.is_paused or self._transform_limit.is_due()):
            self._transforms.publish(self._poses(snapshot, header))
        self._draw(snapshot, header, stamp)

    def _publish_map(self, snapshot: Snapshot, header: Header) -> None:
        self._map.publish(team_conversions.map_message(snapshot, header))
        self._grid.publish(team_conversions.occupancy(snapshot, header))

    def _publish_roster(self, snapshot: Snapshot, header: Header) -> None:
        self._roster.publish(team_conversions.roster_message(snapshot, header))

    def _publish_occupied(self, snapshot: Snapshot, header: Header) -> None:
        rooms = team_conversions.occupied_rooms(snapshot)
        if rooms != self._occupied_before:
            self._occupied_before = rooms
            self._occupied.publish(team_conversions.occupied_rooms_message(rooms, header))

    def _publish_reports(self, snapshot: Snapshot, header: Header) -> None:
        self._report_limit.skip()
        self._delivered_before = snapshot.delivered
        measures, seed = self._runner.call(lambda world: (world.measures(), world.seed))
        self._task.publish(team_conversions.task_message(snapshot, measures, header))
        status = self._runner.world_status
        self._state.publish(
            Bw4tWorldState(
                header=header,
                paused=status.is_paused,
                speed=status.speed,
                ticks_per_cycle=status.ticks_per_cycle,
                tick=status.tick,
                run=status.run,
                map=self._describe(),
                profile=self._settings.profile,
                seed=seed,
                max_lateness=status.max_lateness,
                skipped_ticks=status.skipped_ticks,
            )
        )
        done = snapshot.delivered >= len(snapshot.sequence)
        if done and not self._was_done and snapshot.sequence:
            self._on_done(measures)
        self._was_done = done

    def _poses(self, snapshot: Snapshot, header: Header) -> TFMessage:
        prefix = self._settings.frame_prefix
        message = TFMessage()
        robots = [(robot.name, robot.x, robot.y) for robot in snapshot.robots]
        epartners = [(partner.name, partner.x, partner.y) for partner in snapshot.epartners]
        for name, x, y in (*robots, *epartners):
            at = conversions.point(x, y)
            transform = TransformStamped(
                header=header,
                child_frame_id=f"{prefix}{to_ros_name(name)}/base_link",
                transform=Transform(translation=Vector3(x=at.x, y=at.y)),
            )
            transform.transform.rotation.w = 1.0
            message.transforms.append(transform)
        return message

    def _draw(self, snapshot: Snapshot, header: Header, stamp: int) -> None:
        viewers = self._markers.get_subscription_count()
        joined, self._viewers = viewers > self._viewers, viewers
        if not viewers:
            return
        limited = joined or snapshot.is_paused
        if not limited and not self._marker_limit.is_due_at(stamp):
            return
        if not joined and not self._clearings and _looks_equal(snapshot, self._drawn):
            return
        if self._fixed[0] is not snapshot.map:
            self._fixed = (snapshot.map, markers.map_markers(snapshot, header))
        clear = self._clearings > 0
        shown = markers.block_ids(snapshot)
        moving = markers.world_markers(snapshot, header, sorted(self._blocks - shown))
        self._blocks = shown if clear else self._blocks | shown
        self._clearings = max(0, self._clearings - 1)
        self._drawn = snapshot
        self._markers.publish(markers.marker_array(self._fixed[1], moving, header, clear=clear))

    def _header(self, stamp: int) -> Header:
        return Header(stamp=conversions.stamp(stamp), frame_id=self._frame)


def _looks_equal(snapshot: Snapshot, other: Snapshot | None) -> bool:
    """Whether two snapshots differ by the time only."""
    return (
        other is not None
        and other._replace(
            tick=snapshot.tick, seconds=snapshot.seconds, is_paused=snapshot.is_paused
        )
        == snapshot
    )
