# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Rides for the identification of a game's physics: recorded, repeated, and predicted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from roboskate_game.environments.backend import RemoteGames
from roboskate_game.environments.in_process import SimulatedGames
from roboskate_game.environments.randomness import NOMINAL
from roboskate_game.model.rules import FORCE, WIRE_NUMBERS
from roboskate_game.physics.batch import Fleet
from roboskate_game.physics.dynamics import origin
from roboskate_game.physics.mechanics import Physics, State
from roboskate_game.protocol.messages import ImageSize

Doubles = NDArray[np.float64]

STEP_SECONDS, STEPS, LOWERING = 0.1, 40, 8
"""Of a ride; the crane is lowered in its first steps."""
SIZE = ImageSize(16, 16)
_Y_AND_Z = [0, 2, 1]
"""The game's y is up, that of odom is left."""


@dataclass(frozen=True)
class Rides:
    """Forces (rides, STEPS, 3), in the game's units, and what came of them (rides, STEPS, 18)."""

    forces: Doubles
    seen: Doubles

    def save(self, path: Path) -> None:
        """Write the rides to a .npz file. Raises OSError."""
        np.savez_compressed(path, forces=self.forces, seen=self.seen)

    @classmethod
    def load(cls, path: Path) -> Rides:
        """Read the rides of a file. Raises OSError, and ValueError for one that has none."""
        try:
            with np.load(path) as stored:
                rides = cls(*(np.asarray(stored[name], float) for name in ("forces", "seen")))
        except (KeyError, ValueError) as error:
            raise ValueError(f"{path} has no rides: {error}") from error
        count = len(rides.forces)
        if rides.forces.shape != (count, STEPS, 3) or rides.seen.shape != (
            count,
            STEPS,
            WIRE_NUMBERS,
        ):
            raise ValueError(f"{path}: rides have {STEPS} steps with 3 forces and 18 numbers each")
        if not (np.isfinite(rides.forces).all() and np.isfinite(rides.seen).all()):
            raise ValueError(f"{path} has numbers that are not finite")
        return rides

    def part(self, chosen: slice) -> Rides:
        """Return some of the rides."""
        return Rides(self.forces[chosen], self.seen[chosen])


def excitation(ride: int) -> Doubles:
    """Return the forces (STEPS, 3) of a ride: the crane is lowered, then pushes and turns."""
    rng = np.random.default_rng(ride)
    time = STEP_SECONDS * np.arange(STEPS)[:, np.newaxis]
    strength = rng.uniform((5.0, 30.0, 40.0), (25.0, 90.0, 140.0))
    turns = rng.uniform((0.3, 0.4, 0.4), (0.8, 1.0, 1.0))
    forces: Doubles = strength * np.sin(2.0 * np.pi * (turns * time + rng.uniform(0.0, 1.0, 3)))
    forces[:LOWERING] = 0.0, 70.0, 130.0
    return forces


def record(games: RemoteGames, count: int, level: int = 0) -> Rides:
    """Record rides in the first game. Raises TransportError, ProtocolError."""
    forces = np.array([excitation(ride) for ride in range(count)])
    seen = []
    for ride in forces:
        games.load(0, level)
        for force in ride:
            games.run(np.array([0]), force[np.newaxis])
            seen.append(games.state()[0])
    return Rides(forces, np.array(seen).reshape(count, STEPS, -1))


def repeated(
    forces: Doubles,
    candidates: Sequence[Physics],
    level: int = 0,
    *,
    seen: Doubles | None = None,
    gain: float = 0.0,
) -> Doubles:
    """Return what comes of forces (rides, steps, 3) with each physics: (n, rides, steps, 18).

    With ``seen`` each step is a prediction: before the next one the state is corrected by ``gain``
    times its difference to what was seen, so that rides do not part.
    """
    rides, steps, _ = forces.shape
    games = SimulatedGames(
        len(candidates) * rides,
        size=SIZE,
        force=FORCE,
        step_seconds=STEP_SECONDS,
        randomness=NOMINAL,
    )
    for i, physics in enumerate(candidates):
        for ride in range(rides):
            games.fleet.place(i * rides + ride, level, physics)
    found = []
    for step in range(steps):
        games.run(np.arange(games.count), np.tile(forces[:, step], (len(candidates), 1)))
        now = games.state()
        found.append(now.reshape(len(candidates), rides, -1))
        if seen is not None:
            follow(games.fleet, now + gain * (np.tile(seen[:, step], (len(candidates), 1)) - now))
    return np.stack(found, axis=2)


