# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The TCP link: both roles, against bare sockets."""

import contextlib
import os
import resource
import socket
import struct
import threading
import time
from enum import IntEnum

import pytest

from legacy_robots_core.link.base import (
    Backoff,
    LinkFault,
    LinkObserver,
    LinkState,
    NotConnectedError,
    ProtocolError,
)
from legacy_robots_core.link.tcp import UNSENT_LIMIT, Role, TcpLink
from legacy_robots_core.link.tcp_sockets import TcpStream
from legacy_robots_testing.polling import until
from legacy_robots_testing.recorder import TIMEOUT, Recorder


class Observer(LinkObserver):
    """Records what the link tells."""

    def __init__(self, link):
        self.on_status = link.status_changes.add
        self._problems = link.problems

    def on_problem(self, counter, text):
        self._problems.add((counter, text))


class Echo(TcpLink):
    """Records what happens; bytes that begin with '!' are a fault."""

    def __init__(self, role, port, **arguments):
        self.status_changes = Recorder("status")
        self.data = Recorder("data")
        self.problems = Recorder("problems")
        super().__init__(
            role,
            "127.0.0.1",
            port,
            Observer(self),
            backoff=Backoff(first=0.01, longest=0.05),
            **arguments,
        )

    def opened(self):
        pass

    def received(self, data):
        if data.startswith(b"!"):
            raise LinkFault("protocol error: '!'")
        self.data.add(data)

    def ended(self):
        pass

    def wait_for_state(self, state):
        return self.status_changes.wait_for(lambda status: status.state is state)


@pytest.fixture
def listening():
    link = Echo(Role.LISTEN, 0)
    link.start()
    link.status_changes.wait_for(lambda s: "waiting" in s.detail)
    yield link
    link.close()


def connect(link):
    return socket.create_connection(("127.0.0.1", link.port), TIMEOUT)


def test_bytes_both_ways_when_listening(listening):
    with connect(listening) as peer:
        listening.wait_for_state(LinkState.CONNECTED)
        peer.sendall(b"hello")
        assert listening.data.wait_for() == b"hello"
        listening.send(b"world")
        assert peer.recv(100) == b"world"
    lost = listening.status_changes.wait_for(
        lambda s: s.state is LinkState.CONNECTING and s.connections == 1
    )
    assert "closed the connection" in lost.detail


def test_dialling_waits_for_a_peer_that_comes_later_and_comes_back():
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    link = Echo(Role.DIAL, port)
    link.start()
    try:
        link.status_changes.wait_for(lambda s: "refused" in s.detail)
        with socket.create_server(("127.0.0.1", port)) as server:
            server.settimeout(TIMEOUT)
            for number in (1, 2):
                peer, _ = server.accept()
                with peer:
                    link.status_changes.wait_for(
                        lambda s, n=number: s.state is LinkState.CONNECTED and s.connections == n
                    )
                    peer.sendall(b"%d" % number)
                    link.data.wait_for(lambda d, n=number: d == b"%d" % n)
    finally:
        link.close()
    assert link.status.state is LinkState.DISCONNECTED


def test_a_second_peer_is_turned_away_and_the_first_is_untouched(listening):
    with connect(listening) as first:
        listening.wait_for_state(LinkState.CONNECTED)
        with connect(listening) as second:
            second.settimeout(TIMEOUT)
            assert second.recv(1) == b""
        counter, text = listening.problems.wait_for()
        assert counter == "refused connections"
        assert "127.0.0.1" in text
        first.sendall(b"still here")
        assert listening.data.wait_for() == b"still here"


def test_a_peer_that_closes_and_dials_again_at_once_is_served_each_time(listening):
    peer = connect(listening)
    for number in range(100):
        peer.sendall(b"%d" % number)
        listening.data.wait_for(lambda data, n=number: data == b"%d" % n)
        peer.sendall(b"last words " * 20_000)  # more than is read at once
        peer.close()
        peer = connect(listening)
    peer.close()
    assert listening.problems.items == []


