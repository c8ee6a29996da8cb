# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Our game against an HTTP client, our client against an HTTP game, that know nothing of our code.

Both are made of bare sockets and of bytes put together by hand from the table in
docs/originals/roboskate.md and the document.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import socket
import threading
from contextlib import contextmanager

import cv2
import numpy as np
import pytest

from roboskate_game.client.client import GameClient, open_transport
from roboskate_game.client.transport import TransportError, TransportKind
from roboskate_game.protocol.dialect import Dialect, Profile
from roboskate_game.protocol.messages import (
    CallFailedError,
    ImageSize,
    Keys,
    ProtocolError,
    WrongLengthError,
)

SIZE = ImageSize(4, 3)
JPEG = cv2.imencode(".jpg", np.full((3, 4, 3), (0, 0, 255), np.uint8))[1].tobytes()  # red, in BGR


# --- our game, their client ---------------------------------------------------------------------


def post(port, path, body="", method="POST"):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request(method, path, body)
    response = connection.getresponse()
    data = response.read()
    connection.close()
    return response.status, data


def test_our_game_over_http_in_the_documents_profile(make_game):
    port = make_game("spec", size=(160, 90)).http_port
    assert post(port, "/initialize", '{"level": 1}') == (200, b"[0, 90, 160]")  # height first
    assert post(port, "/initialize", '{"level": 0}')[0] == 200
    status, body = post(port, "/get_info")
    zero = [0.0, 0.0, 0.0]
    matrix = [0.0, 0.0, 1.0, 0.0, 1.0, 0.0, -1.0, 0.0, 0.0]
    assert (status, json.loads(body)) == (200, [0, zero, zero, zero, matrix, zero, zero])
    assert post(port, "/set_info", "[-1.0, 0.9, 0.0]") == (200, b"0")
    assert post(port, "/run_game", "0.01") == (200, b"[0, 0.01]")
    assert post(port, "/run_game", "[0.01]") == (200, b"[0, 0.02]")
    status, body = post(port, "/get_camera")
    assert (status, len(body), body[0]) == (200, 1 + 160 * 90 * 3, 0)
    assert post(port, "/shutdown") == (200, b"0")
    assert post(port, "/get_info") == (200, b"[1]")
    assert post(port, "/nothing")[0] == 404
    assert post(port, "/initialize", "{")[0] == 400
    assert post(port, "/set_info", '["a"]')[0] == 400
    assert post(port, "/run_game", "[1, 2]")[0] == 400
    assert post(port, "/initialize", method="GET")[0] == 405


def test_our_game_over_http_in_the_real_games_profile(make_game):
    port = make_game("game").http_port
    assert post(port, "/initialize", '"0,200,100"') == (200, b"[48, 100, 200]")
    body = json.loads(post(port, "/get_info")[1])
    assert [len(part) for part in body[1:]] == [3, 3, 3, 13, 3, 3]
    body = post(port, "/get_camera")[1]
    assert body.startswith(b"0\x89PNG")
    port = make_game("game", image_format="jpeg").http_port
    post(port, "/initialize", '"0,200,100"')
    assert post(port, "/get_camera")[1].startswith(b"0\xff\xd8\xff")


def test_our_game_takes_objects_chunks_and_says_errors_in_json(make_game):
    port = make_game("game").http_port
    assert post(port, "/initialize", '{"json": "0,64,36"}')[0] == 200
    for keys in ('{"boardCraneJointAngles": [0, 40, 0]}', "[0, 40, 0]"):
        assert post(port, "/set_info", keys) == (200, b"48")
    assert post(port, "/run_game", '{"time": 0.2}') == (200, b"[48, 0.2]")
    pieces = iter([b"[0, 40", b", 0]"])
    assert post(port, "/set_info", pieces) == (200, b"48")
    for path, body, method, status, words in (
        ("/run_game", '{"seconds": 1}', "POST", 400, "time"),
        ("/set_info", '{"boardCraneJointAngles": "up"}', "POST", 400, "numbers are wanted"),
        ("/set_info", "{", "POST", 400, "no JSON"),
        ("/initialize", '{"json": "0,64,36", "level": 0}', "POST", 400, "json, a text"),
        ("/set_info", "[0, 0, 0]", "PUT", 405, "by POST"),
        ("/get_info", "", "OPTIONS", 405, "by POST"),
        ("/run_game", "1" + "0" * 400, "POST", 400, "a number is too big"),
        ("/initialize", "", "GET", 405, "get_info and get_camera"),
        ("/nothing", "", "POST", 404, "run_game"),
        ("/set_info", "[" + "1," * 40000 + "1]", "POST", 413, "too long"),
    ):
        found, data = post(port, path, body, method)
        assert found == status, data
        assert words in json.loads(data)["error"]


