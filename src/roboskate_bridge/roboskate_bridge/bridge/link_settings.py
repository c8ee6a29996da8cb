# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Where the game is, and how it is driven."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field

from roboskate_game.client.transport import GRPC_PORT, Timeouts, TransportKind
from roboskate_game.protocol.dialect import Dialect
from roboskate_game.protocol.messages import ImageSize


class Mode(str, enum.Enum):
    """FREE_RUN: the game runs in real time. STEPPED: it moves only on request."""

    FREE_RUN = "free_run"
    STEPPED = "stepped"


class OnReconnect(str, enum.Enum):
    """RESUME: continue the level that the game still has. INITIALIZE: always restart it."""

    RESUME = "resume"
    INITIALIZE = "initialize"


@dataclass(frozen=True)
class LinkSettings:
    """Where the game is and how it is driven; times in seconds, rates in 1/s.

    ``level`` None: nothing is loaded before it is asked for.
    """

    kind: TransportKind = TransportKind.GRPC
    host: str = "127.0.0.1"
    port: int = GRPC_PORT
    dialect: Dialect = field(default_factory=Dialect)
    timeouts: Timeouts = field(default_factory=Timeouts)
    level: int | None = 0
    wished_size: ImageSize = field(default_factory=lambda: ImageSize(640, 360))
    size_order_is_text: bool = True
    on_reconnect: OnReconnect = OnReconnect.RESUME
    mode: Mode = Mode.FREE_RUN
    step_period: float = 0.02
    camera_rate: float = 25.0
    command_timeout: float = 0.5
    command_wait: float = 10.0
