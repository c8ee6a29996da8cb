# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Observation, reward and end of an episode.

Source: docs/originals/roboskate.md, "The environments of the original, exactly".
``original`` follows the formulas of the environment that was made for the real game, including its
rounding to float32 on the wire; ``modern`` shares its observation and scores progress.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Callable
from dataclasses import astuple, dataclass
from typing import Any, NamedTuple, TypeVar

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
Indices = NDArray[np.intp]
F = TypeVar("F", bound=Callable[..., Any])

CHECKPOINT_DISCS = np.array([(c.x, c.y, c.radius) for c in COURSE.checkpoints])
"""x, y and radius (n, 3) of the checkpoints, in m."""
LAST_CHECKPOINT = len(CHECKPOINT_DISCS) - 1
_NOT_OFF: Doubles = np.zeros((1, 2))


class Rules(str, enum.Enum):
    """ORIGINAL: as the environment made for the real game. MODERN: documented shaping.

    PROGRESS: metres alone, so that driving is learnt before caution.
    """

    ORIGINAL = "original"
    MODERN = "modern"
    PROGRESS = "progress"


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


# Small, as plain PPO clips one gradient of policy and value: large returns leave none to the
# policy.
_PROGRESS = ModernRules(per_metre=0.2, per_step=0.0, checkpoint=0.0, finished=0.0, failed=0.0)

Wire = NDArray[np.float64]
"""States of N worlds as the game reports them (n, 18): numbers that are float32, x forward, y up,
z left. Position and velocity in m and m/s, unit vectors forward and up, joints in degrees and
degrees/s.
"""
WIRE_NUMBERS = 18
OBSERVATION = 10
COLUMNS = (
    *("joint_1", "joint_2", "joint_3", "rate_1", "rate_2", "rate_3"),
    *("speed", "pitch_seen", "roll_seen", "steering_seen"),
    *("x", "y", "height", "yaw", "pitch", "roll"),
    *("distance", "steering", "next", "steps", "reward", "end"),
)
"""What a Scorer keeps of each world.

The observation, whose numbers are float32; place (m), yaw (degrees), pitch and roll as parts of
half a turn, 0.5 is level; distance (m) and steering angle (degrees) to the next checkpoint.
"""
COLUMN = {name: i for i, name in enumerate(COLUMNS)}
PLACE = slice(COLUMN["x"], COLUMN["height"] + 1)
_DISTANCE, _STEERING, _NEXT, _STEPS, _REWARD, _END = range(16, 22)
_FINISHED, _STEPS_OVER, _FALLEN, _TIPPED, _TOO_FAST = map(int, list(End)[1:])


def _rounded(values: Any, scale: float | Doubles) -> Doubles:
    """Divide and round to float32, as the original does in the received message."""
    rounded: Doubles = (values / scale).astype(np.float32).astype(float)
    return rounded


def lowering(joints: Doubles, off: Doubles = _NOT_OFF) -> Doubles:
    """Return the actions (n, 3) with which reset lowers the crane, for joints (n, 6) in degrees.

    The original asks for more than 1 at first. ``off``: degrees (n, 2) that joints 2 and 3 shall
    end beside START_ANGLES.
    """
    # Through the scale and back, as rounded as there.
    second = START_ANGLES[0] + off[:, 0] - _rounded(joints[:, 1], 95.0) * 95.0
    third = START_ANGLES[1] + off[:, 1] - _rounded(joints[:, 2], 130.0) * 130.0
    return np.column_stack((0.0 * second, second / 20.0, third / 10.0))


class Arithmetic:
    """What the formulas of an episode need, for Python's floats.

    Arc tangent and hypotenuse are those of C: numpy's and Python's own differ from them.
    """

    sqrt: Callable[[float], float] = staticmethod(math.sqrt)
    atan2: Callable[[float, float], float] = staticmethod(math.atan2)

    @staticmethod
    def compiled(function: F) -> F:
        """Return the function as it is."""
        return function

    @staticmethod
    def hypot(a: float, b: float) -> float:
        """Return C's hypot."""
        return float(np.hypot(a, b))

    @staticmethod
    def single(value: float) -> float:
        """Round to float32."""
        return float(np.float32(value))