@pytest.mark.parametrize(
    "sent",
    [b"zz\r\n", b"5\r\nab\r\n", b"-1\r\n", b"20000\r\n" + bytes(0x20000), b"1" * 70000],
)
def test_chunks_that_are_none_are_refused(make_game, sent):
    port = make_game("game").http_port
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        connection.sendall(b"POST /set_info HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n")
        try:
            connection.sendall(sent)
            connection.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # refused while we sent
        with contextlib.suppress(ConnectionError):
            answer = connection.makefile("rb").readline()
            assert answer.split()[1] in (b"400", b"413")
    assert post(port, "/get_info")[0] == 200


@pytest.mark.parametrize(
    "sent, status",
    [
        (b"garbage\r\n\r\n", 400), (b"\x16\x03\x01\x02\r\n\r\n", 400),
        (b"POST /get_info HTTP/9.9\r\n\r\n", 505), (b"GET /" + b"x" * 70000 + b"\r\n\r\n", 414),
        (b"POST /get_info HTTP/1.1\r\n" + b"a: b\r\n" * 200 + b"\r\n", 431),
        (b"HEAD /get_info HTTP/1.1\r\n\r\n", 405),
    ],
)  # fmt: skip
def test_what_is_no_request_is_refused_in_json(make_game, sent, status):
    port = make_game("game").http_port
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        connection.sendall(sent)
        head, _, body = connection.makefile("rb").read().partition(b"\r\n\r\n")
    first, *headers = head.decode().split("\r\n")
    assert first.split()[:2] == ["HTTP/1.1", str(status)]
    assert "Content-Type: application/json" in headers
    assert ("Allow: GET, POST" in headers) == (status == 405)
    assert sent.startswith(b"HEAD") == (not body)
    assert not body or json.loads(body)["error"]
    assert post(port, "/get_info")[0] == 200


# --- their game, our client ---------------------------------------------------------------------


@contextmanager
def their_http_game(answers, seen, closes=False):
    """Answer each POST with bytes as they are, on bare sockets; may close after each answer."""

    def serve(connection):
        with connection, connection.makefile("rb") as stream:
            while line := stream.readline():
                length = 0
                while (header := stream.readline().strip().lower()) != b"":
                    if header.startswith(b"content-length:"):
                        length = int(header.split(b":")[1])
                path = line.split()[1].decode()
                seen.append((path, stream.read(length)))
                answer = answers.get(path)
                if answer is None:
                    return
                connection.sendall(answer)
                if closes:
                    return

    def accept():
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=serve, args=(connection,), daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=accept)
        thread.start()
        try:
            yield listener.getsockname()[1]
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            thread.join()


def ok(body, status="200 OK"):
    body = body if isinstance(body, bytes) else body.encode()
    return f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body


CHUNKED_HEAD = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"


def in_chunks(body):
    """Return an answer in chunks of five bytes."""
    parts = [body[i : i + 5] for i in range(0, len(body), 5)] + [b""]
    return CHUNKED_HEAD + b"".join(b"%x\r\n%b\r\n" % (len(p), p) for p in parts)


HTTP_STATE = (
    "[0, [1, 2, 3], [4, 5, 6], [7, 8, 9], [0, 0, 1, 0, 1, 0, -1, 0, 0], [0, 1, 2], [3, 4, 5]]"
)
HTTP_ANSWERS = {
    "/initialize": ok("[0, 3, 4]"),
    "/shutdown": ok("0"),
    "/get_info": ok(HTTP_STATE),
    "/set_info": ok("0"),
    "/get_camera": ok(b"\x00" + bytes(range(36))),
    "/run_game": ok("[0, 31.28]"),
}


