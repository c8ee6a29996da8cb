# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The link's queue, deadlines and recovery, against bare sockets and against faults."""

from __future__ import annotations

import dataclasses
import socket
import struct
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from aibo_gti_bridge.bridge.link import Demand, GtiLink, PollSkipped, Priority, WalkConfirmed
from aibo_gti_bridge.protocol import commands as c
from aibo_gti_bridge.protocol import wire_table as w
from aibo_gti_bridge.protocol.codec import ProtocolError
from aibo_gti_bridge.protocol.sensors import READ_NAMES, BallSeen, BallView, Reading
from legacy_robots_core.link.base import (
    Backoff,
    LinkObserver,
    LinkState,
    LinkStatus,
    NotConnectedError,
)
from legacy_robots_testing.recorder import TIMEOUT, Recorder

WIRE = w.load()
STOP_BYTES = struct.pack("<ii3dii", 6, 32, 0.0, 0.0, 0.0, -1, 0)
IDS = [WIRE.readable_ids[name] for name in READ_NAMES]
QUERY_BYTES = struct.pack(f"<iii{len(IDS)}i", 1, 4 + 4 * len(IDS), len(IDS), *IDS)
VALUES = tuple(0.01 * number for number in range(len(IDS)))
NEVER = 1 / 3600
"""Queries a second."""


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
        self.answer()

    def answer(self, values: tuple[float, ...] = VALUES) -> None:
        """Answer a query about the sensors."""
        self.send(struct.pack(f"<{len(values)}d", *values))

    def close(self) -> None:
        self.listener.close()
        if self.stream is not None:
            self.stream.close()


class Owner(LinkObserver):
    """A link, and what it reports."""

    def __init__(
        self,
        port: int,
        sensor_rate: float = NEVER,
        wire: w.WireTable = WIRE,
        **arguments: Any,
    ) -> None:
        self.events: Recorder[Any] = Recorder("events")
        self.statuses: Recorder[LinkStatus] = Recorder("statuses")
        self.problems: Recorder[tuple[str, str]] = Recorder("problems")
        self.balls: frozenset[str] = frozenset()
        self.link = GtiLink(
            "127.0.0.1",
            port,
            wire,
            self,
            sensor_rate=sensor_rate,
            backoff=Backoff(first=0.01, longest=0.05),
            **arguments,
        )
        self.link.start()

    def on_status(self, status: LinkStatus) -> None:
        self.statuses.add(status)

    def on_event(self, event: Any) -> None:
        self.events.add(event)

    def on_problem(self, counter: str, text: str) -> None:
        self.problems.add((counter, text))

    def demand(self) -> Demand:
        return Demand(self.balls)

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
    before = time.monotonic()
    peer.answer()
    owner.wait_for_state(LinkState.CONNECTED)
    reading = owner.events.wait_for(lambda event: isinstance(event, Reading))
    assert reading.values == VALUES
    assert before - TIMEOUT < reading.time < time.monotonic()
    assert 0.0 <= owner.link.round_trip < TIMEOUT


def test_one_command_at_a_time_in_order_of_priority(
    peer: Peer, make: Callable[..., Owner]
) -> None:
    owner = make(peer.port)
    peer.greet()
    owner.wait_for_state(LinkState.CONNECTED)
    link = owner.link
    balls: Recorder[c.Reply] = Recorder("balls")
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
    assert balls.wait_for() == c.SearchResult(True)
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


def test_a_walk_is_confirmed_by_the_answer_to_what_was_sent_after_it(
    peer: Peer, make: Callable[..., Owner]
) -> None:
    owner = make(peer.port)
    peer.greet()
    owner.wait_for_state(LinkState.CONNECTED)
    owner.events.clear()
    walk = c.Walk(100.0, 0.0, 0.0)
    owner.link.submit(c.QueryBall(0), Priority.POLLING)
    owner.link.submit(walk, Priority.VELOCITY)  # not sent before the ball is answered
    ball = struct.pack("<3dii", 0.0, 0.0, 0.0, 0, 0)
    peer.expect(struct.pack("<iii", 2, 4, 0))
    peer.send(ball)
    owner.link.submit(c.QueryBall(0), Priority.POLLING)
    peer.expect(struct.pack("<ii3dii", 6, 32, 100.0, 0.0, 0.0, -1, 0))
    peer.expect(struct.pack("<iii", 2, 4, 0))
    assert [type(event) for event in owner.events.items] == [BallSeen]
    peer.send(ball)
    confirmed = owner.events.wait_for(lambda event: isinstance(event, WalkConfirmed))
    assert confirmed.command == walk
    assert confirmed.time <= confirmed.confirmed <= time.monotonic()


def test_a_command_that_cannot_be_written_is_refused(
    peer: Peer, make: Callable[..., Owner]
) -> None:
    owner = make(peer.port)
    peer.greet()
    owner.wait_for_state(LinkState.CONNECTED)
    with pytest.raises(ProtocolError, match="no file name"):
        owner.link.submit(c.Motion("a b"), Priority.ACTION)


