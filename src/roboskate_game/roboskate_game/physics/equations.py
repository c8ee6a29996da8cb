# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Equations of motion of board and crane.

The board is a rigid body that carries two moving masses, at the elbow and at the tip. The state is
the momentum of the whole and the crane's joints, so that linear and angular momentum are kept
exactly in the air, whatever the crane does. Forces from outside: gravity, four sprung wheels that
roll along the board and hold across it, the tip with Coulomb friction, walls, and, for a board
that lies on its side, the crane's shoulder and elbow.

Every operation is +, -, x, / or a square root on IEEE doubles in a fixed order: the same inputs
give the same bits on any machine, and a world in a fleet the same bits as a world alone.
arithmetic.py has what differs between Python and compiled code.

Frames: world is odom (z up); body has its origin at the foot of the wheels, x forward, y left.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from roboskate_game.model.crane import (
    ANGLE_LIMITS,
    LOWER_LENGTH,
    RATE_LIMIT,
    RATE_OF_FORCE,
    SHOULDER_HEIGHT,
)
from roboskate_game.physics.kinematics import make_kinematics
from roboskate_game.physics.mechanics import LOWEST, Number, State

_DEEP = 0.35
"""Metres below a surface from which on a point is under it, not in it."""
_BUMPER = (0.45, 0.08, 0.12)
"""Of nose and tail: distance from the centre, height and radius, in metres."""
_TIPPED = 0.7
"""Cosine of the lean beyond which the crane's own contacts are looked for."""


class Equations(NamedTuple):
    """``advance`` lets one step pass, ``orient`` completes a state: for one kind of numbers."""

    advance: Callable[..., Any]
    orient: Callable[..., Any]