def test_our_client_over_http(our_client):
    seen = []
    with (
        their_http_game(HTTP_ANSWERS, seen) as port,
        our_client(port, Profile.SPEC, TransportKind.HTTP) as client,
    ):
        assert client.initialize(1, SIZE) == SIZE  # height comes first
        state = client.get_info()
        client.set_info(Keys(-1.0, 0.5, 0.0))
        picture = client.get_camera(SIZE)
        assert client.run_game(0.25) == 31.28
        client.shutdown()
    assert [(path, json.loads(body) if body else None) for path, body in seen] == [
        ("/initialize", {"level": 1}),
        ("/get_info", None),
        ("/set_info", [-1.0, 0.5, 0.0]),
        ("/get_camera", None),
        ("/run_game", 0.25),
        ("/shutdown", None),
    ]
    assert state.position == (1.0, 2.0, 3.0)
    assert state.joint_velocities == (3.0, 4.0, 5.0)
    assert bytes(picture.data) == bytes(range(36))


def test_an_answer_without_inner_arrays_is_understood_and_the_size_may_be_the_other_way():
    flat = HTTP_STATE.replace("[", "").replace("]", "")
    answers = {**HTTP_ANSWERS, "/get_info": ok(f"[{flat}]"), "/initialize": ok("[0, 4, 3]")}
    with their_http_game(answers, []) as port:
        transport = open_transport(TransportKind.HTTP, "127.0.0.1", port, size_order_is_text=False)
        client = GameClient(transport, Dialect(Profile.SPEC))
        assert client.initialize(1, SIZE) == SIZE
        assert client.get_info().joint_velocities == (3.0, 4.0, 5.0)
        client.close()


WAYS = {
    "in chunks": (in_chunks, False),
    "until the end": (lambda body: b"HTTP/1.1 200 OK\r\n\r\n" + body, True),
    "HTTP/1.0": (lambda body: b"HTTP/1.0 200 OK\r\n\r\n" + body, True),
    "closed, as announced": (
        lambda body: ok(body).replace(b"\r\n", b"\r\nConnection: close\r\n", 1), True,
    ),
    "closed without a word": (ok, True),
}  # fmt: skip


@pytest.mark.parametrize("way", list(WAYS))
def test_every_way_to_send_an_answer_is_understood(our_client, way):
    write, closes = WAYS[way]
    answers = {
        path: write(answer.partition(b"\r\n\r\n")[2]) for path, answer in HTTP_ANSWERS.items()
    }
    with (
        their_http_game(answers, [], closes) as port,
        our_client(port, Profile.SPEC, TransportKind.HTTP) as client,
    ):
        for _ in range(40):
            assert client.initialize(1, SIZE) == SIZE
            assert client.get_info().joint_velocities == (3.0, 4.0, 5.0)
            assert bytes(client.get_camera(SIZE).data) == bytes(range(36))
            client.set_info(Keys())
        if way != "closed without a word":  # a step must not be made twice: see below
            assert client.run_game(0.25) == 31.28


def test_a_step_is_not_asked_for_twice(our_client):
    seen = []
    answers = {**HTTP_ANSWERS, "/run_game": None}
    with (
        their_http_game(answers, seen) as port,
        our_client(port, Profile.SPEC, TransportKind.HTTP) as client,
    ):
        client.set_info(Keys())
        with pytest.raises(TransportError, match="cannot be reached"):
            client.run_game(0.25)
    assert [path for path, _ in seen] == ["/set_info", "/run_game"]


@pytest.mark.parametrize("success", ["0", '"\\u0000"', '"AA=="'])
def test_answers_may_be_objects(our_client, success):
    state = json.loads(HTTP_STATE)
    info = {
        "boardPosition": state[1:4],
        "boardRotation": state[4],
        "boardCraneJointAngles": state[5:],
    }
    head = f'{{"success": {success}, '
    answers = {
        **HTTP_ANSWERS,
        "/initialize": ok(head + '"imageWidth": 4, "imageHeight": 3}'),
        "/get_info": ok(head + json.dumps(info)[1:]),
        "/set_info": ok(f'{{"success": {success}}}'),
        "/run_game": ok(head + '"totalSimulatedTime": 31.28}'),
    }
    with (
        their_http_game(answers, []) as port,
        our_client(port, Profile.SPEC, TransportKind.HTTP) as client,
    ):
        assert client.initialize(1, SIZE) == SIZE
        assert client.get_info().joint_velocities == (3.0, 4.0, 5.0)
        client.set_info(Keys())
        assert client.run_game(0.25) == 31.28


