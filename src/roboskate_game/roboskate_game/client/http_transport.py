# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The document's endpoints as URLs: POST, JSON in and out, the camera as raw octets.

The document gives no exact form for JSON. Taken here: an answer is an array of the values in the
document's order, each vector an array of its own, such as ``[0, [1, 2, 3], …]``; a single value
stands alone, such as ``0``. Arrays inside arrays are flattened when read, so an answer without
inner arrays is understood too, and so is an object with the names of the .proto, such as
``{"success": 0, "totalSimulatedTime": 1.5}``; there success may be a number, one character, or
base64 as protobuf's own JSON has it. The camera's answer is the success byte followed by the
image.
"""

from __future__ import annotations

import base64
import http.client
import json
import math
import select
import socket
import time
from collections.abc import Iterator, Sequence
from typing import Any

from roboskate_game.client.transport import DeadlineError, TransportError
from roboskate_game.protocol.dialect import JOINT_COUNT
from roboskate_game.protocol.messages import (
    MAXIMUM_MESSAGE_BYTES,
    CameraReply,
    InfoReply,
    InitializeReply,
    ProtocolError,
    RunReply,
)

JSON_TYPE = "application/json"
OCTETS_TYPE = "application/octet-stream"
POSITION_FLOATS = 9
INFO_FIELDS = ("boardPosition", "boardRotation", "boardCraneJointAngles")
_JSON_BYTES = 65536


def read_values(name: str, body: bytes, fields: Sequence[str] = ()) -> tuple[bytes, list[float]]:
    """Return the success byte and the numbers after it in the JSON answer to the call ``name``.

    ``fields`` are the names, and the order, of what an object has besides success. The numbers may
    be nan or infinite. Raises ProtocolError.
    """
    try:
        # json reads NaN and Infinity, which JSON does not have: the profile refuses them.
        value = json.loads(body)
        if isinstance(value, dict):
            # A refusal need not have more than success.
            rest = [value[field] for field in fields if field in value]
            if rest and len(rest) != len(fields):
                missing = ", ".join(field for field in fields if field not in value)
                raise ProtocolError(f"{name}: the answer has no {missing}")
            value = [_success_code(value.get("success")), *rest]
        numbers = list(_flattened(value))
    except (ValueError, RecursionError) as error:
        raise ProtocolError(f"{name}: the answer is no JSON: {body[:60]!r}") from error
    if not numbers or not (numbers[0].is_integer() and 0 <= numbers[0] <= 255):
        raise ProtocolError(f"{name}: the answer begins with no success byte: {numbers[:3]}")
    return bytes([int(numbers[0])]), numbers[1:]


class HttpTransport:
    """One kept-alive HTTP connection; see Transport.

    ``size_order_is_text``: the document's text says height before width, and so it is read; its
    example shows 1920 before 1080. With False the answer to initialize is read as width, height.
    """

    def __init__(self, host: str, port: int, *, size_order_is_text: bool = True) -> None:
        self._host = host
        self._port = port
        self._peer = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        self._size_order_is_text = size_order_is_text
        self._connection: http.client.HTTPConnection | None = None
        self._closed = False

    @property
    def peer(self) -> str:
        """The other end, as ``host:port``."""
        return self._peer

    def initialize(self, argument: str, timeout: float) -> InitializeReply:
        """Load a level."""
        # The document's argument is JSON already; the real game's CSV becomes a JSON string.
        body = argument if argument.startswith("{") else json.dumps(argument)
        sizes = ("imageHeight", "imageWidth")
        fields = sizes if self._size_order_is_text else sizes[::-1]
        success, values = self._ask("initialize", body, timeout, fields)
        if not values:  # a refusal need not name a size
            return InitializeReply(success, 0, 0)
        if len(values) != 2 or not all(v.is_integer() and 0 <= v < 2**32 for v in values):
            raise ProtocolError(f"initialize: expected height and width, not {values}")
        first, second = map(int, values)
        height, width = (first, second) if self._size_order_is_text else (second, first)
        return InitializeReply(success, width, height)

    def shutdown(self, timeout: float) -> bytes:
        """Close the level; return the success value."""
        return self._ask("shutdown", "", timeout)[0]

    def get_info(self, timeout: float) -> InfoReply:
        """Ask for the state of board and crane."""
        success, values = self._ask("get_info", "", timeout, INFO_FIELDS)
        end = max(POSITION_FLOATS, len(values) - 2 * JOINT_COUNT)
        return InfoReply(
            success, values[:POSITION_FLOATS], values[POSITION_FLOATS:end], values[end:]
        )

    def set_info(self, values: Sequence[float], timeout: float) -> bytes:
        """Hold keys down; return the success value."""
        return self._ask("set_info", json.dumps(list(values)), timeout)[0]

    def get_camera(self, timeout: float) -> CameraReply:
        """Ask for an image; it is a view into the received body."""
        body = memoryview(self._post("get_camera", "", timeout, MAXIMUM_MESSAGE_BYTES))
        return CameraReply(bytes(body[:1]), body[1:])

    def run_game(self, seconds: float, timeout: float) -> RunReply:
        """Let ``seconds`` of the game pass."""
        fields = ("totalSimulatedTime",)
        success, values = self._ask("run_game", json.dumps(seconds), timeout, fields)
        if len(values) > 1:
            raise ProtocolError(f"run_game: expected the total simulated time, not {values}")
        # A refusal need not name a time.
        return RunReply(success, values[0] if values else math.nan)

    def close(self) -> None:
        """End the connection; a call under way on another thread fails. Idempotent."""
        self._closed = True
        connection = self._connection
        if connection is not None and connection.sock is not None:
            try:
                connection.sock.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass  # gone already

    def _ask(
        self, name: str, body: str, timeout: float, fields: Sequence[str] = ()
    ) -> tuple[bytes, list[float]]:
        """Return the success value and the numbers after it."""
        data = self._post(name, body, timeout, _JSON_BYTES)
        success, numbers = read_values(name, bytes(data), fields)
        if numbers and not fields:
            raise ProtocolError(f"{name}: the answer has {1 + len(numbers)} values, not 1")
        return success, numbers

    def _post(self, name: str, body: str, timeout: float, limit: int) -> bytearray:
        if self._closed:
            raise TransportError(f"{name}: the connection to {self._peer} is closed")
        deadline = time.monotonic() + timeout
        try:
            with self._request(name, body, deadline) as response:
                data = _body(name, response, limit)
        except TimeoutError as error:
            self._drop()
            raise DeadlineError(
                f"{name}: {self._peer} did not answer within {timeout:g} s"
            ) from error
        except (OSError, http.client.HTTPException) as error:
            self._drop()
            reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
            raise TransportError(f"{name}: {self._peer} cannot be reached: {reason}") from error
        except ProtocolError:
            self._drop()  # the rest of this answer must not be read as the next one
            raise
        if response.status == http.client.NOT_FOUND:
            raise ProtocolError(f"{self._peer} does not know the call {name}")
        if response.status != http.client.OK:
            raise TransportError(f"{name}: {self._peer} answers HTTP status {response.status}")
        return data

    def _request(self, name: str, body: str, deadline: float) -> http.client.HTTPResponse:
        """Send a request; return the response, its body not read yet."""
        while True:
            is_reused = self._connection is not None and self._connection.sock is not None
            connection = self._open(deadline)
            try:
                connection.request("POST", f"/{name}", body.encode(), {"Content-Type": JSON_TYPE})
                return connection.getresponse()
            except (ConnectionError, http.client.RemoteDisconnected):
                # The server may have closed just now, as it may after each answer. Time must not
                # pass twice, though, if it did take the request.
                if self._closed or not is_reused or name == "run_game":
                    raise
                self._drop()

    def _open(self, deadline: float) -> http.client.HTTPConnection:
        if self._connection is not None and _has_ended(self._connection.sock):
            self._drop()
        if self._connection is None or self._connection.sock is None:
            plain = socket.create_connection(
                (self._host, self._port), max(0.001, deadline - time.monotonic())
            )
            plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._connection = http.client.HTTPConnection(self._host, self._port)
            self._connection.sock = _DeadlineSocket(plain)
            if self._closed:  # meanwhile: close() has not seen this socket
                self._drop()
                raise ConnectionError("the connection was closed")
        assert isinstance(self._connection.sock, _DeadlineSocket)
        self._connection.sock.deadline = deadline
        return self._connection

    def _drop(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _body(name: str, response: http.client.HTTPResponse, limit: int) -> bytearray:
    """Read the whole body. Raises ProtocolError when it is too long."""
    if response.length is None:  # in chunks, or as much as comes before the end
        data = bytearray(response.read(limit + 1))
        if len(data) > limit:
            raise ProtocolError(f"{name}: the answer is too big: more than {limit} bytes")
        if not data:  # the end came in the middle of the header
            raise http.client.RemoteDisconnected("the answer was cut short")
        return data
    if response.length > limit:
        raise ProtocolError(f"{name}: the answer is too big: {response.length} bytes")
    data = bytearray(response.length)
    view, filled = memoryview(data), 0
    while filled < len(data):
        count = response.readinto(view[filled:])
        if not count:
            raise http.client.IncompleteRead(bytes(data[:filled]), len(data) - filled)
        filled += count
    return data


def _has_ended(stream: socket.socket | None) -> bool:
    """Return whether a connection that nothing is expected from has ended."""
    if stream is None:
        return False
    readable = select.poll()  # select.select fails from descriptor 1024 on
    readable.register(stream, select.POLLIN)
    return bool(readable.poll(0))


def _success_code(value: object) -> object:
    """Return the success of an object as a number. Raises ValueError."""
    if not isinstance(value, str):
        return value
    code = value.encode() if len(value) == 1 else base64.b64decode(value, validate=True)
    if len(code) != 1:
        raise ValueError(f"success is {value!r}")
    return code[0]


def _flattened(value: object) -> Iterator[float]:
    if isinstance(value, list):
        for item in value:
            yield from _flattened(item)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        try:
            yield float(value)
        except OverflowError:
            raise ValueError("a number that is too big") from None
    else:
        raise ValueError(f"{value!r} is no number")


class _DeadlineSocket(socket.socket):
    """A socket each of whose operations may take until ``deadline`` (steady time), all together.

    A plain time-out restarts with each piece that arrives.
    """

    def __init__(self, plain: socket.socket) -> None:
        super().__init__(plain.family, plain.type, plain.proto, fileno=plain.detach())
        self.deadline = 0.0

    def _limit(self) -> None:
        left = self.deadline - time.monotonic()
        if left <= 0.0:
            raise TimeoutError
        self.settimeout(left)

    def sendall(self, *arguments: Any) -> None:
        """Send everything before the deadline; raises TimeoutError."""
        self._limit()
        super().sendall(*arguments)

    def recv_into(self, *arguments: Any) -> int:
        """Receive something before the deadline; raises TimeoutError."""
        self._limit()
        return super().recv_into(*arguments)

    def makefile(self, *arguments: Any, **named: Any) -> Any:
        """Return a buffered reader over this socket, which is closed with the last of both."""
        return super().makefile("rb", 65536)
