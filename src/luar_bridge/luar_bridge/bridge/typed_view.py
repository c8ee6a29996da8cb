# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The robot's memory as typed topics: which reading goes where, and when it is new."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from geometry_msgs.msg import PoseWithCovarianceStamped
from nav_msgs.msg import OccupancyGrid, Odometry
from sensor_msgs.msg import BatteryState, Imu, JointState, Range
from soccer_model_msgs.msg import Ball, RobotArray
from soccer_vision_3d_msgs.msg import BallArray, GoalpostArray, MarkingArray
from std_msgs.msg import Header
from tf2_msgs.msg import TFMessage
from visualization_msgs.msg import MarkerArray

from legacy_robots_common.drawing.markers import FixedDrawing
from legacy_robots_common.node import qos
from legacy_robots_common.node.lazy_publisher import LazyPublisher
from legacy_robots_common.node.program_node import ProgramNode
from legacy_robots_common.node.times import header
from legacy_robots_msgs.msg import LuarGameState, LuarTeam, LuarWalk
from luar_bridge.bridge import conversions, markers, vision_messages
from luar_bridge.bridge.link_topics import Description, LinkTopics
from luar_bridge.bridge.parameters import Parameters
from luar_bridge.bridge.pixel_topics import PixelTopics
from luar_bridge.bridge.serialized import FormPublisher
from luar_bridge.model import beliefs, motion, vision
from luar_bridge.model.beliefs import Game, Team
from luar_bridge.model.joint_limits import NAO, joint_limits
from luar_bridge.model.motion import HEAD_JOINTS
from luar_bridge.model.pose import Pose
from luar_bridge.model.snapshots import Memory
from luar_bridge.protocol.events import Demand
from luar_bridge.protocol.layout_table import LayoutTable

BATTERY_PERIOD_S = 1.0
"""Least time between two messages of the battery."""
SONAR_PERIOD_S = 0.2
"""Length of the periods in which the same echoes are published once."""
MARKER_PERIOD_S = 0.1
WALK_PERIOD_S = 0.015
"""Time without a change of mcmWalk after which the next count publishes its values."""
_GAME = ("gcmGame", "gcmTeam")
"""What the robot believes of the game is published beside the rest, and colours the goals."""
_DRAWN = (
    *("vcmBall", "vcmGoal", "wcmBall", "wcmGoal", "wcmObstacle", "wcmRobot"),
    *("wcmTeam", "wcmTeamdata"),
)

Publish = Callable[[float], None]
"""Publishes a topic of a stamp in Unix seconds."""
Make = Callable[..., Any]
PublishPose = Callable[[float, Pose], None]


