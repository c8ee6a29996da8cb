# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What a robot behind gti_host perceives: topics as an ERS-7's sensors and balls."""

from __future__ import annotations

import importlib
import math
import time
from collections.abc import Callable, Mapping
from typing import Any

from nav_msgs.msg import Odometry
from rclpy.qos import QoSProfile, ReliabilityPolicy
from sensor_msgs.msg import CameraInfo, JointState

from aibo_gti_bridge.host.base import Pose
from aibo_gti_bridge.host.fields import steps, value_at
from aibo_gti_bridge.host.robot_map import BallSource, HostMap, MapError, SensorSource
from aibo_gti_bridge.host.views import Camera, view_of_2d, view_of_3d
from aibo_gti_bridge.protocol.sensors import BY_NAME, BallView
from legacy_robots_common.bridge.bridge_node import BridgeNode
from legacy_robots_common.node import qos
from legacy_robots_geometry.rotations import roll_pitch_yaw
from legacy_robots_msgs.msg import AiboBall

IDLE_BALL_S = 5.0
"""Seconds after the last question until a ball's topic is no longer subscribed to."""
BALL_STALE_S = 1.0
"""Seconds that an image counts."""
BALL_PATIENCE_S = 0.5
"""Seconds that the first question for a colour may wait for its topic."""
NOTHING = BallView(False, 0.0, 0.0, 0.0)
LATEST = QoSProfile(depth=5, reliability=ReliabilityPolicy.BEST_EFFORT)
"""Best effort takes messages from reliable publishers too."""


def message_type(name: str, where: str) -> type[Any]:
    """Return the class of ``package/msg/Name``. Raises MapError."""
    package, _, short = name.partition("/msg/")
    try:
        found: type[Any] = getattr(importlib.import_module(f"{package}.msg"), short)
    except (ImportError, AttributeError) as error:
        raise MapError(f"{where}: there is no message type {name} here: {error}") from error
    return found


class Senses:
    """The latest of everything the map names. Read on the server's thread, fed on the executor.

    Raises MapError for a map with message types or fields that are not there.
    """

    def __init__(self, node: BridgeNode, host_map: HostMap) -> None:
        self._node = node
        self._values: Mapping[str, tuple[float, float]] = {}
        self._sources = host_map.sensors
        self.robot_positions: Mapping[str, float] = {}
        """Positions (rad) by the robot's names."""
        self.pose: Pose | None = None
        self.heard = math.inf
        """When joint states or odometry came last (monotonic, s); inf: never."""
        if any(joint.robot for joint in host_map.joints.values()):
            qos.subscription(node, JointState, host_map.joint_states, self._on_joints, LATEST)
        if host_map.walk.odometry:
            qos.subscription(node, Odometry, host_map.walk.odometry, self._on_odometry, LATEST)
        for topic in {source.topic for source in host_map.sensors.values()} - {""}:
            self._subscribe(topic, f"map {host_map.name}")

    def sensor(self, name: str) -> float:
        """Return a button or sensor by Tekkotsu's name in its unit; NaN: not available."""
        source = self._sources.get(name)
        if source is None:
            return math.nan
        if not source.topic:
            return source.offset
        value, at = self._values.get(name, (math.nan, -math.inf))
        old = source.stale and time.monotonic() - at > source.stale
        return math.nan if old else value

    def _subscribe(self, topic: str, where: str) -> None:
        sources = {name: s for name, s in self._sources.items() if s.topic == topic}
        kinds = {source.type for source in sources.values()}
        if len(kinds) != 1:
            raise MapError(f"{where}: {topic} has two types: {', '.join(sorted(kinds))}")
        kind = message_type(kinds.pop(), f"{where}, {topic}")
        reads = {}
        for name, source in sources.items():
            valid = steps(source.valid) if source.valid else ()
            reads[name] = (steps(source.path), valid)
            for path in filter(None, (source.path, source.valid)):
                try:
                    value_at(kind(), steps(path))
                except (AttributeError, TypeError, ValueError) as error:
                    problem = f"{where}, {name}: {source.type} has no number {path}: {error}"
                    raise MapError(problem) from error
        latched = any(source.latched for source in sources.values())

        def take(message: Any) -> None:
            now = time.monotonic()
            found = {}
            for name, (path, valid) in reads.items():
                source = sources[name]
                value = value_at(message, path)
                if valid and not value_at(message, valid):
                    value = math.nan
                found[name] = (_in_range(name, source, value), now)
            self._values = {**self._values, **found}

        qos.subscription(self._node, kind, topic, take, qos.LATCHED if latched else LATEST)

    def _on_joints(self, message: JointState) -> None:
        self.heard = time.monotonic()
        found = dict(zip(message.name, message.position, strict=False))
        self.robot_positions = {**self.robot_positions, **found}

    def _on_odometry(self, message: Odometry) -> None:
        self.heard = time.monotonic()
        pose = message.pose.pose
        q = pose.orientation
        _, _, yaw = roll_pitch_yaw((q.x, q.y, q.z, q.w))
        self.pose = Pose(pose.position.x, pose.position.y, yaw)


