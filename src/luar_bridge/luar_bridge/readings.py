# SPDX-License-Identifier: Apache-2.0
"""What the variables of a robot say together: snapshots of segments to frozen dataclasses.

Every function gives None (or leaves a field out) where variables are missing, empty or of another
length than known: robots do that at any time (facts, "Observed behaviour", 3). Variables that no
part of the original ever writes are never used. Units are metres, radians and seconds unless said.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from luar_bridge.layout_table import LayoutTable
from luar_bridge.pose import Pose, midpoint, mod_angle, pose_relative
from luar_bridge.segment import Snapshot

JOINTS = (
    "HeadYaw", "HeadPitch",
    "LShoulderPitch", "LShoulderRoll", "LElbowYaw", "LElbowRoll",
    "LHipYawPitch", "LHipRoll", "LHipPitch", "LKneePitch", "LAnklePitch", "LAnkleRoll",
    "RHipYawPitch", "RHipRoll", "RHipPitch", "RKneePitch", "RAnklePitch", "RAnkleRoll",
    "RShoulderPitch", "RShoulderRoll", "RElbowYaw", "RElbowRoll",
)  # fmt: skip
"""The 22 joints in the document's order, by the names of the Nao's URDF (facts, section 3)."""

SONAR_RANGE = (0.0, 2.55)
"""An echo is valid above the first and up to the second, in metres (facts, mcmUs)."""


class Memory:
    """The latest snapshots of a robot's segments, read through its layout table."""

    def __init__(self, table: LayoutTable, snapshots: Mapping[str, Snapshot]) -> None:
        self._table = table
        self._snapshots = snapshots

    def number(self, segment: str, variable: str) -> float | None:
        """Return a finite number, or None."""
        values = self.numbers(segment, variable, 1)
        return values[0] if values else None

    def numbers(self, segment: str, variable: str, length: int) -> tuple[float, ...] | None:
        """Return exactly ``length`` finite numbers, or None."""
        values = self.all_numbers(segment, variable)
        return values if len(values) == length else None

    def all_numbers(self, segment: str, variable: str) -> tuple[float, ...]:
        """Return a variable of any length; empty when it is missing, no data or not finite."""
        snapshot = self._snapshots.get(segment)
        if snapshot is None or not self._table.is_data(segment, variable):
            return ()
        values = snapshot.all_numbers(variable)
        return values if all(map(math.isfinite, values)) else ()

    def pose(self, segment: str, variable: str) -> Pose | None:
        """Return a pose (x, y, a), or None."""
        values = self.numbers(segment, variable, 3)
        return (values[0], values[1], values[2]) if values else None

    def text(self, segment: str, variable: str) -> str:
        """Return a string; empty when there is none."""
        snapshot = self._snapshots.get(segment)
        return (snapshot.text(variable) or "") if snapshot else ""

    def whole(self, segment: str, variable: str) -> int | None:
        """Return a whole number, or None."""
        value = self.number(segment, variable)
        return int(value) if value is not None and value == math.floor(value) else None


# --- motion --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Joints:
    """Angles of the joints in JOINTS' order, where they are told."""

    position: tuple[float, ...]
    temperature: tuple[float, ...]
    """Degrees Celsius; empty when unknown."""


def joints(memory: Memory) -> Joints | None:
    """Read dcmSensor, which only a real Nao has."""
    position = memory.numbers("dcmSensor", "position", len(JOINTS))
    if position is None:
        return None
    return Joints(position, memory.numbers("dcmSensor", "temperature", len(JOINTS)) or ())


@dataclass(frozen=True)
class Inertia:
    """Roll and pitch of the torso, and raw readings whose scale is the robot's secret."""

    roll: float
    pitch: float
    acceleration: tuple[float, ...] | None
    rotation: tuple[float, ...] | None
    """x and y and a reference, the offset found at the start taken off where it is known."""


def inertia(memory: Memory) -> Inertia | None:
    """Read the IMU in dcmSensor."""
    angle = memory.all_numbers("dcmSensor", "imuAngle")
    if len(angle) not in (2, 3):
        return None
    rotation = memory.numbers("dcmSensor", "imuGyr", 3)
    offset = memory.numbers("dcmSensor", "imuGyr0", 3)
    if rotation and offset:
        rotation = tuple(r - o for r, o in zip(rotation, offset, strict=True))
    return Inertia(angle[0], angle[1], memory.numbers("dcmSensor", "imuAcc", 3), rotation)


@dataclass(frozen=True)
class Battery:
    """Charge from 0 to 1, and the current in ampere (negative: discharging) where it is told."""

    charge: float
    current: float | None


def battery(memory: Memory) -> Battery | None:
    """Read the battery in dcmSensor, or wcmRobot.battery_level of later branches."""
    charge = memory.number("dcmSensor", "batteryCharge")
    if charge is not None:
        return Battery(charge, memory.number("dcmSensor", "batteryCurrent"))
    level = memory.number("wcmRobot", "battery_level")
    return Battery(level, None) if level is not None and 0.0 <= level <= 1.0 else None