class TypedView:
    """Publishes what the link reports. All methods are called on the link's thread.

    Streams carry the time at which the robot wrote (see MemoryLink); what has not been written
    again is not published again. The latched ``game_state`` and ``team`` become invalid when the
    robot stands still or goes.
    """

    def __init__(
        self, node: ProgramNode, memory: Memory, settings: Parameters, table: LayoutTable
    ) -> None:
        self._memory = memory
        self._node = node
        self._cameras = tuple(table.images.values())
        """Segments of images."""
        self._settings = settings
        self._joints = tuple(joint_limits(settings.platform))
        is_nao = settings.platform == NAO
        prefix = settings.frame_prefix
        self._map = settings.map_frame
        self._odom = odom = prefix + settings.odom_frame
        self._base = base = prefix + settings.base_frame
        imu = prefix + conversions.IMU_FRAME
        parents = {base: odom, odom: self._map}

        def form(kind: type[Any], topic: str, make: Make, *of: Any) -> FormPublisher:
            return FormPublisher(node, kind, topic, partial(make, *of))

        def fixed(kind: type[Any], topic: str, make: Any, *of: Any) -> FormPublisher:
            return FormPublisher(node, kind, topic, lambda _: make(*of))

        inclination = settings.inclination_deviation
        self._joint_states = form(JointState, "joint_states", conversions.joint_state)
        self._imu = form(Imu, "imu", conversions.imu, imu, inclination)
        self._battery = LazyPublisher(node, BatteryState, "battery")
        self._sonar = {s: LazyPublisher(node, Range, f"sonar/{s}") for s in ("left", "right")}
        self._walk = fixed(LuarWalk, "walk", conversions.walk, odom)
        self._odometry = fixed(Odometry, "odom", conversions.odometry, odom, base)
        self._ball_detection = form(
            BallArray, "ball_detection", vision_messages.ball_detection, base
        )
        self._goals = form(GoalpostArray, "goals", vision_messages.goal_posts, base)
        self._lines = form(MarkingArray, "lines", vision_messages.markings, base)
        pose_type = PoseWithCovarianceStamped
        self._pose = fixed(pose_type, "pose", conversions.pose_message, self._map)
        self._ball = fixed(Ball, "ball", conversions.ball_message, base)
        self._obstacles = LazyPublisher(node, RobotArray, "obstacles")
        self._mates = LazyPublisher(node, RobotArray, "mates")
        self._markers = LazyPublisher(node, MarkerArray, "markers")
        self._game_state = qos.publisher(node, LuarGameState, "game_state", qos.LATCHED)
        self._team = qos.publisher(node, LuarTeam, "team", qos.LATCHED)
        drawn = markers.field_markers(Header(frame_id=self._map))
        self._field = FixedDrawing(node, "field", drawn)
        field_map = qos.publisher(node, OccupancyGrid, "map", qos.LATCHED)
        field_map.publish(markers.field_map(Header(frame_id=self._map)))

        self._topics: list[tuple[LazyPublisher, Demand, dict[str, Publish]]] = []
        self._due: dict[str, list[Publish]] = {}
        """What is to be published, by the segment that has changed; of a cycle by ""."""
        moving = Demand(frozenset(("mcmWalk", "dcmSensor")), frozenset(("mcmWalk",)))
        # First: what has the same stamp can be transformed when it arrives.
        if settings.publish_tf:

            def transform(child: str) -> TFMessage:
                return conversions.transform(parents[child], child)

            self._transforms = FormPublisher(node, TFMessage, "/tf", transform, qos.stream(100))
            frames = self._on_moving(self._publish_base)
            demand = moving | Demand(each_cycle=frozenset(("wcmRobot",)))
            self._topics.append((self._transforms, demand, frames))
            self._topics.append((self._transforms, demand, {"": self._publish_origin}))
            if settings.link_rate and is_nao:
                self._links = LinkTopics(node, memory, settings, self._transforms)
                if settings.joints:
                    self._each("dcmSensor", self._transforms, self._publish_links)
                    self._cycle(("dcmSensor",), self._transforms, self._publish_stance)
                else:
                    self._cycle(self._cameras, self._transforms, self._publish_links)
                self._cycle(self._cameras, self._transforms, self._publish_head_frames)
        if settings.joints:
            self._each("dcmSensor", self._joint_states, self._publish_joints)
        else:
            self._cycle(self._cameras, self._joint_states, self._publish_head)
        self._each("dcmSensor", self._imu, self._publish_imu)
        self._each("dcmSensor", self._battery, self._publish_battery)
        for side, publisher in self._sonar.items():
            echoes: Publish = partial(self._publish_echoes, side)
            both = {"dcmSensor": echoes, "mcmUs": echoes}
            self._topics.append((publisher, Demand(at_once=frozenset(both)), both))
        self._each("mcmWalk", self._walk, self._publish_walk)
        self._topics.append((self._odometry, moving, self._on_moving(self._publish_odometry)))
        self._cycle(("vcmBall",), self._ball_detection, self._publish_ball_detection)
        self._cycle(("vcmGoal",), self._goals, self._publish_goals)
        self._cycle(("vcmLine",), self._lines, self._publish_lines)
        for at, image in table.images.items():
            seen = PixelTopics(node, memory, table, image, at, prefix, self._color)
            for segments, publisher, publish in seen.topics:
                self._cycle(segments, publisher, publish)
        self._cycle(("wcmRobot", "wcmParticle"), self._pose, self._publish_pose)
        self._cycle(("wcmBall", "vcmBall"), self._ball, self._publish_ball)
        self._cycle(("wcmObstacle",), self._obstacles, self._publish_obstacles)
        self._cycle(("wcmTeam", "wcmTeamdata"), self._mates, self._publish_mates)
        self._cycle(_DRAWN, self._markers, self._publish_markers)

        self._description = Description(node) if settings.publish_description and is_nao else None
        self._published_game: Game | None = None
        self._published_team: Team | None = None
        self._published_sonar: dict[str, tuple[float, tuple[float, ...]]] = {}
        """Stamp and echoes of the last message of each side."""
        self._battery_at = 0.0
        self._sensor_count: float | None = None
        self._walked: dict[PublishPose, tuple[float, Pose]] = {}
        """Stamp and odometry of the last message of odometry, and of its frame."""
        self._drawn_at = 0.0
        self._cognition_runs = False
        now = self._node.get_clock().now().nanoseconds * 1e-9
        self._last_game = conversions.game_state(None, header(now, ""))
        self._last_team = conversions.team_message(None, header(now, ""))
        self._game_state.publish(self._last_game)
        self._team.publish(self._last_team)

    def _each(self, segment: str, publisher: LazyPublisher, publish: Publish) -> None:
        """Have a topic published at each change of a segment."""
        demand = Demand(at_once=frozenset((segment,)))
        self._topics.append((publisher, demand, {segment: publish}))

    def _cycle(self, segments: Iterable[str], publisher: LazyPublisher, publish: Publish) -> None:
        """Have a topic published after each cycle of cognition."""
        demand = Demand(each_cycle=frozenset((*segments, *_GAME)))
        self._topics.append((publisher, demand, {"": publish}))

    def _on_moving(self, publish: PublishPose) -> dict[str, Publish]:
        """Have odometry published when it changes.

        Where it stands still while the robot counts it is published with each count of dcmSensor
        and each cycle of cognition: equal values are as new as the newest count.
        """

        def moved(stamp: float) -> None:
            if (walk := motion.walk(self._memory)) is not None:
                publish(stamp, walk.odometry)
                self._walked[publish] = stamp, walk.odometry

        def if_older(than: float, stamp: float) -> None:
            if publish not in self._walked or self._walked[publish][0] < stamp - than:
                moved(stamp)

        return {
            "mcmWalk": moved,
            "dcmSensor": partial(if_older, WALK_PERIOD_S),
            "": partial(if_older, 0.0),
        }

    def demand(self) -> Demand:
        """Return the segments that the topics with subscribers need."""
        demand = Demand(often=frozenset(_GAME))
        self._due = {}
        for publisher, needed, publish in self._topics:
            if publisher.wanted:
                demand |= needed
                for segment, function in publish.items():
                    self._due.setdefault(segment, []).append(function)
        return demand

    # --- cognition runs, or stands still ---------------------------------------------------

    def on_cognition(self, *, runs: bool) -> None:
        """Publish the latched state of a robot that runs; else mark it invalid, stamp kept."""
        self._cognition_runs = runs
        if runs:
            now = self._node.get_clock().now().nanoseconds * 1e-9
            self._publish_game(now)
            self._publish_team(now)
            return
        latched = (self._game_state, self._last_game), (self._team, self._last_team)
        for publisher, last in latched:
            if last.valid:
                last.valid = False
                publisher.publish(last)
        self._published_game = self._published_team = None
        self._walked.clear()

    def _publish_game(self, stamp: float) -> None:
        if (game := beliefs.game(self._memory)) is not None and game != self._published_game:
            self._published_game = game
            self._last_game = conversions.game_state(game, header(stamp, ""))
            self._game_state.publish(self._last_game)

    def _publish_team(self, stamp: float) -> None:
        if (team := beliefs.team(self._memory)) is not None and team != self._published_team:
            self._published_team = team
            self._last_team = conversions.team_message(team, header(stamp, ""))
            self._team.publish(self._last_team)
            if self._description is not None:
                self._description.paint(team.color)

    # --- segments that changed -------------------------------------------------------------

    def on_change(self, segment: str, stamp: float) -> None:
        """Publish what has changed with ``segment``."""
        if segment == "dcmSensor":
            count = self._memory.number("dcmSensor", "count")
            if count == self._sensor_count:
                return  # the same cycle, seen while it was being written
            self._sensor_count = count
        for publish in self._due.get(segment, ()):
            publish(stamp)
        if self._cognition_runs:
            if segment == "gcmGame":
                self._publish_game(stamp)
            elif segment == "gcmTeam":
                self._publish_team(stamp)

    def _publish_joints(self, stamp: float) -> None:
        if positions := motion.joint_positions(self._memory, len(self._joints)):
            self._joint_states.fill(stamp, positions, self._joints)

    def _publish_head(self, stamp: float) -> None:
        """Publish the only joints that are known where there is no dcmSensor, as under Webots."""
        if angles := motion.head_angles(self._memory, self._cameras):
            self._joint_states.fill(stamp, angles, HEAD_JOINTS)

    def _publish_links(self, stamp: float) -> None:
        if self._settings.joints:
            positions = motion.joint_positions(self._memory)
        else:
            positions = motion.head_angles(self._memory, self._cameras)
        if positions:
            self._links.publish(stamp, positions)

    def _publish_head_frames(self, stamp: float) -> None:
        """Publish neck and head as they were when the image was taken."""
        if angles := motion.head_angles(self._memory, self._cameras):
            self._links.publish_head(stamp, angles)

    def _publish_stance(self, stamp: float) -> None:
        """Publish the links of a robot that does not report its joints."""
        if motion.joint_positions(self._memory) is None:
            self._links.publish(stamp, ())

    def _publish_imu(self, stamp: float) -> None:
        if inertia := motion.inertia(self._memory):
            s = self._settings
            values, known = conversions.imu_values(inertia, s.acceleration_scale, s.rotation_scale)
            self._imu.fill(stamp, values, known)

    def _publish_battery(self, stamp: float) -> None:
        if 0.0 <= stamp - self._battery_at < BATTERY_PERIOD_S:
            return
        if battery := motion.battery(self._memory):
            self._battery_at = stamp
            self._battery.publish(conversions.battery_state(battery, header(stamp, "")))

    def _publish_echoes(self, side: str, stamp: float) -> None:
        echoes = motion.sonar(self._memory, side)
        at, published = self._published_sonar.get(side, (0.0, None))
        # Periods are those of the clock: the same times give the same messages.
        is_same_period = int(stamp / SONAR_PERIOD_S) == int(at / SONAR_PERIOD_S)
        if echoes is None or (echoes == published and is_same_period):
            return
        self._published_sonar[side] = stamp, echoes
        frame = self._settings.frame_prefix + conversions.SONAR_FRAMES[side]
        self._sonar[side].publish(conversions.sonar_range(echoes, header(stamp, frame)))

    def _publish_walk(self, stamp: float) -> None:
        if (walk := motion.walk(self._memory)) is not None:
            self._walk.fill(stamp, conversions.walk_values(walk))

    def _publish_odometry(self, stamp: float, pose: Pose) -> None:
        before = self._walked.get(self._publish_odometry)
        self._odometry.fill(stamp, conversions.odometry_values(pose, before, stamp))

    def _publish_base(self, stamp: float, pose: Pose) -> None:
        self._transforms.fill(stamp, conversions.plane_values(pose), self._base)

    # --- a cycle of cognition --------------------------------------------------------------

    def on_cycle(self, stamp: float) -> None:
        """Publish what cognition sees and believes, once it has gone through a cycle."""
        for publish in self._due.get("", ()):
            publish(stamp)

    def _publish_origin(self, stamp: float) -> None:
        """Publish where odometry has its origin in the map, from where the robot is in both."""
        walked, robot = self._walked.get(self._publish_base), beliefs.robot_pose(self._memory)
        if walked is not None and robot is not None:
            origin = beliefs.odom_in_map(robot.pose, walked[1])
            self._transforms.fill(stamp, conversions.plane_values(origin), self._odom)

    def _publish_ball_detection(self, stamp: float) -> None:
        if vision.detected(self._memory, "vcmBall") is not None:
            ball = vision.seen_ball(self._memory, self._settings.camera_height)
            place = () if ball is None else ball.position
            self._ball_detection.fill(stamp, place, 0 if ball is None else 1)

    def _publish_goals(self, stamp: float) -> None:
        if vision.detected(self._memory, "vcmGoal") is not None:
            goal = vision.seen_goal(self._memory, self._settings.camera_height)
            posts = () if goal is None else goal.posts
            places = [p for post in posts for p in post.position[:2]]
            self._goals.fill(stamp, places, vision_messages.post_attributes(goal, self._color()))

    def _color(self) -> int | None:
        return self._published_team.color if self._published_team else None

    def _publish_lines(self, stamp: float) -> None:
        if vision.detected(self._memory, "vcmLine") is not None:
            lines = vision.seen_lines(self._memory)
            ends = [p for line in lines for p in (*line.start, *line.end)]
            self._lines.fill(stamp, ends, len(lines))

    def _publish_pose(self, stamp: float) -> None:
        if robot := beliefs.robot_pose(self._memory):
            s = self._settings
            deviations = s.position_deviation, s.heading_deviation
            self._pose.fill(stamp, conversions.pose_values(robot, deviations))

    def _publish_ball(self, stamp: float) -> None:
        model = beliefs.ball_model(self._memory)
        if model is not None and model.last_seen:  # 0: never since the robot was started
            deviations = vision.ball_deviations(self._memory)
            self._ball.fill(stamp, conversions.ball_values(model, deviations))

    def _publish_obstacles(self, stamp: float) -> None:
        if (others := beliefs.obstacles(self._memory)) is not None:
            self._obstacles.publish(conversions.robot_array(others, header(stamp, self._base)))

    def _publish_mates(self, stamp: float) -> None:
        if (mates := beliefs.mates(self._memory)) is not None:
            self._mates.publish(conversions.mate_array(mates, header(stamp, self._map)))

    def _publish_markers(self, stamp: float) -> None:
        if abs(stamp - self._drawn_at) < MARKER_PERIOD_S:
            return
        self._drawn_at = stamp
        height, team = self._settings.camera_height, self._published_team
        own, world = header(stamp, self._base), header(stamp, self._map)
        self._markers.publish(markers.all_markers(self._memory, height, team, own, world))
