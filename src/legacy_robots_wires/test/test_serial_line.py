# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A device that talks by itself on a serial line: opened in its middle, and at a wrong rate."""

from __future__ import annotations

import os
import pty
import threading
import time
import tty
from contextlib import suppress

import pytest

from legacy_robots_core.link.base import LinkObserver, LinkState, NotConnectedError, ProtocolError
from legacy_robots_core.link.framing import Lines, Packets
from legacy_robots_core.link.stream import Liveness
from legacy_robots_testing.recorder import Recorder
from legacy_robots_wires.serial_port import SerialLink

PIECE_S = 0.01
OPENINGS = 3
WRONG_OPENINGS = 1


class SerialLine:
    """Sends ``stream`` again and again to a pseudo-terminal, as fast as ``baud`` (bit/s) allows.

    A receiver at another baud rate, ``read_at``, gets the bytes that it makes of the bits. A
    context; ``device`` is the path of the terminal.
    """

    def __init__(self, stream: bytes, baud: int, read_at: int | None = None) -> None:
        self._stream = stream
        self._baud, self._read_at = baud, read_at or baud
        self._over = threading.Event()
        self._ours, self._theirs = pty.openpty()
        tty.setraw(self._theirs)
        os.set_blocking(self._ours, False)
        self.device = os.ttyname(self._theirs)
        self._thread = threading.Thread(target=self._send)

    def __enter__(self) -> SerialLine:
        self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._over.set()
        self._thread.join()
        os.close(self._ours)
        os.close(self._theirs)

    def _send(self) -> None:
        begun, sent = time.monotonic(), 0
        while not self._over.wait(PIECE_S):
            due = int((time.monotonic() - begun) * self._baud / 10)
            piece = bytes(self._stream[at % len(self._stream)] for at in range(sent, due))
            sent = due
            with suppress(BlockingIOError):  # the receiver is away, and what is sent is lost
                os.write(self._ours, resampled(piece, self._baud, self._read_at))


def resampled(sent: bytes, baud: int, read_at: int) -> bytes:
    """Return the bytes that a receiver at the rate ``read_at`` makes of those sent at ``baud``."""
    if baud == read_at:
        return sent
    levels = [1]
    for byte in sent:
        levels += [0, *(byte >> bit & 1 for bit in range(8)), 1]
    found, at, step = bytearray(), 1.0, baud / read_at
    while at + 9.5 * step < len(levels):
        if levels[int(at)]:
            at += min(step, 1.0) / 4.0
            continue
        found.append(sum(levels[int(at + (bit + 1.5) * step)] << bit for bit in range(8)))
        at += 9.5 * step
    return bytes(found)


def nmea(body: str) -> bytes:
    """Return a sentence with its checksum."""
    check = 0
    for byte in body.encode():
        check ^= byte
    return f"${body}*{check:02X}\r\n".encode()


def packet(body: bytes) -> bytes:
    """Return a packet as Roomba streams them: 19, length, body, and what makes the sum 0."""
    begun = bytes((19, len(body))) + body
    return begun + bytes((-sum(begun) % 256,))


SENTENCES = b"".join(
    nmea(f"GPGGA,1235{n:02},4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,") for n in range(20)
)
PACKETS = b"".join(packet(bytes((7, n, 25, n * 7 % 256, 19, 26))) for n in range(20))
MESSAGES = {*SENTENCES.split(b"\r\n"), *(PACKETS[at : at + 9] for at in range(0, len(PACKETS), 9))}
WIRES = {
    "lines": (SENTENCES, lambda: Lines(82, b"\r\n")),
    "packets": (
        PACKETS,
        lambda: Packets(
            b"\x13", lambda begun: begun[1] + 3, lambda whole: not sum(whole) % 256,
            least=3, longest=64,
        ),
    ),
}  # fmt: skip


class Receiver(LinkObserver):
    """Records what a link reports, in one order."""

    def __init__(self) -> None:
        self.reported: Recorder = Recorder("reports")
        self.on_status = self.reported.add
        self.on_event = self.reported.add

    def on_problem(self, counter: str, text: str) -> None:
        self.reported.add(f"{counter}: {text}")


