# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The game as an object: typed calls in one dialect over one transport."""

from __future__ import annotations

from roboskate_game.client.transport import Timeouts, Transport, TransportKind
from roboskate_game.protocol.dialect import Dialect, check_run_time, check_total_time
from roboskate_game.protocol.image import Picture, read_picture
from roboskate_game.protocol.messages import BoardState, ImageSize, Keys


class GameClient:
    """Calls a game; one call at a time.

    Every method raises TransportError (DeadlineError where the game was too slow) or ProtocolError
    (CallFailedError where the game refused).
    """

    def __init__(
        self, transport: Transport, dialect: Dialect, timeouts: Timeouts | None = None
    ) -> None:
        self._transport = transport
        self._dialect = dialect
        self._timeouts = timeouts or Timeouts()

    @property
    def peer(self) -> str:
        """The other end, as ``host:port``."""
        return self._transport.peer

    def initialize(self, level: int, size: ImageSize) -> ImageSize:
        """Load a level and return the size of the images in pixels.

        ``size`` is a request that only profile ``game`` can carry.
        """
        argument = self._dialect.encode_initialize(level, size)
        reply = self._transport.initialize(argument, self._timeouts.initialize)
        return self._dialect.decode_image_size(reply)

    def shutdown(self) -> None:
        """Close the level; the game waits for the next initialize."""
        success = self._transport.shutdown(self._timeouts.call)
        self._dialect.check_success("shutdown", success)

    def get_info(self) -> BoardState:
        """Return the state of board and crane."""
        return self._dialect.decode_info(self._transport.get_info(self._timeouts.call))

    def set_info(self, keys: Keys) -> None:
        """Hold ``keys`` down until the next call."""
        success = self._transport.set_info(self._dialect.encode_keys(keys), self._timeouts.call)
        self._dialect.check_success("set_info", success)

    def get_camera(self, size: ImageSize) -> Picture:
        """Return the camera's image, which must be of ``size``."""
        reply = self._transport.get_camera(self._timeouts.camera)
        self._dialect.check_success("get_camera", reply.success)
        return read_picture(self._dialect.profile, reply.image, size)

    def run_game(self, seconds: float) -> float:
        """Let ``seconds`` pass in the game; return its total simulated time in seconds."""
        timeout = self._timeouts.call + check_run_time(seconds)
        return check_total_time(self._dialect, self._transport.run_game(seconds, timeout))

    def close(self) -> None:
        """End the connection; a call under way on another thread fails. Idempotent."""
        self._transport.close()


def open_transport(
    kind: TransportKind, host: str, port: int, *, size_order_is_text: bool = True
) -> Transport:
    """Return a transport; nothing is connected before the first call.

    For ``size_order_is_text`` see HttpTransport.
    """
    # Imported where it is used: gRPC need not be there for HTTP.
    if kind is TransportKind.GRPC:
        from roboskate_game.client.grpc_transport import GrpcTransport

        return GrpcTransport(host, port)
    from roboskate_game.client.http_transport import HttpTransport

    return HttpTransport(host, port, size_order_is_text=size_order_is_text)