def test_the_real_games_values_over_http(our_client):
    directions = "[0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0]"
    state = f"[48, [1, 2, 3], [4, 5, 6], [7, 8, 9], {directions}, [0, 1, 2], [3, 4, 5]]"
    answers = {
        **HTTP_ANSWERS,
        "/initialize": ok("[48, 3, 4]"),
        "/get_info": ok(state),
        "/get_camera": ok(b"0" + JPEG),
    }
    seen = []
    with (
        their_http_game(answers, seen) as port,
        our_client(port, Profile.GAME, TransportKind.HTTP) as client,
    ):
        client.initialize(0, SIZE)
        assert client.get_info().rotation.up == (0.0, 1.0, 0.0)
        assert bytes(client.get_camera(SIZE).data) == JPEG
    assert seen[0] == ("/initialize", b'"0,4,3"')


@pytest.mark.parametrize(
    "answer, error, words",
    [
        (ok("[5]"), CallFailedError, "get_info failed"),
        (ok("{}"), ProtocolError, "no JSON"),
        (ok('{"success": "AAA="}'), ProtocolError, "no JSON"),
        (ok('{"success": 0, "boardPosition": []}'), ProtocolError, "no boardRotation, boardCrane"),
        (ok("[0, true]"), ProtocolError, "no JSON"),
        (ok("[0.5]"), ProtocolError, "no success byte"),
        (ok("[]"), ProtocolError, "no success byte"),
        (ok("[" * 50_000), ProtocolError, "no JSON"),
        (ok("[0, " + "1" * 400 + "]"), ProtocolError, "no JSON"),
        (ok("[0, 1, 2]"), WrongLengthError, "boardPosition has 2 floats"),
        (ok(HTTP_STATE.replace("[3, 4, 5]", "[3, 4]")), WrongLengthError, "boardRotation has 8"),
        (ok(HTTP_STATE.replace("9]", "NaN]")), ProtocolError, "no numbers"),
        (ok("0", "404 Not Found"), ProtocolError, "does not know the call"),
        (ok("0", "500 Broken"), TransportError, "status 500"),
        (CHUNKED_HEAD + b"10\r\n0", TransportError, "did not answer|cannot be reached"),
        (CHUNKED_HEAD + 5 * (b"4000\r\n" + bytes(0x4000) + b"\r\n"), ProtocolError, "too big"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n0", ProtocolError, "too big"),
        (b"\xff" * 64 + b"\r\n\r\n", TransportError, "cannot be reached"),
        (None, TransportError, "cannot be reached"),
    ],
)
def test_a_bad_answer_over_http_is_a_typed_error(answer, error, words, our_client):
    with (
        their_http_game({**HTTP_ANSWERS, "/get_info": answer}, []) as port,
        our_client(port, Profile.SPEC, TransportKind.HTTP) as client,
    ):
        with pytest.raises(error, match=words):
            client.get_info()
        client.set_info(Keys())  # and the next call is not mixed up with it


def test_a_call_under_way_ends_when_its_connection_is_closed():
    """A server that keeps connections, and is silent from its second request on."""
    asked = threading.Semaphore(0)
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve():
            with contextlib.suppress(OSError):
                while True:
                    connection, _ = listener.accept()
                    served.append(connection)
                    threading.Thread(target=answer_once, args=(connection,)).start()

        def answer_once(connection):
            with contextlib.suppress(OSError):
                connection.recv(65536)
                connection.sendall(ok(b"0"))
                connection.recv(65536)
                asked.release()

        served = []
        threading.Thread(target=serve, daemon=True).start()
        port = listener.getsockname()[1]
        transport = open_transport(TransportKind.HTTP, "127.0.0.1", port)
        assert transport.shutdown(5.0) == b"\0"
        ended = []

        def call():
            try:
                transport.initialize('{"level": 0}', 60.0)
            except TransportError as error:
                ended.append(error)

        calling = threading.Thread(target=call)
        calling.start()
        assert asked.acquire(timeout=10.0)
        transport.close()
        calling.join(10.0)
        assert len(ended) == 1
        assert len(served) == 1  # it was not asked again
        for connection in served:
            connection.close()