def sonar(memory: Memory, side: str) -> tuple[float, ...] | None:
    """Return the echoes of a sonar, ``left`` or ``right``, in metres, as the memory has them."""
    echoes = memory.all_numbers("mcmUs", side)
    if not echoes or not any(echoes):
        echoes = memory.all_numbers("dcmSensor", f"us{side.capitalize()}") or echoes
    return echoes or None


def nearest_echo(echoes: tuple[float, ...]) -> float:
    """Return the first valid echo, the nearest thing, in metres; inf when there is none."""
    low, high = SONAR_RANGE
    return next((echo for echo in echoes if low < echo <= high), math.inf)


@dataclass(frozen=True)
class Walk:
    """The walk engine: torso between the feet, both feet in its odometry."""

    body_offset: Pose | None
    left_foot: Pose
    right_foot: Pose
    still_time: float | None

    @property
    def odometry(self) -> Pose:
        """Half way between the feet, as the original's mcm.get_odometry."""
        x, y, a = midpoint(self.left_foot, self.right_foot)
        return x, y, mod_angle(a)


def walk(memory: Memory) -> Walk | None:
    """Read mcmWalk."""
    left, right = memory.pose("mcmWalk", "uLeft"), memory.pose("mcmWalk", "uRight")
    if left is None or right is None:
        return None
    still = memory.number("mcmWalk", "stillTime")
    return Walk(memory.pose("mcmWalk", "bodyOffset"), left, right, still)


# --- vision --------------------------------------------------------------------------------


def detected(memory: Memory, segment: str) -> bool | None:
    """Tell whether a detection says that it sees something; None when there is no such segment."""
    detect = memory.number(segment, "detect")
    return None if detect is None else detect == 1.0


@dataclass(frozen=True)
class SeenBall:
    """A ball in one image."""

    position: tuple[float, float, float]
    """x forward, y left, z up from the ground below the robot."""
    distance: float | None
    distance_deviation: float | None
    bearing_deviation: float | None
    centre: tuple[float, float] | None
    """Pixels of labelA."""


def seen_ball(memory: Memory, camera_height: float, segment: str = "vcmBall") -> SeenBall | None:
    """Read vcmBall; None when no ball is seen. v's origin is ``camera_height`` up (m)."""
    v = memory.numbers(segment, "v", 4)
    if not detected(memory, segment) or v is None:
        return None
    centre = memory.numbers(segment, "centroid", 2)
    return SeenBall(
        _above_ground(v, camera_height),
        memory.number(segment, "r"),
        memory.number(segment, "dr"),
        memory.number(segment, "da"),
        (centre[0], centre[1]) if centre else None,
    )


def _above_ground(v: tuple[float, ...], camera_height: float) -> tuple[float, float, float]:
    return v[0], v[1], v[2] + camera_height


@dataclass(frozen=True)
class SeenPost:
    """A goal post in one image."""

    position: tuple[float, float, float]
    side: int
    """0 unknown, 1 left, 2 right, looking into the goal."""


@dataclass(frozen=True)
class SeenGoal:
    """The posts of a goal in one image; ``yellow`` is None for a colour that is unknown."""

    posts: tuple[SeenPost, ...]
    yellow: bool | None


def seen_goal(memory: Memory, camera_height: float, segment: str = "vcmGoal") -> SeenGoal | None:
    """Read vcmGoal; None when no goal is seen."""
    kind = memory.whole(segment, "type")
    v1, v2 = memory.numbers(segment, "v1", 4), memory.numbers(segment, "v2", 4)
    if not detected(memory, segment) or v1 is None or kind not in (0, 1, 2, 3):
        return None
    first = _above_ground(v1, camera_height)
    posts = [SeenPost(first, kind if kind in (1, 2) else 0)]
    if kind == 3 and v2 is not None:
        # Both posts: the first one is the left one.
        posts = [SeenPost(first, 1), SeenPost(_above_ground(v2, camera_height), 2)]
    colour = memory.whole(segment, "color")
    return SeenGoal(tuple(posts), {2: True, 4: False}.get(colour) if colour is not None else None)


@dataclass(frozen=True)
class SeenLine:
    """A line on the ground, from end to end."""

    start: tuple[float, float, float]
    end: tuple[float, float, float]


LINE_LENGTH = 0.5
"""Length in metres that a line is given of which only the centre is told."""


def seen_lines(memory: Memory, segment: str = "vcmLine") -> tuple[SeenLine, ...]:
    """Read vcmLine; empty when no line is seen.

    Later branches tell the ends of each line. The document's Luar tells the centre and the angle
    of one; it is given LINE_LENGTH around its centre.
    """
    if not detected(memory, segment):
        return ()
    ends = [memory.all_numbers(segment, name) for name in ("v1x", "v1y", "v2x", "v2y")]
    count = memory.whole(segment, "nLines")
    if all(ends) and count is not None:
        rows = list(zip(*ends, strict=False))[: max(0, count)]
        return tuple(SeenLine((x1, y1, 0.0), (x2, y2, 0.0)) for x1, y1, x2, y2 in rows)
    centre = memory.numbers(segment, "vcentroid", 4) or memory.numbers(segment, "v", 4)
    angle = memory.number(segment, "angle")
    if centre is None or angle is None:
        return ()
    dx, dy = (LINE_LENGTH / 2 * f(angle) for f in (math.cos, math.sin))
    x, y = centre[0], centre[1]
    return (SeenLine((x - dx, y - dy, 0.0), (x + dx, y + dy, 0.0)),)


