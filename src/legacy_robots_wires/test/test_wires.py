# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Every wire comes up, carries messages both ways, notices silence and comes back by itself."""

import asyncio
import os
import pty
import socket
import threading
import tty

import pytest
from aiohttp import web

from legacy_robots_core.link.base import Backoff, LinkObserver, LinkState, NotConnectedError
from legacy_robots_core.link.framing import Lines
from legacy_robots_core.link.stream import Liveness
from legacy_robots_core.link.tcp import Role, TcpLink
from legacy_robots_testing.machine import free_port
from legacy_robots_testing.recorder import TIMEOUT, Recorder
from legacy_robots_wires.device import MOST_WAITING, DeviceLink
from legacy_robots_wires.serial_port import SerialLink
from legacy_robots_wires.udp import UdpLink
from legacy_robots_wires.websocket import WebSocketLink

QUICK = Backoff(first=0.01, longest=0.05)
SILENCE_S = 0.5
FLOOD, MESSAGE = 5000, 79 * "x"
LIVELY = Liveness(silence=SILENCE_S, heartbeat=b"alive\n", period=0.1)


class Observer(LinkObserver):
    """Records what a link reports."""

    def __init__(self):
        self.states = Recorder("states")
        self.events = Recorder("events")
        self.problems = Recorder("problems")
        self.on_status = self.states.add
        self.on_event = self.events.add

    def on_problem(self, counter, text):
        self.problems.add((counter, text))

    def wait_for(self, state, detail="", connections=0):
        return self.states.wait_for(
            lambda s: s.state is state and detail in s.detail and s.connections >= connections
        )


class Reporting:
    """Hands messages to the observer."""

    def received(self, message):
        self.observer.on_event(message)


class Tcp(Reporting, TcpLink):
    pass


class Udp(Reporting, UdpLink):
    pass


class Serial(Reporting, SerialLink):
    pass


class WebSocket(Reporting, WebSocketLink):
    pass


@pytest.fixture
def running():
    """Starts a link; closes it at the end."""
    started = []

    def start(link):
        link.start()
        started.append(link)
        return link

    yield start
    for link in started:
        link.close()
        assert link.status.state is LinkState.DISCONNECTED


def test_lines_over_tcp_with_heartbeat_and_silence(running):
    observer = Observer()
    with socket.create_server(("127.0.0.1", 0)) as server:
        link = running(
            Tcp(
                Role.DIAL, *server.getsockname(), observer,
                framing=lambda: Lines(20), liveness=LIVELY, backoff=QUICK,
            )
        )  # fmt: skip
        for number in (1, 2):
            peer, _ = server.accept()
            with peer, peer.makefile("rb") as lines:
                assert lines.readline() == b"alive\n"
                peer.sendall(b"one\ntw")
                peer.sendall(b"o\n")
                observer.events.wait_for(lambda message: message == b"two")
                observer.wait_for(LinkState.CONNECTED, connections=number)
                link.send(b"hello\n")
                while lines.readline() != b"hello\n":
                    pass
                observer.wait_for(LinkState.FAULT, "silent for 0.5 s", number)
                observer.events.clear()
        peer, _ = server.accept()
        with peer:
            peer.sendall(b"a line without end, of more than 20 bytes")
            assert observer.problems.wait_for()[0] == "protocol errors"


def test_what_a_message_takes_here_is_no_silence_of_the_device(running):
    sent = threading.Event()

    class Slow(Tcp):
        def received(self, message):
            super().received(message)
            sent.wait(TIMEOUT)
            threading.Event().wait(2 * SILENCE_S)

    observer = Observer()
    with socket.create_server(("127.0.0.1", 0)) as server:
        alive = Liveness(silence=SILENCE_S)
        address = server.getsockname()
        running(Slow(Role.DIAL, *address, observer, framing=lambda: Lines(20), liveness=alive))
        peer, _ = server.accept()
        with peer:
            peer.sendall(b"one\n")
            observer.events.wait_for(lambda message: message == b"one")
            peer.sendall(b"two\n")
            sent.set()
            observer.wait_for(LinkState.FAULT, "silent")
    assert observer.events.items == [b"one", b"two"]


