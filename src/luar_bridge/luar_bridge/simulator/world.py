# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A small soccer scene: a robot that looks for the ball, walks to it and kicks it. No ROS.

Deterministic under its seed. Metres, radians and seconds.
"""

from __future__ import annotations

import enum
import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field

from luar_bridge.model import field as soccer_field
from luar_bridge.model.pose import Pose, mod_angle, pose_global
from luar_bridge.protocol.game_control import GameState
from luar_bridge.simulator import team_roles
from luar_bridge.simulator.camera import in_robot

WALK_SPEED = 0.12
TURN_SPEED = 0.6
STEP_SECONDS = 0.5
FOOT_Y = 0.05
KICK_SPEED = 1.4
KICK_S, KICK_HITS_S = 3.05, 1.85
"""Of luar_tools' motions kick_left and kick_right: all, and until the foot is at the ball."""
FRICTION = 0.35
"""Deceleration of the ball in m/s²."""
HEAD_SPEED = 1.2
HALF_SECONDS = 600.0
FINISHED_SECONDS = 15.0
"""From the end of a game to the next."""


# From the beginning of the game in seconds.
_PHASES = ((2.0, GameState.INITIAL), (5.0, GameState.READY), (7.0, GameState.SET))
_KICK_OFF = _PHASES[-1][0]
_AFTER_BUTTON = {GameState.READY: GameState.SET, GameState.SET: GameState.PLAYING}
_GAME_SECONDS = _KICK_OFF + HALF_SECONDS + FINISHED_SECONDS


class Body(str, enum.Enum):
    """What the robot does, by the names of Luar's body states."""

    IDLE = "bodyIdle"
    SEARCH = "bodySearch"
    APPROACH = "bodyApproach"
    KICK = "bodyKick"


@dataclass
class Ball:
    """The ball on the ground."""

    x: float = 0.0
    y: float = 0.0
    vx: float = 0.0
    vy: float = 0.0

    def roll(self, dt: float, *, bounces: bool = True) -> None:
        """Roll on, and bounce off the edge of the field if it ``bounces``."""
        speed = math.hypot(self.vx, self.vy)
        if speed <= FRICTION * dt:
            self.vx = self.vy = 0.0
            return
        slower = 1.0 - FRICTION * dt / speed
        self.vx, self.vy = self.vx * slower, self.vy * slower
        self.x += self.vx * dt
        self.y += self.vy * dt
        if not bounces:
            return
        if abs(self.x) > soccer_field.HALF_LENGTH:
            self.x = math.copysign(2 * soccer_field.HALF_LENGTH, self.x) - self.x
            self.vx = -0.6 * self.vx
        if abs(self.y) > soccer_field.HALF_WIDTH:
            self.y = math.copysign(2 * soccer_field.HALF_WIDTH, self.y) - self.y
            self.vy = -0.6 * self.vy


