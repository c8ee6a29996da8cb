# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What the two wires, gRPC and HTTP, have in common: six calls, each with a deadline."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from roboskate_game.protocol.messages import CameraReply, InfoReply, InitializeReply, RunReply

GRPC_PORT = 50051
"""Where the real game listens (docs/originals/roboskate.md)."""
HTTP_PORT = 50052
"""Where the simulator listens for HTTP; the document names no port."""


@dataclass(frozen=True)
class Timeouts:
    """Deadlines in seconds: of loading a level, of an image, and of every other call.

    run_game may take ``call`` longer than the time that it is to simulate.
    """

    initialize: float = 10.0
    camera: float = 1.0
    call: float = 1.0


class TransportKind(str, enum.Enum):
    """GRPC: the real game's wire. HTTP: the document's endpoints, JSON in and out."""

    GRPC = "grpc"
    HTTP = "http"


class TransportError(Exception):
    """A call did not reach the game, or its answer did not reach us."""


class DeadlineError(TransportError):
    """The game did not answer in time."""


class Transport(Protocol):
    """One connection to a game. Calls block; one at a time.

    ``timeout`` is the whole call's, in seconds. Every call raises TransportError, DeadlineError,
    or ProtocolError for an answer that cannot be taken apart. What an answer means, its success
    value included, is for protocol.py to say.
    """

    @property
    def peer(self) -> str:
        """The other end, as ``host:port``."""

    def initialize(self, argument: str, timeout: float) -> InitializeReply:
        """Load a level; see Dialect.encode_initialize for ``argument``."""

    def shutdown(self, timeout: float) -> bytes:
        """Close the level; return the success value."""

    def get_info(self, timeout: float) -> InfoReply:
        """Ask for the state of board and crane."""

    def set_info(self, values: Sequence[float], timeout: float) -> bytes:
        """Hold keys down, see Dialect.encode_keys; return the success value."""

    def get_camera(self, timeout: float) -> CameraReply:
        """Ask for an image."""

    def run_game(self, seconds: float, timeout: float) -> RunReply:
        """Let ``seconds`` of the game pass."""

    def close(self) -> None:
        """End the connection; a call under way on another thread fails. Idempotent."""
