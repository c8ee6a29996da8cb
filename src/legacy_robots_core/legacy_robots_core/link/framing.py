# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Messages in a stream of bytes: lines, packets with a check, lengths, fixed sizes. Bounded."""

from __future__ import annotations

import struct
from abc import ABC, abstractmethod
from collections.abc import Callable

from legacy_robots_core.link.base import ProtocolError

__all__ = ["Framing", "LengthPrefix", "Lines", "Packets", "Records"]


class Framing(ABC):
    """Cuts a stream, which comes in pieces of any size, into messages.

    A framing of your own has ``next_message`` and ``encode``; ``take`` and ``pass_over`` shorten
    ``rest``, what has come and is of no message yet.
    """

    def __init__(self) -> None:
        self.rest = bytearray()
        self.passed_over = 0
        """Bytes that were of no message; its reader sets it to 0."""

    def feed(self, data: bytes) -> list[bytes]:
        """Return the messages that ``data`` completes, without their framing.

        Raises ProtocolError for a message that is too long or cannot be; then all is forgotten.
        """
        self.rest += data
        found = []
        try:
            while (message := self.next_message()) is not None:
                found.append(message)
        except ProtocolError:
            self.pass_over(len(self.rest))
            raise
        return found

    def join(self) -> None:  # noqa: B027 - optional
        """Pass over the rest of the message in whose middle the stream is joined, if it can."""

    def end(self) -> None:
        """Raise ProtocolError where the stream ends inside a message."""
        if self.rest:
            raise ProtocolError(f"the stream ends after {len(self.rest)} bytes of a message")

    @abstractmethod
    def encode(self, message: bytes) -> bytes:
        """Return the bytes of a message. Raises ProtocolError for one that does not fit."""

    @abstractmethod
    def next_message(self) -> bytes | None:
        """Take the next message from ``rest``; None where it is not complete.

        Raises ProtocolError where there can be none.
        """

    def take(self, count: int) -> bytes:
        """Take ``count`` bytes from ``rest``."""
        taken = bytes(self.rest[:count])
        del self.rest[:count]
        return taken

    def pass_over(self, count: int) -> None:
        """Drop ``count`` bytes of ``rest``, which are of no message, and count them."""
        self.passed_over += count
        del self.rest[:count]


class Lines(Framing):
    """Messages that end with ``ending``, of at most ``longest`` bytes."""

    def __init__(self, longest: int = 4096, ending: bytes = b"\n") -> None:
        super().__init__()
        self._longest = longest
        self._ending = ending
        self._joining = False

    def join(self) -> None:
        """Pass over what comes until the first ending."""
        self._joining = True

    def encode(self, message: bytes) -> bytes:
        """Return the line. Raises ProtocolError for one that is too long, or several."""
        if len(message) > self._longest or self._ending in message:
            raise ProtocolError(f"{message[:40]!r} is not one line of {self._longest} bytes")
        return message + self._ending

    def next_message(self) -> bytes | None:
        """Take the next line."""
        end = self.rest.find(self._ending, 0, self._longest + len(self._ending))
        if end >= 0 and self._joining:
            self._joining = False
            self.pass_over(end + len(self._ending))
            return self.next_message()
        if end >= 0:
            return self.take(end + len(self._ending))[:end]
        if len(self.rest) >= self._longest + len(self._ending):
            raise ProtocolError(f"a line begins with {bytes(self.rest[:20])!r} and does not end")
        return None


class Packets(Framing):
    """Messages of a head, a length and a check, as binary serial devices have them.

    Bytes that are of no message are passed over until the next head: the stream may be joined in
    its middle and lose bytes. ``received`` gets the whole message with its head, as ``encode``
    takes it.

    Parameters
    ----------
    head
        The bytes with which every message begins.
    size
        Returns the size of the whole message that begins with the given bytes, of which there are
        at least ``least``; a size below that or above ``longest`` is none.
    check
        Returns whether a whole message is right, such as by its checksum.
    least, longest
        Bytes of a message.
    tolerance
        Bytes that may be passed over from one message to the next; more are a ProtocolError.

    """

    def __init__(
        self,
        head: bytes,
        size: Callable[[bytes], int],
        check: Callable[[bytes], bool],
        *,
        least: int,
        longest: int,
        tolerance: int | None = None,
    ) -> None:
        super().__init__()
        self._head, self._size, self._check = head, size, check
        self._least, self._longest = max(least, len(head)), longest
        self._tolerance = 4 * longest if tolerance is None else tolerance
        self._strayed = 0

    def encode(self, message: bytes) -> bytes:
        """Return the message. Raises ProtocolError for one that would not be found."""
        if not message.startswith(self._head) or len(message) != self._checked(message):
            raise ProtocolError(f"{message[:40].hex(' ')} is no message")
        return message

    def next_message(self) -> bytes | None:
        """Take the next message that is right."""
        while True:
            self._stray(self._before_head())
            if len(self.rest) < self._least:
                return None
            size = self._checked(bytes(self.rest[: self._longest]))
            if size is None:
                self._stray(1)
            elif len(self.rest) < size:
                return None
            elif not self._check(bytes(self.rest[:size])):
                self._stray(1)
            else:
                self._strayed = 0
                return self.take(size)

    def _before_head(self) -> int:
        """Return how many bytes come before a head, or what may become one."""
        found = self.rest.find(self._head)
        if found >= 0:
            return found
        for begun in range(len(self._head) - 1, 0, -1):
            if self.rest.endswith(self._head[:begun]):
                return len(self.rest) - begun
        return len(self.rest)

    def _stray(self, count: int) -> None:
        self.pass_over(count)
        self._strayed += count
        if self._strayed > self._tolerance:
            strayed, self._strayed = self._strayed, 0
            raise ProtocolError(f"{strayed} bytes have no message")

    def _checked(self, begun: bytes) -> int | None:
        size = self._size(begun) if len(begun) >= self._least else 0
        return size if self._least <= size <= self._longest else None


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

    def next_message(self) -> bytes | None:
        """Take the next message."""
        head = self._head.size
        if len(self.rest) < head:
            return None
        whole = head + self._checked(self._head.unpack_from(self.rest)[0])
        if len(self.rest) < whole:
            return None
        return self.take(whole)[0 if self._keep_head else head :]

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

    def next_message(self) -> bytes | None:
        """Take the next record."""
        return self.take(self._size) if len(self.rest) >= self._size else None
