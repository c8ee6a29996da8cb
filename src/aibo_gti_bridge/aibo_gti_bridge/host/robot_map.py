# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Maps of gti_host: which names of a ROS 2 robot stand for what of an ERS-7, from a YAML file.

``host_maps/`` has ready-made ones; ``aibo.yaml`` there explains every key. No ROS.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import yaml

from aibo_gti_bridge.host.fields import steps
from aibo_gti_bridge.model.gait import Velocity
from aibo_gti_bridge.model.joints import BY_NAME, UnknownJointError, find
from aibo_gti_bridge.protocol.sensors import BUTTONS, SENSORS

MAPS = Path(__file__).parents[1] / "host_maps"
_READABLE = frozenset(part.name for part in (*BUTTONS, *SENSORS))
_TYPE = re.compile(r"[a-z]\w*/msg/[A-Z]\w*")


class MapError(Exception):
    """A map that cannot be read or makes no sense; the message says where."""


@dataclass(frozen=True)
class Walking:
    """The base: its velocity topic, its limits, and the odometry that measures steps."""

    topic: str = "cmd_vel"
    limits: Velocity = (0.18, 0.14, 1.8)
    """m/s, m/s, rad/s"""
    step_period: float = 0.5
    """s"""
    odometry: str = ""
    """Topic; empty: steps end by time alone."""


@dataclass(frozen=True)
class JointName:
    """A joint of the robot that stands for one of ours: its angle is ``sign * ours + offset``.

    ``robot`` empty: the robot has no such joint, but one that always stands at ``offset``.
    """

    robot: str
    sign: float = 1.0
    offset: float = 0.0
    speed: float = 2.0
    """rad/s, where the client gives no time."""


@dataclass(frozen=True)
class Controller:
    """What moves some of the robot's joints.

    ``kind``: ``action`` (FollowJointTrajectory), ``trajectory`` (JointTrajectory topic) or
    ``positions`` (Float64MultiArray topic, in the order of ``joints``). Without ``partial`` it is
    told of all its joints each time, as ros2_control's controllers want.
    """

    kind: str
    name: str
    joints: tuple[str, ...]
    partial: bool = False


@dataclass(frozen=True)
class SensorSource:
    """Where the value of a button or sensor comes from.

    ``path`` is a field of the message such as ``linear_acceleration.x``, ``axes[2]`` or, for the
    least of several, ``ranges[80:100]``. ``valid`` is the path of a flag, empty for none. The
    value counts for ``stale`` seconds (0: until the next). Without a ``topic`` it is ``offset``.
    """

    topic: str = ""
    type: str = ""
    path: str = ""
    scale: float = 1.0
    offset: float = 0.0
    valid: str = ""
    latched: bool = False
    stale: float = 2.0


@dataclass(frozen=True)
class BallSource:
    """Where balls come from: topics of another bridge, or a detector and its camera."""

    topics: Mapping[str, str] = field(default_factory=dict)
    """AiboBall topics by colour."""
    detections: str = ""
    """Topic of ``type``."""
    type: str = "vision_msgs/msg/Detection2DArray"
    camera_info: str = "camera_info"
    classes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Class ids of the detector by colour."""
    optical: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """3D detections: where the camera is in their frame (x forward, y left, z up), m."""
    search_action: str = ""
    """AiboSearchBall of another bridge; empty: the host looks around."""
    turn: float = 0.0
    """rad/s with which the base turns to look around; 0: the head does."""


@dataclass(frozen=True)
class Motions:
    """How motion files are played; the first of these that knows a file is taken."""

    triggers: Mapping[str, str] = field(default_factory=dict)
    """Trigger services by file name."""
    action: str = ""
    """AiboPlayMotion of another bridge."""
    directory: str = ""
    """Files that become trajectories; empty: those of the package."""


@dataclass(frozen=True)
class HostMap:
    """What a robot has of an ERS-7."""

    name: str
    walk: Walking
    joint_states: str
    joints: Mapping[str, JointName]
    """By our names."""
    controllers: tuple[Controller, ...]
    sensors: Mapping[str, SensorSource]
    """By Tekkotsu's names."""
    ball: BallSource
    motions: Motions


def names() -> list[str]:
    """Return the names of the maps that come with the package."""
    return sorted(path.stem for path in MAPS.glob("*.yaml"))


def load(name: str | Path) -> HostMap:
    """Read a ready-made map by its name, or a file by its path. Raises MapError."""
    path = MAPS / f"{name}.yaml" if str(name) in names() else Path(name).expanduser()
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise MapError(
            f"map {str(name)!r} cannot be read ({error}); ready-made ones: {', '.join(names())}"
        ) from error
    return parse(text, path.stem)