class Formulas(NamedTuple):
    """``begin`` and ``score`` return the columns of a world: for one kind of numbers."""

    begin: Callable[..., Any]
    score: Callable[..., Any]


def make_formulas(ops: Any) -> Formulas:
    """Return observation, reward and end of an episode over ``ops``, see Arithmetic.

    A state is a row of Wire; ``discs`` are rows of x, y and radius.
    """
    compiled: Callable[[Callable[..., Any]], Callable[..., Any]] = ops.compiled
    sqrt, atan2 = ops.sqrt, ops.atan2
    hypot, single = ops.hypot, ops.single
    s0, s1, s2, r0, r1, r2 = JOINT_SCALES.tolist()

    @compiled
    def follow(discs: Any, number: int, x: float, y: float, yaw: float) -> Any:
        """Return distance and steering angle to the next checkpoint, and whether ``number`` has
        just been reached (1 or 0).
        """  # noqa: D205
        dx, dy = discs[number][0] - x, discs[number][1] - y
        reached = 1 if sqrt(dx * dx + dy * dy) <= discs[number][2] else 0
        after = min(number + reached, LAST_CHECKPOINT)
        dx, dy = discs[after][0] - x, discs[after][1] - y
        error = yaw - atan2(dy, dx) * 180.0 / math.pi
        if error > 180.0:
            error -= 360.0
        elif error < -180.0:
            error += 360.0
        return sqrt(dx * dx + dy * dy), -error, reached

    @compiled
    def perceive(s: Any) -> Any:
        """Return nine numbers of the observation, and x, y, height, yaw, pitch and roll."""
        vx, vz = single(s[3] / SPEED_SCALE), single(s[5] / SPEED_SCALE)
        fx, fy, fz, ux, uy, uz = s[6], s[7], s[8], s[9], s[10], s[11]
        # forward x up, in the game's own components.
        lx, ly, lz = fy * uz - fz * uy, fz * ux - fx * uz, fx * uy - fy * ux
        pitch = atan2(sqrt(fx * fx + fz * fz), fy) / math.pi
        roll = atan2(sqrt(lx * lx + lz * lz), ly) / math.pi
        along = fx * vx + fz * vz
        speed = sqrt(vx * vx + vz * vz) * (1.0 if along > 0.0 else -1.0 if along < 0.0 else 0.0)
        return (
            single(s[12] / s0), single(s[13] / s1), single(s[14] / s2),
            single(s[15] / r0), single(s[16] / r1), single(s[17] / r2),
            single(speed), single(pitch), single(roll),
            single(s[0] / PLACE_SCALE) * PLACE_SCALE, single(s[2] / PLACE_SCALE) * PLACE_SCALE,
            single(s[1] / HEIGHT_SCALE) * HEIGHT_SCALE, atan2(fz, fx) / math.pi * 180.0,
            pitch, roll,
        )  # fmt: skip

    @compiled
    def columns(
        seen: Any, distance: float, steering: float, following: float, steps: float,
        reward: float, end: float,
    ) -> Any:  # fmt: skip
        a, b, c, d, e, f, g, h, i, x, y, height, yaw, pitch, roll = seen
        return (
            a, b, c, d, e, f, g, h, i, single(steering / 180.0), x, y, height, yaw, pitch, roll,
            distance, steering, following, steps, reward, end,
        )  # fmt: skip

    @compiled
    def begin(state: Any, first: int, discs: Any) -> Any:
        """Return the columns of a world in which an episode begins."""
        seen = perceive(state)
        distance, steering, reached = follow(discs, first, seen[9], seen[10], seen[12])
        return columns(seen, distance, steering, float(first + reached), 0.0, 0.0, 0.0)

    @compiled
    def score(state: Any, before: Any, discs: Any, rules: Any) -> Any:
        """Return the columns of a world after a step; ``rules`` are those of rules_of."""
        original, maximum, per_metre, per_step, checkpoint, finished, failed = rules
        seen = perceive(state)
        x, y, height, roll = seen[9], seen[10], seen[11], seen[14]
        old_distance, old_steering, steps = before[_DISTANCE], before[_STEERING], before[_STEPS]
        distance, steering, reached = follow(discs, int(before[_NEXT]), x, y, seen[12])
        following = min(int(before[_NEXT]) + reached, LAST_CHECKPOINT)
        end = 0  # the first that holds counts
        if following >= LAST_CHECKPOINT:
            end = _FINISHED
        elif steps >= maximum:
            end = _STEPS_OVER
        elif height <= -7.0:
            end = _FALLEN
        elif abs(roll - 0.5) > 0.35:
            end = _TIPPED
        elif abs(seen[3] * r0) > 200.0:
            end = _TOO_FAST
        if original > 0.0:
            driving, turning = old_distance - distance, abs(old_steering) - abs(steering)
            reward = 3.0 if reached else driving * 5.0 + turning
            if end == _FALLEN:
                reward -= 15.0
            elif end >= _TIPPED:
                reward -= 10.0
        else:
            # Before a checkpoint is left behind, progress towards it counts in full.
            left = discs[max(following - reached, 0)]
            progress = old_distance - (hypot(left[0] - x, left[1] - y) if reached else distance)
            reward = per_step + per_metre * progress
            if reached:
                reward += checkpoint
            if end == _FINISHED:
                reward += finished
            elif end >= _FALLEN:
                reward += failed
        return columns(seen, distance, steering, float(following), steps + 1.0, reward, float(end))

    return Formulas(begin, score)


