# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Our game against a gRPC client, our client against a gRPC game, that know nothing of our code.

Both are made of a bare gRPC channel and of bytes put together by hand from the table in
docs/originals/roboskate.md and the document.
"""

from __future__ import annotations

import struct
from concurrent import futures
from contextlib import contextmanager

import cv2
import grpc
import numpy as np
import pytest

from roboskate_game.client.client import GameClient, open_transport
from roboskate_game.client.transport import TransportKind
from roboskate_game.protocol.dialect import Dialect, Profile
from roboskate_game.protocol.image import EncodedPicture, RawPicture, decode
from roboskate_game.protocol.messages import (
    CallFailedError,
    ImageError,
    ImageSize,
    Keys,
    ProtocolError,
    RotationMatrix,
    RotationVectors,
    WrongLengthError,
)

SERVICE = "/communication.CommunicationService/"


# --- protobuf by hand ---------------------------------------------------------------------------


def varint(value):
    out = b""
    while value > 0x7F:
        out += bytes([value & 0x7F | 0x80])
        value >>= 7
    return out + bytes([value])


def length_delimited(field, data):
    return varint(field << 3 | 2) + varint(len(data)) + data


def floats(field, values):
    return length_delimited(field, struct.pack(f"<{len(values)}f", *values))


def parse(message):
    """Return the fields of a message: numbers, and bytes; the last of a kind counts."""
    fields, at = {}, 0

    def number():
        nonlocal at
        value = shift = 0
        while True:
            byte = message[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while at < len(message):
        tag = number()
        kind = tag & 7
        if kind == 0:
            fields[tag >> 3] = number()
        else:
            size = {2: number, 5: lambda: 4, 1: lambda: 8}[kind]()
            fields[tag >> 3] = message[at : at + size]
            at += size
    return fields


def unpacked(data):
    return struct.unpack(f"<{len(data) // 4}f", data)


# --- our game, their client ---------------------------------------------------------------------


def their_client(port):
    channel = grpc.insecure_channel(
        f"127.0.0.1:{port}", options=[("grpc.max_receive_message_length", 32 << 20)]
    )

    def call(name, request=b""):
        return parse(channel.unary_unary(SERVICE + name)(request, timeout=10))

    return call


def test_our_game_in_the_documents_profile(make_game):
    call = their_client(make_game("spec", size=(160, 90)).port)
    assert call("get_info")[1] == b"\x01"  # nothing is loaded yet
    reply = call("initialize", length_delimited(1, b'{"level": 1}'))
    assert reply == {1: b"\x00", 2: 160, 3: 90}
    assert call("initialize", length_delimited(1, b"0,160,90"))[1] == b"\x01"
    assert call("initialize", length_delimited(1, b'{"level": 7}'))[1] == b"\x01"
    assert call("initialize", length_delimited(1, b'{"level": 0}'))[1] == b"\x00"
    reply = call("get_info")
    assert reply[1] == b"\x00"
    assert unpacked(reply[2]) == (0.0,) * 9
    # At the start the board faces X; the columns are right (-Z), up (Y) and forward (X).
    assert unpacked(reply[3]) == (0.0, 0.0, 1.0, 0.0, 1.0, 0.0, -1.0, 0.0, 0.0)
    assert unpacked(reply[4]) == (0.0,) * 6
    assert call("set_info", floats(1, [0.0, 1.0, 0.0])) == {1: b"\x00"}
    assert call("set_info", floats(1, [0.0, 1.0]))[1] == b"\x01"
    assert call("set_info", floats(1, [0.0, 1.5, 0.0]))[1] == b"\x01"
    reply = call("run_game", b"\x0d" + struct.pack("<f", 0.5))
    assert reply[1] == b"\x00"
    assert unpacked(reply[2]) == (0.5,)
    shoulder, shoulder_rate = (unpacked(call("get_info")[4])[i] for i in (1, 4))
    assert 0.8 < shoulder < 1.3  # rad
    assert shoulder_rate == pytest.approx(2.56, abs=0.1)  # rad/s: 3.67 x 40 degrees/s
    reply = call("get_camera")
    assert reply[1] == b"\x00"
    assert len(reply[2]) == 160 * 90 * 3
    assert call("shutdown") == {1: b"\x00"}
    for name in ("shutdown", "get_info", "get_camera", "run_game"):
        assert call(name)[1] == b"\x01"


def test_our_game_in_the_real_games_profile(make_game):
    call = their_client(make_game("game").port)
    assert call("initialize", length_delimited(1, b'{"level": 1}'))[1] == b"0"
    assert call("initialize", length_delimited(1, b'{"level": 99}'))[1] == b"1"
    assert call("initialize", length_delimited(1, b"0,200,100")) == {1: b"0", 2: 200, 3: 100}
    reply = call("get_info")
    assert reply[1] == b"0"
    assert unpacked(reply[2]) == (0.0,) * 9
    rotation = unpacked(reply[3])
    assert len(rotation) == 13
    assert rotation[7:10] == (1.0, 0.0, 0.0)  # forward
    assert rotation[10:13] == (0.0, 1.0, 0.0)  # up
    assert call("set_info", floats(1, [0.0, 40.0, -20.0])) == {1: b"0"}
    assert unpacked(call("run_game", b"\x0d" + struct.pack("<f", 0.625))[2]) == (0.625,)
    joints = unpacked(call("get_info")[4])
    assert joints[4] == pytest.approx(146.8, abs=3)  # degrees/s: 3.67 x 40
    assert joints[5] == pytest.approx(-73.4, abs=2)
    image = call("get_camera")[2]
    assert image.startswith(b"\x89PNG")
    assert cv2.imdecode(np.frombuffer(image, np.uint8), cv2.IMREAD_COLOR).shape == (100, 200, 3)
    assert call("shutdown") == {1: b"0"}


# --- their game, our client ---------------------------------------------------------------------


@contextmanager
def their_game(answers, seen):
    """Serve ``answers`` (bytes for each call) and note the requests."""

    class Handler(grpc.GenericRpcHandler):
        def service(self, details):
            name = details.method.rsplit("/", 1)[1]
            if not details.method.startswith(SERVICE) or name not in answers:
                return None

            def answer(request, context):
                seen.append((name, request))
                return answers[name]

            return grpc.unary_unary_rpc_method_handler(answer)

    server = grpc.server(
        futures.ThreadPoolExecutor(2), options=[("grpc.max_send_message_length", -1)]
    )
    server.add_generic_rpc_handlers((Handler(),))
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        yield port
    finally:
        server.stop(None).wait()


JPEG = cv2.imencode(".jpg", np.full((3, 4, 3), (0, 0, 255), np.uint8))[1].tobytes()  # red, in BGR
START = (0.0, 0.0, 1.0, 0.0, 1.0, 0.0, -1.0, 0.0, 0.0)


def spec_answers():
    ok = length_delimited(1, b"\x00")
    return {
        "initialize": ok + b"\x10\x04\x18\x03",  # width 4, height 3
        "shutdown": ok,
        "get_info": ok + floats(2, range(1, 10)) + floats(3, START) + floats(4, range(6)),
        "set_info": ok,
        "get_camera": ok + length_delimited(2, bytes(range(36))),
        "run_game": ok + b"\x15" + struct.pack("<f", 31.28),
    }


def game_answers():
    ok = length_delimited(1, b"0")
    rotation = (0.0,) * 7 + (1.0, 0.0, 0.0) + (0.0, 1.0, 0.0)
    return {
        **spec_answers(),
        **dict.fromkeys(("shutdown", "set_info"), ok),
        "initialize": ok + b"\x10\x04\x18\x03",
        # Unpacked floats, as old protobuf wrote them, are to be read too.
        "get_info": ok
        + b"".join(b"\x15" + struct.pack("<f", v) for v in range(1, 10))
        + floats(3, rotation)
        + floats(4, range(6)),
        "get_camera": ok + length_delimited(2, JPEG),
        "run_game": ok + b"\x15" + struct.pack("<f", 31.28),
    }


SIZE = ImageSize(4, 3)


def test_our_client_in_the_documents_profile(our_client):
    seen = []
    with (
        their_game(spec_answers(), seen) as port,
        our_client(port, Profile.SPEC) as client,
    ):
        assert client.initialize(1, SIZE) == SIZE
        state = client.get_info()
        client.set_info(Keys(-1.0, 0.5, 0.0))
        picture = client.get_camera(SIZE)
        total = client.run_game(0.25)
        client.shutdown()
    assert seen == [
        ("initialize", length_delimited(1, b'{"level": 1}')),
        ("get_info", b""),
        ("set_info", floats(1, [-1.0, 0.5, 0.0])),
        ("get_camera", b""),
        ("run_game", b"\x0d" + struct.pack("<f", 0.25)),
        ("shutdown", b""),
    ]
    assert state.position == (1.0, 2.0, 3.0)
    assert state.linear_velocity == (4.0, 5.0, 6.0)
    assert state.angular_velocity == (7.0, 8.0, 9.0)
    assert state.rotation == RotationMatrix(((0.0, 0.0, 1.0), (0.0, 1.0, 0.0), (-1.0, 0.0, 0.0)))
    assert state.joint_angles == (0.0, 1.0, 2.0)
    assert state.joint_velocities == (3.0, 4.0, 5.0)
    assert isinstance(picture, RawPicture)
    assert decode(picture).tolist()[0][1] == [3, 4, 5]
    assert total == pytest.approx(31.28)


def test_our_client_in_the_real_games_profile(our_client):
    seen = []
    with (
        their_game(game_answers(), seen) as port,
        our_client(port, Profile.GAME) as client,
    ):
        assert client.initialize(0, SIZE) == SIZE
        state = client.get_info()
        client.set_info(Keys(-1.0, 0.5, 0.0))
        picture = client.get_camera(SIZE)
    assert seen[0] == ("initialize", length_delimited(1, b"0,4,3"))
    assert seen[2] == ("set_info", floats(1, [-40.0, 20.0, 0.0]))
    assert state.position == (1.0, 2.0, 3.0)
    assert isinstance(state.rotation, RotationVectors)
    assert state.rotation.forward == (1.0, 0.0, 0.0)
    assert isinstance(picture, EncodedPicture)
    assert bytes(picture.data) == JPEG  # untouched
    red, green, blue = decode(picture)[1, 1]
    assert red > 240
    assert max(green, blue) < 20


OK, NOT_OK = length_delimited(1, b"\x00"), length_delimited(1, b"\x05")
STATE = spec_answers()["get_info"]


@pytest.mark.parametrize(
    "name, answer, error, words",
    [
        ("get_info", b"", CallFailedError, "success = b''"),
        ("get_info", NOT_OK, CallFailedError, "get_info failed"),
        ("get_info", b"\xff" * 30, ProtocolError, "no GetInfoReply"),
        ("get_info", STATE[:-3], ProtocolError, "no GetInfoReply"),
        ("get_info", OK + floats(2, range(8)), WrongLengthError, "boardPosition has 8 floats"),
        ("get_info", STATE + floats(4, [1.0]), WrongLengthError, "JointAngles has 7 floats"),
        ("get_info", bytes(30_000_000), ProtocolError, "too big"),
        ("run_game", NOT_OK, CallFailedError, "run_game failed"),
        ("run_game", b"\x0a", ProtocolError, "no RunGameReply"),
        ("get_camera", NOT_OK, CallFailedError, "get_camera failed"),
        ("get_camera", OK + length_delimited(2, bytes(35)), ImageError, "35 bytes are no RGB"),
        ("get_camera", OK + length_delimited(2, JPEG), ImageError, "are no RGB image"),
        ("get_camera", (OK + length_delimited(2, bytes(36)))[:-1], ProtocolError, "cut short"),
    ],
)
def test_a_bad_answer_is_a_typed_error(name, answer, error, words, our_client):
    with (
        their_game({**spec_answers(), name: answer}, []) as port,
        our_client(port, Profile.SPEC) as client,
    ):
        calls = {
            "get_info": client.get_info,
            "run_game": lambda: client.run_game(0.1),
            "get_camera": lambda: client.get_camera(SIZE),
        }
        with pytest.raises(error, match=words):
            calls[name]()


@pytest.mark.parametrize(
    "image, words",
    [
        (b"", "0 bytes that are no JPEG"),
        (bytes(36), "no JPEG or PNG"),
        (JPEG[: len(JPEG) // 2], "cut short"),
        (JPEG[:2] + b"\xff\xd9", "no JPEG or PNG|frame header"),
        (cv2.imencode(".jpg", np.zeros((4, 3, 3), np.uint8))[1].tobytes(), "3 x 4 pixels"),
    ],
)
def test_a_bad_image_of_the_real_game_is_a_typed_error(image, words, our_client):
    answer = length_delimited(1, b"0") + length_delimited(2, image)
    with (
        their_game({**game_answers(), "get_camera": answer}, []) as port,
        our_client(port, Profile.GAME) as client,
        pytest.raises(ImageError, match=words),
    ):
        client.get_camera(SIZE)


def test_a_png_is_an_image_too(our_client):
    png = cv2.imencode(".png", np.full((3, 4, 3), (0, 0, 255), np.uint8))[1].tobytes()
    answer = length_delimited(1, b"0") + length_delimited(2, png)
    with (
        their_game({**game_answers(), "get_camera": answer}, []) as port,
        our_client(port, Profile.GAME) as client,
    ):
        picture = client.get_camera(SIZE)
    assert picture.format == "png"
    assert decode(picture)[0, 0].tolist() == [255, 0, 0]


def test_a_game_without_a_call_is_named(our_client):
    with (
        their_game({}, []) as port,
        our_client(port, Profile.SPEC) as client,
        pytest.raises(ProtocolError, match="does not know the call get_info"),
    ):
        client.get_info()


def test_a_raw_4k_image_comes_through(our_client):
    size = ImageSize(3840, 2160)
    image = np.arange(3840 * 2160 * 3, dtype=np.uint32).astype(np.uint8).tobytes()
    answer = OK + length_delimited(2, image)
    with (
        their_game({**spec_answers(), "get_camera": answer}, []) as port,
        our_client(port, Profile.SPEC) as client,
    ):
        assert bytes(client.get_camera(size).data) == image


@pytest.mark.parametrize("ours, theirs", [("game", "spec"), ("spec", "game")])
def test_a_client_of_the_other_profile_is_told_so(make_game, ours, theirs):
    game = make_game(theirs)
    client = GameClient(
        open_transport(TransportKind.GRPC, "127.0.0.1", game.port), Dialect(Profile(ours))
    )
    with pytest.raises(CallFailedError, match=f"a game of profile {theirs} answers so"):
        client.initialize(0, ImageSize(64, 36))
    client.close()
