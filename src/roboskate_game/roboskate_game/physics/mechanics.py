# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Parameters and state of the simulated board; equations.py moves it.

Frames: world is odom (z up); body has its origin at the foot of the wheels, x forward, y left.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, NamedTuple

STEP = 0.02
"""Seconds; the only step there is."""
LOWEST = -30.0
"""Height in metres below which a fallen board moves no more."""

Number = Any
"""A float, or an array of one float per world."""


@dataclass(frozen=True)
class Physics:
    """Unknown values of the game: masses (kg), lengths (m), stiffness (N/m), damping (N s/m).

    ``yield_of_force`` is by how many units of joint force a torque of 1 N m at a joint counts
    against the drive. Every value may be an array with one number per world.
    """

    gravity: Number = 9.81
    board_mass: Number = 18.0
    elbow_mass: Number = 1.2
    tip_mass: Number = 0.7
    board_height: Number = 0.12
    roll_inertia: Number = 0.8
    pitch_inertia: Number = 2.0
    yaw_inertia: Number = 2.0
    half_wheelbase: Number = 0.38
    half_track: Number = 0.18
    wheel_stiffness: Number = 5000.0
    wheel_damping: Number = 150.0
    wheel_grip: Number = 1.0
    rolling_resistance: Number = 0.002
    speed_drag: Number = 0.3
    steer_of_lean: Number = 1.6
    tip_radius: Number = 0.07
    tip_stiffness: Number = 4000.0
    tip_damping: Number = 60.0
    tip_friction: Number = 1.2
    joint_delay: Number = 0.15
    yield_of_force: Number = 0.9
    force_gain: Number = 1.0
    wall_stiffness: Number = 9000.0
    wall_damping: Number = 250.0

    def values(self) -> tuple[Number, ...]:
        """Return all values in the order of declaration."""
        return tuple(getattr(self, each.name) for each in fields(self))


class State(NamedTuple):
    """All that changes. The first 22 fields are the state, the rest follows from them.

    ``p``: centre of mass (m), ``q``: orientation w x y z, ``v``: velocity of the centre of mass,
    ``m``: angular momentum about it (N m s), all in world; ``j``, ``w``: joints (rad, rad/s);
    ``anchor``: where the tip holds on to the ground, if ``touching`` is 1. ``f``, ``l``, ``u``:
    the body's axes in world; ``o``: angular velocity, ``c``: centre of mass, ``e``, ``t``: elbow
    and tip with their velocities ``de``, ``dt``, all in body; ``i``: inverse inertia in body.
    """

    px: Number
    py: Number
    pz: Number
    qw: Number
    qx: Number
    qy: Number
    qz: Number
    vx: Number
    vy: Number
    vz: Number
    mx: Number
    my: Number
    mz: Number
    j1: Number
    j2: Number
    j3: Number
    w1: Number
    w2: Number
    w3: Number
    anchor_x: Number
    anchor_y: Number
    touching: Number
    fx: Number
    fy: Number
    fz: Number
    lx: Number
    ly: Number
    lz: Number
    ux: Number
    uy: Number
    uz: Number
    ox: Number
    oy: Number
    oz: Number
    cx: Number
    cy: Number
    cz: Number
    dcx: Number
    dcy: Number
    dcz: Number
    ex: Number
    ey: Number
    ez: Number
    tx: Number
    ty: Number
    tz: Number
    dtx: Number
    dty: Number
    dtz: Number
    ixx: Number
    iyy: Number
    izz: Number
    ixy: Number
    ixz: Number
    iyz: Number
    s1: Number
    c1: Number
    reach: Number
    rise: Number
    reach3: Number
    rise3: Number
    load: Number
