# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The simulated dog's joints, moved by commands, motion files and the gait."""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, pi, radians, sin

from aibo_gti_bridge.model.chains import HINGES
from aibo_gti_bridge.model.joints import BY_NAME, JOINTS, NAMES, limits
from aibo_gti_bridge.model.kinematics import LEGS
from aibo_gti_bridge.model.motions import Motion
from aibo_gti_bridge.model.poses import (
    MAX_FORWARD_M_S,
    MAX_SIDEWAYS_M_S,
    MAX_TURN_RAD_S,
    STANDING,
    STEP_PERIOD_S,
)

LEG_JOINTS = NAMES[:12]
STAND_UP_S = 0.4
_SWING_RAD = radians(14.0)
_LIFT_RAD = radians(20.0)
_FORWARD = {leg: -HINGES[f"{leg}_rotor"].axis[1] for leg in LEGS}
"""1 where a positive rotor swings the leg forward, -1 where it swings it backward."""
_PHASE = {"lf": 0.0, "rb": 0.0, "rf": pi, "lb": pi}
"""Of the legs in the gait: diagonal pairs together (a trot)."""


class _Move:
    """One joint on its way to ``target`` (rad), to be there in ``left`` seconds."""

    __slots__ = ("left", "target")

    def __init__(self, target: float, left: float) -> None:
        self.target = target
        self.left = left


class Body:
    """Joint positions over time. The last command for a joint counts, whatever it was."""

    def __init__(self, *, full_rotor_range: bool = False) -> None:
        self.positions: dict[str, float] = dict(STANDING)
        """rad, by name"""
        self._limits = {j.name: limits(j, full_rotor_range=full_rotor_range) for j in JOINTS}
        self._moves: dict[str, _Move] = {}
        self._motion: Motion | None = None
        self._motion_joints: set[str] = set()
        self._motion_start: dict[str, float] = {}
        self._motion_time = 0.0
        self._walking = False
        self._phase = 0.0

    @property
    def playing(self) -> str | None:
        """Name of the motion that is being played."""
        return self._motion.name if self._motion is not None else None

    @property
    def moving(self) -> bool:
        """Whether any joint is on its way somewhere."""
        return bool(self._moves) or self._motion is not None or self._walking

    def move(self, targets: Mapping[str, tuple[float, float]]) -> None:
        """Move joints: by name the target (rad, kept within the limits) and the time (s)."""
        for name, (target, duration) in targets.items():
            low, high = self._limits[name]
            self._motion_joints.discard(name)
            self._moves[name] = _Move(min(max(target, low), high), duration)
        self._forget_finished_motion()

    def play(self, motion: Motion) -> None:
        """Begin a motion in the present pose; it takes its joints from whatever moved them."""
        self._motion = motion
        self._motion_joints = set(motion.joints)
        self._motion_start = {name: self.positions[name] for name in motion.joints}
        self._motion_time = 0.0
        for name in motion.joints:
            self._moves.pop(name, None)

    def release_legs(self) -> None:
        """Take the legs from a motion that is being played."""
        self._motion_joints -= set(LEG_JOINTS)
        self._forget_finished_motion()

    def hold(self) -> None:
        """Stop every joint where it is."""
        self._moves.clear()
        self._motion = None
        self._motion_joints.clear()
        self._walking = False

    def step(self, seconds: float, velocity: tuple[float, float, float] | None) -> None:
        """Let time pass. ``velocity`` (m/s, m/s, rad/s) moves the legs; None: it stands."""
        if velocity is not None:
            self._walk(seconds, velocity)
        elif self._walking:
            self._walking = False
            busy = self._motion_joints | set(self._moves)
            legs = [name for name in LEG_JOINTS if name not in busy]
            self.move({name: (STANDING[name], STAND_UP_S) for name in legs})
        self._play(seconds)
        finished = []
        for name, move in self._moves.items():
            wanted = move.target
            if move.left > seconds:
                wanted = self.positions[name] + (move.target - self.positions[name]) * (
                    seconds / move.left
                )
            move.left -= seconds
            self._turn(name, wanted, seconds)
            if move.left <= 0.0 and self.positions[name] == move.target:
                finished.append(name)
        for name in finished:
            del self._moves[name]

    def _turn(self, name: str, wanted: float, seconds: float) -> None:
        """Turn a joint towards ``wanted`` (rad) as far as its speed and its limits allow."""
        present = self.positions[name]
        reach = BY_NAME[name].max_speed * seconds
        low, high = self._limits[name]
        wanted = min(max(wanted, low), high)
        self.positions[name] = min(max(wanted, present - reach), present + reach)

    def _play(self, seconds: float) -> None:
        if self._motion is None:
            return
        self._motion_time += seconds
        pose = self._motion.pose(self._motion_time, self._motion_start)
        for name in self._motion_joints:
            self._turn(name, pose[name], seconds)
        if self._motion_time >= self._motion.duration:
            # The last position is held: what is not yet reached is reached by a move.
            self.move({name: (pose[name], 0.0) for name in list(self._motion_joints)})

    def _forget_finished_motion(self) -> None:
        if not self._motion_joints:
            self._motion = None

    def _walk(self, seconds: float, velocity: tuple[float, float, float]) -> None:
        self._walking = True
        for name in LEG_JOINTS:
            self._moves.pop(name, None)
        dx, dy, da = velocity
        self._phase = (self._phase + seconds * pi / STEP_PERIOD_S) % (2.0 * pi)
        for leg, offset in _PHASE.items():
            swing, lift = sin(self._phase + offset), max(0.0, cos(self._phase + offset))
            side = 1.0 if leg[0] == "l" else -1.0
            end = 1.0 if leg[1] == "f" else -1.0
            forward = dx / MAX_FORWARD_M_S - side * da / MAX_TURN_RAD_S
            sideways = dy / MAX_SIDEWAYS_M_S + end * da / MAX_TURN_RAD_S
            effort = min(1.0, abs(forward) + abs(sideways))
            stride = _FORWARD[leg] * _SWING_RAD * forward * swing
            self._turn(f"{leg}_rotor", STANDING[f"{leg}_rotor"] + stride, seconds)
            self._turn(
                f"{leg}_elevator",
                STANDING[f"{leg}_elevator"] + 0.5 * _SWING_RAD * max(0.0, side * sideways * swing),
                seconds,
            )
            self._turn(f"{leg}_knee", STANDING[f"{leg}_knee"] + _LIFT_RAD * effort * lift, seconds)
