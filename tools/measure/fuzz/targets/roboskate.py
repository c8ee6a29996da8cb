# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What a RoboSkate game may answer, on both wires and in both profiles, images included."""

import http.client
import io
import struct

import cv2
import numpy as np
from google.protobuf.message import DecodeError

from roboskate_game.client.client import GameClient
from roboskate_game.client.grpc_transport import GrpcTransport
from roboskate_game.client.http_transport import HttpTransport
from roboskate_game.client.transport import TransportError
from roboskate_game.protocol import communication_pb2 as pb
from roboskate_game.protocol.dialect import Dialect, MatrixOrder, Profile
from roboskate_game.protocol.image import decode, encode_jpeg
from roboskate_game.protocol.messages import NO_KEYS, ImageSize, ProtocolError
from roboskate_game.protocol.protobuf_fields import read_camera_reply

SIZE = ImageSize(16, 8)
DIALECTS = [
    Dialect(Profile.SPEC),
    Dialect(Profile.SPEC, MatrixOrder.COLUMN_MAJOR),
    Dialect(Profile.GAME),
]


class AnsweringGrpc(GrpcTransport):
    """A transport whose calls are answered with what the fuzzer has made up."""

    def __init__(self, answer: bytes) -> None:
        self._answer = answer

    def _call(self, name: str, request: object, timeout: float) -> bytes:
        return self._answer


class AnsweringSocket:
    """A connection that brings the fuzzer's bytes, whatever is asked."""

    def __init__(self, answer: bytes) -> None:
        self._answer = answer

    def sendall(self, data: bytes) -> None:
        pass

    def makefile(self, *arguments: object) -> io.BytesIO:
        return io.BytesIO(self._answer)

    def close(self) -> None:
        pass


class AnsweringHttp(HttpTransport):
    """The same for HTTP: status line and headers are the fuzzer's too."""

    def __init__(self, answer: bytes) -> None:
        super().__init__("127.0.0.1", 1)
        self._answer = answer

    def _open(self, deadline: float) -> http.client.HTTPConnection:
        connection = http.client.HTTPConnection("127.0.0.1", 1)
        connection.sock = AnsweringSocket(self._answer)
        return connection


CALLS = [
    lambda game: game.initialize(0, SIZE),
    lambda game: game.shutdown(),
    lambda game: game.get_info(),
    lambda game: game.set_info(NO_KEYS),
    lambda game: decode(game.get_camera(SIZE)),
    lambda game: game.run_game(0.02),
]


def http_answer(body: bytes) -> bytes:
    return b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body


def seeds() -> list[bytes]:
    pixels = np.arange(16 * 8 * 3, dtype=np.uint8).reshape(8, 16, 3)
    images = [pixels.tobytes(), encode_jpeg(pixels), cv2.imencode(".png", pixels)[1].tobytes()]
    turn = [1.0, 0, 0, 0, 1, 0, 0, 0, 1]
    vectors = [0.0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0]
    replies: list[tuple[int, bytes, bytes]] = []
    for success in (b"\x00", b"0"):
        code = b"%d" % success[0]
        replies += [
            (0, pb.InitializeReply(success=success, imageWidth=16, imageHeight=8),
             b"[%s,8,16]" % code),
            (1, pb.ShutdownReply(success=success), code),
            (3, pb.SetInfoReply(success=success), code),
            (5, pb.RunGameReply(success=success, totalSimulatedTime=1.5), b"[%s,1.5]" % code),
        ]  # fmt: skip
        for image in images:
            reply = pb.GetCameraReply(success=success, imageData=image)
            replies.append((4, reply, success + image))
        for rotation in (turn, vectors):
            reply = pb.GetInfoReply(
                success=success, boardPosition=[0.0] * 9, boardRotation=rotation,
                boardCraneJointAngles=[0.0] * 6,
            )  # fmt: skip
            values = [success[0], [0.0] * 9, rotation, [0.0] * 6]
            replies.append((2, reply, str(values).encode()))
    found = [struct.pack("BB", 255, 0)]
    for dialect in range(len(DIALECTS)):
        for call, message, text in replies:
            data = message.SerializeToString()
            found.append(bytes([dialect, call]) + data)
            found.append(bytes([dialect, 128 | call]) + http_answer(text))
    return found


def compare_with_protobuf(answer: bytes) -> None:
    """Where protobuf's own library understands a camera's answer, ours says the same."""
    try:
        ours = read_camera_reply(answer)
    except ProtocolError:
        return
    try:
        theirs = pb.GetCameraReply.FromString(answer)
    except DecodeError:
        raise AssertionError("understood what protobuf refuses") from None
    assert (ours.success, bytes(ours.image)) == (theirs.success, theirs.imageData)


def one_input(data: bytes) -> None:
    if len(data) < 2:
        return
    dialect, kind, answer = DIALECTS[data[0] % len(DIALECTS)], data[1], data[2:]
    transport = AnsweringHttp(answer) if kind & 128 else AnsweringGrpc(answer)
    call = (kind & 127) % len(CALLS)
    if call == 4 and not kind & 128:
        compare_with_protobuf(answer)
    try:
        CALLS[call](GameClient(transport, dialect))
    except (ProtocolError, TransportError):
        pass