class SlowObserver(Observer):
    """Takes 5 ms for each event, 25 s for a flood."""

    def __init__(self):
        super().__init__()
        self.on_event = self.handle

    def handle(self, event):
        threading.Event().wait(0.005)
        self.events.add(event)

    def wait_for_silence(self):
        """Wait until the link says that the robot is silent; there is more to handle then."""
        self.wait_for(LinkState.FAULT, "silent for 0.5 s")
        assert 0 < len(self.events.items) < FLOOD / 2


def test_a_flood_over_tcp_does_not_hide_that_the_robot_has_gone(running):
    observer = SlowObserver()
    with socket.create_server(("127.0.0.1", 0)) as server:
        where, alive = server.getsockname(), Liveness(silence=SILENCE_S)
        running(Tcp(Role.DIAL, *where, observer, framing=lambda: Lines(80), liveness=alive))
        peer, _ = server.accept()
        with peer:
            peer.sendall(FLOOD * f"{MESSAGE}\n".encode())
            observer.wait_for_silence()


def test_a_flood_over_a_websocket_does_not_hide_that_the_robot_has_gone(running):
    observer = SlowObserver()
    with Server() as server:
        url = f"ws://127.0.0.1:{server.port}/robot"
        link = running(WebSocket(url, observer, silence=SILENCE_S, greeting="flood"))
        observer.wait_for_silence()
        link.close()


def test_a_flood_of_a_library_does_not_hide_that_the_robot_has_gone(running):
    observer = SlowObserver()
    link = running(Device(Library(), observer, silence=SILENCE_S))
    observer.wait_for(LinkState.CONNECTED)
    for _ in range(FLOOD):
        link.notify(MESSAGE)
    observer.wait_for_silence()


def test_a_robot_that_closes_after_a_flood_is_heard_to_the_end(running):
    observer = Observer()
    with socket.create_server(("127.0.0.1", 0)) as server:
        running(Tcp(Role.DIAL, *server.getsockname(), observer, framing=lambda: Lines(80)))
        peer, _ = server.accept()
        with peer:
            peer.sendall(FLOOD * f"{MESSAGE}\n".encode() + b"over\n")
        observer.wait_for(LinkState.CONNECTING, "has closed the connection")
    assert len(observer.events.items) == FLOOD + 1


def test_udp_greets_until_the_peer_answers_and_notices_its_silence(running):
    observer = Observer()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as peer:
        peer.bind(("127.0.0.1", 0))
        peer.settimeout(TIMEOUT)
        link = Udp(
            Role.DIAL, *peer.getsockname(), observer,
            greeting=b"hello", liveness=Liveness(silence=SILENCE_S), backoff=QUICK,
        )  # fmt: skip
        running(link)
        greeting, sender = peer.recvfrom(100)
        assert greeting == b"hello"
        peer.sendto(b"", sender)
        peer.sendto(b"a", sender)
        peer.sendto(b"b", sender)
        observer.wait_for(LinkState.CONNECTED)
        observer.events.wait_for(lambda message: message == b"b")
        assert observer.events.items == [b"a", b"b"]
        link.send(b"command")
        assert peer.recv(100) == b"command"
        observer.wait_for(LinkState.FAULT, "silent")
        while peer.recvfrom(100)[0] != b"hello":  # it greets again
            pass
    closed = Observer()
    running(Udp(Role.DIAL, "127.0.0.1", free_port(), closed, greeting=b"hello", backoff=QUICK))
    closed.states.wait_for(lambda s: "refused" in s.detail)


def test_udp_listens_to_its_first_sender_alone(running):
    observer, port = Observer(), free_port()
    link = running(Udp(Role.LISTEN, "127.0.0.1", port, observer, backoff=QUICK))
    with (
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as first,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other,
    ):
        first.settimeout(0.1)
        answer = b""
        first.connect(("127.0.0.1", port))
        while not answer:
            try:
                first.send(b"first")
                observer.events.wait_for(timeout=1.0)
                link.send(b"welcome")
                answer = first.recv(100)
            except (OSError, TimeoutError, AssertionError):
                pass  # it does not listen yet
        assert answer == b"welcome"
        other.sendto(b"other", ("127.0.0.1", port))
        first.send(b"last")
        observer.events.wait_for(lambda message: message == b"last")
        assert b"other" not in observer.events.items


