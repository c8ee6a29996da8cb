# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Hostile bytes and texts at the WebSockets of all pages: they live, and log none of it."""

import base64
import contextlib
import json
import re
import socket
import struct
import sys

import pytest
import yaml
from ament_index_python.packages import get_package_prefix

from legacy_robots_testing import hostile
from legacy_robots_testing.machine import free_port
from legacy_robots_testing.process import Process
from legacy_robots_testing.recorder import TIMEOUT

TEXT = hostile.CONTROLS
LONE = f"{TEXT}\ud800"
"""With half a pair, which JSON can write and no text can have."""
NOT_HTTP = (
    TEXT.encode(),
    bytes(range(256)),
    b"GET /%b HTTP/1.1\r\n\r\n" % TEXT.encode(),
    b"GET /%%1b%%0a%%9b%%00 HTTP/1.1\r\nHost: 127.0.0.1\r\n\x1b[31m: \x07\r\n\r\n",
    b"GET /static/%1b%0a%9b%00 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    b"GET /ws HTTP/1.1\r\nHost: \x1b]0;x\x07\r\n\r\n",
    b"GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://\x1b[31m\r\n\r\n",
    b"\x1b[31m /ws HTTP/1.1\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + 100_000 * b"\x1b" + b"\r\n\r\n",
)
TEXT_FRAME, BINARY, CLOSE, PING, RESERVED = 1, 2, 8, 9, 11
FRAMES = (
    (TEXT_FRAME, b""),
    (TEXT_FRAME, TEXT.encode()),
    (TEXT_FRAME, hostile.NO_TEXT),
    (TEXT_FRAME, 5_000_000 * b"\x1b"),
    (TEXT_FRAME, 4000 * b"["),
    (TEXT_FRAME, b"[" + 4000 * b"9" + b"]"),
    (TEXT_FRAME, b'{"type":NaN,"op":NaN,"seen":Infinity}'),
    (TEXT_FRAME, '{"seen":\u0661}'.encode()),
    (BINARY, bytes(range(256))),
    (CLOSE, struct.pack("!H", 1000) + TEXT.encode()),
    (CLOSE, struct.pack("!H", 3) + hostile.NO_TEXT),
    (PING, 100 * b"\x1b"),
    (RESERVED, TEXT.encode()),
)
REQUESTS = (
    {"type": LONE},
    {"type": "hello", "token": LONE},
    {"type": "hello", "code": LONE},
    {"type": "hello", "secret": LONE},
    {"type": "join", "name": LONE},
    {"type": "join", "name": "Ada", "code": LONE},
    {"type": "join", "bot": LONE},
    {"type": "act", "id": 1, "action": LONE, "args": [LONE]},
    {"type": "act", "id": 1, "action": "goTo", "args": [LONE]},
    {"type": "act", "id": 1, "action": "sendMessage", "args": [LONE, LONE]},
    {"type": "say", "id": 1, "to": LONE, "text": "hello"},
    {"type": "say", "id": 1, "to": "all", "text": LONE},
    {"type": "say", "id": 1, "to": "all", "message": LONE},
    {"type": "say", "id": 1, "to": "all", "message": {"kind": LONE, LONE: [LONE]}},
    {"type": "control", "command": LONE},
    {"type": "answers", "id": 1, "form": LONE, "answers": {LONE: LONE}},
    {"type": "answers", "id": 1, "form": "consent", "answers": {LONE: LONE, "agreed": LONE}},
    {"type": "command", "id": 1, "command": LONE},
    {"type": "show", "id": 1, "file": f"../{LONE}\0", "seconds": 1e300},
    {"type": "act", "id": LONE, "action": "goTo", "args": [], "sent": LONE},
    {"type": LONE, "id": {LONE: LONE}, "sent": -1e14},
)
"""Of the blocks world's page; the other pages know none of them."""

STUDY = {
    "maps": ["nine_rooms"],
    "teams": ["searchers"],
    "seeds": 1,
    "conditions": {"open": {"robots": 1, "free_text": True}},
    "people": {
        "codes": ["P07"],
        "between": ["why"],
        "questionnaires": {"why": {"items": [{"id": "why", "ask": "Why?", "text": True}]}},
    },
}


