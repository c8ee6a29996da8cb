# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Images as a browser can show them: pure functions."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
from cv_bridge import CvBridge, CvBridgeError
from numpy.typing import NDArray
from sensor_msgs.msg import CompressedImage, Image

MAX_BYTES = 4_000_000
"""Of an image that came encoded; a bigger one is not passed on."""

_MAGIC = (b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n")


def encoded(message: CompressedImage) -> bytes:
    """Return an image that is encoded already, untouched; ValueError unless a JPEG or PNG file."""
    data = bytes(message.data)
    if not data.startswith(_MAGIC):
        raise ValueError(f"the page cannot show images of format {message.format!r}")
    if len(data) > MAX_BYTES:
        raise ValueError(f"an image of {len(data)} bytes is too big for the page")
    return data


def jpeg(message: Image, width: int, quality: int) -> bytes:
    """Return an image as a JPEG file, ``width`` pixels wide at most.

    Raises ValueError for what bgr_pixels cannot convert.
    """
    picture = bgr_pixels(message)
    rows, columns, _ = picture.shape
    if columns > width:
        size = (width, max(1, round(rows * width / columns)))
        picture = cv2.resize(picture, size, interpolation=cv2.INTER_AREA).astype(np.uint8)
    done, file = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise ValueError("the image could not be encoded")
    return file.tobytes()


def bgr_pixels(message: Image) -> NDArray[np.uint8]:
    """Return an image converted by cv_bridge: blue, green, red, shape (height, width, 3).

    Raises ValueError for encodings that cv_bridge cannot convert (rgb8, bgr8 and mono8 it can), or
    data that do not have the image's size.
    """
    try:
        kind, channels = _bridge().encoding_to_dtype_with_channels(message.encoding)
        row = message.width * channels * np.dtype(kind).itemsize
        data = np.frombuffer(message.data, np.uint8)
        fits = message.step >= row > 0 and data.size == message.height * message.step > 0
        if not fits:
            size = f"{message.width} x {message.height}"
            raise ValueError(f"{data.size} bytes are not an image of {size}")
        if message.step > row:  # cv_bridge takes the padding for pixels
            rows = data.reshape(message.height, message.step)[:, :row]
            message = Image(height=message.height, width=message.width, encoding=message.encoding)
            message.step = row
            message.data.frombytes(rows.tobytes())
        pixels: NDArray[np.uint8] = _bridge().imgmsg_to_cv2(message, "bgr8")
    except (CvBridgeError, KeyError, cv2.error) as error:
        reason = f"the page cannot show images of encoding {message.encoding!r}"
        raise ValueError(reason) from error
    return pixels


@cache
def _bridge() -> CvBridge:
    return CvBridge()
