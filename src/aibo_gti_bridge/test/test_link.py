# SPDX-License-Identifier: Apache-2.0
"""The link's queue, deadlines and recovery, against bare sockets and against faults."""

from __future__ import annotations

import socket
import struct
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from aibo_gti_bridge import commands as c
from aibo_gti_bridge import wire as w
from aibo_gti_bridge.link import Answer, GtiLink, ImplausibleReplyError, Poll, Priority
from aibo_gti_bridge.protocol import ProtocolError
from aibo_gti_bridge.simulator import Simulator
from legacy_robots_common.link import Backoff, LinkState, LinkStatus, NotConnectedError
from legacy_robots_common.testing.recorder import TIMEOUT, Recorder
from legacy_robots_common.testing.stopwatch import Stopwatch

WIRE = w.load()
QUERY = c.QuerySensors((13,))
STOP_BYTES = struct.pack("<ii3dii", 6, 32, 0.0, 0.0, 0.0, -1, 0)
QUERY_BYTES = struct.pack("<iiii", 1, 8, 1, 13)


class Peer:
    """A GTI server by hand."""

    def __init__(self) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.listener.settimeout(TIMEOUT)
        self.port = self.listener.getsockname()[1]
        self.stream: socket.socket | None = None

    def accept(self) -> None:
        if self.stream is not None:
            self.stream.close()
        self.stream, _ = self.listener.accept()
        self.stream.settimeout(TIMEOUT)

    def expect(self, data: bytes) -> None:
        assert self.stream is not None
        got = b""
        while len(got) < len(data) and (piece := self.stream.recv(len(data) - len(got))):
            got += piece
        assert got.hex(" ") == data.hex(" ")
        if not data:
            assert self.stream.recv(1) == b""

    def send(self, data: bytes) -> None:
        assert self.stream is not None
        self.stream.sendall(data)

    def greet(self) -> None:
        """Serve the beginning of a connection: a stop, and the first query."""
        self.accept()
        self.expect(STOP_BYTES)
        self.expect(QUERY_BYTES)
        self.send(struct.pack("<d", 0.5))

    def close(self) -> None:
        self.listener.close()
        if self.stream is not None:
            self.stream.close()


class Owner:
    """A link with one poll, and what it tells."""

    def __init__(self, port: int, period: float = 3600.0, **arguments: Any) -> None:
        self.answers: Recorder[Answer] = Recorder("answers")
        self.statuses: Recorder[LinkStatus] = Recorder("statuses")
        self.errors: Recorder[str] = Recorder("protocol errors")
        self.late: Recorder[str] = Recorder("late polls")
        self.link = GtiLink(
            "127.0.0.1",
            port,
            WIRE,
            [Poll("sensors", period, lambda: QUERY, self.answers.add)],
            self.statuses.add,
            on_protocol_error=self.errors.add,
            on_late_poll=self.late.add,
            backoff=Backoff(first=0.01, longest=0.05),
            **arguments,
        )
        self.link.start()

    def wait_for_state(self, state: LinkState, connections: int = 0) -> LinkStatus:
        return self.statuses.wait_for(lambda s: s.state is state and s.connections >= connections)


@pytest.fixture
def peer() -> Iterator[Peer]:
    peer = Peer()
    yield peer
    peer.close()


@pytest.fixture
def make() -> Iterator[Callable[..., Owner]]:
    owners: list[Owner] = []

    def start(*arguments: Any, **named: Any) -> Owner:
        owners.append(Owner(*arguments, **named))
        return owners[-1]

    yield start
    for owner in owners:
        owner.link.close()


def test_a_connection_begins_with_a_stop_and_is_up_once_the_robot_answers(
    peer: Peer, make: Callable[..., Owner]
) -> None:
    owner = make(peer.port)
    peer.accept()
    peer.expect(STOP_BYTES)
    peer.expect(QUERY_BYTES)
    assert owner.link.status.state is LinkState.CONNECTING
    with pytest.raises(NotConnectedError):
        owner.link.submit(c.STOP, Priority.ACTION)
    peer.send(struct.pack("<d", 0.5))
    owner.wait_for_state(LinkState.CONNECTED)
    answer = owner.answers.wait_for()
    assert answer.reply == c.SensorValues((0.5,))
    assert 0.0 <= answer.received - answer.sent < TIMEOUT