def frame(opcode, data):
    """Return a frame as a browser sends it, masked with zeros."""
    size = len(data)
    if size < 126:
        head = struct.pack("!BB", 0x80 | opcode, 0x80 | size)
    elif size < 1 << 16:
        head = struct.pack("!BBH", 0x80 | opcode, 0x80 | 126, size)
    else:
        head = struct.pack("!BBQ", 0x80 | opcode, 0x80 | 127, size)
    return head + bytes(4) + data


class Page:
    """The WebSocket of a page by its bytes; ``reported`` waits for what the page says."""

    def __init__(self, port, path, protocol):
        self._socket = socket.create_connection(("127.0.0.1", port), TIMEOUT)
        self._received = b""
        key = base64.b64encode(bytes(16)).decode()
        host = f"127.0.0.1:{port}"
        self._socket.sendall(
            f"GET {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: {key}\r\n{protocol}\r\n".encode()
        )
        self.reported(b"101 ")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._socket.close()

    def reported(self, what):
        """Wait until the page has sent ``what``, after what was waited for before."""
        while what not in self._received:
            data = self._socket.recv(1 << 16)
            assert data, (what, self._received[-200:])
            self._received += data
        self._received = self._received.partition(what)[2]

    def send(self, opcode, data):
        """Send a frame."""
        self._socket.sendall(frame(opcode, data))

    def read_to_end(self):
        """Close in the way of WebSockets, and read until the page has closed, too."""
        with contextlib.suppress(OSError):
            self.send(CLOSE, b"")
            while self._socket.recv(1 << 16):
                pass


def node(package, name, *parameters):
    """Return the command of a node."""
    words = [word for p in parameters for word in ("-p", p)]
    return [f"{get_package_prefix(package)}/lib/{package}/{name}", "--ros-args", *words]


def bw4t_server(port, _):
    return node("bw4t_bridge", "server", "web:=true", f"web_port:={port}")


def study(port, directory):
    (directory / "study.yaml").write_text(yaml.safe_dump(STUDY), encoding="utf-8")
    files = [str(directory / "study.yaml"), "--output", str(directory / "games")]
    options = [*files, "--secret", "secret", "--port", str(port)]
    return [sys.executable, "-m", "bw4t_world", "experiment", *options]


def view(port, _):
    return node("legacy_robots_view", "view", f"port:={port}")


def foxglove(port, _):
    return node("legacy_robots_view", "foxglove", f"port:={port}", "services:=true")


PING_PAGE = b'{"type":"ping"}'
FOXGLOVE = "Sec-WebSocket-Protocol: foxglove.sdk.v1\r\n"
PAGES = {
    "bw4t": (bw4t_server, "/ws", "", PING_PAGE, b'"pong"'),
    "study": (study, "/ws", "", PING_PAGE, b'"pong"'),
    "view": (view, "/ws", "", b'{"seen":0}', b"{"),
    "foxglove": (foxglove, "/", FOXGLOVE, b"", b"serverInfo"),
}


@pytest.mark.timeout(180)
@pytest.mark.parametrize("name", PAGES)
def test_a_page_outlives_hostile_clients_and_logs_none_of_them(name, tmp_path):
    make, path, protocol, sane, answer = PAGES[name]
    port = free_port()
    with Process(make(port, tmp_path)) as process:
        process.wait_for_line(r"http://|ws://")

        def page():
            return Page(port, path, protocol)

        for data in NOT_HTTP:
            peer = socket.create_connection(("127.0.0.1", port), TIMEOUT)
            with peer, contextlib.suppress(OSError):
                peer.sendall(data)
                peer.shutdown(socket.SHUT_WR)
                while peer.recv(1 << 16):
                    pass
        for opcode, data in FRAMES:
            with page() as client:
                with contextlib.suppress(OSError):
                    client.send(opcode, data)
                client.read_to_end()
        for request in REQUESTS:
            with page() as client:
                with contextlib.suppress(OSError):
                    client.send(TEXT_FRAME, json.dumps(request).encode())
                client.read_to_end()
        with page() as client:
            if sane:
                client.send(TEXT_FRAME, sane)
            client.reported(answer)
        process.interrupt_group()
        assert process.wait() == 0
        hostile.assert_clean(process.lines.items)
        assert not re.search("Traceback|exceptions", "\n".join(process.lines.items))
