# SPDX-License-Identifier: Apache-2.0
"""The robot's memory as typed topics: which reading goes where, and when it is new."""

from __future__ import annotations

import time
from typing import Any

from geometry_msgs.msg import PoseWithCovarianceStamped
from legacy_robots_msgs.msg import LuarGameState, LuarTeam, LuarWalk
from nav_msgs.msg import OccupancyGrid, Odometry
from rclpy.node import Node
from sensor_msgs.msg import BatteryState, Imu, JointState, Range
from soccer_model_msgs.msg import Ball, RobotArray
from soccer_vision_3d_msgs.msg import BallArray, GoalpostArray, MarkingArray
from std_msgs.msg import Header
from visualization_msgs.msg import MarkerArray

from legacy_robots_common import qos
from legacy_robots_common.lazy_publisher import LazyPublisher
from legacy_robots_common.transforms import TransformBroadcaster
from luar_bridge import beliefs, conversions, markers, motion, vision
from luar_bridge.beliefs import Game, Team
from luar_bridge.bridge_parameters import Parameters
from luar_bridge.conversions import header
from luar_bridge.events import Demand
from luar_bridge.memory import Memory
from luar_bridge.motion import Walk
from luar_bridge.pose import Pose

BATTERY_PERIOD_S = 1.0
"""Least time between two messages of the battery."""
MARKER_PERIOD_S = 0.1
WALK_PERIOD_S = 0.015
"""After so long without a change of mcmWalk its values are published with the next count."""


