# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Fit the physics of the simulation to a game: rides are recorded, and repeated with other values.

    python -m roboskate_game.learning.identify --port 50051 --output rides.npz
    python -m roboskate_game.learning.identify --rides rides.npz --fit board_mass tip_friction

Needs a game of profile ``game`` over gRPC or HTTP, or the file of an earlier recording. Each ride
begins a level anew and takes 4 s of game time. Prints the values, their uncertainty, and the gap
between game and simulation on rides that were not fitted.
"""

from __future__ import annotations

import argparse
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from legacy_robots_core.printable import set_up_logging
from roboskate_game.client.client import GameClient, open_transport
from roboskate_game.client.transport import GRPC_PORT, HTTP_PORT, Timeouts, TransportKind
from roboskate_game.environments.backend import ForceDialect, RemoteGames
from roboskate_game.environments.in_process import SimulatedGames
from roboskate_game.environments.randomness import NOMINAL
from roboskate_game.model.rules import FORCE, WireState
from roboskate_game.physics.mechanics import Physics
from roboskate_game.protocol.dialect import Profile
from roboskate_game.protocol.messages import ImageSize

Doubles = NDArray[np.float64]

FITTED = ("board_mass", "tip_friction", "joint_delay", "force_gain")
"""What is fitted unless other names of Physics are given."""
STEP_SECONDS, STEPS, LOWERING = 0.1, 40, 8
"""Of a ride; the crane is lowered in its first steps."""
_SCALES = np.repeat((0.05, 0.2, 0.02, 0.02, 1.0, 10.0), 3)
"""Of positions (m), velocities (m/s), forward and up, joints (degrees) and their rates."""
_LIMIT = 10.0
"""Scales beyond which a difference counts no more: rides that have parted say little."""
_SPREAD, _TRIALS, _STARTS, _ROUNDS = 0.4, 200, 4, 12
_SIZE = ImageSize(16, 16)

_LOG = logging.getLogger("identify")


@dataclass(frozen=True)
class Rides:
    """Forces (rides, STEPS, 3), in the game's units, and what came of them (rides, STEPS, 18)."""

    forces: Doubles
    seen: Doubles

    def save(self, path: Path) -> None:
        """Write the rides to a .npz file. Raises OSError."""
        np.savez_compressed(path, forces=self.forces, seen=self.seen)


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
            seen.append(numbers(games.state())[0])
    return Rides(forces, np.array(seen).reshape(count, STEPS, -1))


def repeated(forces: Doubles, candidates: Sequence[Physics], level: int = 0) -> Doubles:
    """Return what comes of forces (rides, steps, 3) with each physics: (n, rides, steps, 18)."""
    rides, steps, _ = forces.shape
    games = SimulatedGames(
        len(candidates) * rides,
        size=_SIZE,
        force=FORCE,
        step_seconds=STEP_SECONDS,
        randomness=NOMINAL,
    )
    for i, physics in enumerate(candidates):
        for ride in range(rides):
            games.fleet.place(i * rides + ride, level, physics)
    seen = []
    for step in range(steps):
        games.run(np.arange(games.count), np.tile(forces[:, step], (len(candidates), 1)))
        seen.append(numbers(games.state()).reshape(len(candidates), rides, -1))
    return np.stack(seen, axis=2)


def fit(rides: Rides, names: Sequence[str] = FITTED) -> tuple[Physics, Doubles]:
    """Return the physics with which the rides go as they went, and relative standard errors."""
    usual = np.array([getattr(Physics(), name) for name in names])

    def physics(logarithms: Doubles) -> Physics:
        values = (usual * np.exp(logarithms)).tolist()
        return replace(Physics(), **dict(zip(names, values, strict=True)))

    def differences(many: Doubles, steps: int) -> Doubles:
        seen = repeated(rides.forces[:, :steps], [physics(each) for each in many])
        off = ((seen - rides.seen[:, :steps]) / _SCALES).reshape(len(many), -1)
        limited: Doubles = off / np.sqrt(1.0 + (off / _LIMIT) ** 2)
        return limited

    rng = np.random.default_rng(0)
    trials = rng.uniform(-_SPREAD, _SPREAD, (_TRIALS, len(names)))
    trials[0] = 0.0
    # Short rides diverge less: they lead near, long ones settle the rest.
    costs = (differences(trials, LOWERING + 8) ** 2).sum(axis=1)
    best: tuple[float, Doubles, Doubles] | None = None
    for start in trials[np.argsort(costs)[:_STARTS]]:
        at = start
        for steps in (LOWERING + 8, LOWERING + 16, STEPS):
            at, cost, jacobian = _descended(at, partial(differences, steps=steps))
        if best is None or cost < best[0]:
            best = cost, at, jacobian
    assert best is not None
    cost, at, jacobian = best
    noise = cost / max(1, len(jacobian) - len(names))
    errors = np.sqrt(np.diag(np.linalg.pinv(jacobian.T @ jacobian)) * noise)
    return physics(at), errors


