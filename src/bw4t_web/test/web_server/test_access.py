# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Who may connect to the page's server, and what it makes of nonsense."""

from __future__ import annotations

import pytest

aiohttp = pytest.importorskip("aiohttp")


@pytest.mark.parametrize(
    "host",
    ["evil.example", "127.0.0.1.evil.example", "evil@127.0.0.1", "", "127.0.0.2", "[::2]:80"],
)
async def test_a_foreign_host_name_is_refused(table, host):
    made = table()
    async with aiohttp.ClientSession() as session:
        for path in ("", "ws", "static/main.js"):
            async with session.get(made.server.url + path, headers={"Host": host}) as answer:
                assert answer.status in (400, 403)


@pytest.mark.parametrize(
    "origin", [None, "null", "http://evil.example", "http://localhost:1", "https://{host}"]
)
async def test_a_socket_from_a_page_of_another_origin_is_refused(table, origin):
    made = table()
    host = made.server.url.split("/")[2]
    headers = {} if origin is None else {"Origin": origin.format(host=host)}
    async with aiohttp.ClientSession() as session:
        with pytest.raises(aiohttp.WSServerHandshakeError) as refusal:
            await session.ws_connect(f"{made.server.url}ws", headers=headers)
        assert refusal.value.status == 403


@pytest.mark.parametrize(
    "request_text",
    [
        "no json",
        "[1]",
        "[" * 2000,
        '{"type": "dance"}',
        '{"type": "join"}',
        '{"type": "join", "name": "1st"}',
        '{"type": "join", "name": "Ann <b>"}',
        '{"type": "join", "name": "%s"}' % ("A" * 21),
        '{"type": "join", "bot": 7}',
        '{"type": "join", "bot": "stranger"}',
        '{"type": "act", "id": 1, "action": "putDown"}',
        '{"type": "act", "id": 1, "action": "receiveMessage", "args": ["a", "b"]}',
        '{"type": "act", "id": 1, "action": "goTo", "args": [NaN, 1]}',
        '{"type": "act", "id": 1, "action": "goTo", "args": [[], 1]}',
        '{"type": "act", "id": 1, "action": "goTo", "args": [1%s, 1]}' % ("0" * 400),
        '{"type": "act", "action": "putDown"}',
        '{"type": "say", "id": 1, "to": "all", "message": {"type": "unknown", "text": "x"}}',
        '{"type": "say", "id": 1, "to": "all", "message": {"type": "yes", "room": 1}}',
        '{"type": "say", "id": 1, "to": "all", "message": {"type": "weNeed", "color": "Plum"}}',
        '{"type": "hello", "token": {}}',
        '{"type": "control", "command": "reset"}',
    ],
)
async def test_nonsense_is_answered_with_an_error_and_the_connection_lives(table, request_text):
    made = table()
    async with made.page() as page:
        await page.socket.send_str(request_text)
        errors = await page.until(lambda: page.of("error"))
        assert errors[0]["text"]
        await page.join()


async def test_a_flood_of_requests_ends_the_connection_and_nothing_else(table):
    made = table()
    async with made.page() as page, made.page() as other:
        for _ in range(100):
            await page.send(type="leave")
        await page.until(lambda: page.closed_with is not None)
        assert page.closed_with == aiohttp.WSCloseCode.POLICY_VIOLATION
        await other.join()


async def test_a_frame_that_is_too_long_ends_the_connection(table):
    made = table()
    async with made.page() as page:
        await page.socket.send_str("x" * 100_000)
        await page.until(lambda: page.closed_with is not None)
        assert page.closed_with == aiohttp.WSCloseCode.MESSAGE_TOO_BIG
