# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Fit the physics of the simulation to a game: rides are recorded, and predicted step by step.

    python -m roboskate_game.learning.identify --port 50051 --output rides.npz
    python -m roboskate_game.learning.identify --rides rides.npz --fit board_mass tip_friction

Needs a game of profile ``game`` over gRPC or HTTP, or the file of an earlier recording. Each ride
begins a level anew and takes 4 s of game time. Prints the values with 95 % intervals, the gap
between game and simulation on rides that were not fitted, and what the fit is worth. Exit code 1:
no game, no rides, or a fit that cannot be used.
"""

from __future__ import annotations

import argparse
import logging
from dataclasses import fields
from pathlib import Path

import numpy as np

from legacy_robots_core.printable import set_up_logging
from roboskate_game.client.client import GameClient, open_transport
from roboskate_game.client.transport import (
    GRPC_PORT,
    HTTP_PORT,
    Timeouts,
    TransportError,
    TransportKind,
)
from roboskate_game.environments.backend import ForceDialect, RemoteGames
from roboskate_game.environments.randomness import NOMINAL
from roboskate_game.learning.fitting import WIDEST, Verdict, fit
from roboskate_game.learning.rides import SIZE, STEP_SECONDS, STEPS, Rides, record, repeated
from roboskate_game.model.rules import FORCE
from roboskate_game.physics.mechanics import Physics
from roboskate_game.protocol.dialect import Profile
from roboskate_game.protocol.messages import ProtocolError

FITTED = ("board_mass", "tip_friction", "joint_delay", "force_gain")
"""What is fitted unless other names of Physics are given."""

_LOG = logging.getLogger("identify")


def gap(rides: Rides, physics: Physics) -> tuple[float, float]:
    """Return the median differences at the rides' ends: positions (m) and joints (degrees)."""
    off = np.abs(repeated(rides.forces, [physics])[0, :, -1] - rides.seen[:, -1])
    position = np.linalg.norm(off[:, 0:3], axis=1)
    return float(np.median(position)), float(np.median(off[:, 12:15].max(axis=1)))


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
    try:
        rides = _rides(arguments)
    except (OSError, ValueError, TransportError, ProtocolError) as error:
        raise SystemExit(f"no rides: {error}") from error
    kept = len(rides.forces) // 4
    if not kept:
        raise SystemExit(f"no rides: there must be 4 of them at least, not {len(rides.forces)}")
    others = rides.part(slice(kept))
    found = fit(rides.part(slice(kept, None)), tuple(dict.fromkeys(arguments.fit)))
    for name, half in zip(found.names, found.halves, strict=True):
        usual, value = getattr(Physics(), name), getattr(found.physics, name)
        text = f"± {100.0 * half:.2g} %" if half <= WIDEST else "not identifiable from these rides"
        _LOG.info("%s: %.5g %s (simulation: %.4g)", name, value, text, usual)
    for text, each in (("as it is", Physics()), ("fitted", found.physics)):
        _LOG.info("gap after %g s, %s: %.3f m, joints %.1f degrees",
                  STEPS * STEP_SECONDS, text, *gap(others, each))  # fmt: skip
    _LOG.info("%s (%d starts; predictions %.2f times as far off as the rides' noise explains)",
              found.verdict.value, found.starts, found.misfit)  # fmt: skip
    if found.verdict is not Verdict.GOOD:
        raise SystemExit(1)
    options = [
        f"--physics {name}={getattr(found.physics, name):.5g}"
        for name in found.names
        if name not in found.not_identifiable
    ]
    _LOG.info("simulator %s", " ".join(options))


def _rides(arguments: argparse.Namespace) -> Rides:
    """Read rides, or record them. Raises OSError, ValueError, TransportError, ProtocolError."""
    if arguments.rides is not None:
        return Rides.load(arguments.rides)
    kind = TransportKind(arguments.transport)
    port = arguments.port or (GRPC_PORT if kind is TransportKind.GRPC else HTTP_PORT)
    client = GameClient(
        open_transport(kind, arguments.host, port), ForceDialect(Profile.GAME), Timeouts(call=5.0)
    )
    games = RemoteGames([client], SIZE, FORCE, STEP_SECONDS, NOMINAL)
    try:
        rides = record(games, max(4, arguments.count))
    finally:
        games.close()
    if arguments.output is not None:
        rides.save(arguments.output)
    return rides


if __name__ == "__main__":
    main()
