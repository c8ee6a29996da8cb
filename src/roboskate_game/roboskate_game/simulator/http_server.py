# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The simulated game's HTTP wire: the document's endpoints, see http_transport.py for its form."""

from __future__ import annotations

import http.server
import json
import logging
import socket
import threading
from collections.abc import Sequence

from legacy_robots_simulation.program import Fault, SimulatorError
from roboskate_game.client.http_transport import JSON_TYPE, OCTETS_TYPE
from roboskate_game.protocol.messages import InfoReply
from roboskate_game.simulator.game_service import GameService

_REQUEST_LIMIT = 65536
_CALLS = ("initialize", "shutdown", "get_info", "set_info", "get_camera", "run_game")
_GARBAGE = b"\xff" * 64

Answer = tuple[str, bytes]
"""Content type and body."""


class _RequestError(Exception):
    """The request cannot be understood; the answer has the HTTP status and the text as JSON."""

    def __init__(self, text: str, status: int = 400) -> None:
        super().__init__(text)
        self.status = status


class HttpServer:
    """Serves one game on ``host:port``; port 0 takes a free one."""

    def __init__(self, service: GameService, host: str, port: int) -> None:
        self._service = service
        self._host = host
        self.port = port
        self._server: _Server | None = None
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin to serve. Raises SimulatorError when the port cannot be had."""
        try:
            self._server = _Server((self._host, self.port), self._service)
        except OSError as error:
            raise SimulatorError(
                f"cannot listen on {self._host}:{self.port}: {error.strerror}"
            ) from error
        self.port = self._server.server_address[1]
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.05,), name="http", daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        """End, with all connections. Idempotent."""
        if self._server is not None and self._thread is not None:
            self._server.shutdown()
            self._thread.join()
            self._server.close_connections()
            self._server.server_close()
            self._server = None


class _Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    allow_reuse_address = True

    def __init__(self, address: tuple[str, int], service: GameService) -> None:
        if ":" in address[0]:
            self.address_family = socket.AF_INET6
        super().__init__(address, _Handler)
        self.service = service
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()

    def remember(self, connection: socket.socket) -> None:
        with self._lock:
            self._open.add(connection)

    def forget(self, connection: socket.socket) -> None:
        with self._lock:
            self._open.discard(connection)

    def close_connections(self) -> None:
        with self._lock:
            for connection in self._open:
                try:
                    connection.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass  # gone already

    def handle_error(self, request: object, client_address: object) -> None:
        # A client that went away in the middle of an answer is no error of ours.
        logging.getLogger("simulator").debug("connection with %s ended", client_address)


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server

    def setup(self) -> None:
        super().setup()
        self.server.remember(self.connection)
        self._connection_name = f"http:{self.client_address[0]}:{self.client_address[1]}"

    def finish(self) -> None:
        self.server.forget(self.connection)
        self.server.service.connection_closed(self._connection_name)
        super().finish()

    def do_GET(self) -> None:
        if self.path.strip("/") in ("get_info", "get_camera"):
            self.do_POST()
        else:
            self._send_refusal(
                _RequestError("only get_info and get_camera can be asked for by GET", 405)
            )

    def do_POST(self) -> None:
        try:
            body = self._body()
            with self.server.service.call_from(self._connection_name):
                kind, data = self._answer(self.path.strip("/"), body)
        except _RequestError as error:
            self._send_refusal(error)
            return
        except OverflowError:
            self._send_refusal(_RequestError("a number is too big"))
            return
        except (ValueError, RecursionError):
            self._send_refusal(_RequestError("the request is no JSON"))
            return
        if self.server.service.fault == Fault.GARBAGE:
            data = _GARBAGE
        self._send(200, kind, data)

    def _send(self, status: int, kind: str, data: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        if status == http.HTTPStatus.METHOD_NOT_ALLOWED:
            self.send_header("Allow", "POST" if self.command == "GET" else "GET, POST")
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def _send_refusal(self, error: _RequestError) -> None:
        self.close_connection = True  # what is left of the request must not be read as the next
        self._send(error.status, *_json({"error": str(error)}))

    def send_error(
        self, code: int, message: str | None = None, explain: str | None = None
    ) -> None:
        """Refuse in JSON what the base class cannot read; it would send a page."""
        text = message or self.responses[http.HTTPStatus(code)][0]
        if code == http.HTTPStatus.NOT_IMPLEMENTED:
            code, text = 405, "calls are made by POST; get_info and get_camera by GET, too"
        self.request_version = self.protocol_version  # a line that is none has no version
        self._send_refusal(_RequestError(text, code))

    def _body(self) -> bytes:
        """Return the request's body. Raises _RequestError, ValueError."""
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            return self._piece(int(self.headers.get("Content-Length", "0")))
        body = b""
        while size := self._chunk_size():
            body += self._piece(size, len(body))
            if self.rfile.readline(3).strip():
                raise _RequestError("a chunk is longer than it says")
        while self.rfile.readline(_REQUEST_LIMIT).strip():
            pass  # trailers
        return body

    def _chunk_size(self) -> int:
        text = self.rfile.readline(64).partition(b";")[0].strip()
        try:
            return int(text, 16)
        except ValueError:
            raise _RequestError(f"{text[:16]!r} is no length of a chunk") from None

    def _piece(self, length: int, before: int = 0) -> bytes:
        if not 0 <= length <= _REQUEST_LIMIT - before:
            raise _RequestError("the request is too long", 413)
        piece = self.rfile.read(length)
        if len(piece) < length:
            raise _RequestError("the request is cut short")
        return piece

    def log_message(self, format: str, *arguments: object) -> None:
        logging.getLogger("simulator").debug("http: " + format, *arguments)

    def _answer(self, name: str, body: bytes) -> Answer:
        service = self.server.service
        if name == "initialize":
            text = body.decode()
            # The document's argument is an object; the real game's CSV comes as a string.
            value = json.loads(text)
            if isinstance(value, dict) and "json" in value:
                if set(value) != {"json"} or not isinstance(value["json"], str):
                    raise _RequestError("an object must have json, a text, and nothing else")
                value = value["json"]
            reply = service.initialize(value if isinstance(value, str) else text)
            return _json([reply.success[0], reply.image_height, reply.image_width])
        if name == "shutdown":
            return _json(service.shutdown()[0])
        if name == "get_info":
            return _json(_info_values(service.get_info()))
        if name == "set_info":
            return _json(service.set_info(_numbers(body, "boardCraneJointAngles"))[0])
        if name == "run_game":
            numbers = _numbers(body, "time")
            if len(numbers) != 1:
                raise _RequestError("run_game wants one number")
            run = service.run_game(numbers[0])
            return _json([run.success[0], run.total_simulated_time])
        if name == "get_camera":
            camera = service.get_camera()
            return OCTETS_TYPE, b"".join((camera.success, camera.image))
        raise _RequestError(f"there is no call {name!r}, only {', '.join(_CALLS)}", 404)


def _info_values(reply: InfoReply) -> list[object]:
    """Return the values in the document's order, each vector an array."""
    position = list(reply.position)
    if not position:
        return [reply.success[0]]
    joints = list(reply.joints)
    return [
        reply.success[0], position[0:3], position[3:6], position[6:],
        list(reply.rotation), joints[0:3], joints[3:6],
    ]  # fmt: skip


def _numbers(body: bytes, name: str) -> Sequence[float]:
    """Read a number, an array of them, or an object that has either by the name of the .proto.

    Raises _RequestError, ValueError, OverflowError.
    """
    value = json.loads(body)
    if isinstance(value, dict):
        if set(value) != {name}:
            raise _RequestError(f"an object must have {name} and nothing else")
        value = value[name]
    values = value if isinstance(value, list) else [value]
    if not all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in values):
        raise _RequestError("numbers are wanted")
    return [float(v) for v in values]


def _json(value: object) -> Answer:
    return JSON_TYPE, json.dumps(value).encode()