@dataclass
class SoccerScene:
    """One robot and one ball; ``color`` 0 plays towards +x (yellow), 1 towards -x (cyan)."""

    player: int = 1
    color: int = 0
    seed: int = 0
    time: float = 0.0
    pose: Pose = (0.0, 0.0, 0.0)
    ball: Ball = field(default_factory=Ball)
    head_yaw: float = 0.0
    head_pitch: float = 0.3
    camera: int = 0
    """0 top, 1 bottom."""
    selected: int | None = None
    """The camera that is ordered; None: the robot changes it as it looks down."""
    body: Body = Body.IDLE
    role: int = -1
    """As gcmTeam has it; -1: the one that the document has for the player."""
    still_time: float = 0.0
    penalised: bool = False
    has_motion: bool = True
    """False: no motion process runs; the robot stands, and its head is turned from outside."""
    ordered: GameState | None = None
    """State of the game as a referee has it; None: the scene's own."""
    drive: Callable[[SoccerScene], Pose] | None = None
    """Returns the speed of the walk (m/s, m/s, rad/s) where the robot does not play by itself."""
    on_kick: Callable[[float, float], None] | None = None
    """Called with the speed (m/s) that the ball is given, where the ball is a referee's."""

    def __post_init__(self) -> None:
        self._chance = random.Random(self.seed * 1009 + self.player)
        if self.role < 0:
            self.role = team_roles.FIRST[(self.player - 1) % len(team_roles.FIRST)]
        away = -1.0 if self.color == 0 else 1.0
        lane = (self.player - 2) * 0.8
        self._home = (away * 1.5, lane)
        self.pose = (*self._home, 0.0 if self.color == 0 else math.pi)
        self.ball = Ball(self._chance.uniform(-0.5, 0.5), self._chance.uniform(-0.5, 0.5))
        # The odometry starts anywhere, drifts, and knows nothing of the field.
        self.left_foot: Pose = (0.0, FOOT_Y, 0.0)
        self.right_foot: Pose = (0.0, -FOOT_Y, 0.0)
        self._odometry: Pose = (0.0, 0.0, 0.0)
        self._speed: Pose = (0.0, 0.0, 0.0)
        self._dt = 0.0
        self.body_since = 0.0
        """When ``body`` began."""

    @property
    def walking(self) -> bool:
        """Whether the feet move."""
        return self._speed != (0.0, 0.0, 0.0)

    @property
    def state(self) -> GameState:
        """State of the game, after which the next one begins."""
        if self.ordered is not None:
            return self.ordered
        for until, state in _PHASES:
            if self._game_time < until:
                return state
        return GameState.PLAYING if self.time_remaining > 0.0 else GameState.FINISHED

    @property
    def time_remaining(self) -> float:
        """Seconds left in the half."""
        return max(0.0, HALF_SECONDS - max(0.0, self._game_time - _KICK_OFF))

    @property
    def _game_time(self) -> float:
        return self.time % _GAME_SECONDS

    @property
    def ball_in_robot(self) -> tuple[float, float]:
        """The ball in the robot's frame."""
        return in_robot((self.ball.x, self.ball.y), self.pose)

    def press_button(self) -> None:
        """Go to the next state, as the button of the chest orders; between play and penalty then.

        From now on the game has no time of its own.
        """
        if self.ordered is GameState.PLAYING:
            self.penalised = not self.penalised
        elif self.ordered not in _AFTER_BUTTON:
            self.ordered = GameState.READY
        else:
            self.ordered = _AFTER_BUTTON[self.ordered]

    def advance(self, dt: float) -> None:
        """Let ``dt`` seconds go by."""
        self.time += dt
        self._dt = dt
        if self.has_motion:
            self._turn_head(dt)
        self._decide()
        self._walk(dt)
        if self.on_kick is None:
            self.ball.roll(dt)

    def gait(self) -> float:
        """Return the phase of the step in [0, 1)."""
        return math.modf(self.time / STEP_SECONDS)[0]

    def _turn_head(self, dt: float) -> None:
        x, y = self.ball_in_robot
        if self.body in (Body.APPROACH, Body.KICK) and math.sin(self.time * 0.9) < 0.8:
            bearing = math.atan2(y, x)
            yaw = min(max(bearing, -1.2), 1.2)
            down = math.atan2(0.4, max(0.1, math.hypot(x, y)))
        else:
            yaw = 1.0 * math.sin(2 * math.pi * self.time / 4.0)
            down = 0.35 + 0.25 * math.sin(2 * math.pi * self.time / 2.0)
        self.camera = int(down > 0.6) if self.selected is None else self.selected
        pitch = min(max(down - (0.7 if self.camera else 0.0), -0.6), 0.5)
        most = HEAD_SPEED * dt
        self.head_yaw += min(max(yaw - self.head_yaw, -most), most)
        self.head_pitch += min(max(pitch - self.head_pitch, -most), most)

    def _decide(self) -> None:
        if self.drive is not None:
            self._speed = self.drive(self)
            self.body = Body.APPROACH if self.walking else Body.SEARCH
            return
        stands = self.penalised or not self.has_motion
        if stands or self.state in (GameState.INITIAL, GameState.FINISHED):
            self.body, self._speed = Body.IDLE, (0.0, 0.0, 0.0)
            return
        if self.state in (GameState.READY, GameState.SET):
            turning = 0.2 if self.state is GameState.READY else 0.0
            self.body, self._speed = Body.SEARCH, (0.0, 0.0, turning)
            if self.ordered is GameState.READY:
                self._walk_to(self._home)
            return
        x, y = self.ball_in_robot
        if self.body is Body.KICK:
            before = self.time - self._dt - self.body_since
            if before < KICK_HITS_S <= self.time - self.body_since:
                self._kick()
            if self.time - self.body_since >= KICK_S:
                self.body = Body.APPROACH
            return
        distance, bearing = math.hypot(x, y), math.atan2(y, x)
        if distance < 0.18 and abs(bearing) < 0.5:
            self.body, self._speed = Body.KICK, (0.0, 0.0, 0.0)
            self.body_since = self.time
            return
        self.body = Body.APPROACH
        if self.ordered is not None and (place := self._post()) is not None:
            self._walk_to(place)
            return
        turn = min(max(1.5 * bearing, -TURN_SPEED), TURN_SPEED)
        forward = WALK_SPEED * max(0.0, math.cos(bearing)) if abs(bearing) < 1.0 else 0.0
        self._speed = (forward, 0.0, turn)

    def _post(self) -> tuple[float, float] | None:
        """Return where a player stands who does not go for the ball, None for one who does."""
        side = -1.0 if self.color == 0 else 1.0
        if self.role == team_roles.GOALIE:  # it leaves its goal only for a near ball
            near = math.hypot(*self.ball_in_robot) < 0.8
            return None if near else (side * (soccer_field.HALF_LENGTH - 0.3), 0.3 * self.ball.y)
        if self.role == team_roles.ATTACK:
            return None
        if self.role == team_roles.DEFEND:
            own_goal = side * soccer_field.HALF_LENGTH
            return (own_goal + self.ball.x) / 2, 0.5 * self.ball.y
        return self.ball.x + side * 1.0, self.ball.y + (0.8 if self.ball.y < 0.0 else -0.8)

    def _walk_to(self, place: tuple[float, float]) -> None:
        """Walk to a place of the world; stand there."""
        x, y = in_robot(place, self.pose)
        distance, bearing = math.hypot(x, y), math.atan2(y, x)
        if distance < 0.1:
            self._speed = (0.0, 0.0, 0.0)
            return
        turn = min(max(1.5 * bearing, -TURN_SPEED), TURN_SPEED)
        forward = WALK_SPEED * max(0.0, math.cos(bearing)) if abs(bearing) < 1.0 else 0.0
        self._speed = (forward, 0.0, turn)

    def _kick(self) -> None:
        goal = soccer_field.HALF_LENGTH if self.color == 0 else -soccer_field.HALF_LENGTH
        aim = math.atan2(-self.ball.y, goal - self.ball.x) + self._chance.gauss(0.0, 0.2)
        # Kicked hard against the border it comes back, and the game goes on.
        self.kick_ball(aim, KICK_SPEED * self._chance.uniform(0.7, 1.0))

    def kick_ball(self, direction: float, speed: float) -> None:
        """Give the ball a speed (m/s) in a direction (rad) of the world."""
        self.ball.vx, self.ball.vy = speed * math.cos(direction), speed * math.sin(direction)
        if self.on_kick is not None:
            self.on_kick(self.ball.vx, self.ball.vy)

    def _walk(self, dt: float) -> None:
        vx, vy, va = self._speed
        self.still_time = 0.0 if self.walking else self.still_time + dt
        x, y, a = pose_global((vx * dt, vy * dt, va * dt), self.pose)
        edge_x = soccer_field.HALF_LENGTH + 0.4
        edge_y = soccer_field.HALF_WIDTH + 0.4
        self.pose = (
            min(max(x, -edge_x), edge_x), min(max(y, -edge_y), edge_y), mod_angle(a)
        )  # fmt: skip
        slip = 1.03
        self._odometry = pose_global((slip * vx * dt, vy * dt, 0.99 * va * dt), self._odometry)
        # By turns one foot stands and the other one swings ahead.
        swing = 0.5 * STEP_SECONDS * vx * math.cos(2 * math.pi * self.gait())
        self.left_foot = pose_global((swing, FOOT_Y, 0.0), self._odometry)
        self.right_foot = pose_global((-swing, -FOOT_Y, 0.0), self._odometry)
