# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Observation, reward and ends of an episode, for arrays of worlds.

Source: docs/originals/roboskate.md, "The environments of the original, exactly".
``original`` follows the formulas of the environment that was made for the real game, including its
rounding to float32 on the wire; ``modern`` shares its observation and scores progress.
"""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from roboskate_game.model.course import COURSE

STEP_SECONDS = 0.2
FORCE = 250.0
"""Joint force, in the game's units, that an action of 1 stands for."""
MAXIMUM_STEPS = 2000
START_ANGLES = (55.0, 110.0)
"""Degrees towards which reset lowers joints 2 and 3."""
START_STEPS = 5
JOINT_SCALES = np.array([185.0, 95.0, 130.0, 170.0, 170.0, 170.0])
SPEED_SCALE = 8.0
PLACE_SCALE, HEIGHT_SCALE = 220.0, 50.0

Singles = NDArray[np.float32]
Doubles = NDArray[np.float64]
Flags = NDArray[np.bool_]

CHECKPOINT_DISCS = np.array([(c.x, c.y, c.radius) for c in COURSE.checkpoints])
"""x, y and radius (n, 3) of the checkpoints, in m."""
LAST_CHECKPOINT = len(CHECKPOINT_DISCS) - 1
_NOT_OFF: Doubles = np.zeros((1, 2))


class Rules(str, enum.Enum):
    """ORIGINAL: as the environment made for the real game. MODERN: documented shaping."""

    ORIGINAL = "original"
    MODERN = "modern"


class End(enum.IntEnum):
    """Why an episode has ended."""

    NONE = 0
    FINISHED = 1
    STEPS = 2
    FALLEN = 3
    TIPPED = 4
    TOO_FAST = 5


@dataclass(frozen=True)
class ModernRules:
    """Reward of ``modern``: metres of progress, less a cost for each step, and events."""

    per_metre: float = 1.0
    per_step: float = -0.02
    checkpoint: float = 1.0
    finished: float = 50.0
    failed: float = -3.0


@dataclass(frozen=True)
class WireState:
    """States of N worlds as the game reports them: float32, x forward, y up, z left.

    ``position`` and ``velocity`` (n, 3) in m and m/s, unit vectors ``forward`` and ``up`` (n, 3),
    ``joints`` (n, 6) in degrees and degrees/s.
    """

    position: Singles
    velocity: Singles
    forward: Singles
    up: Singles
    joints: Singles


@dataclass(frozen=True)
class Perception:
    """What the formulas take from a WireState, one number per world.

    ``numbers`` (n, 9): the observation without the steering angle; ``x``, ``y``, ``height`` in m;
    ``yaw`` in degrees; ``pitch``, ``roll`` as parts of half a turn, 0.5 is level.
    """

    numbers: Doubles
    x: Doubles
    y: Doubles
    height: Doubles
    yaw: Doubles
    pitch: Doubles
    roll: Doubles
    turn_rate: Doubles


def _rounded(values: Singles, scale: float | Doubles) -> Doubles:
    """Divide and round to float32, as the original does in the received message."""
    return (values / scale).astype(np.float32).astype(float)


def lowering(joints: Singles, off: Doubles = _NOT_OFF) -> Doubles:
    """Return the actions (n, 3) with which reset lowers the crane, for joints (n, 6) in degrees.

    The original asks for more than 1 at first. ``off``: degrees (n, 2) that joints 2 and 3 shall
    end beside START_ANGLES.
    """
    # Through the scale and back, as rounded as there.
    second = START_ANGLES[0] + off[:, 0] - _rounded(joints[:, 1].astype(float), 95.0) * 95.0
    third = START_ANGLES[1] + off[:, 1] - _rounded(joints[:, 2].astype(float), 130.0) * 130.0
    return np.column_stack((0.0 * second, second / 20.0, third / 10.0))


def perceive(state: WireState) -> Perception:
    """Return what the formulas need."""
    joints = _rounded(state.joints.astype(float), JOINT_SCALES)
    place = _rounded(state.position[:, ::2].astype(float), PLACE_SCALE) * PLACE_SCALE
    height = _rounded(state.position[:, 1].astype(float), HEIGHT_SCALE) * HEIGHT_SCALE
    vx, vz = _rounded(state.velocity[:, ::2].astype(float), SPEED_SCALE).T
    fx, fy, fz = state.forward.astype(float).T
    ux, uy, uz = state.up.astype(float).T
    # forward x up, in the game's own components.
    lx, ly, lz = fy * uz - fz * uy, fz * ux - fx * uz, fx * uy - fy * ux
    pitch = np.arctan2(np.sqrt(fx * fx + fz * fz), fy) / math.pi
    roll = np.arctan2(np.sqrt(lx * lx + lz * lz), ly) / math.pi
    speed = np.sqrt(vx * vx + vz * vz) * np.sign(fx * vx + fz * vz)
    return Perception(
        numbers=np.column_stack((joints, speed, pitch, roll)),
        x=place[:, 0],
        y=place[:, 1],
        height=height,
        yaw=np.arctan2(fz, fx) / math.pi * 180.0,
        pitch=pitch,
        roll=roll,
        turn_rate=joints[:, 3] * JOINT_SCALES[3],
    )


