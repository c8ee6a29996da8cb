# SPDX-License-Identifier: Apache-2.0
"""How the simulated board moves: a stand-in, not the game's physics, which is not known.

The crane's joints follow the keys with a delay (docs/originals/roboskate.md, "Robot and levels").
While its tip presses on the ground, Coulomb friction against the tip's movement pushes the board
and turns it. The wheels roll almost freely along the board and hardly across it. Weight held out
to one side makes the board lean, and a leaning board steers. Off the track the board falls.
Everything is plain arithmetic on floats in a fixed order, so the same keys give the same bits.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from roboskate_bridge.coordinates import (
    BoardInRos,
    Matrix,
    into_frame,
    out_of_frame,
    quaternion,
)
from roboskate_bridge.crane import ANGLE_LIMITS, RATE_LIMIT, RATE_OF_KEY, reach, tip
from roboskate_bridge.protocol import Keys
from roboskate_bridge.simulation.track import Track

STEP = 0.02
"""Seconds; the only step there is."""
_SUBSTEPS = 4

GRAVITY = 9.81
MASS = 15.0
_CRANE_MASS = 4.0
_YAW_INERTIA = 1.5
_ROLL_INERTIA = 1.0
_ROLL_STIFFNESS = 80.0
_ROLL_DAMPING = 14.0
_PITCH_INERTIA = 2.0
_PITCH_STIFFNESS = 500.0
_PITCH_DAMPING = 45.0
_CENTRE_HEIGHT = 0.3
_WHEELBASE = 0.8
_STEER_OF_LEAN = 1.2
_YAW_DELAY = 0.04
_SIDE_SLIP_DELAY = 0.05
_ROLLING_DRAG = 0.03
_SPEED_DRAG = 0.03
_JOINT_DELAY = 0.08
_TIP_RADIUS = 0.07
_TIP_STIFFNESS = 1500.0
_TIP_FORCE_LIMIT = 50.0
_TIP_FRICTION = 1.0
_TIP_CREEP = 0.05
_DEEPEST_TIP = 0.06
_LEAST_LEVER = 0.3
_TIPPED_OVER = math.radians(60.0)
_TUMBLE = 1.5
_LOWEST = -30.0


@dataclass
class _Motion:
    """Everything that changes; angles in rad, yaw, pitch and roll as in REP-103."""

    x: float
    y: float
    z: float = 0.0
    yaw: float = 0.0
    pitch: float = 0.0
    roll: float = 0.0
    forward: float = 0.0
    sideways: float = 0.0
    vertical: float = 0.0
    yaw_rate: float = 0.0
    pitch_rate: float = 0.0
    roll_rate: float = 0.0
    falling: bool = False
    tipped: bool = False


class SkatingBoard:
    """Board and crane on a track; ``step`` lets STEP seconds pass."""

    def __init__(self, track: Track, x: float, y: float, heading: float) -> None:
        self._track = track
        self._motion = _Motion(x, y, yaw=heading)
        # The crane stands upright, a little bent, as it cannot reach the ground there.
        self._angles = [0.0, 0.0, 0.0]
        self._rates = [0.0, 0.0, 0.0]

    def step(self, keys: Keys) -> None:
        """Let STEP seconds pass while ``keys`` are held down."""
        for _ in range(_SUBSTEPS):
            self._turn_joints(keys, STEP / _SUBSTEPS)
            self._move(STEP / _SUBSTEPS)

    def state(self) -> BoardInRos:
        """Return where the board is and how it moves."""
        m = self._motion
        rotation = _rotation(m.yaw, m.pitch, m.roll)
        cos_yaw, sin_yaw = math.cos(m.yaw), math.sin(m.yaw)
        velocity = (
            m.forward * cos_yaw - m.sideways * sin_yaw,
            m.forward * sin_yaw + m.sideways * cos_yaw,
            m.vertical,
        )
        spin = (m.roll_rate, m.pitch_rate, m.yaw_rate)
        return BoardInRos(
            position=(m.x, m.y, m.z),
            orientation=quaternion(rotation),
            rotation=rotation,
            linear_velocity=into_frame(rotation, velocity),
            # The rates are about the board's heading, which for small leans are its own axes.
            angular_velocity=into_frame(rotation, out_of_frame(_rotation(m.yaw, 0.0, 0.0), spin)),
            linear_velocity_world=velocity,
            joint_angles=(self._angles[0], self._angles[1], self._angles[2]),
            joint_velocities=(self._rates[0], self._rates[1], self._rates[2]),
        )

    # --- crane -------------------------------------------------------------------------------

    def _turn_joints(self, keys: Keys, dt: float) -> None:
        before = list(self._angles)
        for i, key in enumerate(keys.values()):
            rate = self._rates[i] + (RATE_OF_KEY * key - self._rates[i]) * dt / _JOINT_DELAY
            rate = min(RATE_LIMIT, max(-RATE_LIMIT, rate))
            angle = self._angles[i] + rate * dt
            limit = ANGLE_LIMITS[i]
            if abs(angle) > limit:
                angle, rate = math.copysign(limit, angle), 0.0
            self._angles[i], self._rates[i] = angle, rate
        self._yield_to_ground(before)

    def _yield_to_ground(self, before: list[float]) -> None:
        """Let the shoulder give way where the tip would go too deep into the ground."""
        at = reach(self._angles[1], self._angles[2])
        excess = _TIP_RADIUS - _DEEPEST_TIP - at.height
        if excess <= 0.0:
            return
        if abs(at.radius) < _LEAST_LEVER:
            self._angles[1:] = before[1:]
            self._rates[1:] = [0.0, 0.0]
            return
        # The height falls by the radius for each radian of the shoulder.
        self._angles[1] -= excess / at.radius
        if self._rates[1] * at.radius > 0.0:
            self._rates[1] = 0.0

    def _push(self) -> tuple[float, float, float, float, float]:
        """Return the tip's x and y and the force on it in x, y and z, in the board's frame."""
        m = self._motion
        turn, shoulder, elbow = self._angles
        radius, height = (r := reach(shoulder, elbow)).radius, r.height
        tip_x, tip_y = tip(turn, radius)
        depth = _TIP_RADIUS - height
        cos_yaw, sin_yaw = math.cos(m.yaw), math.sin(m.yaw)
        world_x = m.x + tip_x * cos_yaw - tip_y * sin_yaw
        world_y = m.y + tip_x * sin_yaw + tip_y * cos_yaw
        if depth <= 0.0 or m.falling or m.tipped or not self._track.contains(world_x, world_y):
            return tip_x, tip_y, 0.0, 0.0, 0.0
        outward = (height - 0.3) * self._rates[1] + 0.9 * math.cos(shoulder + elbow) * self._rates[
            2
        ]
        slide_x = (
            m.forward
            - outward * math.cos(turn)
            + radius * math.sin(turn) * self._rates[0]
            - m.yaw_rate * tip_y
        )
        slide_y = (
            m.sideways
            + outward * math.sin(turn)
            + radius * math.cos(turn) * self._rates[0]
            + m.yaw_rate * tip_x
        )
        load = min(_TIP_FORCE_LIMIT, _TIP_STIFFNESS * depth)
        grip = _TIP_FRICTION * load / math.sqrt(slide_x**2 + slide_y**2 + _TIP_CREEP**2)
        return tip_x, tip_y, -grip * slide_x, -grip * slide_y, load

    # --- board -------------------------------------------------------------------------------

    def _move(self, dt: float) -> None:
        m = self._motion
        tip_x, tip_y, force_x, force_y, load = self._push()
        if m.falling:
            self._fall(dt)
        elif m.tipped:
            self._slide(dt)
        else:
            self._roll(dt, tip_x, tip_y, force_x, force_y, load)
        cos_yaw, sin_yaw = math.cos(m.yaw), math.sin(m.yaw)
        m.x += (m.forward * cos_yaw - m.sideways * sin_yaw) * dt
        m.y += (m.forward * sin_yaw + m.sideways * cos_yaw) * dt
        m.yaw = math.remainder(m.yaw + m.yaw_rate * dt, 2.0 * math.pi)
        m.pitch = max(-1.5, min(1.5, m.pitch + m.pitch_rate * dt))
        m.roll = math.remainder(m.roll + m.roll_rate * dt, 2.0 * math.pi)
        if not m.falling and not self._track.contains(m.x, m.y):
            m.falling = True
        if not m.falling and abs(m.roll) > _TIPPED_OVER:
            m.tipped = True

    def _roll(
        self, dt: float, tip_x: float, tip_y: float, force_x: float, force_y: float, load: float
    ) -> None:
        """Roll on the wheels; forces in newtons, positions in metres, in the board's frame."""
        m = self._motion
        weight = _CRANE_MASS * GRAVITY
        drag = _ROLLING_DRAG * math.tanh(m.forward / 0.02) + _SPEED_DRAG * m.forward
        m.forward += (force_x / MASS - drag + m.sideways * m.yaw_rate) * dt
        m.sideways += force_y / MASS * dt
        m.sideways *= math.exp(-dt / _SIDE_SLIP_DELAY)
        steering = math.tan(-_STEER_OF_LEAN * m.roll)
        m.yaw_rate += (
            (tip_x * force_y - tip_y * force_x) / _YAW_INERTIA
            + (m.forward * steering / _WHEELBASE - m.yaw_rate) / _YAW_DELAY
        ) * dt
        # About x: the crane's weight and the ground's push at the tip, to the left or the right;
        # in a curve the board leans outwards.
        lean = (
            (load - 0.5 * weight) * tip_y
            + MASS * m.forward * m.yaw_rate * _CENTRE_HEIGHT
            - _ROLL_STIFFNESS * m.roll
            - _ROLL_DAMPING * m.roll_rate
        )
        m.roll_rate += lean / _ROLL_INERTIA * dt
        # About y: the same towards the nose or the tail.
        nod = (
            (0.5 * weight - load) * tip_x
            - _PITCH_STIFFNESS * m.pitch
            - _PITCH_DAMPING * m.pitch_rate
        )
        m.pitch_rate += nod / _PITCH_INERTIA * dt

    def _fall(self, dt: float) -> None:
        m = self._motion
        m.vertical -= GRAVITY * dt
        m.pitch_rate += _TUMBLE * dt
        m.z += m.vertical * dt
        if m.z < _LOWEST:
            m.z = _LOWEST
            m.vertical = m.forward = m.sideways = 0.0
            m.yaw_rate = m.pitch_rate = m.roll_rate = 0.0

    def _slide(self, dt: float) -> None:
        """Lie on the side and come to rest."""
        m = self._motion
        slow = math.exp(-dt / 0.3)
        m.forward *= slow
        m.sideways *= slow
        m.yaw_rate *= slow
        m.pitch_rate = -m.pitch / 0.3
        m.roll_rate = (math.copysign(0.5 * math.pi, m.roll) - m.roll) / 0.2


def _rotation(yaw: float, pitch: float, roll: float) -> Matrix:
    cy, sy = math.cos(yaw), math.sin(yaw)
    cp, sp = math.cos(pitch), math.sin(pitch)
    cr, sr = math.cos(roll), math.sin(roll)
    return (
        (cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr),
        (sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr),
        (-sp, cp * sr, cp * cr),
    )