def test_one_command_at_a_time_in_order_of_priority(
    peer: Peer, make: Callable[..., Owner]
) -> None:
    owner = make(peer.port)
    peer.greet()
    owner.wait_for_state(LinkState.CONNECTED)
    link = owner.link
    balls: Recorder[Answer] = Recorder("balls")
    link.submit(c.SearchBall(0), Priority.ACTION, balls.add)
    peer.expect(struct.pack("<iii", 3, 4, 0))
    assert link.busy_with == "search_ball"
    # All of these have to wait for the search, and then go in order of priority.
    link.submit(c.QueryBall(1), Priority.POLLING, balls.add)
    link.submit(c.Motion("a.mot"), Priority.ACTION)
    link.submit(c.Motion("b.mot"), Priority.ACTION)
    link.submit(c.Walk(1.0, 0.0, 0.0), Priority.VELOCITY)
    link.submit(c.Walk(2.0, 0.0, 0.0), Priority.VELOCITY)
    assert peer.stream is not None
    peer.stream.settimeout(0.05)
    with pytest.raises(TimeoutError):
        peer.stream.recv(1)
    peer.stream.settimeout(TIMEOUT)
    peer.send(struct.pack("<i", 1))
    assert balls.wait_for().reply == c.SearchResult(True)
    peer.expect(struct.pack("<ii3dii", 6, 32, 2.0, 0.0, 0.0, -1, 0))
    peer.expect(b"\5\0\0\0\6\0\0\0a.mot\0" + b"\5\0\0\0\6\0\0\0b.mot\0")
    peer.expect(struct.pack("<iii", 2, 4, 1))


def test_a_stop_goes_first_and_takes_waiting_walks_away(
    peer: Peer, make: Callable[..., Owner]
) -> None:
    owner = make(peer.port)
    peer.greet()
    owner.wait_for_state(LinkState.CONNECTED)
    owner.link.submit(c.QueryBall(0), Priority.POLLING)
    peer.expect(struct.pack("<iii", 2, 4, 0))
    owner.link.submit(c.Motion("a.mot"), Priority.ACTION)
    owner.link.submit(c.WalkSteps(1.0, 0.0, 0.0, 1), Priority.ACTION)
    owner.link.submit(c.Walk(1.0, 0.0, 0.0), Priority.VELOCITY)
    owner.link.stop()
    peer.send(struct.pack("<3dii", 0.0, 0.0, 0.0, 0, 0))
    peer.expect(STOP_BYTES)
    peer.expect(b"\5\0\0\0\6\0\0\0a.mot\0")


def test_a_command_that_cannot_be_written_is_refused(
    peer: Peer, make: Callable[..., Owner]
) -> None:
    owner = make(peer.port)
    peer.greet()
    owner.wait_for_state(LinkState.CONNECTED)
    with pytest.raises(ProtocolError, match="no file name"):
        owner.link.submit(c.Motion("a b"), Priority.ACTION)


def test_closing_stops_the_robot(peer: Peer, make: Callable[..., Owner]) -> None:
    owner = make(peer.port)
    peer.greet()
    owner.wait_for_state(LinkState.CONNECTED)
    owner.link.submit(c.Walk(1.0, 0.0, 0.0), Priority.VELOCITY)
    owner.link.stop_and_close()
    peer.expect(struct.pack("<ii3dii", 6, 32, 1.0, 0.0, 0.0, -1, 0))
    peer.expect(STOP_BYTES)
    peer.expect(b"")


def test_polls_keep_their_rhythm_and_do_not_pile_up(
    peer: Peer, make: Callable[..., Owner]
) -> None:
    owner = make(peer.port, period=0.01)
    peer.greet()
    begun = time.monotonic()
    for _ in range(30):
        peer.expect(QUERY_BYTES)
        peer.send(struct.pack("<d", 0.5))
    assert 0.28 <= time.monotonic() - begun < 3.0
    peer.expect(QUERY_BYTES)
    owner.late.wait_for_count(3)  # the turns that come while this one is not answered
    peer.send(struct.pack("<d", 0.5))
    peer.expect(QUERY_BYTES)


