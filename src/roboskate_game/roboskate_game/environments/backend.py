# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Where the games are that the environments play: one interface, and games over gRPC or HTTP."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from roboskate_game.client.client import GameClient
from roboskate_game.client.transport import TransportError
from roboskate_game.environments.randomness import Randomness
from roboskate_game.model.rules import START_STEPS, Scorer, Wire, lowering
from roboskate_game.protocol.dialect import FORCE_RANGE, Dialect, Profile
from roboskate_game.protocol.image import decode
from roboskate_game.protocol.messages import (
    NO_KEYS,
    BoardState,
    ImageSize,
    Keys,
    ProtocolError,
    RotationMatrix,
    Vector,
)

Doubles = NDArray[np.float64]
Images = NDArray[np.uint8]
Worlds = NDArray[np.intp]


class Backend(Protocol):
    """N games. ``worlds`` are indices; forces are in the game's units."""

    count: int

    def begin(self, worlds: Worlds, levels: Worlds, rngs: Sequence[np.random.Generator]) -> None:
        """Load levels, and lower the crane as reset does; ``rngs``: one for each of ``worlds``."""

    def run(self, worlds: Worlds, forces: Doubles) -> None:
        """Let one step of the environment pass in some games while forces (n, 3) act."""

    def play(self, worlds: Worlds, forces: Doubles, scorer: Scorer) -> None:
        """Let one step pass in some games, and count it."""

    def begin_episodes(self, worlds: Worlds, first: Worlds, scorer: Scorer) -> None:
        """Have the scorer begin episodes in some games, with these first checkpoints."""

    def state(self) -> Wire:
        """Return the states of all games."""

    def images(self) -> Images:
        """Return what all cameras see (n, height, width, 3), RGB."""

    def close(self) -> None:
        """Close all games. Idempotent."""


def lower_crane(
    backend: Backend, worlds: Worlds, force: float, off: Doubles | None = None
) -> None:
    """Bring the crane towards START_ANGLES as the original's reset does; ``off``: see lowering."""
    beside = np.zeros((1, 2)) if off is None else off
    for _ in range(START_STEPS):
        backend.run(worlds, lowering(backend.state()[worlds, 12:], beside) * force)


@dataclass(frozen=True)
class ForceDialect(Dialect):
    """A dialect in which Keys are joint forces, without a limit in profile ``game``."""

    def encode_keys(self, keys: Keys) -> Vector:
        """Return the argument of set_info: forces, or in ``spec`` the fractions of a key's."""
        if self.profile is Profile.SPEC:
            return Keys(*(value / FORCE_RANGE for value in keys.values())).clamped().values()
        return keys.values()


class RemoteGames:
    """Games behind clients, one each: real ones or simulators.

    The clients speak a ForceDialect. Profile ``spec`` has no forces: there 40 is a key held down,
    and more changes nothing. All methods raise TransportError and ProtocolError.
    """

    def __init__(
        self,
        clients: Sequence[GameClient],
        size: ImageSize,
        force: float,
        step_seconds: float,
        randomness: Randomness,
    ) -> None:
        self._randomness = randomness
        self.count = len(clients)
        self._clients = clients
        self._wanted = size
        self._force = force
        self._step_seconds = step_seconds
        self._sizes: list[ImageSize | None] = [None] * len(clients)

    def begin(self, worlds: Worlds, levels: Worlds, rngs: Sequence[np.random.Generator]) -> None:
        """Load levels, and lower the crane as reset does."""
        for world, level in zip(worlds.tolist(), levels.tolist(), strict=True):
            self.load(world, level)
        lower_crane(self, worlds, self._force, self._randomness.crane_offsets(rngs))
        for world in worlds.tolist():
            self._clients[world].set_info(NO_KEYS)

    def load(self, world: int, level: int) -> None:
        """Load a level; the crane stays upright."""
        self._sizes[world] = self._clients[world].initialize(level, self._wanted)

    def run(self, worlds: Worlds, forces: Doubles) -> None:
        """Let one step pass in some games while forces act."""
        # Rounded as on the gRPC wire: JSON would carry more.
        sent = forces.astype(np.float32).tolist()
        for world, force in zip(worlds.tolist(), sent, strict=True):
            self._clients[world].set_info(Keys(*force))
            self._clients[world].run_game(self._step_seconds)

    def state(self) -> Wire:
        """Return the states of all games; zeros for those without a level."""
        boards = [
            client.get_info() if size is not None else None
            for client, size in zip(self._clients, self._sizes, strict=True)
        ]
        return np.array([self._row(board) for board in boards]).astype(np.float32).astype(float)

    def play(self, worlds: Worlds, forces: Doubles, scorer: Scorer) -> None:
        """Let one step pass in some games, and count it."""
        self.run(worlds, forces)
        scorer.score(self.state(), worlds)

    def begin_episodes(self, worlds: Worlds, first: Worlds, scorer: Scorer) -> None:
        """Have the scorer begin episodes."""
        scorer.begin(self.state(), worlds, first)

    def images(self) -> Images:
        """Return what all cameras see.

        Raises ProtocolError for a game whose images are not of the size asked for.
        """
        for size in self._sizes:
            if size is not None and size != self._wanted:
                raise ProtocolError(
                    f"the game's images are of {size.width} x {size.height} pixels, as it alone "
                    f"decides: make with width={size.width}, height={size.height}"
                )
        return np.stack(
            [
                decode(client.get_camera(size))
                if size is not None
                else np.zeros((self._wanted.height, self._wanted.width, 3), np.uint8)
                for client, size in zip(self._clients, self._sizes, strict=True)
            ]
        )

    def close(self) -> None:
        """Release the keys and end the connections. Idempotent."""
        for world, client in enumerate(self._clients):
            if self._sizes[world] is not None:
                self._sizes[world] = None
                try:
                    client.set_info(NO_KEYS)
                except (ProtocolError, TransportError):
                    pass  # gone already
            client.close()

    def _row(self, board: BoardState | None) -> list[float]:
        if board is None:
            return [0.0] * 6 + [1.0, 0.0, 0.0, 0.0, 1.0, 0.0] + [0.0] * 6
        joints = np.array((*board.joint_angles, *board.joint_velocities))
        rotation = board.rotation
        if isinstance(rotation, RotationMatrix):
            # Columns are right, up and forward.
            _, up, forward = zip(*rotation.rows, strict=True)
            joints = np.degrees(joints)
        else:
            forward, up = rotation.forward, rotation.up
        return [*board.position, *board.linear_velocity, *forward, *up, *joints.tolist()]