def parse(text: str, name: str = "map") -> HostMap:
    """Return the map that ``text`` is. Raises MapError."""
    try:
        table = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise MapError(f"map {name}: no YAML: {error}") from error
    top = _Section(f"map {name}", table)
    result = HostMap(
        name,
        _walking(top.section("walk")),
        top.text("joint_states", "joint_states"),
        _joints(top.section("joints")),
        tuple(_controller(section) for section in top.sections("controllers")),
        _sensors(top.section("sensors")),
        _ball(top.section("ball")),
        _motions(top.section("motions")),
    )
    top.end()
    _check_controllers(result, f"map {name}")
    return result


def placed(host_map: HostMap, namespace: str) -> HostMap:
    """Return the map with all its relative names below ``namespace``, which is absolute."""
    base = namespace.rstrip("/")

    def full(name: str) -> str:
        return f"{base}/{name}" if name and not name.startswith("/") else name

    def each(table: Mapping[str, str]) -> Mapping[str, str]:
        return {key: full(name) for key, name in table.items()}

    walk, ball, motions = host_map.walk, host_map.ball, host_map.motions
    return replace(
        host_map,
        walk=replace(walk, topic=full(walk.topic), odometry=full(walk.odometry)),
        joint_states=full(host_map.joint_states),
        controllers=tuple(replace(c, name=full(c.name)) for c in host_map.controllers),
        sensors={n: replace(s, topic=full(s.topic)) for n, s in host_map.sensors.items()},
        ball=replace(
            ball,
            topics=each(ball.topics),
            detections=full(ball.detections),
            camera_info=full(ball.camera_info),
            search_action=full(ball.search_action),
        ),
        motions=replace(motions, triggers=each(motions.triggers), action=full(motions.action)),
    )


class _Section:
    """A mapping of the file, whose keys are taken one by one; ``end`` complains about the rest."""

    def __init__(self, where: str, table: Any) -> None:
        if table is None:
            table = {}
        if not isinstance(table, dict):
            raise MapError(f"{where} must be a mapping of keys to values, not {table!r}")
        self.where = where
        self._rest = dict(table)

    def take(self, key: str, default: Any = None) -> Any:
        return self._rest.pop(key, default)

    def items(self) -> list[tuple[str, Any]]:
        rest, self._rest = self._rest, {}
        return [(str(key), value) for key, value in rest.items()]

    def section(self, key: str) -> _Section:
        return _Section(f"{self.where}, {key}", self.take(key))

    def sections(self, key: str) -> list[_Section]:
        tables = self.take(key, [])
        if not isinstance(tables, list):
            raise MapError(f"{self.where}, {key} must be a list, not {tables!r}")
        return [_Section(f"{self.where}, {key} {n}", t) for n, t in enumerate(tables, 1)]

    def text(self, key: str, default: str = "") -> str:
        value = self.take(key, default)
        if not isinstance(value, str):
            raise MapError(f"{self.where}, {key} must be a text, not {value!r}")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        return _texts(self.where, key, self.take(key, []))

    def number(self, key: str, default: float, low: float = -1e6, high: float = 1e6) -> float:
        value = self.take(key, default)
        numeric = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not numeric or not low <= value <= high:
            raise MapError(
                f"{self.where}, {key} must be a number from {low:g} to {high:g}, not {value!r}"
            )
        return float(value)

    def flag(self, key: str) -> bool:
        value = self.take(key, False)
        if not isinstance(value, bool):
            raise MapError(f"{self.where}, {key} must be true or false, not {value!r}")
        return value

    def end(self) -> None:
        for key in self._rest:
            raise MapError(f"{self.where} has no key {key!r}")


def _texts(where: str, key: str, value: Any) -> tuple[str, ...]:
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list) or not all(isinstance(item, str) for item in texts):
        raise MapError(f"{where}, {key} must be a list of texts, not {value!r}")
    return tuple(texts)


def _walking(section: _Section) -> Walking:
    defaults = Walking()
    keys = ("max_forward", "max_sideways", "max_turn")
    forward, sideways, turn = (
        section.number(key, value, 0.0, 100.0)
        for key, value in zip(keys, defaults.limits, strict=True)
    )
    walking = Walking(
        section.text("topic", defaults.topic),
        (forward, sideways, turn),
        section.number("step_period", defaults.step_period, 0.01, 60.0),
        section.text("odometry"),
    )
    section.end()
    return walking