class TypedView:
    """Publishes what the link reports. All methods are called on the link's thread.

    Streams carry the time at which the robot wrote (see MemoryLink); what has not been written
    again is not published again. The latched ``game_state`` and ``team`` become invalid when the
    robot stands still or goes.
    """

    def __init__(self, node: Node, memory: Memory, settings: Parameters) -> None:
        self._memory = memory
        self._settings = settings
        prefix = settings.frame_prefix
        self._map = settings.map_frame
        self._odom = prefix + settings.odom_frame
        self._base = prefix + settings.base_frame

        self._needs: list[tuple[LazyPublisher | TransformBroadcaster, Demand]] = []

        def at_once(kind: type[Any], topic: str, *segments: str) -> LazyPublisher:
            publisher = LazyPublisher(node, kind, topic)
            self._needs.append((publisher, Demand(at_once=frozenset(segments))))
            return publisher

        def each_cycle(kind: type[Any], topic: str, *segments: str) -> LazyPublisher:
            publisher = LazyPublisher(node, kind, topic)
            # What the robot believes of the game is published beside it, and colours the goals.
            needed = frozenset((*segments, "gcmGame", "gcmTeam"))
            self._needs.append((publisher, Demand(each_cycle=needed)))
            return publisher

        self._joint_states = at_once(JointState, "joint_states", "dcmSensor")
        self._imu = at_once(Imu, "imu", "dcmSensor")
        self._battery = at_once(BatteryState, "battery", "dcmSensor")
        self._sonar = {
            side: at_once(Range, f"sonar/{side}", "dcmSensor", "mcmUs")
            for side in ("left", "right")
        }
        self._walk = at_once(LuarWalk, "walk", "mcmWalk")
        self._odometry = at_once(Odometry, "odom", "mcmWalk", "dcmSensor")
        self._needs.append((self._odometry, Demand(each_cycle=frozenset({"mcmWalk"}))))
        self._ball_detection = each_cycle(BallArray, "ball_detection", "vcmBall")
        self._goals = each_cycle(GoalpostArray, "goals", "vcmGoal")
        self._lines = each_cycle(MarkingArray, "lines", "vcmLine")
        self._pose = each_cycle(PoseWithCovarianceStamped, "pose", "wcmRobot", "wcmParticle")
        self._ball = each_cycle(Ball, "ball", "wcmBall")
        self._obstacles = each_cycle(RobotArray, "obstacles", "wcmObstacle")
        self._markers = each_cycle(
            MarkerArray, "markers",
            "vcmBall", "vcmGoal", "wcmBall", "wcmGoal", "wcmObstacle", "wcmRobot",
        )  # fmt: skip
        self._game_state = qos.publisher(node, LuarGameState, "game_state", qos.LATCHED)
        self._team = qos.publisher(node, LuarTeam, "team", qos.LATCHED)
        self._transforms = TransformBroadcaster(node) if settings.publish_tf else None
        if self._transforms is not None:
            needed = Demand(frozenset({"mcmWalk", "dcmSensor"}), frozenset({"wcmRobot"}))
            self._needs.append((self._transforms, needed))
        self._at_once: frozenset[str] = frozenset()
        self._follows_walk = False
        """Whether odometry or its frame has subscribers."""
        field = qos.publisher(node, MarkerArray, "field", qos.LATCHED)
        field.publish(markers.field_markers(Header(frame_id=self._map)))
        field_map = qos.publisher(node, OccupancyGrid, "map", qos.LATCHED)
        field_map.publish(markers.field_map(Header(frame_id=self._map)))
        self._published_game: Game | None = None
        self._published_team: Team | None = None
        self._published_sonar: dict[str, tuple[float, ...]] = {}
        self._battery_at = 0.0
        self._sensor_count: float | None = None
        self._walked: tuple[float, Pose] | None = None
        self._drawn_at = 0.0
        self._cognition_runs = False
        now = time.time()
        self._game_state.publish(conversions.game_state(None, header(now, "")))
        self._team.publish(conversions.team_message(None, header(now, "")))

    def demand(self) -> Demand:
        """Return the segments that the topics with subscribers need."""
        demand = Demand()
        for publisher, needed in self._needs:
            if publisher.wanted:
                demand |= needed
        self._at_once = demand.at_once
        moving = self._transforms is not None and self._transforms.wanted
        self._follows_walk = moving or self._odometry.wanted
        return demand

    # --- cognition runs, or stands still ---------------------------------------------------

    def on_cognition(self, *, runs: bool) -> None:
        """Publish the latched state of a robot that runs; else mark it invalid, stamp kept."""
        self._cognition_runs = runs
        if runs:
            now = time.time()
            self._publish_game(now)
            self._publish_team(now)
            return
        for publisher, last in (
            (self._game_state, self._last_game),
            (self._team, self._last_team),
        ):
            if last is not None and last.valid:
                last.valid = False
                publisher.publish(last)
        self._published_game = self._published_team = None
        self._walked = None

    _last_game: LuarGameState | None = None
    _last_team: LuarTeam | None = None

    # --- segments that changed -------------------------------------------------------------

    def on_change(self, segment: str, stamp: float) -> None:
        """Publish what has changed with ``segment``."""
        if segment in self._at_once:
            if segment == "dcmSensor":
                self._sensors(stamp)
            elif segment == "mcmWalk":
                self._publish_walk(stamp)
            elif segment == "mcmUs":
                self._echoes(stamp)
        elif segment == "gcmGame" and self._cognition_runs:
            self._publish_game(stamp)
        elif segment == "gcmTeam" and self._cognition_runs:
            self._publish_team(stamp)

    def _sensors(self, stamp: float) -> None:
        count = self._memory.number("dcmSensor", "count")
        if count == self._sensor_count:
            return  # the same cycle, seen while it was being written
        self._sensor_count = count
        s = self._settings
        if self._follows_walk and self._is_walk_older(stamp - WALK_PERIOD_S):
            self._publish_odometry(stamp)
        if self._joint_states.wanted and (positions := motion.joint_positions(self._memory)):
            self._joint_states.publish(conversions.joint_state(positions, header(stamp, "")))
        if self._imu.wanted and (inertia := motion.inertia(self._memory)):
            head = header(stamp, s.frame_prefix + conversions.IMU_FRAME)
            message = conversions.imu(inertia, head, s.acceleration_scale, s.rotation_scale)
            self._imu.publish(message)
        if stamp - self._battery_at >= BATTERY_PERIOD_S or stamp < self._battery_at:
            self._publish_battery(stamp)
        self._echoes(stamp)

    def _publish_battery(self, stamp: float) -> None:
        if self._battery.wanted and (battery := motion.battery(self._memory)):
            self._battery_at = stamp
            self._battery.publish(conversions.battery_state(battery, header(stamp, "")))

    def _echoes(self, stamp: float) -> None:
        for side, publisher in self._sonar.items():
            if not publisher.wanted:
                self._published_sonar.pop(side, None)
                continue
            echoes = motion.sonar(self._memory, side)
            if echoes is None or echoes == self._published_sonar.get(side):
                continue
            self._published_sonar[side] = echoes
            frame = self._settings.frame_prefix + conversions.SONAR_FRAMES[side]
            publisher.publish(conversions.sonar_range(echoes, header(stamp, frame)))

    def _publish_walk(self, stamp: float) -> None:
        walk = motion.walk(self._memory) if self._walk.wanted else None
        if walk is not None:
            self._walk.publish(conversions.walk_message(walk, header(stamp, self._odom)))
        self._publish_odometry(stamp, walk)

    def _is_walk_older(self, stamp: float) -> bool:
        return self._walked is None or self._walked[0] < stamp

    def _publish_odometry(self, stamp: float, walk: Walk | None = None) -> None:
        """Publish where the robot has walked to; equal values are as new as its newest count."""
        tf = self._transforms if self._transforms is not None and self._transforms.wanted else None
        if not (self._odometry.wanted or tf):
            self._walked = None
            return
        walk = walk or motion.walk(self._memory)
        if walk is None:
            return
        pose = walk.odometry
        head = header(stamp, self._odom)
        if self._odometry.wanted:
            self._odometry.publish(conversions.odometry(pose, self._walked, head, self._base))
        if tf is not None:
            tf.send([conversions.transform(head, self._base, pose)])
        self._walked = stamp, pose

    def _publish_game(self, stamp: float) -> None:
        game = beliefs.game(self._memory)
        if game is not None and game != self._published_game:
            self._published_game = game
            self._last_game = conversions.game_state(game, header(stamp, ""))
            self._game_state.publish(self._last_game)

    def _publish_team(self, stamp: float) -> None:
        team = beliefs.team(self._memory)
        if team is not None and team != self._published_team:
            self._published_team = team
            self._last_team = conversions.team_message(team, header(stamp, ""))
            self._team.publish(self._last_team)

    # --- a cycle of cognition --------------------------------------------------------------

    def on_cycle(self, stamp: float) -> None:
        """Publish what cognition sees and believes, once it has gone through a cycle."""
        if self._follows_walk and self._is_walk_older(stamp):
            self._publish_odometry(stamp)
        memory, settings = self._memory, self._settings
        in_base, in_map = header(stamp, self._base), header(stamp, self._map)
        height = settings.camera_height
        draw = self._markers.wanted and abs(stamp - self._drawn_at) >= MARKER_PERIOD_S
        seen_ball = seen_goal = model = others = None
        if draw or self._ball_detection.wanted:
            seen_ball = vision.seen_ball(memory, height)
        if self._ball_detection.wanted and vision.detected(memory, "vcmBall") is not None:
            self._ball_detection.publish(conversions.ball_detection(seen_ball, in_base))
        team = self._published_team
        color = team.color if team else None
        if draw or self._goals.wanted:
            seen_goal = vision.seen_goal(memory, height)
        if self._goals.wanted and vision.detected(memory, "vcmGoal") is not None:
            self._goals.publish(conversions.goal_posts(seen_goal, color, in_base))
        if self._lines.wanted and vision.detected(memory, "vcmLine") is not None:
            self._lines.publish(conversions.markings(vision.seen_lines(memory), in_base))
        tf = self._transforms if self._transforms is not None and self._transforms.wanted else None
        robot = None
        if draw or tf or self._pose.wanted:
            robot = beliefs.robot_pose(memory)
        if robot is not None:
            if self._pose.wanted:
                deviations = settings.position_deviation, settings.heading_deviation
                self._pose.publish(conversions.pose_message(robot, in_map, deviations))
            if tf is not None and self._walked is not None:
                origin = beliefs.odom_in_map(robot.pose, self._walked[1])
                tf.send([conversions.transform(in_map, self._odom, origin)])
        if draw or self._ball.wanted:
            model = beliefs.ball_model(memory)
            if model is not None and not model.last_seen:
                model = None  # never seen since the robot was started
        if self._ball.wanted and model is not None:
            self._ball.publish(conversions.ball_message(model, in_base))
        if draw or self._obstacles.wanted:
            others = beliefs.obstacles(memory)
        if self._obstacles.wanted and others is not None:
            self._obstacles.publish(conversions.robot_array(others, in_base))
        if draw:
            self._drawn_at = stamp
            drawn = [
                *markers.robot_markers(robot, color, in_map),
                *markers.ball_markers(model, seen_ball, in_base),
                *markers.goal_markers(seen_goal, in_base),
                *markers.attack_marker(beliefs.goal_model(memory), in_map),
                *markers.obstacle_markers(others, in_base),
            ]
            self._markers.publish(MarkerArray(markers=drawn))