class Scorer:
    """Progress, reward and end of the episodes in N worlds.

    Parameters
    ----------
    maximum_steps
        Length at which an episode is cut off; the original counts from 0, so one step later.
    small_checkpoints
        Every radius is 1 m, as the original's option ``small_checkpoint_radius``.

    """

    def __init__(
        self,
        count: int,
        rules: Rules = Rules.ORIGINAL,
        *,
        maximum_steps: int = MAXIMUM_STEPS,
        small_checkpoints: bool = False,
        modern: ModernRules | None = None,
    ) -> None:
        self.rules = rules
        self._modern = modern or ModernRules()
        self._maximum = maximum_steps
        self._radius = (
            np.ones(len(CHECKPOINT_DISCS)) if small_checkpoints else CHECKPOINT_DISCS[:, 2]
        )
        self.next: NDArray[np.intp] = np.zeros(count, np.intp)
        self.steps: NDArray[np.intp] = np.zeros(count, np.intp)
        self.distance: Doubles = np.zeros(count)
        self.steering: Doubles = np.zeros(count)

    def begin(self, seen: Perception, worlds: Flags, first: NDArray[np.intp]) -> Singles:
        """Begin episodes in some worlds, with these first checkpoints; return all observations."""
        self.next = np.where(worlds, first, self.next)
        self.steps[worlds] = 0
        distance, steering, reached = self._follow(seen)
        # Advance only worlds that were reset.
        self.next = self.next + (reached & worlds)
        self.distance = np.where(worlds, distance, self.distance)
        self.steering = np.where(worlds, steering, self.steering)
        return self.observation(seen)

    def observation(self, seen: Perception) -> Singles:
        """Return the ten numbers (n, 10)."""
        return np.column_stack((seen.numbers, self.steering / 180.0)).astype(np.float32)

    def score(self, seen: Perception) -> tuple[Singles, Doubles, NDArray[np.int8]]:
        """Return observations (n, 10), rewards (n) and ends (n, values of End) after a step."""
        distance, steering, reached = self._follow(seen)
        tipped = np.abs(seen.roll - 0.5) > 0.35
        self.next = np.minimum(self.next + reached, LAST_CHECKPOINT)
        # The first that holds counts.
        end = np.select(
            [
                self.next >= LAST_CHECKPOINT,
                self.steps >= self._maximum,
                seen.height <= -7.0,
                tipped,
                np.abs(seen.turn_rate) > 200.0,
            ],
            [End.FINISHED, End.STEPS, End.FALLEN, End.TIPPED, End.TOO_FAST],
            End.NONE,
        ).astype(np.int8)
        if self.rules is Rules.ORIGINAL:
            driving = self.distance - distance
            turning = np.abs(self.steering) - np.abs(steering)
            reward = np.where(reached, 3.0, driving * 5.0 + turning)
            reward = reward - 15.0 * (end == End.FALLEN) - 10.0 * (end >= End.TIPPED)
        else:
            reward = self._modern_reward(seen, distance, reached, end)
        self.distance, self.steering = distance, steering
        self.steps = self.steps + 1
        return self.observation(seen), reward, end

    def _modern_reward(
        self, seen: Perception, distance: Doubles, reached: Flags, end: NDArray[np.int8]
    ) -> Doubles:
        m = self._modern
        # Before a checkpoint is left behind, progress towards it counts in full.
        behind = CHECKPOINT_DISCS[np.maximum(self.next - reached, 0)]
        to_old = np.hypot(behind[:, 0] - seen.x, behind[:, 1] - seen.y)
        progress = self.distance - np.where(reached, to_old, distance)
        reward: Doubles = (
            m.per_step
            + m.per_metre * progress
            + m.checkpoint * reached
            + m.finished * (end == End.FINISHED)
            + m.failed * (end >= End.FALLEN)
        )
        return reward

    def _follow(self, seen: Perception) -> tuple[Doubles, Doubles, Flags]:
        """Return distance (m) and steering angle (deg) to the next checkpoint, and whether the
        one before has just been reached.
        """  # noqa: D205
        x, y = CHECKPOINT_DISCS[self.next, 0] - seen.x, CHECKPOINT_DISCS[self.next, 1] - seen.y
        reached = np.sqrt(x * x + y * y) <= self._radius[self.next]
        after = np.minimum(self.next + reached, LAST_CHECKPOINT)
        x, y = CHECKPOINT_DISCS[after, 0] - seen.x, CHECKPOINT_DISCS[after, 1] - seen.y
        error = seen.yaw - np.arctan2(y, x) * 180.0 / math.pi
        wrapped = np.where(np.abs(error) > 180.0, error - 360.0 * np.sign(error), error)
        return np.sqrt(x * x + y * y), -wrapped, reached
