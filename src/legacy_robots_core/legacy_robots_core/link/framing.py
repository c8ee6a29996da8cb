# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Messages in a stream of bytes: lines, a length before each, records of a fixed size. Bounded."""

from __future__ import annotations

import struct
from abc import ABC, abstractmethod

from legacy_robots_core.link.base import ProtocolError

__all__ = ["Framing", "LengthPrefix", "Lines", "Records"]


class Framing(ABC):
    """Cuts a stream, which comes in pieces of any size, into messages."""

    def __init__(self) -> None:
        self._rest = bytearray()

    def feed(self, data: bytes) -> list[bytes]:
        """Return the messages that ``data`` completes, without their framing.

        Raises ProtocolError for a message that is too long or cannot be; then all is forgotten.
        """
        self._rest += data
        found = []
        try:
            while (message := self._next()) is not None:
                found.append(message)
        except ProtocolError:
            self._rest.clear()
            raise
        return found

    def end(self) -> None:
        """Raise ProtocolError where the stream ends inside a message."""
        if self._rest:
            raise ProtocolError(f"the stream ends after {len(self._rest)} bytes of a message")

    @abstractmethod
    def encode(self, message: bytes) -> bytes:
        """Return the bytes of a message. Raises ProtocolError for one that does not fit."""

    @abstractmethod
    def _next(self) -> bytes | None:
        """Take the next message from ``_rest``; None where it is not complete."""

    def _take(self, count: int) -> bytes:
        taken = bytes(self._rest[:count])
        del self._rest[:count]
        return taken


class Lines(Framing):
    """Messages that end with ``ending``, of at most ``longest`` bytes."""

    def __init__(self, longest: int = 4096, ending: bytes = b"\n") -> None:
        super().__init__()
        self._longest = longest
        self._ending = ending

    def encode(self, message: bytes) -> bytes:
        """Return the line. Raises ProtocolError for one that is too long, or several."""
        if len(message) > self._longest or self._ending in message:
            raise ProtocolError(f"{message[:40]!r} is not one line of {self._longest} bytes")
        return message + self._ending

    def _next(self) -> bytes | None:
        end = self._rest.find(self._ending, 0, self._longest + len(self._ending))
        if end >= 0:
            return self._take(end + len(self._ending))[:end]
        if len(self._rest) >= self._longest + len(self._ending):
            raise ProtocolError(f"a line begins with {bytes(self._rest[:20])!r} and does not end")
        return None


class LengthPrefix(Framing):
    """Messages of at most ``longest`` bytes, each after a head with its length.

    ``format`` is that of the head, for struct: ``>I`` is four bytes, big-endian; ``>4xH`` four
    other bytes and then the length in two. Where those count, ``keep_head`` leaves the head with
    the message, and ``encode`` takes it so.
    """

    def __init__(
        self, longest: int = 65536, format: str = ">I", *, keep_head: bool = False
    ) -> None:
        super().__init__()
        self._longest = longest
        self._head = struct.Struct(format)
        self._keep_head = keep_head

    def encode(self, message: bytes) -> bytes:
        """Return head and message. Raises ProtocolError for one that is too long."""
        if self._keep_head:
            rest = len(message) - self._head.size
            if rest < 0 or self._checked(self._head.unpack_from(message)[0]) != rest:
                raise ProtocolError(f"{message[:40]!r} has not the length that its head says")
            return message
        try:
            return self._head.pack(self._checked(len(message))) + message
        except struct.error as error:
            raise ProtocolError(f"a length of {len(message)} bytes: {error}") from error

    def _next(self) -> bytes | None:
        head = self._head.size
        if len(self._rest) < head:
            return None
        whole = head + self._checked(self._head.unpack_from(self._rest)[0])
        if len(self._rest) < whole:
            return None
        return self._take(whole)[0 if self._keep_head else head :]

    def _checked(self, length: int) -> int:
        if not 0 <= length <= self._longest:
            raise ProtocolError(f"a message of {length} bytes; at most {self._longest} can be")
        return length


class Records(Framing):
    """Messages of ``size`` bytes each."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self._size = size

    def encode(self, message: bytes) -> bytes:
        """Return the record. Raises ProtocolError for one of another size."""
        if len(message) != self._size:
            raise ProtocolError(f"a record of {len(message)} bytes; it must have {self._size}")
        return message

    def _next(self) -> bytes | None:
        return self._take(self._size) if len(self._rest) >= self._size else None