def test_the_link_is_idle_when_all_but_queries_is_sent(
    peer: Peer, make: Callable[..., Owner]
) -> None:
    owner = make(peer.port)
    peer.greet()
    owner.wait_for_state(LinkState.CONNECTED)
    owner.link.submit(c.SearchBall(0), Priority.ACTION)
    assert owner.link.idle
    owner.link.submit(c.QueryBall(0), Priority.POLLING)
    assert owner.link.idle
    for _ in range(1000):
        owner.link.stop()
    assert not owner.link.idle
    peer.expect(struct.pack("<iii", 3, 4, 0))
    peer.send(struct.pack("<i", 1))
    peer.expect(STOP_BYTES)  # one is enough
    peer.expect(struct.pack("<iii", 2, 4, 0))
    assert owner.link.idle


def test_polls_keep_their_rhythm_and_do_not_pile_up(
    peer: Peer, make: Callable[..., Owner]
) -> None:
    owner = make(peer.port, sensor_rate=100.0)
    peer.greet()
    began = time.monotonic()
    for _ in range(30):
        peer.expect(QUERY_BYTES)
        peer.answer()
    assert 0.28 <= time.monotonic() - began < 3.0
    peer.expect(QUERY_BYTES)
    owner.events.wait_for(lambda event: isinstance(event, PollSkipped))
    peer.answer()
    peer.expect(QUERY_BYTES)


def test_a_ball_is_asked_for_while_it_is_demanded(peer: Peer, make: Callable[..., Owner]) -> None:
    owner = make(peer.port, ball_rate=100.0)
    peer.greet()
    owner.wait_for_state(LinkState.CONNECTED)
    owner.balls = frozenset({"green"})
    for _ in range(2):
        peer.expect(struct.pack("<iii", 2, 4, WIRE.colours["green"]))
        peer.send(struct.pack("<3dii", 0.5, -0.25, 0.1, 1, WIRE.colours["green"]))
    ball = owner.events.wait_for(lambda event: isinstance(event, BallSeen))
    assert (ball.colour, ball.view) == ("green", BallView(True, 0.5, -0.25, 0.1))


def test_a_command_that_the_robot_refuses_is_a_problem(
    peer: Peer, make: Callable[..., Owner]
) -> None:
    owner = make(peer.port, wire=w.load(["acknowledged"]))
    peer.accept()
    peer.expect(STOP_BYTES)
    peer.send(struct.pack("<i", 0))
    peer.expect(QUERY_BYTES)
    assert owner.link.status.state is LinkState.CONNECTING
    peer.answer()
    owner.wait_for_state(LinkState.CONNECTED)
    owner.link.submit(c.Motion("a.mot"), Priority.ACTION)
    peer.expect(b"\5\0\0\0\6\0\0\0a.mot\0")
    peer.send(struct.pack("<i", 5))
    text = "the robot answered motion with status 5"
    assert owner.problems.wait_for() == ("refused commands", text)


@pytest.mark.parametrize(
    "answer,sentence",
    [
        (struct.pack("<39d", *VALUES) + b"\0", "protocol error: 1 bytes that answer no command"),
        (b"", "has closed the connection"),
        (b"\0\0", "protocol error: the stream ended inside the reply to query_sensors"),
    ],
)
def test_nonsense_ends_the_connection_and_a_new_one_is_made(
    peer: Peer, make: Callable[..., Owner], answer: bytes, sentence: str
) -> None:
    owner = make(peer.port, sensor_rate=50.0)
    peer.greet()
    owner.wait_for_state(LinkState.CONNECTED)
    peer.expect(QUERY_BYTES)
    peer.send(answer)
    if "closed" in sentence or "ended" in sentence:
        assert peer.stream is not None
        peer.stream.shutdown(socket.SHUT_WR)
    owner.statuses.wait_for(lambda status: sentence in status.detail)
    problems = [counter for counter, _ in owner.problems.items]
    assert problems == ["protocol errors"] * ("protocol" in sentence)
    with pytest.raises(NotConnectedError):
        owner.link.stop()
    peer.greet()
    owner.wait_for_state(LinkState.CONNECTED, connections=2)


def test_a_reply_that_no_robot_can_give(peer: Peer, make: Callable[..., Owner]) -> None:
    owner = make(peer.port)
    peer.accept()
    peer.expect(STOP_BYTES)
    peer.expect(QUERY_BYTES)
    peer.answer((*VALUES[:13], 1e30, *VALUES[14:]))
    fault = owner.wait_for_state(LinkState.FAULT)
    assert fault.detail == "protocol error: NECK:pan cannot be 1e+30"
    assert fault.connections == 0
    assert not any(isinstance(event, Reading) for event in owner.events.items)
    assert owner.problems.wait_for() == ("protocol errors", fault.detail)


def test_a_wire_table_without_the_sensors() -> None:
    few = dataclasses.replace(WIRE, buttons={})
    with pytest.raises(ProtocolError, match="the wire table has no id of LFrPaw"):
        GtiLink("127.0.0.1", 9, few, LinkObserver())


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
    began = time.monotonic()
    owner.link.submit(c.SearchBall(0), Priority.ACTION)
    fault = owner.wait_for_state(LinkState.FAULT)
    assert time.monotonic() - began >= 0.3
    assert "no reply to search_ball within 0.3 s" in fault.detail
