# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The server of pages: who may connect, what a slow browser gets, and how states change."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
from typing import Any

import pytest

aiohttp = pytest.importorskip("aiohttp")
pytest.importorskip("aiohttp.web")

from hypothesis import given  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

from legacy_robots_web import (  # noqa: E402
    Client,
    ServerThread,
    change,
    connections,
    is_address,
    names_loopback,
    packed,
    page_app,
)
from legacy_robots_web.clients import MAX_WAITING  # noqa: E402

TIMEOUT_S = 10.0
FIELDS = st.dictionaries(st.sampled_from("abc"), st.none() | st.integers(0, 3), max_size=3)
STATES = st.dictionaries(st.sampled_from(["x", "y:1", "y:2"]), FIELDS)


def applied(state, difference):
    """Do what a page does with a change."""
    result = {name: it for name, it in state.items() if name not in difference.get("gone", ())}
    for name, fields in difference.get("set", {}).items():
        result[name] = {**result.get(name, {}), **fields}
    return result


def without_nulls(state):
    return {
        name: {key: value for key, value in fields.items() if value is not None}
        for name, fields in state.items()
    }


@given(before=STATES, after=STATES)
def test_a_change_leads_from_one_state_to_the_other(before, after):
    assert without_nulls(applied(before, change(before, after))) == without_nulls(after)


@given(state=STATES)
def test_nothing_travels_when_nothing_changes(state):
    same = {name: dict(fields) for name, fields in state.items()}
    assert change(state, same) == {}


def test_a_new_field_that_is_empty_is_sent():
    assert change({"x": {}}, {"x": {"a": {}}}) == {"set": {"x": {"a": {}}}}


def test_numbers_that_are_none_are_not_sent():
    with pytest.raises(ValueError, match="JSON"):
        packed({"x": float("nan")})


# --- Hosts ---------------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost:8100", "[::1]:80", "LOCALHOST"])
def test_names_of_this_machine(host):
    assert names_loopback(host)
    assert is_address(host)


@pytest.mark.parametrize("host", ["10.1.2.3:8100", "[fe80::1]:80"])
def test_addresses_are_for_servers_that_others_are_to_reach(host):
    assert not names_loopback(host)
    assert is_address(host)


@pytest.mark.parametrize(
    "host",
    ["", "evil.example", "127.0.0.1.evil.example", "a@127.0.0.1", "localhost/x", "[::1", "x:y"],
)
def test_other_names_are_refused(host):
    assert not names_loopback(host)
    assert not is_address(host)


# --- Clients -------------------------------------------------------------------------------


class Wire:
    """A WebSocket whose other side reads when it is told to."""

    def __init__(self) -> None:
        self.sent: list[str | bytes] = []
        self.reads = asyncio.Semaphore(0)

    async def send_str(self, data: str) -> None:
        await self.reads.acquire()
        self.sent.append(data)

    async def send_bytes(self, data: bytes) -> None:
        await self.reads.acquire()
        self.sent.append(data)


class Number:
    """A value that tells from which one it follows."""

    def __init__(self, number: int) -> None:
        self.number = number

    def since(self, sent: Number | None) -> list[str | bytes]:
        return [f"{sent.number if sent else None}>{self.number}"]


async def let_tasks_run() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


def run(test: Any) -> Any:
    return asyncio.run(asyncio.wait_for(test, TIMEOUT_S))


def test_a_slow_browser_gets_the_last_picture_only():
    async def scene() -> None:
        wire = Wire()
        client = Client(wire)
        running = asyncio.ensure_future(client.run())
        client.show(Number(1))
        await let_tasks_run()  # it is being sent, and the browser does not read
        for number in range(2, 1000):
            client.show(Number(number))
            await let_tasks_run() if number % 100 == 0 else None
        client.tell({"last": True})
        client.finish()
        wire.reads.release()
        wire.reads.release()
        wire.reads.release()
        await running
        assert wire.sent == ["None>1", "1>999", '{"last":true}']

    run(scene())


def test_slots_are_pictures_of_their_own():
    async def scene() -> None:
        wire = Wire()
        client = Client(wire)
        client.show(Number(1), "a")
        client.show(Number(10), "b")
        client.show(Number(2), "a")
        client.finish()
        for _ in range(9):
            wire.reads.release()
        await client.run()
        assert wire.sent == ["None>2", "None>10"]
        client.forget("a")
        client.show(Number(3), "a")
        client.show(Number(11), "b")
        await client.run()
        assert wire.sent[2:] == ["None>3", "10>11"]

    run(scene())


def test_a_browser_that_takes_no_messages_is_let_go():
    async def scene() -> None:
        wire = Wire()
        client = Client(wire)
        for number in range(2 * MAX_WAITING):
            client.tell({"n": number})
        for _ in range(2 * MAX_WAITING):
            wire.reads.release()
        await client.run()  # it ends
        assert len(wire.sent) == MAX_WAITING

    run(scene())


# --- The server ----------------------------------------------------------------------------


class Echo:
    """A hub that answers."""

    def __init__(self) -> None:
        self.inside = 0

    async def run(self) -> None:
        await asyncio.Event().wait()

    async def close(self) -> None:
        pass

    def enter(self, client: Client) -> None:
        self.inside += 1

    def exit(self, client: Client) -> None:
        self.inside -= 1

    async def receive(self, client: Client, text: str) -> None:
        client.tell({"heard": text})


