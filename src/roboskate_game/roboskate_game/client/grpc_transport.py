# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The real game's wire: plaintext gRPC (docs/originals/roboskate.md, "The real wire")."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, TypeVar

# gRPC prints every connection that ends on standard error; link_state reports ours.
os.environ.setdefault("GRPC_VERBOSITY", "ERROR")

import grpc
from google.protobuf.message import DecodeError, Message

from roboskate_game.client.transport import DeadlineError, TransportError
from roboskate_game.protocol import communication_pb2 as pb
from roboskate_game.protocol.messages import (
    MAXIMUM_MESSAGE_BYTES,
    CameraReply,
    InfoReply,
    InitializeReply,
    ProtocolError,
    RunReply,
)
from roboskate_game.protocol.protobuf_fields import read_camera_reply

SERVICE = "communication.CommunicationService"
M = TypeVar("M", bound=Message)

CHANNEL_OPTIONS: list[tuple[str, int]] = [
    # gRPC's default of 4 MiB is less than one raw image of 1920 x 1080.
    ("grpc.max_receive_message_length", MAXIMUM_MESSAGE_BYTES),
    ("grpc.max_send_message_length", MAXIMUM_MESSAGE_BYTES),
    # A big image arrives a fifth sooner with a flow-control window that holds it.
    ("grpc.http2.lookahead_bytes", 16 * 1024 * 1024),
    # Each transport is a connection of its own: images must not hold up the state.
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.enable_retries", 0),
    ("grpc.enable_http_proxy", 0),
]


class GrpcTransport:
    """One gRPC channel; see Transport."""

    def __init__(self, host: str, port: int) -> None:
        self._peer = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        self._channel = grpc.insecure_channel(self._peer, options=CHANNEL_OPTIONS)
        # Without serializers: an answer that cannot be parsed is ours to report, not gRPC's.
        self._calls: dict[str, Any] = {
            name: self._channel.unary_unary(f"/{SERVICE}/{name}")
            for name in (
                "initialize",
                "shutdown",
                "get_info",
                "set_info",
                "get_camera",
                "run_game",
            )
        }

    @property
    def peer(self) -> str:
        """The other end, as ``host:port``."""
        return self._peer

    def initialize(self, argument: str, timeout: float) -> InitializeReply:
        """Load a level."""
        request = pb.InitializeRequest(json=argument)
        reply = self._ask("initialize", request, pb.InitializeReply, timeout)
        return InitializeReply(reply.success, reply.imageWidth, reply.imageHeight)

    def shutdown(self, timeout: float) -> bytes:
        """Close the level; return the success value."""
        return self._ask("shutdown", pb.NoParams(), pb.ShutdownReply, timeout).success

    def get_info(self, timeout: float) -> InfoReply:
        """Ask for the state of board and crane."""
        reply = self._ask("get_info", pb.NoParams(), pb.GetInfoReply, timeout)
        return InfoReply(
            reply.success, reply.boardPosition, reply.boardRotation, reply.boardCraneJointAngles
        )

    def set_info(self, values: Sequence[float], timeout: float) -> bytes:
        """Hold keys down; return the success value."""
        request = pb.SetInfoRequest(boardCraneJointAngles=values)
        return self._ask("set_info", request, pb.SetInfoReply, timeout).success

    def get_camera(self, timeout: float) -> CameraReply:
        """Ask for an image; it is a view into the received message."""
        return read_camera_reply(self._call("get_camera", pb.NoParams(), timeout))

    def run_game(self, seconds: float, timeout: float) -> RunReply:
        """Let ``seconds`` of the game pass."""
        reply = self._ask("run_game", pb.RunGameRequest(time=seconds), pb.RunGameReply, timeout)
        return RunReply(reply.success, reply.totalSimulatedTime)

    def close(self) -> None:
        """End the connection; a call under way on another thread fails. Idempotent."""
        self._channel.close()

    def _ask(self, name: str, request: Message, reply: type[M], timeout: float) -> M:
        data = self._call(name, request, timeout)
        try:
            return reply.FromString(data)
        except DecodeError as error:
            raise ProtocolError(f"{name}: the answer is no {reply.__name__}") from error

    def _call(self, name: str, request: Message, timeout: float) -> bytes:
        try:
            data: bytes = self._calls[name](request.SerializeToString(), timeout=timeout)
        except grpc.RpcError as error:
            raise _translated(name, self._peer, error, timeout) from error
        except ValueError as error:  # the channel has been closed
            raise TransportError(f"{name}: the connection to {self._peer} is closed") from error
        return data


def _translated(
    name: str, peer: str, error: grpc.RpcError, timeout: float
) -> TransportError | ProtocolError:
    code, details = error.code(), (error.details() or "").strip()
    if code is grpc.StatusCode.DEADLINE_EXCEEDED:
        return DeadlineError(f"{name}: {peer} did not answer within {timeout:g} s")
    if code is grpc.StatusCode.UNIMPLEMENTED:
        return ProtocolError(f"{peer} does not know the call {name}")
    if code is grpc.StatusCode.RESOURCE_EXHAUSTED:
        return ProtocolError(f"{name}: the answer is too big: {details}")
    if code is grpc.StatusCode.UNAVAILABLE:
        return TransportError(f"{name}: {peer} cannot be reached: {details}")
    if code is grpc.StatusCode.CANCELLED:
        return TransportError(f"{name}: {peer} cannot be reached: the call was cancelled")
    return TransportError(f"{name}: {peer} reports {code.name}: {details}")