def gap(rides: Rides, physics: Physics) -> tuple[float, float]:
    """Return the median differences at the rides' ends: positions (m) and joints (degrees)."""
    off = np.abs(repeated(rides.forces, [physics])[0, :, -1] - rides.seen[:, -1])
    position = np.linalg.norm(off[:, 0:3], axis=1)
    return float(np.median(position)), float(np.median(off[:, 12:15].max(axis=1)))


def _descended(
    at: Doubles, differences: Callable[[Doubles], Doubles]
) -> tuple[Doubles, float, Doubles]:
    """Return the point, its cost and its Jacobian after some rounds of Levenberg and Marquardt."""
    damping, width = 1e-2, 1e-4
    shifts = np.concatenate((np.zeros((1, len(at))), width * np.eye(len(at))))
    for _ in range(_ROUNDS):
        off, *moved = differences(at + shifts)
        jacobian = (np.array(moved) - off).T / width
        square, slope = jacobian.T @ jacobian, jacobian.T @ off
        dampings = damping * np.array((0.1, 1.0, 10.0, 100.0))
        steps = [np.linalg.solve(square + d * np.diag(np.diag(square) + 1e-9), -slope)
                 for d in dampings]  # fmt: skip
        steps = [np.clip(step, -0.2, 0.2) for step in steps]
        costs = (differences(at + np.array(steps)) ** 2).sum(axis=1)
        chosen = int(np.argmin(costs))
        cost = float(off @ off)
        if costs[chosen] >= cost:
            damping *= 100.0
            continue
        at, damping = at + steps[chosen], float(dampings[chosen])
        if cost - costs[chosen] < 1e-6 * cost:
            cost = float(costs[chosen])
            break
    return at, cost, jacobian


def numbers(state: WireState) -> Doubles:
    """Return what a ride keeps of states: 18 numbers each."""
    parts = (state.position, state.velocity, state.forward, state.up, state.joints)
    return np.column_stack(parts).astype(float)


def main() -> None:
    """Record, or read, and fit, as the command line says."""
    names = [each.name for each in fields(Physics)]
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, help="of the game; none: the transport's own")
    parser.add_argument("--transport", choices=("grpc", "http"), default="grpc")
    parser.add_argument("--count", type=int, default=16, help="rides; a fourth is not fitted")
    parser.add_argument("--fit", nargs="+", choices=names, default=FITTED, metavar="NAME")
    parser.add_argument("--rides", type=Path, help="fit those of this file instead of recording")
    parser.add_argument("--output", type=Path, help="file to keep the recording in")
    arguments = parser.parse_args()
    set_up_logging(format="%(message)s", force=False)
    if arguments.rides is not None:
        with np.load(arguments.rides) as stored:
            rides = Rides(stored["forces"], stored["seen"])
    else:
        kind = TransportKind(arguments.transport)
        port = arguments.port or (GRPC_PORT if kind is TransportKind.GRPC else HTTP_PORT)
        client = GameClient(
            open_transport(kind, arguments.host, port),
            ForceDialect(Profile.GAME),
            Timeouts(call=5.0),
        )
        games = RemoteGames([client], _SIZE, FORCE, STEP_SECONDS, NOMINAL)
        try:
            rides = record(games, max(4, arguments.count))
        finally:
            games.close()
        if arguments.output is not None:
            rides.save(arguments.output)
    kept = len(rides.forces) // 4
    others = Rides(rides.forces[:kept], rides.seen[:kept])
    physics, errors = fit(Rides(rides.forces[kept:], rides.seen[kept:]), arguments.fit)
    for name, error in zip(arguments.fit, errors.tolist(), strict=True):
        usual, found = getattr(Physics(), name), getattr(physics, name)
        _LOG.info("%s: %.4g ± %.1f %% (simulation: %.4g)", name, found, 196.0 * error, usual)
    for text, each in (("as it is", Physics()), ("fitted", physics)):
        _LOG.info("gap after %g s, %s: %.3f m, joints %.1f degrees",
                  STEPS * STEP_SECONDS, text, *gap(others, each))  # fmt: skip
    options = [f"--physics {name}={getattr(physics, name):.5g}" for name in arguments.fit]
    _LOG.info("simulator %s", " ".join(options))


if __name__ == "__main__":
    main()
