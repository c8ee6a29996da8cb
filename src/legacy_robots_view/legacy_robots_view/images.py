# SPDX-License-Identifier: Apache-2.0
"""Images as a browser can show them: pure functions."""

from __future__ import annotations

import cv2
import numpy as np
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

    Raises ValueError for what cannot be shown: encodings other than rgb8, bgr8 and mono8, or data
    that do not have the image's size.
    """
    channels = {"rgb8": 3, "bgr8": 3, "mono8": 1}.get(message.encoding)
    if channels is None:
        raise ValueError(f"the page cannot show images of encoding {message.encoding!r}")
    rows, columns, step = message.height, message.width, message.step
    data = np.frombuffer(message.data, np.uint8)
    if not rows or not columns or step < columns * channels or data.size != rows * step:
        raise ValueError(f"{data.size} bytes are not an image of {columns} x {rows}")
    pixels: NDArray[np.uint8] = data.reshape(rows, step)[:, : columns * channels]
    picture: NDArray[np.uint8] = pixels.reshape(rows, columns, channels)
    if columns > width:
        height = max(1, round(rows * width / columns))
        small = cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA)
        picture = small.reshape(height, width, channels).astype(np.uint8)
    if message.encoding == "rgb8":
        picture = picture[:, :, ::-1]
    done, file = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise ValueError("the image could not be encoded")
    return file.tobytes()