def test_of_peers_that_dialled_while_it_was_busy_the_one_that_is_left_is_served(listening):
    busy = threading.Event()
    listening.received = lambda data: busy.wait(TIMEOUT) and listening.data.add(data)
    with connect(listening) as peer:
        listening.wait_for_state(LinkState.CONNECTED)
        peer.sendall(b"first")
    for _ in range(100):
        connect(listening).close()
    with connect(listening) as left:
        busy.set()
        left.sendall(b"the last")
        assert listening.data.wait_for(lambda data: data != b"first") == b"the last"
        left.settimeout(TIMEOUT)
        listening.send(b"served")
        assert left.recv(100) == b"served"
    assert listening.status.connections == 2
    assert listening.problems.items == []


def test_a_fault_ends_the_connection_is_shown_and_the_link_comes_back(listening):
    with connect(listening) as peer:
        peer.sendall(b"!")
        peer.settimeout(TIMEOUT)
        assert peer.recv(1) == b""
    assert "protocol error" in listening.wait_for_state(LinkState.FAULT).detail
    listening.status_changes.clear()
    with connect(listening):
        assert listening.wait_for_state(LinkState.CONNECTED).connections == 2


def test_an_owner_that_fails_at_a_protocol_error_does_not_end_the_link(listening):
    def fail(*_):
        raise ProtocolError("no letters")

    listening.received = listening.observer.on_problem = fail
    for number in (1, 2):
        with connect(listening) as peer:
            peer.sendall(b"x")
            fault = listening.status_changes.wait_for(
                lambda s, n=number: s.state is LinkState.FAULT and s.connections == n
            )
            assert fault.detail == "protocol error: no letters"


def test_a_peer_that_has_gone_before_it_is_answered_is_lost_and_no_fault(listening):
    gone = threading.Event()

    def answer(data):
        listening.data.add(data)
        gone.wait(TIMEOUT)
        listening.send(b"answer")

    listening.received = answer
    with connect(listening) as peer:
        peer.sendall(b"question")
        listening.data.wait_for()
        reset = struct.pack("ii", 1, 0)
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, reset)
    until(listening._stream.has_ended)
    gone.set()
    lost = listening.status_changes.wait_for(
        lambda s: s.connections == 1 and s.state is not LinkState.CONNECTED
    )
    assert lost.state is LinkState.CONNECTING
    assert listening.problems.items == []


def test_without_free_descriptors_it_says_so_and_tries_again(listening):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with socket.socket() as peer:
        last = os.open(os.devnull, os.O_RDONLY)  # the lowest number that was free
        resource.setrlimit(resource.RLIMIT_NOFILE, (last + 1, hard))
        try:
            peer.connect(("127.0.0.1", listening.port))
            fault = listening.wait_for_state(LinkState.FAULT)
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
            os.close(last)
        assert "Too many open files" in fault.detail
        listening.wait_for_state(LinkState.CONNECTED)


def test_a_graceful_close_ends_though_the_peer_sends_on_and_on():
    with socket.create_server(("127.0.0.1", 0)) as server:
        peer = socket.create_connection(server.getsockname())
        stream = TcpStream(server.accept()[0], "peer")

    def send_without_end():
        with contextlib.suppress(OSError):
            while True:
                peer.sendall(b"more")

    sending = threading.Thread(target=send_without_end)
    with peer:
        sending.start()
        stream.close_gracefully()
        sending.join()


def test_drop_ends_the_connection_as_a_fault(listening):
    with connect(listening) as peer:
        listening.wait_for_state(LinkState.CONNECTED)
        listening.drop("it is silent")
        peer.settimeout(TIMEOUT)
        assert peer.recv(1) == b""
    assert listening.wait_for_state(LinkState.FAULT).detail == "it is silent"