class Link(SerialLink):
    """Takes sentences and packets that are whole."""

    def received(self, data: bytes) -> None:
        if data not in MESSAGES:
            raise ProtocolError(f"{data!r} is no message")
        self.observer.on_event(data)


def opened(kind: str, device: str, baud: int, **options: object) -> tuple[Receiver, Link]:
    """Return a receiver and its link, started."""
    observer = Receiver()
    options.setdefault("liveness", Liveness(silence=5.0))
    link = Link(device, baud, observer, framing=WIRES[kind][1], **options)
    link.start()
    return observer, link


@pytest.mark.parametrize("baud", [4800, 9600, 115200])
@pytest.mark.parametrize("kind", WIRES)
def test_a_stream_that_is_opened_in_its_middle_is_connected_with_its_first_message(kind, baud):
    with SerialLine(WIRES[kind][0], baud) as line:
        for _ in range(OPENINGS):
            observer, link = opened(kind, line.device, baud)
            observer.reported.wait_for(lambda item: isinstance(item, bytes))
            link.close()
            reports = observer.reported.items
            assert [r for r in reports if isinstance(r, str)] == []  # no problem
            states = [(n, r.state) for n, r in enumerate(reports) if hasattr(r, "state")]
            assert LinkState.FAULT not in [state for _, state in states]
            assert states[1] == (1, LinkState.CONNECTED)  # before the first event


@pytest.mark.parametrize("read_at,baud", [(9600, 115200), (115200, 9600), (9600, 4800)])
@pytest.mark.parametrize("kind", WIRES)
def test_a_wrong_baud_rate_is_a_fault_that_says_so_and_never_a_connection(kind, read_at, baud):
    with SerialLine(WIRES[kind][0], baud, read_at) as line:
        for _ in range(WRONG_OPENINGS):
            observer, link = opened(kind, line.device, read_at)
            status = observer.reported.wait_for(
                lambda item: getattr(item, "state", None) is LinkState.FAULT
            )
            link.close()
            assert f"Does it talk at {read_at} bit/s?" in status.detail
            assert status.connections == 0


def test_a_greeting_goes_out_once_and_the_first_answer_counts():
    ours, theirs = pty.openpty()
    tty.setraw(theirs)
    observer, link = opened("lines", os.ttyname(theirs), 9600, greeting=b"hello\r\n")
    assert os.read(ours, 100) == b"hello\r\n"
    os.write(ours, SENTENCES[: SENTENCES.index(b"\n") + 1])
    observer.reported.wait_for(lambda item: isinstance(item, bytes))
    assert link.status.state is LinkState.CONNECTED
    link.close()
    os.set_blocking(ours, False)
    with pytest.raises(BlockingIOError):
        os.read(ours, 100)
    os.close(ours)
    os.close(theirs)


def test_a_device_that_does_not_talk_by_itself_is_connected_when_it_is_open():
    ours, theirs = pty.openpty()
    tty.setraw(theirs)
    observer, link = opened("lines", os.ttyname(theirs), 9600, liveness=None, greeting=b"hello")
    observer.reported.wait_for(lambda item: item.state is LinkState.CONNECTED)
    assert os.read(ours, 100) == b"hello"
    link.close()
    os.close(ours)
    os.close(theirs)


def test_another_device_at_the_same_path_is_taken_after_a_hot_unplug(tmp_path):
    device = tmp_path / "port"
    with SerialLine(SENTENCES, 115200) as line:
        device.symlink_to(line.device)
        observer, link = opened("lines", str(device), 115200)
        observer.reported.wait_for(lambda item: isinstance(item, bytes))
        device.unlink()
    observer.reported.wait_for(
        lambda item: getattr(item, "state", None) is LinkState.CONNECTING and item.connections == 1
    )
    with pytest.raises(NotConnectedError):
        link.send(b"anything")
    with SerialLine(SENTENCES, 115200) as line:
        device.symlink_to(line.device)
        observer.reported.wait_for(lambda item: getattr(item, "connections", 0) == 2)
        link.close()