# --- world ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class RobotPose:
    """The robot in the world, with the covariance of (x, y, a) by rows where particles tell it."""

    pose: Pose
    covariance: tuple[float, ...] | None


def robot_pose(memory: Memory) -> RobotPose | None:
    """Read wcmRobot.pose and, of later branches, wcmParticle."""
    pose = memory.pose("wcmRobot", "pose")
    return None if pose is None else RobotPose(pose, _particle_covariance(memory, pose))


def _particle_covariance(memory: Memory, mean: Pose) -> tuple[float, ...] | None:
    x, y, a, w = (np.array(memory.all_numbers("wcmParticle", name)) for name in "xyaw")
    if not len(x) == len(y) == len(a) == len(w) or len(x) < 2:
        return None
    weight = np.exp(w - w.max())  # they are logarithms
    turned = np.mod(a - mean[2] + math.pi, 2 * math.pi) - math.pi
    spread = np.stack([x - mean[0], y - mean[1], turned])
    covariance = (spread * weight) @ spread.T / weight.sum()
    return tuple(covariance.ravel().tolist())


@dataclass(frozen=True)
class BallModel:
    """The filtered ball in the robot's frame."""

    x: float
    y: float
    velocity: tuple[float, float] | None
    last_seen: float | None
    """In the time of the robot's body, which under Webots is that of the simulation."""


def ball_model(memory: Memory) -> BallModel | None:
    """Read wcmBall in the document's form (xy, velocity) or the later one (x, y, velx, vely)."""
    place = memory.numbers("wcmBall", "xy", 2)
    velocity = memory.numbers("wcmBall", "velocity", 2)
    if place is None:
        x, y = memory.number("wcmBall", "x"), memory.number("wcmBall", "y")
        if x is None or y is None:
            return None
        place = (x, y)
        vx, vy = memory.number("wcmBall", "velx"), memory.number("wcmBall", "vely")
        velocity = None if vx is None or vy is None else (vx, vy)
    speed = (velocity[0], velocity[1]) if velocity else None
    return BallModel(place[0], place[1], speed, memory.number("wcmBall", "t"))


@dataclass(frozen=True)
class GoalModel:
    """Both goals in the world."""

    attack: Pose
    defend: Pose


def goal_model(memory: Memory) -> GoalModel | None:
    """Read wcmGoal."""
    attack, defend = memory.pose("wcmGoal", "attack"), memory.pose("wcmGoal", "defend")
    return None if attack is None or defend is None else GoalModel(attack, defend)


@dataclass(frozen=True)
class Obstacle:
    """Another robot, in this robot's frame."""

    x: float
    y: float
    opponent: bool


def obstacles(memory: Memory) -> tuple[Obstacle, ...] | None:
    """Read wcmObstacle of later branches; None where there is no such segment."""
    count = memory.whole("wcmObstacle", "num")
    if count is None:
        return None
    x, y = (memory.all_numbers("wcmObstacle", name) for name in "xy")
    roles = memory.all_numbers("wcmObstacle", "role")
    rows = list(zip(x, y, roles, strict=False))[: max(0, count)]
    return tuple(Obstacle(px, py, role >= 5) for px, py, role in rows)


# --- game ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Game:
    """The game as the referee's computer told it, from this team's point of view."""

    state: int | None
    half: int | None
    kickoff: int | None
    penalties: tuple[int, ...]
    time_remaining: float | None
    players: int | None


def game(memory: Memory) -> Game | None:
    """Read gcmGame."""
    state = memory.whole("gcmGame", "state")
    if state is None:
        return None
    penalties = memory.all_numbers("gcmGame", "penalty")
    return Game(
        state,
        memory.whole("gcmGame", "half"),
        memory.whole("gcmGame", "kickoff"),
        tuple(int(p) for p in penalties),
        memory.number("gcmGame", "time_remaining"),
        memory.whole("gcmGame", "nplayers"),
    )


@dataclass(frozen=True)
class Team:
    """Who the robot is."""

    number: int | None
    player: int | None
    color: int | None
    role: int | None


def team(memory: Memory) -> Team | None:
    """Read gcmTeam."""
    player, role = memory.whole("gcmTeam", "player_id"), memory.whole("gcmTeam", "role")
    if player is None and role is None:
        return None
    return Team(memory.whole("gcmTeam", "number"), player, memory.whole("gcmTeam", "color"), role)


def odom_in_map(pose: Pose, odometry: Pose) -> Pose:
    """Return the odometry's origin in the world: from where ``odometry`` leads to ``pose``."""
    inverse = pose_relative((0.0, 0.0, 0.0), odometry)
    c, s = math.cos(pose[2]), math.sin(pose[2])
    x, y, a = inverse
    return pose[0] + c * x - s * y, pose[1] + s * x + c * y, mod_angle(pose[2] + a)