def test_a_port_in_use_is_a_fault_that_names_it_and_passes():
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        link = Echo(Role.LISTEN, port)
        link.start()
        fault = link.wait_for_state(LinkState.FAULT)
        assert f"port {port} of 127.0.0.1 is in use" in fault.detail
    try:
        # The fault stays in sight until a peer has connected.
        deadline = time.monotonic() + TIMEOUT
        while True:
            try:
                peer = connect(link)
                break
            except ConnectionRefusedError:
                assert time.monotonic() < deadline
        with peer:
            link.wait_for_state(LinkState.CONNECTED)
    finally:
        link.close()


def test_a_port_may_be_a_member_of_an_enumeration():
    with socket.create_server(("127.0.0.1", 0)) as server:
        link = Echo(Role.DIAL, IntEnum("Door", {"MENU": server.getsockname()[1]}).MENU)
        link.start()
        try:
            link.wait_for_state(LinkState.CONNECTED)
        finally:
            link.close()


def test_an_unknown_host_is_a_fault():
    link = Echo(Role.DIAL, 1)
    link._host = "no-such-host.invalid"
    link.start()
    try:
        assert "no-such-host.invalid" in link.wait_for_state(LinkState.FAULT).detail
    finally:
        link.close()


def test_sending_without_a_connection_says_so(listening):
    with pytest.raises(NotConnectedError):
        listening.send(b"x")


def test_a_peer_that_does_not_read_never_blocks_the_sender(listening):
    with connect(listening) as peer:
        listening.wait_for_state(LinkState.CONNECTED)
        block = b"x" * UNSENT_LIMIT

        def send_without_end():
            for _ in range(1 << 14):
                listening.send(block)

        with pytest.raises(NotConnectedError, match="stopped reading"):
            send_without_end()
        assert peer.fileno() >= 0
    assert "stopped reading" in listening.wait_for_state(LinkState.FAULT).detail


def test_what_the_kernel_cannot_take_at_once_arrives_whole_and_in_order(listening):
    with connect(listening) as peer:
        listening.wait_for_state(LinkState.CONNECTED)
        received = bytearray()

        def read():
            while len(received) < total:
                received.extend(peer.recv(65536))

        blocks = [bytes([n % 251]) * 4000 for n in range(2000)]
        total = sum(map(len, blocks))
        reader = threading.Thread(target=read)
        reader.start()
        for block in blocks:
            while True:
                with listening._send_lock:
                    room = len(listening._stream.unsent) + len(block) <= UNSENT_LIMIT
                if room:
                    break
            listening.send(block)
        reader.join(TIMEOUT)
        assert bytes(received) == b"".join(blocks)


def test_close_is_prompt_in_every_state(listening):
    begun = time.monotonic()
    with connect(listening):
        listening.wait_for_state(LinkState.CONNECTED)
        listening.close()
        listening.close()
    assert time.monotonic() - begun < 4.0
    assert listening.status.state is LinkState.DISCONNECTED


def test_a_close_is_told_as_a_close_and_not_as_a_loss(listening):
    with connect(listening):
        listening.wait_for_state(LinkState.CONNECTED)
        listening.close()
        *_, before, last = listening.status_changes.items
        assert (before.state, last.state) == (LinkState.CONNECTED, LinkState.DISCONNECTED)
        assert last.detail == "closed"


class Ticking(Echo):
    """Ticks every 20 ms while connected, and tells of it; has a fault at the fifth."""

    def opened(self):
        self.ticks = []
        self.due = time.monotonic()

    def next_due(self):
        return self.due

    def tick(self):
        now = time.monotonic()
        assert now >= self.due
        self.ticks.append(now)
        self.due += 0.02
        if len(self.ticks) == 5:
            raise LinkFault("time is up")


def test_a_link_that_has_something_to_do_in_time():
    link = Ticking(Role.LISTEN, 0)
    link.start()
    try:
        link.status_changes.wait_for(lambda s: "waiting" in s.detail)
        with connect(link):
            link.status_changes.wait_for(lambda s: s.detail == "time is up")
        assert len(link.ticks) == 5
        assert link.ticks[-1] - link.ticks[0] >= 0.079
    finally:
        link.close()
