# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""A game for bench roboskate that does nothing but send frames: WIDTH HEIGHT.

Profile spec over a bare gRPC server. The first eight bytes of each frame are the time at which it
leaves, in nanoseconds since the epoch. Prints "port NUMBER".
"""

from __future__ import annotations

import struct
import sys
import time
from concurrent import futures
from typing import Any

import grpc
import numpy as np

from roboskate_game.protocol import communication_pb2 as pb

NAMES = ("initialize", "shutdown", "get_info", "set_info", "get_camera", "run_game")
OK = b"\x00"


def main() -> None:
    """Serve until SIGINT."""
    width, height = map(int, sys.argv[1:3])
    frame = np.random.default_rng(1).integers(0, 256, (height, width, 3), np.uint8).tobytes()
    camera = bytearray(pb.GetCameraReply(success=OK, imageData=frame).SerializeToString())
    at = len(camera) - len(frame)
    info = pb.GetInfoReply(
        success=OK,
        boardPosition=[0.0] * 9,
        boardRotation=[0.0, 0.0, 1.0, 0.0, 1.0, 0.0, -1.0, 0.0, 0.0],
        boardCraneJointAngles=[0.0] * 6,
    ).SerializeToString()
    total = 0.0

    def answer(name: str, request: bytes) -> bytes:
        nonlocal total
        if name == "get_camera":
            struct.pack_into("<q", camera, at, time.time_ns())
            return bytes(camera)
        if name == "get_info":
            return info
        if name == "run_game":
            total += pb.RunGameRequest.FromString(request).time
            return pb.RunGameReply(success=OK, totalSimulatedTime=total).SerializeToString()
        if name == "initialize":
            return pb.InitializeReply(
                success=OK, imageWidth=width, imageHeight=height
            ).SerializeToString()
        return pb.SetInfoReply(success=OK).SerializeToString()

    def handler(name: str) -> Any:
        return grpc.unary_unary_rpc_method_handler(lambda request, _: answer(name, request))

    server = grpc.server(
        futures.ThreadPoolExecutor(4), options=[("grpc.max_send_message_length", -1)]
    )
    handlers = {name: handler(name) for name in NAMES}
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler("communication.CommunicationService", handlers),)
    )
    print("port", server.add_insecure_port("127.0.0.1:0"), flush=True)
    server.start()
    try:
        server.wait_for_termination()
    except KeyboardInterrupt:
        server.stop(None)


main()
