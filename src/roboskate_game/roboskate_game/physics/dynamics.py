# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The simulated board in one world: our own physics, since the game's is not known."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from roboskate_game.model.coordinates import BoardInRos, into_frame
from roboskate_game.model.crane import KEY_FORCE
from roboskate_game.physics.arithmetic import ScalarOps
from roboskate_game.physics.equations import Equations, make_equations
from roboskate_game.physics.ground import ScalarLookup
from roboskate_game.physics.mechanics import STEP, Number, Physics, State
from roboskate_game.protocol.messages import Keys

EQUATIONS = make_equations(ScalarOps)
_DEGREES = 1.0 / (math.pi / 180.0)
"""For each rad, in the order of operations of coordinates.board_in_game."""
_LEVEL = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


class SkatingBoard:
    """Board and crane on a course; ``step`` lets STEP seconds pass, in ``sub_steps`` parts."""

    def __init__(
        self,
        look: ScalarLookup,
        x: float,
        y: float,
        heading: float,
        physics: Physics | None = None,
        sub_steps: int = 1,
    ) -> None:
        self._look = look
        self._sub_steps = sub_steps
        self._physics = (physics or Physics()).values()
        plane, slope = look.plane(x, y)
        self.mechanics = standing(
            x, y, plane + slope * x, math.cos(heading / 2.0), math.sin(heading / 2.0),
            self._physics, EQUATIONS,
        )  # fmt: skip

    def step(self, keys: Keys) -> None:
        """Let STEP seconds pass while ``keys`` are held down; 1 is KEY_FORCE, and more is more."""
        forces = (KEY_FORCE * keys.right_left, KEY_FORCE * keys.a_d, KEY_FORCE * keys.w_e)
        self.step_forces(forces)

    def step_forces(self, forces: tuple[float, float, float]) -> None:
        """Let STEP seconds pass while forces, in the game's units, act on the joints."""
        dt = STEP / self._sub_steps
        for _ in range(self._sub_steps):
            self.mechanics = EQUATIONS.advance(
                self.mechanics, forces, self._physics, self._look, dt
            )

    def state(self) -> BoardInRos:
        """Return where the board is and how it moves."""
        return board_of(self.mechanics)


def standing(
    x: Number, y: Number, z: Number, w: Number, k: Number, physics: tuple[Number, ...],
    equations: Equations,
) -> State:  # fmt: skip
    """Return a board at rest with the crane upright.

    ``x``, ``y``, ``z``: the foot of its wheels (m); ``w``, ``k``: cosine and sine of half its
    heading. Floats, or arrays with one number per world.
    """
    zero = 0.0 * x
    core = (x, y, z, w, zero, zero, k, *(zero,) * 15)
    state = equations.orient(core, _LEVEL, 0.0, zero, physics)
    # The centre of mass is above the foot.
    risen: State = equations.orient((x, y, z + state.cz, *core[3:]), _LEVEL, 0.0, zero, physics)
    return risen


def origin(s: State) -> tuple[tuple[Number, ...], tuple[Number, ...]]:
    """Return position and velocity of the board's origin, the foot of its wheels, in odom."""
    # In body: the velocity of the centre of mass relative to the origin.
    rx = s.oy * s.cz - s.oz * s.cy + s.dcx
    ry = s.oz * s.cx - s.ox * s.cz + s.dcy
    rz = s.ox * s.cy - s.oy * s.cx + s.dcz
    return (
        (
            s.px - (s.fx * s.cx + s.lx * s.cy + s.ux * s.cz),
            s.py - (s.fy * s.cx + s.ly * s.cy + s.uy * s.cz),
            s.pz - (s.fz * s.cx + s.lz * s.cy + s.uz * s.cz),
        ),
        (
            s.vx - (s.fx * rx + s.lx * ry + s.ux * rz),
            s.vy - (s.fy * rx + s.ly * ry + s.uy * rz),
            s.vz - (s.fz * rx + s.lz * ry + s.uz * rz),
        ),
    )


def make_report(ops: Any, of: Callable[[State], Any] = origin) -> Callable[[State], Any]:
    """Return a function of states over ``ops`` that gives what the game reports, see Wire.

    ``of`` is ``origin`` for the same kind of numbers.
    """
    compiled: Callable[[Callable[[State], Any]], Callable[[State], Any]] = ops.compiled
    single = ops.single

    @compiled
    def report(s: State) -> tuple[float, ...]:
        (x, y, z), (vx, vy, vz) = of(s)
        return (
            single(x), single(z), single(y), single(vx), single(vz), single(vy),
            single(s.fx), single(s.fz), single(s.fy), single(s.ux), single(s.uz), single(s.uy),
            single(s.j1 * _DEGREES), single(s.j2 * _DEGREES), single(s.j3 * _DEGREES),
            single(s.w1 * _DEGREES), single(s.w2 * _DEGREES), single(s.w3 * _DEGREES),
        )  # fmt: skip

    return report


def board_of(s: State) -> BoardInRos:
    """Return a state as the bridge's clients see it."""
    (x, y, z), (vx, vy, vz) = origin(s)
    rotation = ((s.fx, s.lx, s.ux), (s.fy, s.ly, s.uy), (s.fz, s.lz, s.uz))
    return BoardInRos(
        position=(x, y, z),
        rotation=rotation,
        linear_velocity=into_frame(rotation, (vx, vy, vz)),
        angular_velocity=(s.ox, s.oy, s.oz),
        linear_velocity_world=(vx, vy, vz),
        joint_angles=(s.j1, s.j2, s.j3),
        joint_velocities=(s.w1, s.w2, s.w3),
    )


def energy(s: State, physics: Physics) -> float:
    """Return kinetic and potential energy in J, for a crane at rest relative to the board.

    Of the ground's springs that of the wheels is left out.
    """
    mass = physics.board_mass + physics.elbow_mass + physics.tip_mass
    momentum = into_frame(
        ((s.fx, s.lx, s.ux), (s.fy, s.ly, s.uy), (s.fz, s.lz, s.uz)), (s.mx, s.my, s.mz)
    )
    spin = sum(a * b for a, b in zip(momentum, (s.ox, s.oy, s.oz), strict=True))
    speed = s.vx * s.vx + s.vy * s.vy + s.vz * s.vz
    return float(0.5 * mass * speed + 0.5 * spin + mass * physics.gravity * s.pz)