@pytest.fixture
def served(tmp_path):
    (tmp_path / "index.html").write_text("<p>the page")
    (tmp_path / "x.js").write_text("1")
    server = ServerThread(lambda: page_app(Echo, tmp_path), port=0)
    server.start()
    yield server
    server.close()


async def fetch(url: str, **headers: str) -> tuple[int, str, Any]:
    async with aiohttp.ClientSession() as session, session.get(url, headers=headers) as response:
        return response.status, await response.text(), response.headers


def test_the_page_is_served_and_protected(served):
    async def scene() -> None:
        status, text, headers = await fetch(served.url)
        assert (status, text) == (200, "<p>the page")
        assert "default-src 'none'" in headers["Content-Security-Policy"]
        assert (await fetch(f"{served.url}static/x.js"))[1] == "1"
        assert (await fetch(f"{served.url}static/../secret"))[0] == 404
        assert (await fetch(f"{served.url}static/%00"))[0] == 404
        assert (await fetch(served.url, Host="evil.example"))[0] == 403

    run(scene())


def test_sockets_are_for_pages_of_the_same_origin(served):
    async def scene() -> None:
        origin = served.url.rstrip("/")
        async with aiohttp.ClientSession() as session:
            for foreign in ("http://evil.example", "https://127.0.0.1", "null"):
                with pytest.raises(aiohttp.WSServerHandshakeError):
                    await session.ws_connect(f"{served.url}ws", headers={"Origin": foreign})
            page = await session.ws_connect(f"{served.url}ws", headers={"Origin": origin})
            await page.send_str("hello")
            assert await page.receive_json() == {"heard": "hello"}
            await page.send_bytes(b"what")
            assert (await page.receive()).type in (
                aiohttp.WSMsgType.CLOSE,
                aiohttp.WSMsgType.CLOSED,
            )

    run(scene())


class Unpaintable(Echo):
    """A hub that shows a value that cannot be sent."""

    def enter(self, client: Client) -> None:
        client.show(self)

    def since(self, sent: Any) -> list[str]:
        return [packed({"x": float("nan")})]


def test_a_browser_that_cannot_be_sent_a_picture_is_let_go_and_that_is_told(tmp_path):
    problems: list[tuple[str, str]] = []
    server = ServerThread(
        lambda: page_app(Unpaintable, tmp_path, on_problem=lambda *it: problems.append(it)),
        port=0,
    )
    server.start()

    async def scene() -> None:
        headers = {"Origin": server.url.rstrip("/")}
        async with aiohttp.ClientSession() as session:
            page = await session.ws_connect(f"{server.url}ws", headers=headers)
            assert (await page.receive()).type is aiohttp.WSMsgType.CLOSE

    try:
        run(scene())
    finally:
        server.close()
    (problem,) = problems
    assert problem[0] == "exceptions"
    assert "ValueError" in problem[1]


def test_half_sent_requests_end_and_never_shut_the_page(served, monkeypatch, caplog):
    monkeypatch.setattr(connections, "REQUEST_TIMEOUT_S", 3.0)
    address = ("127.0.0.1", served.port)
    with contextlib.ExitStack() as stack:
        half_sent = [stack.enter_context(socket.create_connection(address)) for _ in range(300)]
        for each in half_sent:
            with contextlib.suppress(OSError):  # one too many, closed already
                each.sendall(b"GET / HTTP/1.1\r\nHost: ")
        for each in half_sent:
            each.settimeout(20.0)
            with contextlib.suppress(ConnectionError):
                assert each.recv(1) == b""
    assert run(fetch(served.url))[0] == 200
    assert len(caplog.records) < 10


def test_a_request_that_is_not_sent_to_its_end_after_another_one_ends_too(served):
    with socket.create_connection(("127.0.0.1", served.port)) as wire:
        wire.settimeout(20.0)
        host = f"Host: 127.0.0.1:{served.port}\r\n\r\n".encode()
        wire.sendall(b"GET / HTTP/1.1\r\n" + host)
        assert wire.recv(100).startswith(b"HTTP/1.1 200")
        wire.sendall(b"GET /sta")
        while wire.recv(1000):
            pass


def test_records_of_one_kind_are_logged_once_a_second():
    now, passed = 0.0, []
    limit = connections.LogLimit(lambda: now)
    for now in (0.0, 0.1, 0.2, 0.5, 1.1, 1.2):
        for text in ("too many %s", "another"):
            record = logging.LogRecord("", 0, "", 0, text, ("files",) * text.count("%"), None)
            if limit.filter(record):
                passed.append((now, record.getMessage()))
    more = " (3 more since the last such line)"
    assert passed == [
        (0.0, "too many files"), (0.0, "another"),
        (1.1, f"too many files{more}"), (1.1, f"another{more}"),
    ]  # fmt: skip


def test_a_port_in_use_is_told():
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        server = ServerThread(aiohttp.web.Application, port=port)
        with pytest.raises(OSError, match="in use"):
            server.start()


@pytest.mark.parametrize(
    "address,url",
    [
        ("127.0.0.1", "http://127.0.0.1:80/"),
        ("0.0.0.0", "http://127.0.0.1:80/"),
        ("::1", "http://[::1]:80/"),
        ("localhost", "http://localhost:80/"),
    ],
)
def test_the_address_to_open(address, url):
    server = ServerThread(aiohttp.web.Application, port=80, address=address)
    assert server.url == url