def _in_range(name: str, source: SensorSource, value: float) -> float:
    """Return a message's value in Tekkotsu's unit, no further than the ERS-7's sensor reaches."""
    value = value * source.scale + source.offset
    known = BY_NAME.get(name)
    if known is None or math.isnan(value):
        return value
    return min(max(value, known.minimum), known.maximum)


class Balls:
    """What is seen of the balls, by colour."""

    def __init__(self, node: BridgeNode, source: BallSource, where: str) -> None:
        self._node = node
        self._source = source
        self._views: dict[str, tuple[BallView, float]] = {}
        self._asked: dict[str, float] = {}
        self._first: dict[str, float] = {}
        self._subscriptions: dict[str, Any] = {}
        self._camera: Camera | None = None
        if source.topics:
            node.steady_timer(1.0, self._forget_idle)
        if source.detections:
            kind = message_type(source.type, f"{where}, ball")
            flat = source.type.endswith("Detection2DArray")
            take: Callable[[Any], None] = self._on_2d if flat else self._on_3d
            qos.subscription(node, kind, source.detections, take, LATEST)
            if flat:
                qos.subscription(node, CameraInfo, source.camera_info, self._on_camera, LATEST)

    def sees(self, colour: str) -> bool:
        """Return whether something is known; subscribes, and waits for the first image."""
        now = time.monotonic()
        self._asked[colour] = now
        if colour not in self._source.topics:
            return True
        if colour not in self._first:
            self._first[colour] = now
            self._node.call_soon(self._listen, colour)
        _, at = self._views.get(colour, (NOTHING, -math.inf))
        return at > self._first[colour] or now - self._first[colour] > BALL_PATIENCE_S

    def ball(self, colour: str) -> BallView:
        """Return the latest view; nothing is visible in one that is too old."""
        self._asked[colour] = time.monotonic()
        view, at = self._views.get(colour, (NOTHING, -math.inf))
        return view if time.monotonic() - at < BALL_STALE_S else NOTHING

    def _listen(self, colour: str) -> None:
        if colour not in self._subscriptions:
            self._subscriptions[colour] = self._node.create_subscription(
                AiboBall, self._source.topics[colour], self._on_ball, LATEST
            )

    def _forget_idle(self) -> None:
        now = time.monotonic()
        for colour in list(self._subscriptions):
            if now - self._asked.get(colour, 0.0) > IDLE_BALL_S:
                self._first.pop(colour, None)
                self._node.destroy_subscription(self._subscriptions.pop(colour))

    def _on_ball(self, message: AiboBall) -> None:
        view = BallView(message.visible, message.x, message.y, message.area)
        self._views[message.colour] = (view if message.visible else NOTHING, time.monotonic())

    def _on_camera(self, message: CameraInfo) -> None:
        if message.k[0] > 0.0 and message.k[4] > 0.0:
            self._camera = Camera(message.k[0], message.k[4], message.k[2], message.k[5])

    def _on_2d(self, message: Any) -> None:
        if self._camera is None:
            self._node.on_problem(
                "detections without a camera",
                f"detections are passed over: no camera_info on {self._source.camera_info} yet",
            )
            return
        now = time.monotonic()
        for colour, classes in self._source.classes.items():
            self._views[colour] = (view_of_2d(message.detections, classes, self._camera), now)

    def _on_3d(self, message: Any) -> None:
        now = time.monotonic()
        view = view_of_3d([b.center for b in message.balls], self._source.optical)
        for colour in self._source.classes:
            self._views[colour] = (view, now)
