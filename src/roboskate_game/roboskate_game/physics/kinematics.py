# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Geometry and inertia of board and crane: what equations.py builds on.

Frames: world is odom (z up); body has its origin at the foot of the wheels, x forward, y left.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from roboskate_game.model.crane import LOWER_LENGTH, RATE_LIMIT, SHOULDER_HEIGHT, UPPER_LENGTH
from roboskate_game.physics.mechanics import Number, State


class Kinematics(NamedTuple):
    """The functions below for one kind of numbers."""

    push: Callable[..., Any]
    mobility: Callable[..., Any]
    turned: Callable[..., Any]
    orient: Callable[..., Any]


def make_kinematics(ops: Any) -> Kinematics:
    """Return the functions over ``ops``, see arithmetic.py."""
    maximum, minimum, sqrt = ops.maximum, ops.minimum, ops.sqrt
    sine_and_cosine = ops.sine_and_cosine
    compiled: Callable[[Callable[..., Any]], Callable[..., Any]] = ops.compiled

    @compiled
    def rotation(w: Number, x: Number, y: Number, z: Number) -> tuple[Number, ...]:
        """Return the body's axes, forward, left and up, in world, of a unit quaternion."""
        xx, yy, zz = x * x, y * y, z * z
        xy, xz, yz = x * y, x * z, y * z
        wx, wy, wz = w * x, w * y, w * z
        return (
            1.0 - 2.0 * (yy + zz), 2.0 * (xy + wz), 2.0 * (xz - wy),
            2.0 * (xy - wz), 1.0 - 2.0 * (xx + zz), 2.0 * (yz + wx),
            2.0 * (xz + wy), 2.0 * (yz - wx), 1.0 - 2.0 * (xx + yy),
        )  # fmt: skip

    @compiled
    def times(inverse: tuple[Number, ...], x: Number, y: Number, z: Number) -> tuple[Number, ...]:
        """Return a symmetric matrix (xx, yy, zz, xy, xz, yz) times a vector."""
        ixx, iyy, izz, ixy, ixz, iyz = inverse
        return (
            ixx * x + ixy * y + ixz * z, ixy * x + iyy * y + iyz * z, ixz * x + iyz * y + izz * z,
        )  # fmt: skip

    @compiled
    def push(
        v: tuple[Number, ...], o: tuple[Number, ...], f: tuple[Number, ...], t: tuple[Number, ...],
        centre: tuple[Number, ...], inverse: tuple[Number, ...], dt: float, per_mass: Number,
    ) -> tuple[tuple[Number, ...], tuple[Number, ...]]:  # fmt: skip
        """Return the origin's velocity and the angular velocity after ``dt`` seconds of a force.

        ``f`` (N) and ``t`` (N m) are about the origin; all in body.
        """
        cx, cy, cz = centre
        ax, ay, az = times(
            inverse,
            dt * (t[0] - cy * f[2] + cz * f[1]),
            dt * (t[1] - cz * f[0] + cx * f[2]),
            dt * (t[2] - cx * f[1] + cy * f[0]),
        )
        return (
            v[0] + per_mass * f[0] - ay * cz + az * cy,
            v[1] + per_mass * f[1] - az * cx + ax * cz,
            v[2] + per_mass * f[2] - ax * cy + ay * cx,
        ), (o[0] + ax, o[1] + ay, o[2] + az)

    @compiled
    def mobility(
        x: Number, y: Number, z: Number, nx: Number, ny: Number, nz: Number,
        centre: tuple[Number, ...], inverse: tuple[Number, ...], mass: Number,
    ) -> Number:  # fmt: skip
        """Return the velocity (m/s) of a body point along n for an impulse of 1 N s along n."""
        rx, ry, rz = x - centre[0], y - centre[1], z - centre[2]
        kx, ky, kz = ry * nz - rz * ny, rz * nx - rx * nz, rx * ny - ry * nx
        ax, ay, az = times(inverse, kx, ky, kz)
        return 1.0 / mass + ax * kx + ay * ky + az * kz

    @compiled
    def turned(angle: Number, rate: Number, limit: float, dt: float) -> tuple[Number, Number]:
        """Return angle and rate of a joint ``dt`` seconds later, within their limits."""
        rate = maximum(minimum(rate, RATE_LIMIT), -RATE_LIMIT)
        wanted = angle + dt * rate
        at = maximum(minimum(wanted, limit), -limit)
        return at, rate * (at == wanted)

    @compiled
    def crane(
        j1: Number, j2: Number, j3: Number, w1: Number, w2: Number, w3: Number,
        physics: tuple[Number, ...],
    ) -> tuple[Number, ...]:  # fmt: skip
        """Return what follows from the joints: the fields of State from cx on, and momentum.

        The last three are the crane's angular momentum relative to the board (body).
        """
        mb, me, mt, hb = physics[1], physics[2], physics[3], physics[4]
        bx, by, bz = physics[5], physics[6], physics[7]
        s1, c1 = sine_and_cosine(j1)
        s2, c2 = sine_and_cosine(j2)
        s23, c23 = sine_and_cosine(j2 + j3)
        r2, z2 = UPPER_LENGTH * s2, UPPER_LENGTH * c2
        r3, z3 = LOWER_LENGTH * s23, LOWER_LENGTH * c23
        r, z = r2 + r3, z2 + z3
        w23 = w2 + w3
        ex, ey, ez = -r2 * c1, r2 * s1, SHOULDER_HEIGHT + z2
        tx, ty, tz = -r * c1, r * s1, SHOULDER_HEIGHT + z
        # Outwards along the crane, and round about joint 1.
        out2, out = z2 * w2, z2 * w2 + z3 * w23
        dex, dey, dez = r2 * s1 * w1 - c1 * out2, r2 * c1 * w1 + s1 * out2, -r2 * w2
        dtx, dty, dtz = r * s1 * w1 - c1 * out, r * c1 * w1 + s1 * out, -r2 * w2 - r3 * w23
        mass = mb + me + mt
        cx, cy, cz = (
            (me * ex + mt * tx) / mass, (me * ey + mt * ty) / mass,
            (mb * hb + me * ez + mt * tz) / mass,
        )  # fmt: skip
        dcx, dcy, dcz = (
            (me * dex + mt * dtx) / mass, (me * dey + mt * dty) / mass,
            (me * dez + mt * dtz) / mass,
        )  # fmt: skip
        # Inertia about the centre of mass: that of the parts about the origin, less the whole's.
        exx, eyy, ezz = me * ex * ex, me * ey * ey, me * ez * ez
        txx, tyy, tzz = mt * tx * tx, mt * ty * ty, mt * tz * tz
        cxx, cyy, czz = mass * cx * cx, mass * cy * cy, mass * cz * cz
        bhh = mb * hb * hb
        axx = bx + bhh + eyy + ezz + tyy + tzz - cyy - czz
        ayy = by + bhh + exx + ezz + txx + tzz - cxx - czz
        azz = bz + exx + eyy + txx + tyy - cxx - cyy
        axy = mass * cx * cy - me * ex * ey - mt * tx * ty
        axz = mass * cx * cz - me * ex * ez - mt * tx * tz
        ayz = mass * cy * cz - me * ey * ez - mt * ty * tz
        # Its inverse.
        kxx, kxy, kxz = ayy * azz - ayz * ayz, axz * ayz - axy * azz, axy * ayz - axz * ayy
        scale = 1.0 / (axx * kxx + axy * kxy + axz * kxz)
        ixx, iyy, izz = (
            kxx * scale,
            (axx * azz - axz * axz) * scale,
            (axx * ayy - axy * axy) * scale,
        )
        ixy, ixz, iyz = kxy * scale, kxz * scale, (axy * axz - axx * ayz) * scale
        hx = me * (ey * dez - ez * dey) + mt * (ty * dtz - tz * dty) - mass * (cy * dcz - cz * dcy)
        hy = me * (ez * dex - ex * dez) + mt * (tz * dtx - tx * dtz) - mass * (cz * dcx - cx * dcz)
        hz = me * (ex * dey - ey * dex) + mt * (tx * dty - ty * dtx) - mass * (cx * dcy - cy * dcx)
        return (
            cx, cy, cz, dcx, dcy, dcz, ex, ey, ez, tx, ty, tz, dtx, dty, dtz,
            ixx, iyy, izz, ixy, ixz, iyz, s1, c1, r, z, r3, z3, hx, hy, hz,
        )  # fmt: skip

    @compiled
    def orient(
        core: tuple[Number, ...], axes: tuple[Number, ...], step: float, load: Number,
        physics: tuple[Number, ...],
    ) -> State:  # fmt: skip
        """Return the state that follows from its first 22 fields.

        The board first turns for ``step`` seconds, ``axes`` being its axes before that.
        """
        (px, py, pz, qw, qx, qy, qz, vx, vy, vz, mx, my, mz, j1, j2, j3, w1, w2, w3,
         anchor_x, anchor_y, touching) = core  # fmt: skip
        (
            cx, cy, cz, dcx, dcy, dcz, ex, ey, ez, tx, ty, tz, dtx, dty, dtz,
            ixx, iyy, izz, ixy, ixz, iyz, s1, c1, reach, rise, reach3, rise3, hx, hy, hz,
        ) = crane(j1, j2, j3, w1, w2, w3, physics)  # fmt: skip
        inverse = (ixx, iyy, izz, ixy, ixz, iyz)
        fx, fy, fz, lx, ly, lz, ux, uy, uz = axes
        bx, by, bz = (
            fx * mx + fy * my + fz * mz, lx * mx + ly * my + lz * mz, ux * mx + uy * my + uz * mz,
        )  # fmt: skip
        ox, oy, oz = times(inverse, bx - hx, by - hy, bz - hz)
        # Half a step on, the momentum has turned in the body.
        half = 0.5 * step
        ox, oy, oz = times(
            inverse,
            bx - half * (oy * bz - oz * by) - hx,
            by - half * (oz * bx - ox * bz) - hy,
            bz - half * (ox * by - oy * bx) - hz,
        )
        nw = qw - half * (qx * ox + qy * oy + qz * oz)
        nx = qx + half * (qw * ox + qy * oz - qz * oy)
        ny = qy + half * (qw * oy + qz * ox - qx * oz)
        nz = qz + half * (qw * oz + qx * oy - qy * ox)
        scale = 1.0 / sqrt(nw * nw + nx * nx + ny * ny + nz * nz)
        qw, qx, qy, qz = nw * scale, nx * scale, ny * scale, nz * scale
        fx, fy, fz, lx, ly, lz, ux, uy, uz = rotation(qw, qx, qy, qz)
        ox, oy, oz = times(
            inverse,
            fx * mx + fy * my + fz * mz - hx,
            lx * mx + ly * my + lz * mz - hy,
            ux * mx + uy * my + uz * mz - hz,
        )
        return State(
            px, py, pz, qw, qx, qy, qz, vx, vy, vz, mx, my, mz, j1, j2, j3, w1, w2, w3,
            anchor_x, anchor_y, touching, fx, fy, fz, lx, ly, lz, ux, uy, uz, ox, oy, oz,
            cx, cy, cz, dcx, dcy, dcz, ex, ey, ez, tx, ty, tz, dtx, dty, dtz,
            ixx, iyy, izz, ixy, ixz, iyz, s1, c1, reach, rise, reach3, rise3, load,
        )  # fmt: skip

    return Kinematics(push, mobility, turned, orient)
