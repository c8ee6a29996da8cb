# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Images are passed on, or encoded, or refused with a reason."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from sensor_msgs.msg import CompressedImage, Image

from legacy_robots_view.images import MAX_BYTES, encoded, jpeg


def image(pixels, encoding, padding=0):
    rows, columns = pixels.shape[:2]
    flat = np.pad(pixels.reshape(rows, -1), ((0, 0), (0, padding)))
    message = Image(height=rows, width=columns, encoding=encoding, step=flat.shape[1])
    message.data.frombytes(flat.tobytes())
    return message


def decoded(file):
    return cv2.imdecode(np.frombuffer(file, np.uint8), cv2.IMREAD_COLOR)


def plain(color, rows=24, columns=32):
    return np.full((rows, columns, 3), color, np.uint8)


@pytest.mark.parametrize("encoding,order", [("rgb8", (2, 1, 0)), ("bgr8", (0, 1, 2))])
@pytest.mark.parametrize("padding", [0, 5])
def test_colours_stay_what_they_are(encoding, order, padding):
    file = jpeg(image(plain((200, 100, 20)), encoding, padding), 640, 95)
    middle = decoded(file)[12, 16]
    assert np.abs(middle.astype(int) - np.array((200, 100, 20))[list(order)]).max() < 6


def test_other_encodings_of_cv_bridge():
    pixels = np.full((24, 32, 4), (200, 100, 20, 255), np.uint8)
    assert (
        np.abs(decoded(jpeg(image(pixels, "rgba8"), 640, 95))[0, 0] - (20.0, 100, 200)).max() < 6
    )


def test_grey_images():
    pixels = np.full((24, 32), 120, np.uint8)
    assert np.abs(decoded(jpeg(image(pixels, "mono8"), 640, 95)).astype(int) - 120).max() < 4


def test_wide_images_become_smaller():
    file = jpeg(image(plain((1, 2, 3), rows=100, columns=200), "rgb8"), 64, 80)
    assert decoded(file).shape == (32, 64, 3)


@pytest.mark.parametrize(
    "change,reason",
    [
        ({"encoding": "16UC1"}, "encoding '16UC1'"),
        ({"width": 33}, "not an image of 33 x 24"),
        ({"height": 0}, "not an image"),
        ({"step": 1}, "not an image"),
    ],
)
def test_what_is_no_image_is_refused(change, reason):
    message = image(plain((1, 2, 3)), "rgb8")
    for name, value in change.items():
        setattr(message, name, value)
    with pytest.raises(ValueError, match=reason):
        jpeg(message, 640, 80)


def compressed(data, format_="jpeg"):
    message = CompressedImage(format=format_)
    message.data.frombytes(data)
    return message


def test_encoded_images_are_passed_on_untouched():
    file = jpeg(image(plain((9, 9, 9)), "rgb8"), 640, 80)
    assert encoded(compressed(file)) == file


def test_other_files_are_refused():
    with pytest.raises(ValueError, match="format 'h264'"):
        encoded(compressed(b"\0\0\0\1", "h264"))
    with pytest.raises(ValueError, match="too big"):
        encoded(compressed(b"\xff\xd8\xff" + bytes(MAX_BYTES)))