def _joints(section: _Section) -> Mapping[str, JointName]:
    found = {}
    for name, value in section.items():
        where = f"{section.where}, {name}"
        try:
            ours = find(name).name
        except UnknownJointError as error:
            raise MapError(f"{where}: {error}") from None
        if isinstance(value, str):
            value = {"joint": value}
        one = _Section(where, value)
        robot, fixed = one.text("joint"), one.take("fixed")
        if (fixed is None) == (not robot):
            raise MapError(f"{where} must have either a joint or a fixed angle")
        if fixed is not None:
            found[ours] = JointName("", 1.0, _Section(where, {"fixed": fixed}).number("fixed", 0))
        else:
            sign = one.number("sign", 1.0)
            if sign not in (-1.0, 1.0):
                raise MapError(f"{where}, sign must be 1 or -1, not {sign:g}")
            found[ours] = JointName(
                robot, sign, one.number("offset", 0.0), one.number("speed", 2.0, 0.01, 100.0)
            )
        one.end()
    order = list(BY_NAME)
    return MappingProxyType(dict(sorted(found.items(), key=lambda item: order.index(item[0]))))


def _controller(section: _Section) -> Controller:
    kinds = {kind: section.text(kind) for kind in ("action", "trajectory", "positions")}
    given = [kind for kind, name in kinds.items() if name]
    if len(given) != 1:
        raise MapError(f"{section.where} must have one of {', '.join(kinds)}")
    joints = section.texts("joints")
    controller = Controller(given[0], kinds[given[0]], joints, section.flag("partial"))
    section.end()
    return controller


def _check_controllers(result: HostMap, where: str) -> None:
    known = {joint.robot for joint in result.joints.values() if joint.robot}
    taken: set[str] = set()
    for controller in result.controllers:
        for joint in controller.joints:
            if joint not in known:
                raise MapError(f"{where}: {controller.name} moves {joint}, which no joint names")
            if joint in taken:
                raise MapError(f"{where}: two controllers move {joint}")
            taken.add(joint)


def _sensors(section: _Section) -> Mapping[str, SensorSource]:
    found = {}
    for name, value in section.items():
        where = f"{section.where}, {name}"
        if name not in _READABLE:
            raise MapError(f"{where}: no sensor of an ERS-7; there are {', '.join(_READABLE)}")
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            found[name] = SensorSource(offset=float(value), stale=0.0)
            continue
        one = _Section(where, value)
        source = SensorSource(
            one.text("topic"), one.text("type"), one.text("field"), one.number("scale", 1.0),
            one.number("offset", 0.0), one.text("valid"), one.flag("latched"),
            one.number("stale", 2.0, 0.0, 3600.0),
        )  # fmt: skip
        one.end()
        if not source.topic or not _TYPE.fullmatch(source.type):
            raise MapError(f"{where} must have a topic and a type such as sensor_msgs/msg/Range")
        try:
            steps(source.path)
            if source.valid:
                steps(source.valid)
        except ValueError as error:
            raise MapError(f"{where}: {error}") from None
        found[name] = source
    return MappingProxyType(found)


def _ball(section: _Section) -> BallSource:
    topics = {name: str(topic) for name, topic in section.section("topics").items()}
    found = section.section("classes")
    classes = {colour: _texts(found.where, colour, names) for colour, names in found.items()}
    optical = section.take("optical", [0.0, 0.0, 0.0])
    if not isinstance(optical, list) or len(optical) != 3:
        raise MapError(f"{section.where}, optical must be three numbers (m), not {optical!r}")
    numbers = _Section(f"{section.where}, optical", dict(zip("xyz", optical, strict=True)))
    source = BallSource(
        MappingProxyType(topics),
        section.text("detections"),
        section.text("type", BallSource.type),
        section.text("camera_info", BallSource.camera_info),
        MappingProxyType(classes),
        (numbers.number("x", 0), numbers.number("y", 0), numbers.number("z", 0)),
        section.text("search_action"),
        section.number("turn", 0.0, 0.0, 10.0),
    )
    section.end()
    if source.detections and source.type not in DETECTIONS:
        raise MapError(f"{section.where}, type must be one of {', '.join(DETECTIONS)}")
    return source


DETECTIONS = ("vision_msgs/msg/Detection2DArray", "soccer_vision_3d_msgs/msg/BallArray")
"""Types of detections that are understood."""


def _motions(section: _Section) -> Motions:
    triggers = {name: str(service) for name, service in section.section("triggers").items()}
    action, directory = section.text("action"), section.text("directory")
    motions = Motions(MappingProxyType(triggers), action, directory)
    section.end()
    return motions