def test_a_serial_port_is_waited_for_and_comes_back(running, tmp_path):
    observer, device = Observer(), tmp_path / "port"
    link = Serial(str(device), 115200, observer, framing=lambda: Lines(20), backoff=QUICK)
    running(link)
    observer.wait_for(LinkState.CONNECTING, "cannot open")
    for number in (1, 2):
        ours, theirs = pty.openpty()
        tty.setraw(theirs)
        device.symlink_to(os.ttyname(theirs))
        observer.wait_for(LinkState.CONNECTED, connections=number)
        os.close(theirs)
        os.write(ours, b"one\ntwo\n")
        observer.events.wait_for(lambda message: message == b"two")
        link.send(b"hello\n")
        assert os.read(ours, 100) == b"hello\n"
        device.unlink()
        observer.events.clear()
        os.close(ours)
        observer.states.wait_for(
            lambda s, n=number: s.state is LinkState.CONNECTING and s.connections == n
        )


def test_a_serial_port_with_nothing_behind_it_is_not_connected(running, tmp_path):
    ours, theirs = pty.openpty()
    tty.setraw(theirs)
    alive = Liveness(silence=SILENCE_S, heartbeat=b"alive\n")
    observer, name = Observer(), os.ttyname(theirs)
    link = Serial(name, 115200, observer, framing=lambda: Lines(20), liveness=alive, backoff=QUICK)
    running(link)
    observer.wait_for(LinkState.CONNECTING, "silent for 0.5 s")
    assert link.status.connections == 0
    # An answer to each attempt: each has one heartbeat, and is over without a second answer.
    while LinkState.CONNECTED not in [status.state for status in observer.states.items]:
        assert os.read(ours, 6) == b"alive\n"
        os.write(ours, b"here\n")
    observer.wait_for(LinkState.CONNECTED, connections=1)
    observer.events.wait_for(lambda message: message == b"here")
    os.close(theirs)
    os.close(ours)


class Server:
    """A server on a thread, which echoes; "close" and "big" end it, "deaf" has it not read on."""

    def __init__(self):
        self.port = free_port()
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_until_complete, args=(self.run(),))

    async def run(self):
        self.over = asyncio.Event()
        app = web.Application()
        app.router.add_get("/robot", self.handle)
        runner = web.AppRunner(app)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", self.port).start()
        await self.over.wait()
        await runner.cleanup()

    async def handle(self, request):
        ws = web.WebSocketResponse()
        await ws.prepare(request)
        async for message in ws:
            if message.data == "close":
                await ws.close()
            elif message.data == "big":
                await ws.send_str(2000 * "x")
            elif message.data == "flood":
                for _ in range(FLOOD):
                    await ws.send_str(MESSAGE)
            elif message.data == "deaf":
                await ws.send_str("deaf")
                await self.over.wait()
            elif isinstance(message.data, str):
                await ws.send_str(message.data)
            else:
                await ws.send_bytes(message.data)
        return ws

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *exception):
        self.loop.call_soon_threadsafe(self.over.set)
        self.thread.join()
        self.loop.close()


def test_a_websocket_both_ways_bounded_and_back_again(running):
    observer = Observer()
    with Server() as server:
        url = f"ws://127.0.0.1:{server.port}/robot"
        link = running(WebSocket(url, observer, longest=1000, backoff=QUICK))
        observer.wait_for(LinkState.CONNECTED)
        link.send("text")
        link.send(b"bytes")
        observer.events.wait_for(lambda message: message == b"bytes")
        assert observer.events.items == ["text", b"bytes"]
        link.send("close")
        observer.wait_for(LinkState.CONNECTED, connections=2)
        link.send("big")
        observer.wait_for(LinkState.FAULT)
        observer.wait_for(LinkState.CONNECTED, connections=3)
        link.drop("the robot is wrong")
        observer.wait_for(LinkState.FAULT, "the robot is wrong")
        observer.wait_for(LinkState.CONNECTED, connections=4)
        link.close()
    with pytest.raises(NotConnectedError):
        link.send("text")


def test_a_robot_that_is_silent_behind_a_websocket_that_answers_pings(running):
    observer = Observer()
    with Server() as server:
        url = f"ws://127.0.0.1:{server.port}/robot"
        link = running(WebSocket(url, observer, heartbeat=0.1, silence=SILENCE_S, backoff=QUICK))
        observer.wait_for(LinkState.CONNECTED)
        link.send("text")
        observer.wait_for(LinkState.FAULT, "has been silent for 0.5 s")
        observer.wait_for(LinkState.CONNECTED, connections=2)
        link.close()