@pytest.mark.parametrize(
    "answer,sentence",
    [
        (struct.pack("<d", 0.5) + b"\0", "protocol error: 1 bytes that answer no command"),
        (b"", "has closed the connection"),
        (b"\0\0", "protocol error: the stream ended inside the reply to query_sensors"),
    ],
)
def test_nonsense_ends_the_connection_and_a_new_one_is_made(
    peer: Peer, make: Callable[..., Owner], answer: bytes, sentence: str
) -> None:
    owner = make(peer.port, period=0.02)
    peer.greet()
    owner.wait_for_state(LinkState.CONNECTED)
    peer.expect(QUERY_BYTES)
    peer.send(answer)
    if "closed" in sentence or "ended" in sentence:
        assert peer.stream is not None
        peer.stream.shutdown(socket.SHUT_WR)
    owner.statuses.wait_for(lambda status: sentence in status.detail)
    assert len(owner.errors.items) == ("protocol" in sentence)
    with pytest.raises(NotConnectedError):
        owner.link.stop()
    peer.greet()
    owner.wait_for_state(LinkState.CONNECTED, connections=2)


def test_a_reply_that_its_receiver_does_not_believe(peer: Peer) -> None:
    statuses: Recorder[LinkStatus] = Recorder("statuses")

    def refuse(answer: Answer) -> None:
        raise ImplausibleReplyError("neck_pan cannot be 1e+30")

    poll = Poll("sensors", 3600.0, lambda: QUERY, refuse)
    link = GtiLink("127.0.0.1", peer.port, WIRE, [poll], statuses.add)
    link.start()
    try:
        peer.greet()
        fault = statuses.wait_for(lambda status: status.state is LinkState.FAULT)
        assert fault.detail == "protocol error: neck_pan cannot be 1e+30"
        assert fault.connections == 0
    finally:
        link.close()


def test_a_robot_that_does_not_answer_in_time(peer: Peer, make: Callable[..., Owner]) -> None:
    owner = make(peer.port, reply_timeout=0.1)
    peer.accept()
    fault = owner.wait_for_state(LinkState.FAULT)
    assert fault.detail == "the robot does not answer: no reply to query_sensors within 0.1 s"
    peer.greet()
    owner.wait_for_state(LinkState.CONNECTED)


def test_a_search_may_take_longer_than_other_commands(
    peer: Peer, make: Callable[..., Owner]
) -> None:
    owner = make(peer.port, reply_timeout=0.1, search_timeout=0.3)
    peer.greet()
    owner.wait_for_state(LinkState.CONNECTED)
    begun = time.monotonic()
    owner.link.submit(c.SearchBall(0), Priority.ACTION)
    fault = owner.wait_for_state(LinkState.FAULT)
    assert time.monotonic() - begun >= 0.3
    assert "no reply to search_ball within 0.3 s" in fault.detail


@pytest.mark.parametrize("fault", ["cut", "stall", "flood", "garbage", "restart"])
def test_every_fault_of_the_simulator_is_noticed_and_the_link_comes_back_within_a_second(
    make_simulator: Callable[..., Simulator], make: Callable[..., Owner], fault: str
) -> None:
    simulator = make_simulator(fault_seconds=2.5)
    owner = make(simulator.port, period=0.032, reply_timeout=1.5)
    owner.wait_for_state(LinkState.CONNECTED)
    simulator.inject(fault)
    away = {
        "stall": lambda: simulator.stalled,
        "restart": lambda: not simulator.listening,
    }.get(fault)
    if away is not None:
        assert simulator.wait_for(away)
        owner.statuses.wait_for(lambda status: status.state is not LinkState.CONNECTED)
        assert simulator.wait_for(lambda: not away())
    with Stopwatch() as watch:
        owner.wait_for_state(LinkState.CONNECTED, connections=2)
        assert watch.seconds < 1.0
