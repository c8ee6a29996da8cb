# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The simulated game's gRPC wire."""

from __future__ import annotations

from collections.abc import Callable
from concurrent import futures
from typing import Any

import grpc
from google.protobuf.message import DecodeError, Message

from legacy_robots_simulation.program import Fault, SimulatorError
from roboskate_game.client.grpc_transport import SERVICE
from roboskate_game.protocol import communication_pb2 as pb
from roboskate_game.protocol.messages import InfoReply
from roboskate_game.simulator.game_service import GameService

_THREADS = 16
_GARBAGE = b"\xff" * 64
OPTIONS = [
    # The simulator may send more than it should: that is one of its faults.
    ("grpc.max_send_message_length", -1),
    ("grpc.so_reuseport", 0),
]


Handler = Any
"""grpc.RpcMethodHandler, which is generic for type checkers only."""


class GrpcServer:
    """Serves one game on ``host:port``; port 0 takes a free one."""

    def __init__(self, service: GameService, host: str, port: int) -> None:
        self._service = service
        self._host = f"[{host}]" if ":" in host else host
        self.port = port
        self._server: grpc.Server | None = None

    def start(self) -> None:
        """Begin to serve. Raises SimulatorError when the port cannot be had."""
        server = grpc.server(futures.ThreadPoolExecutor(_THREADS, "grpc"), options=OPTIONS)
        server.add_generic_rpc_handlers(
            (grpc.method_handlers_generic_handler(SERVICE, self._handlers()),)
        )
        try:
            port = server.add_insecure_port(f"{self._host}:{self.port}")
        except RuntimeError:
            port = 0  # as older versions say it
        if port == 0:
            raise SimulatorError(f"cannot listen on {self._host}:{self.port}: is it in use?")
        self.port = port
        server.start()
        self._server = server

    def stop(self) -> None:
        """End; calls under way are cancelled. Idempotent."""
        if self._server is not None:
            self._server.stop(grace=None).wait()
            self._server = None

    def _handlers(self) -> dict[str, Handler]:
        service = self._service

        def initialize(request: bytes) -> Message:
            reply = service.initialize(pb.InitializeRequest.FromString(request).json)
            return pb.InitializeReply(
                success=reply.success,
                imageWidth=reply.image_width,
                imageHeight=reply.image_height,
            )

        def shutdown(request: bytes) -> Message:
            pb.NoParams.FromString(request)
            return pb.ShutdownReply(success=service.shutdown())

        def get_info(request: bytes) -> Message:
            pb.NoParams.FromString(request)
            return _info_message(service.get_info())

        def set_info(request: bytes) -> Message:
            values = pb.SetInfoRequest.FromString(request).boardCraneJointAngles
            return pb.SetInfoReply(success=service.set_info(values))

        def get_camera(request: bytes) -> Message:
            pb.NoParams.FromString(request)
            reply = service.get_camera()
            return pb.GetCameraReply(success=reply.success, imageData=bytes(reply.image))

        def run_game(request: bytes) -> Message:
            reply = service.run_game(pb.RunGameRequest.FromString(request).time)
            return pb.RunGameReply(
                success=reply.success, totalSimulatedTime=reply.total_simulated_time
            )

        calls = (initialize, shutdown, get_info, set_info, get_camera, run_game)
        return {call.__name__: self._handler(call) for call in calls}

    def _handler(self, call: Callable[[bytes], Message]) -> Handler:
        def handle(request: bytes, context: grpc.ServicerContext) -> bytes:
            try:
                with self._service.call_from(context.peer()):
                    reply = call(request)
            except DecodeError:
                context.abort(grpc.StatusCode.INVALID_ARGUMENT, "the request is malformed")
                raise
            if self._service.fault == Fault.GARBAGE:
                return _GARBAGE
            return reply.SerializeToString()

        return grpc.unary_unary_rpc_method_handler(handle)


def _info_message(reply: InfoReply) -> Message:
    return pb.GetInfoReply(
        success=reply.success,
        boardPosition=reply.position,
        boardRotation=reply.rotation,
        boardCraneJointAngles=reply.joints,
    )
