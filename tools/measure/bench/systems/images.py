# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""What an image message costs, ours against cv_bridge's: ``tools/bench images [--repeat N]``.

The bridges fill messages themselves (legacy_robots_common.node.images), with one copy of the
pixels; cv_bridge makes a bytes object first. The view reads messages by cv_bridge. Medians over N.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from time import perf_counter

import cv2
import numpy as np
from cv_bridge import CvBridge
from std_msgs.msg import Header

from legacy_robots_common.node.images import image_message
from legacy_robots_core.freed_memory import keep_freed_memory
from legacy_robots_testing.report import percentile
from measure.bench.table import Table

SIZES = ((1920, 1080), (640, 480))


def median_ms(action: Callable[[], object], repeat: int) -> float:
    """Return the median time of ``action`` in ms."""
    times = []
    for _ in range(repeat):
        begun = perf_counter()
        action()
        times.append(perf_counter() - begun)
    return 1e3 * percentile(times, 50)


def main(argv: list[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="tools/bench images", description=__doc__)
    parser.add_argument("--repeat", type=int, default=300, help="times that each is done")
    repeat = parser.parse_args(argv).repeat
    keep_freed_memory()  # as the bridges that publish images do
    bridge = CvBridge()
    table = Table("image messages, rgb8")
    for width, height in SIZES:
        pixels = np.random.default_rng(1).integers(0, 255, (height, width, 3), np.uint8)
        message = image_message(pixels, width, height, "rgb8", Header())

        def fill() -> object:
            return image_message(pixels, width, height, "rgb8", Header())  # noqa: B023

        def numpy_bgr() -> object:
            rows = np.frombuffer(message.data, np.uint8).reshape(height, width, 3)  # noqa: B023
            return np.ascontiguousarray(rows[:, :, ::-1])

        ways = {
            "message by one copy": fill,
            "message by cv_bridge": lambda: bridge.cv2_to_imgmsg(pixels, "rgb8"),  # noqa: B023
            "bgr8 pixels by cv_bridge": lambda: bridge.imgmsg_to_cv2(message, "bgr8"),  # noqa: B023
            "bgr8 pixels by numpy": numpy_bgr,
            "JPEG of them": lambda: cv2.imencode(".jpg", pixels),  # noqa: B023
        }
        for name, way in ways.items():
            try:
                figure = f"{median_ms(way, repeat):.3f} ms"
            except AttributeError:  # PyPI's cv_bridge makes no messages with numpy 2.3 and later
                figure = "not with this numpy"
            table.add(f"{width} x {height}: {name}", figure)
    return table.print()


if __name__ == "__main__":
    sys.exit(main())