def _rules_of(rules: Rules, maximum: int) -> tuple[float, ...]:
    """Return what ``score`` goes by, as numbers."""
    shaping = _PROGRESS if rules is Rules.PROGRESS else ModernRules()
    return (float(rules is Rules.ORIGINAL), float(maximum), *astuple(shaping))


class Scorer:
    """Progress, reward and end of the episodes in N worlds.

    ``numbers`` has COLUMNS of each world; it is another array after each step.

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
    ) -> None:
        self.rules = _rules_of(rules, maximum_steps)
        self.discs = CHECKPOINT_DISCS.copy()
        if small_checkpoints:
            self.discs[:, 2] = 1.0
        self._rows: list[list[float]] = self.discs.tolist()
        self.numbers: Doubles = np.zeros((count, len(COLUMNS)))

    def begin(self, wire: Wire, worlds: Indices, first: Indices) -> Singles:
        """Begin episodes in some worlds, with these first checkpoints; return all observations."""
        _, numbers = self.next_numbers()
        for world, number in zip(worlds.tolist(), first.tolist(), strict=True):
            numbers[world] = _FORMULAS.begin(wire[world].tolist(), number, self._rows)
        return self.observations

    def score(self, wire: Wire, worlds: Indices) -> None:
        """Count a step in some worlds; in the others there is neither reward nor end."""
        before, numbers = self.next_numbers()
        for world in worlds.tolist():
            numbers[world] = _FORMULAS.score(
                wire[world].tolist(), before[world].tolist(), self._rows, self.rules
            )

    def next_numbers(self) -> tuple[Doubles, Doubles]:
        """Return the numbers, and new ones, which are those from now on, to be filled in."""
        before, self.numbers = self.numbers, self.numbers.copy()
        self.numbers[:, _REWARD:] = 0.0
        return before, self.numbers

    def column(self, name: str) -> Doubles:
        """Return one of COLUMNS (n)."""
        return self.numbers[:, COLUMN[name]]

    @property
    def observations(self) -> Singles:
        """The ten numbers (n, 10) of all worlds."""
        return self.numbers[:, :OBSERVATION].astype(np.float32)


_FORMULAS = make_formulas(Arithmetic)