def test_a_server_that_does_not_answer_a_close_holds_nothing_up(running):
    observer = Observer()
    with Server() as server:
        url = f"ws://127.0.0.1:{server.port}/robot"
        link = running(WebSocket(url, observer, heartbeat=60.0, backoff=QUICK))
        observer.wait_for(LinkState.CONNECTED)
        link.send("deaf")
        observer.events.wait_for()
        link.close()  # raises TimeoutError after 5 s


class Library:
    """A library of a device: it calls back on a thread of its own, and can be polled."""

    def __init__(self):
        self.gone = False
        self.calls = []
        self.opened = 0

    def read(self):
        if self.gone:
            raise OSError("the device has gone")
        return "reading"


class Device(DeviceLink):
    def __init__(self, library, observer, **options):
        self.vendor = library
        super().__init__("a device", observer, backoff=QUICK, **options)

    def open_device(self):
        self.vendor.opened += 1
        self.vendor.read()
        return self.vendor

    def close_device(self, device):
        device.calls.append("closed")

    def poll_device(self, device):
        self.notify(device.read())


def test_a_library_is_polled_commanded_and_opened_again(running):
    observer, library = Observer(), Library()
    link = running(Device(library, observer, period=0.01))
    observer.wait_for(LinkState.CONNECTED)
    observer.events.wait_for(lambda event: event == "reading")
    threads = Recorder("threads")
    assert link.call(lambda device: device.read()).result(TIMEOUT) == "reading"
    link.call(lambda device: threads.add(threading.current_thread().name))
    assert threads.wait_for() == "device-link"
    library.gone = True
    observer.wait_for(LinkState.CONNECTING, "the device has gone")
    with pytest.raises(NotConnectedError):
        link.call(lambda device: None)
    library.gone = False
    observer.wait_for(LinkState.CONNECTED, connections=2)
    assert "closed" in library.calls
    failed = link.call(lambda device: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        failed.result(TIMEOUT)
    observer.wait_for(LinkState.FAULT, "ZeroDivisionError")


@pytest.fixture
def busy(running):
    """A device link in which all waits until ``go_on`` is called."""
    observer, free = Observer(), threading.Event()
    link = running(Device(Library(), observer))
    observer.wait_for(LinkState.CONNECTED)
    link.go_on = free.set
    link.call(lambda device: free.wait(TIMEOUT))
    return link


def test_a_call_behind_one_that_ends_the_connection_fails(busy):
    failing, behind = busy.call(lambda device: 1 / 0), busy.call(lambda device: None)
    busy.go_on()
    assert isinstance(failing.exception(TIMEOUT), ZeroDivisionError)
    assert isinstance(behind.exception(TIMEOUT), NotConnectedError)


def test_a_call_that_is_one_too_many_is_refused_and_all_others_end(busy):
    calls = []
    with pytest.raises(NotConnectedError, match="wait"):
        calls.extend(busy.call(lambda device: None) for _ in range(MOST_WAITING + 2))
    busy.go_on()
    assert {type(call.exception(TIMEOUT)) for call in calls} == {NotConnectedError}


def test_an_owner_that_fails_at_the_end_of_a_connection_loses_nothing(busy):
    busy.observer.on_event = lambda event: 1 / 0
    busy.notify("the first")
    call = busy.call(lambda device: None)
    busy.drop("it is over")
    busy.go_on()
    assert isinstance(call.exception(TIMEOUT), NotConnectedError)
    busy.observer.wait_for(LinkState.CONNECTED, connections=2)
    assert busy.observer.problems.last[0] == "exceptions"
    assert busy.vendor.calls == ["closed"]


def test_a_library_that_calls_back_and_falls_silent(running):
    observer, library = Observer(), Library()
    link = running(Device(library, observer, silence=SILENCE_S))
    observer.wait_for(LinkState.CONNECTED)
    link.notify("called back")
    observer.events.wait_for(lambda event: event == "called back")
    observer.wait_for(LinkState.FAULT, "silent for 0.5 s")
    observer.wait_for(LinkState.CONNECTED, connections=2)
