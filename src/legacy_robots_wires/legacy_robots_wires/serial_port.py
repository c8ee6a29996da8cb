# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A link over a serial port or a pseudo-terminal, by pyserial."""

from __future__ import annotations

import errno
import math
import os
import tempfile
from pathlib import Path
from typing import Any

from legacy_robots_core.link.base import LinkFault, LinkLost, LinkObserver
from legacy_robots_core.link.stream import StreamLink
from legacy_robots_core.link.tcp_sockets import RECEIVE_BYTES

__all__ = ["SerialLink"]


def device_path(device: str) -> str:
    """Return the path of a device; a name without a slash is that of a link in TMPDIR."""
    return device if "/" in device else str(Path(tempfile.gettempdir(), device))


class SerialStream:
    """An open port, read and written without blocking."""

    def __init__(self, port: Any, peer: str) -> None:
        self.peer = peer
        self.unsent = bytearray()
        self._port = port

    def fileno(self) -> int:
        """Return the descriptor to poll; -1 when closed."""
        return int(self._port.fd) if self._port.is_open else -1

    def receive(self) -> bytes | None:
        """Return what has arrived, None for nothing. Raises OSError where the device is gone."""
        try:
            data = os.read(self.fileno(), RECEIVE_BYTES)
        except BlockingIOError:
            return None
        if not data:  # perhaps within a message, unlike a stream that its peer ends
            raise OSError(errno.ENODEV, os.strerror(errno.ENODEV))
        return data

    def send(self, data: bytes) -> None:
        """Send ``data`` after what is unsent."""
        self.unsent += data
        self.flush()

    def flush(self) -> None:
        """Send what can be sent of ``unsent`` now."""
        while self.unsent:
            try:
                sent = os.write(self.fileno(), self.unsent)
            except BlockingIOError:
                return
            del self.unsent[:sent]

    def close(self) -> None:
        """Close the port."""
        self._port.close()


class SerialLink(StreamLink):
    """Opens ``device``, exclusively, at ``baud`` (bit/s), 8 data bits, no parity, 1 stop bit.

    ``settings`` are others of pyserial, such as ``{"parity": "E"}``. A device that is not there is
    waited for. ``options`` are those of StreamLink: without ``liveness`` a cable that is pulled on
    the other side is not noticed. With ``silence`` the device talks by itself: the link is up once
    a message is valid, and what comes before it is passed over.
    """

    def __init__(
        self,
        device: str,
        baud: int,
        observer: LinkObserver,
        *,
        settings: dict[str, Any] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(device_path(device), observer, name="serial-link", **options)
        self._device = device_path(device)
        self._baud = baud
        self._settings = settings or {}
        if self._liveness.silence < math.inf:
            self.patience = self._liveness.silence

    def garbled(self, detail: str) -> str:
        """Return what to say where bytes come but no valid message."""
        return f"{super().garbled(detail)}. Does it talk at {self._baud} bit/s?"

    def open_stream(self) -> SerialStream:
        """Return the open port. Raises LinkLost or LinkFault."""
        try:
            import serial  # type: ignore[import-untyped]
        except ImportError as error:
            raise LinkFault("a serial link needs pyserial: pip install pyserial") from error
        try:
            port = serial.Serial(
                self._device, self._baud, timeout=0, exclusive=True, **self._settings
            )
        except (OSError, ValueError) as error:  # SerialException is an OSError
            number = getattr(error, "errno", None)
            failure = LinkFault if isinstance(error, ValueError) else LinkLost
            reason = os.strerror(number) if number else error
            raise failure(f"cannot open {self._device}: {reason}") from error
        return SerialStream(port, self._device)