def follow(fleet: Fleet, seen: Doubles) -> None:
    """Put boards where they were seen (n, 18).

    What is not seen stays: the angular velocity (body), and how far the tip's hold is stretched.
    """
    s = fleet.columns()
    spin = np.column_stack((s.ox, s.oy, s.oz))
    hold = np.column_stack((s.anchor_x, s.anchor_y)) - _tip(s)
    position, velocity, forward, up = (seen[:, i : i + 3][:, _Y_AND_Z] for i in (0, 3, 6, 9))
    forward = forward / np.linalg.norm(forward, axis=1, keepdims=True)
    up = up - (up * forward).sum(axis=1, keepdims=True) * forward
    up /= np.linalg.norm(up, axis=1, keepdims=True)
    axes = np.stack((forward, np.cross(up, forward), up), axis=2)
    fleet.rows[:, 3:7] = _quaternions(axes)
    # Without momentum at first: what turns then is what the crane alone makes turn.
    fleet.rows[:, 10:13] = 0.0
    fleet.rows[:, 13:19] = np.radians(seen[:, 12:18])
    fleet.complete()
    s = fleet.columns()
    inverse: Doubles = np.array(
        ((s.ixx, s.ixy, s.ixz), (s.ixy, s.iyy, s.iyz), (s.ixz, s.iyz, s.izz))
    ).transpose(2, 0, 1)
    turning = spin - np.column_stack((s.ox, s.oy, s.oz))
    momentum = np.linalg.solve(inverse, turning[:, :, np.newaxis])
    centre, moved = (np.column_stack(each) for each in ((s.cx, s.cy, s.cz), (s.dcx, s.dcy, s.dcz)))
    moved = moved + np.cross(spin, centre)
    for place, vectors in ((10, momentum[:, :, 0]), (0, centre), (7, moved)):
        fleet.rows[:, place : place + 3] = (axes @ vectors[:, :, np.newaxis])[:, :, 0]
    fleet.rows[:, 0:3] += position
    fleet.rows[:, 7:10] += velocity
    fleet.complete()
    fleet.rows[:, 19:21] = hold + _tip(fleet.columns())


def _tip(s: State) -> Doubles:
    """Return where tips are (n, 2) in odom."""
    (x, y, _), _ = origin(s)
    return np.column_stack(
        (x + s.fx * s.tx + s.lx * s.ty + s.ux * s.tz, y + s.fy * s.tx + s.ly * s.ty + s.uy * s.tz)
    )


def _quaternions(axes: Doubles) -> Doubles:
    """Return unit quaternions (n, 4), w first, of rotation matrices (n, 3, 3)."""
    (a, b, c), (d, e, f), (g, h, i) = axes.transpose(1, 2, 0)
    # Each row is the quaternion times one of its own parts: the largest is the safest.
    rows = np.array(
        (
            (1.0 + a + e + i, h - f, c - g, d - b),
            (h - f, 1.0 + a - e - i, b + d, c + g),
            (c - g, b + d, 1.0 - a + e - i, f + h),
            (d - b, c + g, f + h, 1.0 - a - e + i),
        )
    ).transpose(2, 0, 1)
    largest = np.argmax(np.einsum("nii->ni", rows), axis=1)
    chosen = rows[np.arange(len(rows)), largest]
    unit: Doubles = chosen / np.linalg.norm(chosen, axis=1, keepdims=True)
    return unit
