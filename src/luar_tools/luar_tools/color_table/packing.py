# SPDX-FileCopyrightText: 2026 Legacy Robots contributors
# SPDX-License-Identifier: Apache-2.0
"""Luar's packed images (YUYV) and RGB, for both packings."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

Image: TypeAlias = "NDArray[np.uint8]"


def yuyv_to_rgb(yuyv: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return an image of shape (height, width, 2) as RGB, by the video standard (BT.601)."""
    return np.asarray(cv2.cvtColor(yuyv, cv2.COLOR_YUV2RGB_YUY2), np.uint8)


def webots_yuyv_to_rgb(yuyv: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return an image that Luar's Webots controller packed, shape (height, width, 2), as RGB.

    The controller does not follow the standard: Y is green, U 128 + (B - G) / 2 and V 128 + (R -
    G) / 2 of a pair of pixels (docs/originals/luar.md, 3). This inverts it but for the rounding.
    """
    height, width = yuyv.shape[:2]
    green, chroma = cv2.split(yuyv)
    u, v = (
        cv2.resize(np.ascontiguousarray(half), (width, height), interpolation=cv2.INTER_NEAREST)
        for half in (chroma[:, 0::2], chroma[:, 1::2])
    )
    # Green + 2 (chroma - 128), kept within a byte.
    red, blue = (cv2.addWeighted(green, 1.0, c, 2.0, -256.0) for c in (v, u))
    return np.asarray(cv2.merge([red, green, blue]), np.uint8)


def rgb_to_webots_yuyv(rgb: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return RGB of shape (height, width, 3), width even, as Luar's Webots controller packs it.

    Both pixels of a pair get the first one's colour, as in the original.
    """
    red, green, blue = (rgb[:, 0::2, i].astype(np.int16) for i in range(3))
    yuyv = np.empty((*rgb.shape[:2], 2), np.uint8)
    yuyv[:, 0::2, 0] = yuyv[:, 1::2, 0] = green
    yuyv[:, 0::2, 1] = 128 + (blue - green) // 2
    yuyv[:, 1::2, 1] = 128 + (red - green) // 2
    return yuyv


_BT601 = np.array(
    [[65.481, 128.553, 24.966], [-37.797, -74.203, 112.0], [112.0, -93.786, -18.214]], np.float32
)
"""Y, U and V of R, G and B from 0 to 1, without the offsets 16, 128 and 128."""


def rgb_to_yuyv(rgb: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return RGB of shape (height, width, 3), width even, packed by the video standard (BT.601).

    U and V are those of the first pixel of each pair.
    """
    yuv = cv2.transform(rgb.astype(np.float32) / 255.0, _BT601)
    yuyv = np.empty((*rgb.shape[:2], 2), np.uint8)
    yuyv[..., 0] = np.rint(16.0 + yuv[..., 0])
    yuyv[:, 0::2, 1] = np.rint(128.0 + yuv[:, 0::2, 1])
    yuyv[:, 1::2, 1] = np.rint(128.0 + yuv[:, 0::2, 2])
    return yuyv


TO_RGB: dict[str, Callable[[Image], Image]] = {
    "webots": webots_yuyv_to_rgb,
    "standard": yuyv_to_rgb,
}
FROM_RGB: dict[str, Callable[[Image], Image]] = {
    "webots": rgb_to_webots_yuyv,
    "standard": rgb_to_yuyv,
}
"""By the name of a packing."""
