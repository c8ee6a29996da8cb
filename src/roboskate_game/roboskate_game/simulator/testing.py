# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Simulated games and clients for tests, over the real wire on loopback."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from roboskate_game.client.client import GameClient, open_transport
from roboskate_game.client.transport import TransportKind
from roboskate_game.protocol.dialect import Dialect, MatrixOrder, Profile
from roboskate_game.protocol.messages import ImageSize
from roboskate_game.simulator.program import Simulator, SimulatorConfig


@contextmanager
def running_games() -> Iterator[Callable[..., Simulator]]:
    """Give a function that starts a simulated game, on free ports unless they are given.

    It takes ``profile``, ``matrix_order``, ``size`` (pixels) and the fields of SimulatorConfig.
    All games are closed at the end.
    """
    with ExitStack() as games:

        def make(
            profile: Profile | str = Profile.SPEC,
            matrix_order: MatrixOrder = MatrixOrder.ROW_MAJOR,
            size: tuple[int, int] = (64, 36),
            **options: Any,
        ) -> Simulator:
            config = SimulatorConfig(
                port=options.pop("port", 0),
                http_port=options.pop("http_port", 0),
                dialect=Dialect(Profile(profile), matrix_order),
                size=ImageSize(*size),
                **options,
            )
            game = Simulator(config)
            game.start()
            games.callback(game.close)
            return game

        yield make


@contextmanager
def connected_client(
    port: int, profile: Profile, kind: TransportKind = TransportKind.GRPC
) -> Iterator[GameClient]:
    """Give a client of the game at ``port`` of loopback; it is closed at the end."""
    client = GameClient(open_transport(kind, "127.0.0.1", port), Dialect(profile))
    try:
        yield client
    finally:
        client.close()