def make_equations(ops: Any) -> Equations:
    """Return the equations of motion over ``ops``, see arithmetic.py."""
    maximum, minimum, sqrt = ops.maximum, ops.minimum, ops.sqrt
    plane_at, wall_at = ops.plane_at, ops.wall_at
    compiled: Callable[[Callable[..., Any]], Callable[..., Any]] = ops.compiled
    push, mobility, turned, orient = make_kinematics(ops)

    @compiled
    def advance(
        s: State, forces: tuple[Number, Number, Number], physics: tuple[Number, ...], look: Any,
        dt: float,
    ) -> Any:  # fmt: skip
        """Return the state ``dt`` seconds later; ``forces`` on joints are in the game's units."""
        (
            px, py, pz, qw, qx, qy, qz, vx, vy, vz, mx, my, mz, j1, j2, j3, w1, w2, w3,
            anchor_x, anchor_y, touching, fx, fy, fz, lx, ly, lz, ux, uy, uz, ox, oy, oz,
            cx, cy, cz, dcx, dcy, dcz, ex, ey, ez, tx, ty, tz, _, _, _,
            ixx, iyy, izz, ixy, ixz, iyz, s1, c1, reach, rise, reach3, rise3, _,
        ) = s  # fmt: skip
        (
            gravity, mb, me, mt, _, _, _, _, half_base, half_track, wheel_k, wheel_c, grip,
            rolling, speed_drag, steer, tip_r, tip_k, tip_c, tip_mu, delay, yielding, gain,
            wall_k, wall_c,
        ) = physics  # fmt: skip
        mass = mb + me + mt
        per_mass = dt / mass

        centre = (cx, cy, cz)
        inverse = (ixx, iyy, izz, ixy, ixz, iyz)

        # The body's origin: position and, in body, velocity.
        x0 = px - (fx * cx + lx * cy + ux * cz)
        y0 = py - (fy * cx + ly * cy + uy * cz)
        z0 = pz - (fz * cx + lz * cy + uz * cz)
        vb = (
            fx * vx + fy * vy + fz * vz - (oy * cz - oz * cy) - dcx,
            lx * vx + ly * vy + lz * vz - (oz * cx - ox * cz) - dcy,
            ux * vx + uy * vy + uz * vz - (ox * cy - oy * cx) - dcz,
        )
        o = (ox, oy, oz)
        _, slope = plane_at(look, x0, y0)
        nx, ny, nz = fz - slope * fx, lz - slope * lx, uz - slope * ux

        # --- wheels: springs
        low = mass * gravity / (4.0 * wheel_k)
        gx, gy, gz = ny * oz - nz * oy, nz * ox - nx * oz, nx * oy - ny * ox
        speed0 = vb[0] * nx + vb[1] * ny + vb[2] * nz - low * gz
        bx, by, bz = x0 - low * ux, y0 - low * uy, z0 - low * uz
        ax, ay, az, along = half_base * fx, half_base * fy, half_base * fz, half_base * gx
        sx, sy, sz, across = half_track * lx, half_track * ly, half_track * lz, half_track * gy
        load = sum_x = sum_y = 0.0
        for a, b in ((1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)):
            wx, wy, wz = bx + a * ax + b * sx, by + a * ay + b * sy, bz + a * az + b * sz
            plane, slant = plane_at(look, wx, wy)
            depth = plane + slant * wx - wz
            spring = wheel_k * depth - wheel_c * (speed0 + a * along + b * across)
            spring = maximum(spring, 0.0) * ((depth > 0.0) & (depth < _DEEP))
            load, sum_x, sum_y = load + spring, sum_x + a * spring, sum_y + b * spring
        tau_x, tau_y = half_base * sum_x, half_track * sum_y
        tau_z = -low * load
        weight = mass * gravity
        # Gravity acts at the centre of mass: its torque about the origin goes with it.
        wfx, wfy, wfz = -weight * fz, -weight * lz, -weight * uz
        drag = rolling * load * vb[0] / (abs(vb[0]) + 0.02) + speed_drag * vb[0] * (load > 0.0)
        force = (load * nx + wfx - drag, load * ny + wfy, load * nz + wfz)
        torque = (
            tau_y * nz - tau_z * ny + cy * wfz - cz * wfy,
            tau_z * nx - tau_x * nz + cz * wfx - cx * wfz,
            tau_x * ny - tau_y * nx + cx * wfy - cy * wfx,
        )
        vb, o = push(vb, o, force, torque, centre, inverse, dt, per_mass)

        # --- joints: what the drive alone would do
        rate_gain = RATE_OF_FORCE * dt / delay
        give = rate_gain * yielding
        keep = 1.0 - dt / delay
        raw1 = w1 * keep + rate_gain * gain * forces[0]
        raw2 = w2 * keep + rate_gain * gain * forces[1]
        raw3 = w3 * keep + rate_gain * gain * forces[2]
        k1 = maximum(minimum(raw1, RATE_LIMIT), -RATE_LIMIT)
        k2 = maximum(minimum(raw2, RATE_LIMIT), -RATE_LIMIT)
        k3 = maximum(minimum(raw3, RATE_LIMIT), -RATE_LIMIT)

        # --- the tip: a spring along the normal, and a spring that slips along the ground
        tip_x = x0 + fx * tx + lx * ty + ux * tz
        tip_y = y0 + fy * tx + ly * ty + uy * tz
        tip_z = z0 + fz * tx + lz * ty + uz * tz
        plane, slant = plane_at(look, tip_x, tip_y)
        depth = plane + slant * tip_x + tip_r - tip_z
        inside = (depth > 0.0) & (depth < _DEEP)
        # Columns of the tip's Jacobian: joint 1 (reach s1, reach c1, 0), joints 2 and 3:
        j2x, j2y, j3x, j3y = -c1 * rise, s1 * rise, -c1 * rise3, s1 * rise3
        rs, rc = reach * s1, reach * c1
        tvx = vb[0] + o[1] * tz - o[2] * ty + rs * k1 + j2x * k2 + j3x * k3
        tvy = vb[1] + o[2] * tx - o[0] * tz + rc * k1 + j2y * k2 + j3y * k3
        tvz = vb[2] + o[0] * ty - o[1] * tx - reach * k2 - reach3 * k3
        n1 = rs * nx + rc * ny
        n2 = j2x * nx + j2y * ny - reach * nz
        n3 = j3x * nx + j3y * ny - reach3 * nz
        per_joint = give / dt
        soft = mobility(tx, ty, tz, nx, ny, nz, centre, inverse, mass) + per_joint * (
            n1 * n1 + n2 * n2 + n3 * n3
        )
        stiff = tip_c + tip_k * dt
        press = (tip_k * depth - stiff * (tvx * nx + tvy * ny + tvz * nz)) / (
            1.0 + dt * stiff * soft
        )
        press = maximum(press, 0.0) * inside
        # Along the ground, in world; the trace bounds the mobility in every direction. The longer
        # the step, the more of the hold it costs: what sub-steps change is this above all.
        rx, ry, rz = tx - cx, ty - cy, tz - cz
        soft = (
            1.0 / mass
            + ixx * (ry * ry + rz * rz) + iyy * (rx * rx + rz * rz) + izz * (rx * rx + ry * ry)
            - 2.0 * (ixy * rx * ry + ixz * rx * rz + iyz * ry * rz)
            + per_joint * (2.0 * reach * reach + rise * rise + LOWER_LENGTH * LOWER_LENGTH)
        )  # fmt: skip
        held = touching * inside
        stretch_x, stretch_y = (tip_x - anchor_x) * held, (tip_y - anchor_y) * held
        slip_x = fx * tvx + lx * tvy + ux * tvz
        slip_y = fy * tvx + ly * tvy + uy * tvz
        scale = 1.0 / (1.0 + dt * stiff * soft)
        rub_x = -(tip_k * stretch_x + stiff * slip_x) * scale
        rub_y = -(tip_k * stretch_y + stiff * slip_y) * scale
        hold = tip_mu * press
        wanted = sqrt(rub_x * rub_x + rub_y * rub_y)
        part = minimum(1.0, hold / (wanted + 1e-9))
        rub_x, rub_y = rub_x * part, rub_y * part
        stretched = sqrt(stretch_x * stretch_x + stretch_y * stretch_y)
        kept = minimum(1.0, hold / (tip_k * stretched + 1e-9))
        # The anchor is dragged along when the spring would pull harder than friction holds.
        anchor_x, anchor_y = tip_x - stretch_x * kept, tip_y - stretch_y * kept
        touching = inside * 1.0
        tip_fx = press * nx + fx * rub_x + fy * rub_y
        tip_fy = press * ny + lx * rub_x + ly * rub_y
        tip_fz = press * nz + ux * rub_x + uy * rub_y
        tip_force = (tip_fx, tip_fy, tip_fz)
        tip_torque = (
            ty * tip_fz - tz * tip_fy, tz * tip_fx - tx * tip_fz, tx * tip_fy - ty * tip_fx,
        )  # fmt: skip
        vb, o = push(vb, o, tip_force, tip_torque, centre, inverse, dt, per_mass)
        force = (force[0] + tip_force[0], force[1] + tip_force[1], force[2] + tip_force[2])
        torque = (torque[0] + tip_torque[0], torque[1] + tip_torque[1], torque[2] + tip_torque[2])
        load1 = rs * tip_fx + rc * tip_fy
        load2 = j2x * tip_fx + j2y * tip_fy - reach * tip_fz
        load3 = j3x * tip_fx + j3y * tip_fy - reach3 * tip_fz

        # --- walls at nose and tail
        for end in (_BUMPER[0], -_BUMPER[0]):
            ex_, ey_ = x0 + end * fx + _BUMPER[1] * ux, y0 + end * fy + _BUMPER[1] * uy
            wall_x, wall_y, wall_offset, top = wall_at(look, ex_, ey_)
            depth = _BUMPER[2] - (wall_x * ex_ + wall_y * ey_ - wall_offset)
            hit = (depth > 0.0) & (z0 + end * fz + _BUMPER[1] * uz < top)
            if hit:
                ax, ay = wall_x * fx + wall_y * fy, wall_x * lx + wall_y * ly
                az = wall_x * ux + wall_y * uy
                h = _BUMPER[1]
                speed = (
                    ax * (vb[0] + o[1] * h) + ay * (vb[1] + o[2] * end - o[0] * h)
                    + az * (vb[2] - o[1] * end)
                )  # fmt: skip
                stiff = wall_c + wall_k * dt
                f = (wall_k * depth - stiff * speed) / (
                    1.0 + dt * stiff * mobility(end, 0.0, h, ax, ay, az, centre, inverse, mass)
                )
                f = maximum(f, 0.0) * hit
                push_f = (f * ax, f * ay, f * az)
                push_t = (-h * push_f[1], h * push_f[0] - end * push_f[2], end * push_f[1])
                vb, o = push(vb, o, push_f, push_t, centre, inverse, dt, per_mass)
                force = (force[0] + push_f[0], force[1] + push_f[1], force[2] + push_f[2])
                torque = (torque[0] + push_t[0], torque[1] + push_t[1], torque[2] + push_t[2])

        # --- a board on its side: shoulder, elbow and the deck's upper edges
        if uz < _TIPPED:
            points = (
                (0.0, 0.0, SHOULDER_HEIGHT + 0.1),
                (ex, ey, ez),
                (0.4, 0.0, 0.2),
                (-0.4, 0.0, 0.2),
            )
            for ax, ay, az in points:
                wx, wy = x0 + fx * ax + lx * ay + ux * az, y0 + fy * ax + ly * ay + uy * az
                plane, slant = plane_at(look, wx, wy)
                depth = plane + slant * wx - (z0 + fz * ax + lz * ay + uz * az)
                inside = (depth > 0.0) & (depth < _DEEP) & (uz < _TIPPED)
                sx, sy, sz = (
                    vb[0] + o[1] * az - o[2] * ay, vb[1] + o[2] * ax - o[0] * az,
                    vb[2] + o[0] * ay - o[1] * ax,
                )  # fmt: skip
                normal = sx * nx + sy * ny + sz * nz
                stiff = tip_c + tip_k * dt
                f = (tip_k * depth - stiff * normal) / (
                    1.0 + dt * stiff * mobility(ax, ay, az, nx, ny, nz, centre, inverse, mass)
                )
                f = maximum(f, 0.0) * inside
                tx_, ty_, tz_ = sx - normal * nx, sy - normal * ny, sz - normal * nz
                fast = sqrt(tx_ * tx_ + ty_ * ty_ + tz_ * tz_)
                # Friction, no more than stops a fifth of a light mass within the step.
                rub = minimum(0.6 * f / (fast + 1e-9), 0.2 / dt)
                push_f = (f * nx - rub * tx_, f * ny - rub * ty_, f * nz - rub * tz_)
                push_t = (
                    ay * push_f[2] - az * push_f[1], az * push_f[0] - ax * push_f[2],
                    ax * push_f[1] - ay * push_f[0],
                )  # fmt: skip
                vb, o = push(vb, o, push_f, push_t, centre, inverse, dt, per_mass)
                force = (force[0] + push_f[0], force[1] + push_f[1], force[2] + push_f[2])
                torque = (torque[0] + push_t[0], torque[1] + push_t[1], torque[2] + push_t[2])

        # --- wheels hold across the board, axle by axle; the trucks turn with the lean
        upright = maximum(uz, 0.0)
        # Lean is against the ground, not against the horizon.
        lean = maximum(minimum(lz - slope * lx, 0.5), -0.5)
        turn = 0.5 * steer * lean * vb[0]
        for end in (1.0, -1.0):
            at = end * half_base
            hold = 0.5 * grip * upright * (load + end * sum_x)
            slip = vb[1] + at * o[2] + end * turn
            side = mobility(at, 0.0, 0.0, 0.0, 1.0, 0.0, centre, inverse, mass)
            f = maximum(minimum(-0.9 * slip / (side * dt), hold), -hold)
            vb, o = push(vb, o, (0.0, f, 0.0), (0.0, 0.0, at * f), centre, inverse, dt, per_mass)
            force = (force[0], force[1] + f, force[2])
            torque = (torque[0], torque[1], torque[2] + at * f)
        force_x, force_y, force_z = force
        torque_x, torque_y, torque_z = torque

        # --- momentum
        vx = vx + per_mass * (fx * force_x + lx * force_y + ux * force_z)
        vy = vy + per_mass * (fy * force_x + ly * force_y + uy * force_z)
        vz = vz + per_mass * (fz * force_x + lz * force_y + uz * force_z)
        kx = dt * (torque_x - cy * force_z + cz * force_y)
        ky = dt * (torque_y - cz * force_x + cx * force_z)
        kz = dt * (torque_z - cx * force_y + cy * force_x)
        mx = mx + fx * kx + lx * ky + ux * kz
        my = my + fy * kx + ly * ky + uy * kz
        mz = mz + fz * kx + lz * ky + uz * kz
        # What has fallen this far lies still.
        alive = pz > LOWEST
        vx, vy, vz, mx, my, mz = (
            vx * alive,
            vy * alive,
            vz * alive,
            mx * alive,
            my * alive,
            mz * alive,
        )
        px, py, pz = px + dt * vx, py + dt * vy, pz + dt * vz

        # --- joints
        j1, w1 = turned(j1, (raw1 + give * load1) * alive, ANGLE_LIMITS[0], dt)
        j2, w2 = turned(j2, (raw2 + give * load2) * alive, ANGLE_LIMITS[1], dt)
        j3, w3 = turned(j3, (raw3 + give * load3) * alive, ANGLE_LIMITS[2], dt)
        core = (
            px, py, pz, qw, qx, qy, qz, vx, vy, vz, mx, my, mz, j1, j2, j3, w1, w2, w3,
            anchor_x, anchor_y, touching,
        )  # fmt: skip
        return orient(core, (fx, fy, fz, lx, ly, lz, ux, uy, uz), dt, load, physics)

    return Equations(advance, orient)
