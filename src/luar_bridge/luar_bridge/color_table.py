# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""The program ``color_table``: the picking page of luar_tools with live pictures.

Of a topic of sensor_msgs/Image or CompressedImage, or of vcmImage in the memory.
"""

from __future__ import annotations

import argparse
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import rclpy
from numpy.typing import NDArray
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor
from rclpy.qos import qos_profile_sensor_data
from rclpy.signals import SignalHandlerOptions
from rclpy.utilities import remove_ros_args
from sensor_msgs.msg import CompressedImage, Image

from luar_bridge.host.lua_camera import rgb_of
from luar_bridge.protocol.boost_layout import ProtocolError
from luar_bridge.protocol.segment import Segment, SegmentBusyError, SegmentUnavailableError
from luar_bridge.protocol.writer import WriteRefusedError, write_numbers
from luar_tools.color_table.command import PORT
from luar_tools.color_table.packing import FROM_RGB
from luar_tools.color_table.page import PickingPage, serve
from luar_tools.color_table.pictures import from_bgr, read_picture
from luar_tools.color_table.table import ColorTableError

WAIT_S = 15.0
"""For the first image of a topic."""


class TopicPictures:
    """The newest image of a topic, ``compressed`` or raw."""

    def __init__(self, node: Any, topic: str, packing: str, compressed: bool) -> None:
        self._packing, self._topic = packing, topic
        self._came = threading.Event()
        self._last: Any = None
        kind = CompressedImage if compressed else Image
        node.create_subscription(kind, topic, self._on_image, qos_profile_sensor_data)

    def __call__(self) -> NDArray[np.uint8]:
        """Return the picture as YUYV. Raises ColorTableError."""
        if not self._came.wait(WAIT_S):
            raise ColorTableError(f"{self._topic}: no image came for {WAIT_S:g} s")
        message = self._last
        if isinstance(message, CompressedImage):
            bgr = cv2.imdecode(np.frombuffer(bytes(message.data), np.uint8), cv2.IMREAD_COLOR)
            if bgr is None:
                raise ColorTableError(f"{self._topic}: {message.format!r} cannot be decoded")
            return from_bgr(np.asarray(bgr, np.uint8), self._packing)
        if message.encoding == "yuv422_yuy2":  # the robot's own bytes
            rows = np.frombuffer(message.data, np.uint8).reshape(message.height, message.step)
            return rows[:, : 2 * message.width].reshape(message.height, message.width, 2)
        try:
            return from_bgr(np.ascontiguousarray(rgb_of(message)[..., ::-1]), self._packing)
        except ValueError as error:
            raise ColorTableError(f"{self._topic}: {error}") from error

    def _on_image(self, message: Any) -> None:
        self._last = message
        self._came.set()


def memory_picture(path: Path) -> NDArray[np.uint8]:
    """Return vcmImage.yuyv of a segment, as YUYV. Raises ColorTableError."""
    try:
        with Segment(path) as segment:
            snapshot = segment.snapshot
    except (SegmentUnavailableError, SegmentBusyError, ProtocolError) as error:
        raise ColorTableError(f"{path}: {error}") from error
    width, height = (int(snapshot.number(name) or 0) for name in ("width", "height"))
    pixels = snapshot.raw("yuyv")
    if min(width, height) < 2 or len(pixels) < 2 * width * height:
        raise ColorTableError(f"{path}: it has no yuyv of {width} x {height} pixels")
    return np.frombuffer(pixels, np.uint8, 2 * width * height).reshape(height, width, 2)


def tell_robot(camera: Path) -> None:
    """Have the robot with this segment vcmCamera load its table again. Raises ColorTableError."""
    try:
        write_numbers(camera, "reload_LUT", [1.0])
    except (WriteRefusedError, SegmentUnavailableError, SegmentBusyError, ProtocolError) as error:
        raise ColorTableError(f"{camera}: the robot is not told: {error}") from error


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve the page; return the exit code."""
    parser = argparse.ArgumentParser(prog="color_table", description=__doc__)
    parser.add_argument("picks", type=Path, help="text file of picks; made if it is missing")
    parser.add_argument("table", type=Path, help="table to write")
    parser.add_argument("pictures", type=Path, nargs="*", metavar="PICTURE")
    parser.add_argument("--image", default="", help="topic of sensor_msgs/Image")
    parser.add_argument("--compressed", default="", help="topic of sensor_msgs/CompressedImage")
    parser.add_argument("--memory", type=Path, help="such as /dev/shm/vcmImage01simulated")
    parser.add_argument(
        "--reload", type=Path, metavar="SEGMENT",
        help="set reload_LUT of this segment at each change, such as /dev/shm/vcmCamera01nao",
    )  # fmt: skip
    parser.add_argument("--colors", choices=tuple(FROM_RGB), default="webots")
    parser.add_argument("--port", type=int, default=PORT)
    given = sys.argv[1:] if arguments is None else list(arguments)
    options = parser.parse_args(remove_ros_args(["", *given])[1:])
    rclpy.init(args=given, signal_handler_options=SignalHandlerOptions.NO)
    node, executor = rclpy.create_node("color_table"), SingleThreadedExecutor()
    executor.add_node(node)
    thread = threading.Thread(target=_spin, args=(executor,), name="ROS", daemon=True)
    try:
        page = PickingPage(options.picks, options.table, options.colors)
        for path in options.pictures:
            page.add(path.name, read_picture(path, options.colors))
        for topic, compressed in ((options.image, False), (options.compressed, True)):
            if topic:
                page.add_source(topic, TopicPictures(node, topic, options.colors, compressed))
        if memory := options.memory:
            page.add_source(memory.name, lambda: memory_picture(memory))
        if camera := options.reload:
            page.on_written = lambda: tell_robot(camera)
        thread.start()
        serve(page, options.port)
    except (ColorTableError, OSError) as error:
        sys.stderr.write(f"color_table: {error}\n")
        return 1
    finally:
        executor.shutdown()
        rclpy.try_shutdown()
        if thread.is_alive():
            thread.join()  # else it is in C++ while the process ends
    return 0


def _spin(executor: SingleThreadedExecutor) -> None:
    try:
        executor.spin()
    except ExternalShutdownException:
        pass


if __name__ == "__main__":
    sys.exit(main())
